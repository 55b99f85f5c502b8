internal import RoostEngine

/// The policy for an existing file that cannot be opened as a store.
///
/// It applies to a file whose opening throws ``StoreError/corrupt(path:damage:)``,
/// ``StoreError/fileTruncated(path:)``, ``StoreError/notARoostFile(path:)``,
/// ``StoreError/fileIsNewer(path:features:unknownSteps:)`` or ``StoreError/fileIsOlder(path:format:)``. Opening reads the
/// pages of the last commits, not the whole file: other damage is thrown by later reads. A file that
/// is locked, or that the system refuses to open, is always left alone.
public enum UnreadableFilePolicy: Hashable, Sendable {
  /// The error is thrown, and the file stays unchanged.
  case `throw`
  /// The file is renamed in the same directory, and the store starts empty.
  case setAside
  /// The file is removed, and the store starts empty: for data that can be fetched or computed again.
  ///
  /// A file that does not begin like a store is set aside instead of removed: it may belong to another program.
  case recreate
}

/// A file that could not be opened, and the action taken.
public struct UnreadableFile: Equatable, Sendable {
  /// Why it could not be opened.
  public let reason: StoreError
  /// Its new path; nil if it was removed.
  public let movedTo: String?
}

extension UnreadableFilePolicy {
  /// Removes or renames the file at a path after it could not be opened.
  ///
  /// - Returns: What became of it; nil where it can be opened after all.
  func clear(
    _ path: String, after error: EngineError, in fileSystem: any FileSystem
  ) throws(EngineError) -> UnreadableFile? {
    guard self != .throw, error.isUnreadableFile else { throw error }
    var isOurs = true
    if case .notARoostFile = error { isOurs = false }
    let destination =
      self == .recreate && isOurs ? nil : try Self.freePath(beside: path, in: fileSystem)
    guard try Engine.clear(unreadable: path, movingTo: destination, in: fileSystem) else {
      return nil
    }
    return UnreadableFile(
      reason: StoreError(error, in: StoreFile(path: path)), movedTo: destination)
  }

  /// An unused name: `people.roost.unreadable`, or with a number.
  private static func freePath(
    beside path: String, in fileSystem: any FileSystem
  ) throws(EngineError) -> String {
    var candidate = path + ".unreadable"
    var number = 1
    while true {
      do {
        guard try fileSystem.kind(of: candidate) != nil else { return candidate }
      } catch { throw .file(error) }
      number += 1
      candidate = "\(path).unreadable-\(number)"
    }
  }
}
