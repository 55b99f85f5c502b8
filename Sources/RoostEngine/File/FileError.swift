#if canImport(Darwin)
internal import Darwin
#elseif canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Android)
internal import Android
#endif

/// What the system answered when it refused an operation on a file.
public struct FileError: Error, Hashable, Sendable {
  /// What was asked of the system.
  public enum Operation: String, Hashable, Sendable {
    case open, read, write, synchronize, allocate, resize, lock, rename, remove, status, list
  }

  /// What was asked of the system.
  public var operation: Operation
  /// The path of the file, as it was given when the file was opened.
  public var path: String
  /// The system's error number (`errno`).
  public var code: Int32

  /// An error of an operation on the file at `path`, with the system's error number.
  public init(_ operation: Operation, path: String, code: Int32) {
    self.operation = operation
    self.path = path
    self.code = code
  }

  /// Whether there was no room: the disk is full, or a quota is used up.
  public var isOutOfSpace: Bool { code == ENOSPC || code == EDQUOT }

  /// Whether there is no file of that name.
  public var isMissingFile: Bool { code == ENOENT }
}

extension FileError: CustomStringConvertible {
  /// The operation, the path and the system's words for the error.
  public var description: String {
    "cannot \(operation.rawValue) \"\(path)\": \(systemMessage(for: code)) (\(code))"
  }
}

/// The system's words for an error number.
private func systemMessage(for code: Int32) -> String {
  unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { buffer in
    guard let start = buffer.baseAddress, unsafe strerror_r(code, start, buffer.count) == 0 else {
      return "unknown error"
    }
    return unsafe String(cString: start)
  }
}
