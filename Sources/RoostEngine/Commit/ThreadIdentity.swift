#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#endif

/// Which of the threads that run now a thread is. Two threads have the same identity only one after the other.
package struct ThreadIdentity: Equatable, Sendable {
  let address: UInt

  /// The calling thread; no system call.
  package static var current: ThreadIdentity {
    #if canImport(Darwin)
    return ThreadIdentity(address: UInt(bitPattern: pthread_self()))
    #else
    return ThreadIdentity(address: UInt(pthread_self()))
    #endif
  }
}
