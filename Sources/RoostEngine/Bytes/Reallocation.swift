#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#endif

/// The system's `realloc`, which ends the process when there is no memory, as Swift's own allocations do.
@unsafe
func reallocated(_ old: UnsafeMutableRawPointer?, _ byteCount: Int)
  -> UnsafeMutableRawPointer
{
  // Traps: only when memory is exhausted, whatever the data.
  guard let grown = unsafe realloc(old, byteCount) else { fatalError("Out of memory.") }
  return unsafe grown
}

/// Frees memory that ``reallocated(_:_:)`` returned.
@unsafe
func deallocated(_ memory: UnsafeMutableRawPointer) { unsafe free(memory) }
