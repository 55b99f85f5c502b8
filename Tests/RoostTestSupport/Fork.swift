package import Foundation

/// `fork`, which Swift hides because little is allowed in the child of a process with threads.
///
/// For programs that have no other threads.
/// - Returns: The child's number; 0 in the child.
package func forkProcess() throws -> pid_t {
  typealias Fork = @convention(c) () -> pid_t
  guard let symbol = unsafe dlsym(nil, "fork") else { throw POSIXError(.ENOSYS) }
  let process = unsafe unsafeBitCast(symbol, to: Fork.self)()
  guard process >= 0 else { throw POSIXError(.EAGAIN) }
  return process
}
