#include <lmdb.h>
#include <string.h>

// glibc declares it for its own dialect of C only.
void *memmem(const void *haystack, size_t haystack_size, const void *needle, size_t needle_size);
