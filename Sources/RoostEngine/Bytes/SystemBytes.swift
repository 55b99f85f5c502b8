#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#endif

/// Negative, zero or positive if the first `count` bytes of `a` sort before, equal to or after those of `b`.
@unsafe
func compareBytes(_ a: UnsafeRawPointer, _ b: UnsafeRawPointer, _ count: Int) -> Int {
  unsafe Int(memcmp(a, b, count))
}

/// Sets `count` bytes to zero. Swift's own way is a loop in debug builds.
@unsafe
func zeroBytes(_ base: UnsafeMutableRawPointer, _ count: Int) {
  unsafe _ = memset(base, 0, count)
}
