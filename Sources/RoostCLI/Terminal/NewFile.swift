#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

#if canImport(Darwin)
internal import Darwin
#elseif canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#endif

/// Writes a file beside its place, and gives it its name when it is whole; an error leaves what was there.
///
/// - Parameters:
///   - path: Where the file is to lie.
///   - isReplacing: Whether it may replace one that is there.
///   - body: Writes the file at the path that it is given.
func writeNewFile(
  _ path: String, replacing isReplacing: Bool, _ body: (String) throws -> Void
) throws {
  func isThere() -> Bool { FileManager.default.fileExists(atPath: path) }
  let refusal = ToolFailure(
    "\(path) is there already; replace it with --force, or take another name.")
  guard isReplacing || !isThere() else { throw refusal }
  let unfinished = "\(path).\(UUID().uuidString)"
  defer { try? FileManager.default.removeItem(atPath: unfinished) }
  try body(unfinished)
  // Another program may have made one meanwhile; a link, unlike a new name, replaces nothing.
  let result = unsafe isReplacing ? rename(unfinished, path) : link(unfinished, path)
  guard result != 0 else { return }
  if errno == EEXIST { throw refusal }
  throw ToolFailure(
    "\(path) cannot be written (error \(errno)): check the path and its permissions.")
}

/// Writes a file that must not exist.
func writing(to path: String, _ body: (Output) throws -> Void) throws {
  let file = unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
  guard file >= 0 else {
    throw ToolFailure(
      "\(path) cannot be written (error \(errno)): check the path and its permissions.")
  }
  defer { close(file) }
  let output = Output(file)
  try body(output)
  try output.flush()
  guard fsync(file) == 0 else {
    throw ToolFailure("\(path) cannot be written (error \(errno)): is its disk full?")
  }
}
