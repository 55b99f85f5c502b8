// Tells the thread sanitizer what the Swift runtime orders: loaded before it by Scripts/tsan, on Linux only.
//
// The runtime's own libraries are not compiled for the sanitizer, which so misses three ways in which one thread's
// work comes before another's, and would call it a race that the second one goes on where the first one ended:
//   - a Mutex that somebody waits for is handed over in libswiftSynchronization (the rest of it is inlined);
//   - who drops the last reference to an object may take it down, and use its memory again;
//   - who finds that a reference is the only one may change what it refers to.
// Nothing else is ordered here: a reference that is dropped and not the last orders nothing.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>

void __tsan_acquire(void *);
void __tsan_release(void *);

// The runtime's own function of this name and type, which stands behind the one here.
#define NEXT(name, type) \
  ({ \
    static __typeof__(type) found; \
    if (!found) found = (__typeof__(type))dlsym(RTLD_NEXT, name); \
    found; \
  })

// MARK: Mutex

#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context)) void *self
#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define TRY_LOCK "$s15Synchronization12_MutexHandleV12_tryLockSlowSbyF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

SWIFT void lock(uint32_t thread, SELF) __asm__(LOCK);
SWIFT void lock(uint32_t thread, SELF) {
  NEXT(LOCK, SWIFT void (*)(uint32_t, SELF))(thread, self);
  __tsan_acquire(self);
}

SWIFT bool try_lock(SELF) __asm__(TRY_LOCK);
SWIFT bool try_lock(SELF) {
  bool is_locked = NEXT(TRY_LOCK, SWIFT bool (*)(SELF))(self);
  if (is_locked) __tsan_acquire(self);
  return is_locked;
}

SWIFT void unlock(SELF) __asm__(UNLOCK);
SWIFT void unlock(SELF) {
  __tsan_release(self);
  NEXT(UNLOCK, SWIFT void (*)(SELF))(self);
}

// MARK: References

struct object {
  void *type;
  // The highest bit: the count is kept elsewhere. Below it, how many references there are beside one.
  _Atomic int64_t references;
};

static const int64_t one_reference = (int64_t)1 << 33;
// The lower half of the count of an object that lives for ever.
static const uint32_t immortal = UINT32_MAX;

void swift_release_n(struct object *object, uint32_t count) {
  // What is no pointer has no count.
  if ((intptr_t)object <= 0 || count == 0) return;
  int64_t old = __c11_atomic_load(&object->references, __ATOMIC_RELAXED);
  if ((uint32_t)old == immortal) return;
  __tsan_release(object);
  while (old >= 0 && old - count * one_reference >= 0) {
    if (__c11_atomic_compare_exchange_strong(
            &object->references, &old, old - count * one_reference, __ATOMIC_RELEASE, __ATOMIC_RELAXED))
      return;
  }
  // The last reference, or perhaps the last one.
  __tsan_acquire(object);
  NEXT("swift_release_n", void (*)(struct object *, uint32_t))(object, count);
}

void swift_release(struct object *object) { swift_release_n(object, 1); }

// The bits of a bridged object that are no part of its address, but for those that say that it has no count.
static const intptr_t address_bits = (intptr_t)0x80FFFFFFFFFFFFF8;

void swift_bridgeObjectRelease_n(intptr_t object, uint32_t count) {
  swift_release_n((struct object *)(object & address_bits), count);
}

void swift_bridgeObjectRelease(intptr_t object) { swift_bridgeObjectRelease_n(object, 1); }

bool swift_isUniquelyReferenced_nonNull_native(struct object *object) {
  bool is_unique = NEXT("swift_isUniquelyReferenced_nonNull_native", bool (*)(struct object *))(object);
  if (is_unique) __tsan_acquire(object);
  return is_unique;
}

bool swift_isUniquelyReferenced_native(struct object *object) {
  bool is_unique = NEXT("swift_isUniquelyReferenced_native", bool (*)(struct object *))(object);
  if (is_unique) __tsan_acquire(object);
  return is_unique;
}
