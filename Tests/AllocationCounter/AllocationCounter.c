// Counts the allocations of each thread by standing in for the C library's functions.
//
// Only in the tests' program, and only with glibc, whose own functions keep their other names. The
// sanitizers stand in for the same functions: beside them nothing is counted.
#define _GNU_SOURCE  // for RTLD_NEXT
#include "AllocationCounter.h"

#include <stddef.h>
#include <stdlib.h>

static __thread unsigned long count;

unsigned long allocation_count(void) { return count; }

#if !defined(__has_feature)
#define __has_feature(name) 0
#endif

#if defined(__GLIBC__) && !__has_feature(thread_sanitizer) && !__has_feature(address_sanitizer)
#include <errno.h>

#include <dlfcn.h>
#include <malloc.h>

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);

// Swift's arrays have room for as much as their memory really has, and a piece of the heap may have 16 bytes more than
// was asked for: where so little was left that it was not cut off. How often an array grows would depend on what other
// tests did to the heap. So all pieces are of 32 bytes, less the 8 that the C library needs, and what is more is not told.
static size_t rounded(size_t size) { return size > (size_t)1 << 40 ? size : ((size + 8 + 31) & ~(size_t)31) - 8; }

size_t malloc_usable_size(void *memory) {
  static size_t (*real)(void *);
  if (!real) real = (size_t(*)(void *))dlsym(RTLD_NEXT, "malloc_usable_size");
  size_t size = real(memory);
  return size < 24 ? size : ((size + 8) & ~(size_t)31) - 8;
}

void *malloc(size_t size) {
  count++;
  return __libc_malloc(rounded(size));
}

void *calloc(size_t items, size_t size) {
  count++;
  size_t total;
  if (__builtin_mul_overflow(items, size, &total)) return __libc_calloc(items, size);
  return __libc_calloc(1, rounded(total));
}

void *realloc(void *old, size_t size) {
  count++;
  // Of size 0 it may free, and gives nothing.
  return __libc_realloc(old, size == 0 ? 0 : rounded(size));
}

void *aligned_alloc(size_t alignment, size_t size) {
  count++;
  return __libc_memalign(alignment, rounded(size));
}

int posix_memalign(void **result, size_t alignment, size_t size) {
  count++;
  *result = __libc_memalign(alignment, rounded(size));
  return *result == NULL ? ENOMEM : 0;
}
#endif
