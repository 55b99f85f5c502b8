// Counts the allocations of each thread by standing in for the C library's functions.
//
// Only in the tests' program, and only with glibc, whose own functions keep their other names. The thread
// sanitizer stands in for the same functions: beside it nothing is counted.
#include "AllocationCounter.h"

#include <stddef.h>
#include <stdlib.h>

static __thread unsigned long count;

unsigned long allocation_count(void) { return count; }

#if !defined(__has_feature)
#define __has_feature(name) 0
#endif

#if defined(__GLIBC__) && !__has_feature(thread_sanitizer)
#include <errno.h>

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);

void *malloc(size_t size) {
  count++;
  return __libc_malloc(size);
}

void *calloc(size_t items, size_t size) {
  count++;
  return __libc_calloc(items, size);
}

void *realloc(void *old, size_t size) {
  count++;
  return __libc_realloc(old, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
  count++;
  return __libc_memalign(alignment, size);
}

int posix_memalign(void **result, size_t alignment, size_t size) {
  count++;
  *result = __libc_memalign(alignment, size);
  return *result == NULL ? ENOMEM : 0;
}
#endif
