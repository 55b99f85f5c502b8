#if canImport(Darwin)
internal import Darwin
#elseif canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Android)
internal import Android
#endif

/// An error of the operating system in a file operation.
package struct FileError: Error, Equatable, Sendable {
  /// The operation.
  package enum Operation: String, Hashable, Sendable {
    case open, read, write, synchronize, allocate, resize, lock, rename, remove, status, list
    case permissions = "set the permissions of"
  }

  /// The operation.
  package var operation: Operation
  /// The path of the file, as given when the file was opened.
  package var path: String
  /// The system's error number (`errno`).
  package var code: Int32

  /// An error of an operation on the file at `path`, with the system's error number.
  package init(_ operation: Operation, path: String, code: Int32) {
    self.operation = operation
    self.path = path
    self.code = code
  }

  /// The meaning of an error number.
  package enum Meaning: Hashable, Sendable {
    /// No space is left: the disk is full, or a quota is used up.
    case outOfSpace
    /// The file would exceed the size limit of the process or of the file system.
    case tooLarge
    /// No file has this name.
    case missingFile
    /// A file of this name already exists.
    case existingFile
    /// The path names a directory.
    case directory
    /// The system forbids the operation, or the medium is read-only.
    case forbidden
    /// The path no longer names this file.
    case stale
    /// Another process uses the file.
    case busy
    /// The file was opened by the process that forked this one.
    case forked
    /// The file is closed, or not open for this operation.
    case notOpen
    /// The operation is invalid for this file.
    case invalid
    /// Memory is exhausted.
    case outOfMemory
    /// Any other error.
    case other
  }

  /// The meaning of the error number.
  package var meaning: Meaning {
    switch code {
    case ENOSPC, EDQUOT: .outOfSpace
    case EFBIG: .tooLarge
    case ENOENT: .missingFile
    case EEXIST: .existingFile
    case EISDIR: .directory
    case EACCES, EPERM, EROFS: .forbidden
    case ESTALE: .stale
    case EBUSY, EWOULDBLOCK: .busy
    case forkedCode: .forked
    case EBADF: .notOpen
    case EINVAL: .invalid
    case ENOMEM: .outOfMemory
    default: .other
    }
  }

  /// The system's description of the error number.
  package var words: String {
    meaning == .forked
      ? "it was opened by the process that forked this one" : Self.words(for: code)
  }

  /// The system's description of an error number.
  package static func words(for code: Int32) -> String {
    unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { buffer in
      guard let start = buffer.baseAddress, unsafe strerror_r(code, start, buffer.count) == 0
      else { return "unknown error" }
      return unsafe String(cString: start)
    }
  }
}

/// The number of ``FileError/Meaning/forked``: the system returns it for no file operation.
private let forkedCode = ECHILD

extension FileError {
  /// An error that the engine itself detects, with the system's number for it.
  package init(_ operation: Operation, path: String, _ meaning: Meaning) {
    let code =
      switch meaning {
      case .outOfSpace: ENOSPC
      case .tooLarge: EFBIG
      case .missingFile: ENOENT
      case .existingFile: EEXIST
      case .directory: EISDIR
      case .forbidden: EACCES
      case .stale: ESTALE
      case .busy: EBUSY
      case .forked: forkedCode
      case .notOpen: EBADF
      case .invalid: EINVAL
      case .outOfMemory: ENOMEM
      case .other: EIO
      }
    self.init(operation, path: path, code: code)
  }
}

extension FileError: CustomStringConvertible {
  /// The operation, the path and the system's description of the error.
  package var description: String {
    "cannot \(operation.rawValue) \"\(path)\": \(words) (\(code))"
  }
}
