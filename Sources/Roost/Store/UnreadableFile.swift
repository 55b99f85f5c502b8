internal import RoostEngine

/// What happens to an existing file that cannot be opened as a store.
///
/// It is about a file whose opening throws ``StoreError/corrupt(path:damage:)``,
/// ``StoreError/fileTruncated(path:)``, ``StoreError/notARoostFile(path:)``,
/// ``StoreError/fileIsNewer(path:features:unknownSteps:)`` or ``StoreError/fileIsOlder(path:format:)``. Opening reads what
/// the last commits wrote, not the whole file: damage elsewhere is thrown by whoever reads it. A file that
/// is locked or that the system refuses is left alone in any case.
public enum UnreadableFilePolicy: Hashable, Sendable {
  /// The error is thrown, and the file left as it is.
  case `throw`
  /// The file gets another name beside its own, and the store starts anew.
  case setAside
  /// The file is removed, and the store starts anew: for what can be fetched or computed again.
  ///
  /// A file that does not begin as a store does is not removed but set aside: it may be somebody else's.
  case recreate
}

/// A file that could not be opened, and what became of it.
public struct UnreadableFile: Equatable, Sendable {
  /// Why it could not be opened.
  public let reason: StoreError
  /// The path that it has now; nil where it was removed.
  public let movedTo: String?
}

extension UnreadableFilePolicy {
  /// Takes the file at a path out of the way after it could not be opened.
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

  /// A name that no file has: `people.roost.unreadable`, or with a number.
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
