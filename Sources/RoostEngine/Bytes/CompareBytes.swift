#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#endif

/// Below, at or above zero as the first `count` bytes of `a` sort before, with or after those of `b`.
@unsafe
func compareBytes(_ a: UnsafeRawPointer, _ b: UnsafeRawPointer, _ count: Int) -> Int {
  unsafe Int(memcmp(a, b, count))
}
