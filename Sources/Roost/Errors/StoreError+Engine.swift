internal import RoostEngine

#if canImport(Darwin)
internal import Darwin
#elseif canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Android)
internal import Android
#endif

extension StoreError {
  /// What the engine's error means to whoever uses the store at `path`.
  init(_ error: EngineError, path: String) {
    self =
      switch error {
      case .file(let error): Self(error)
      case .corrupt(let corruption):
        .corrupt(
          path: path, unit: corruption.unit,
          reason: "the \(Self.words(corruption.reason)) is not as it must be")
      case .notARoostFile(let path): .notARoostFile(path: path)
      case .truncated(let path): .fileTruncated(path: path)
      case .fileIsNewer(let features): .fileIsNewer(path: path, features: features)
      case .fileIsOlder(let format): .fileIsOlder(path: path, format: Int(format))
      case .locked(let path): .locked(path: path)
      case .readOnly: .readOnly
      case .closed: .closed
      case .transactionEnded: .transactionEnded
      case .nestedWrite: .reentrantWrite
      case .writesRefused: .writesRefused(reason: "an earlier write to \(path) failed")
      case .duplicate(let table, let field, let value):
        .duplicateKey(model: table, field: field, value: value)
      case .missing(let table, let key): .notFound(model: table, id: key)
      case .danglingLink(let table, let field, let target, let value):
        .danglingLink(model: table, field: field, target: target, targetID: value)
      case .linkedTarget(let table, let key, let from, let field):
        .linkedTarget(model: table, id: key, by: "\(from).\(field)")
      case .unknown(let name): .unknownModel(model: name)
      case .wrongType(let table, let field):
        .undecodable(model: table, field: field, value: "a value of another type")
      case .tooLong(let table, let field, let limit):
        .valueTooLong(model: table, field: field, limit: limit)
      case .limit(let what): .limitExceeded(what)
      case .overflow(let field): .overflow(field: field)
      case .cancelled: .cancelled
      }
  }

  /// What the system's refusal means.
  init(_ error: FileError) {
    let path = error.path
    self =
      switch error.code {
      case ENOSPC, EDQUOT: .diskFull(path: path)
      case EISDIR: .isDirectory(path: path)
      case ENOENT where error.operation == .open: .fileNotFound(path: path)
      case EACCES, EPERM, EROFS:
        .permissionDenied(operation: error.operation.rawValue, path: path)
      default: .io(operation: error.operation.rawValue, path: path, errno: error.code)
      }
  }

  /// A reason's name as words: `checksum`, `node order`.
  static func words(_ reason: Corruption.Reason) -> String {
    reason.rawValue.reduce(into: "") { words, character in
      if character.isUppercase, words.last?.isLowercase == true {
        words += " " + character.lowercased()
      } else {
        words.append(character)
      }
    }
  }
}

/// Runs an operation of the engine, and turns its error into the store's.
@inline(__always)
func atPath<R>(
  _ path: @autoclosure () -> String, _ operation: () throws(EngineError) -> R
) throws(StoreError) -> R {
  do { return try operation() } catch { throw StoreError(error, path: path()) }
}
