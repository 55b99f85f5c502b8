internal import CRoostSQLite
internal import RoostEngine

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Android)
internal import Android
#elseif canImport(Darwin)
internal import Darwin
#endif

/// A private copy of a database, of which SQLite may do what it wants. The source is read, and no lock is taken on it.
final class SourceCopy: Sendable {
  /// What belongs to the content; the shared memory of a log does not.
  static let endings = ["", "-wal", "-journal"]

  /// The copied file.
  let file: String
  /// The source's own path.
  let path: String
  private let folder: String
  private let states: [FileState?]

  init(_ path: String) throws(SQLiteError) {
    self.path = path
    states = try Self.states(of: path)
    try Self.checkHeader(states, path)
    let folder = FileManager.default.temporaryDirectory.path + "/roost-sqlite-" + UUID().uuidString
    self.folder = folder
    file = folder + "/copy.sqlite"
    do {
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
      for (ending, state) in zip(Self.endings, states) where state != nil {
        try FileManager.default.copyItem(atPath: path + ending, toPath: file + ending)
        // A source that may not be written to is copied with this.
        try FileManager.default.setAttributes(
          [.posixPermissions: 0o600], ofItemAtPath: file + ending)
      }
    } catch {
      try? FileManager.default.removeItem(atPath: folder)
      try checkUnchanged()
      throw .cannotOpen(path: path, reason: "\(error)")
    }
    do throws(SQLiteError) {
      try checkUnchanged()
      guard unsafe roost_journal_names_another(file + "-journal") == 0 else {
        throw SQLiteError.unfinishedTransaction(path: path)
      }
    } catch {
      try? FileManager.default.removeItem(atPath: folder)
      throw error
    }
  }

  /// Whether two connections can read it at once: it has no log, and no transaction was interrupted.
  var mayBeReadTwice: Bool {
    guard let head = states.first??.head, states.dropFirst().allSatisfy({ $0 == nil }) else {
      return false
    }
    // How the file is written and read: 1 for a journal, 2 for a log.
    return head.count > 19 && head[18] == 1 && head[19] == 1
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  /// Throws if the source was written to since.
  func checkUnchanged() throws(SQLiteError) {
    guard try Self.states(of: path) == states else { throw .changed(path: path) }
  }

  private static func states(of path: String) throws(SQLiteError) -> [FileState?] {
    var states: [FileState?] = []
    for ending in endings { states.append(try FileState.read(path + ending)) }
    return states
  }

  private static func checkHeader(_ states: [FileState?], _ path: String) throws(SQLiteError) {
    guard let state = states.first ?? nil else {
      throw .cannotOpen(path: path, reason: "there is no such file")
    }
    guard state.bytes > 0 else { throw .empty(path: path) }
    guard state.head.starts(with: Array("SQLite format 3\0".utf8)) else {
      throw .notSQLite(path: path)
    }
  }
}

/// What tells whether a file was written to.
struct FileState: Equatable, Sendable {
  var bytes: Int64
  var seconds: Int64
  var nanoseconds: Int64
  var inode: UInt64
  /// The first bytes: a database counts its transactions there, and a log has its salt there.
  var head: [UInt8]

  /// The state of a file; nil if there is none.
  static func read(_ path: String) throws(SQLiteError) -> FileState? {
    var state = roost_file_state()
    switch unsafe roost_file_state_read(path, &state) {
    case 0: return nil
    case 1: break
    default: throw .cannotOpen(path: path, reason: FileError.words(for: errno))
    }
    guard state.is_regular == 1 else {
      throw .cannotOpen(path: path, reason: "it is not a regular file")
    }
    return FileState(
      bytes: state.bytes, seconds: state.seconds, nanoseconds: state.nanoseconds,
      inode: state.inode, head: unsafe withUnsafeBytes(of: state.head) { unsafe Array($0) })
  }
}
