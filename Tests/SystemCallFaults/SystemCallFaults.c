// Interrupts system calls and cuts them short by standing in for the C library's functions, as signals, quotas and
// file systems over a network do.
//
// Only in the tests' program, and only on Linux, where the system can be called without the library.
#define _GNU_SOURCE
#include "SystemCallFaults.h"

static __thread unsigned long state;
static __thread unsigned long count;

void disturb_system_calls(unsigned long seed) {
  state = seed;
  count = 0;
}

unsigned long disturbed_system_calls(void) { return count; }

#if defined(__linux__) && defined(__x86_64__)
#include <errno.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

static unsigned long next_random(void) {
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return state;
}

/// Whether a call is to be interrupted now.
static int is_interrupted(void) {
  if (state == 0 || next_random() % 3 != 0) return 0;
  count++;
  errno = EINTR;
  return 1;
}

/// How many bytes of so many a call moves now: at least one.
static size_t shortened(size_t bytes) {
  if (state == 0 || bytes < 2 || next_random() % 2 != 0) return bytes;
  count++;
  return 1 + next_random() % (bytes - 1);
}

ssize_t pread(int file, void *buffer, size_t bytes, off_t offset) {
  if (is_interrupted()) return -1;
  return syscall(SYS_pread64, file, buffer, shortened(bytes), offset);
}

ssize_t pwritev(int file, const struct iovec *vectors, int vectors_count, off_t offset) {
  if (is_interrupted()) return -1;
  size_t total = 0;
  for (int index = 0; index < vectors_count; index++) total += vectors[index].iov_len;
  size_t left = shortened(total);
  if (left == total) return syscall(SYS_pwritev, file, vectors, vectors_count, offset, 0);
  // What is left of the vectors that begin before the end.
  struct iovec cut[vectors_count];
  int cut_count = 0;
  while (left > 0) {
    cut[cut_count] = vectors[cut_count];
    if (cut[cut_count].iov_len > left) cut[cut_count].iov_len = left;
    left -= cut[cut_count].iov_len;
    cut_count++;
  }
  return syscall(SYS_pwritev, file, cut, cut_count, offset, 0);
}

int ftruncate(int file, off_t size) {
  if (is_interrupted()) return -1;
  return syscall(SYS_ftruncate, file, size);
}
#endif
