internal import Dispatch
internal import Synchronization

/// The check that a copy's pages fit together, on a thread of its own while the rows are read.
///
/// It takes a third of the time of reading them. Until it has ended, rows may be those of a damaged file: nothing may be kept
/// of them.
final class PageCheck: Sendable {
  private let result = Mutex<Result<Void, SQLiteError>?>(nil)
  private let hasEnded = DispatchSemaphore(value: 0)

  /// Begins the check; a copy that a second connection cannot read is checked by the first one, before this returns.
  ///
  /// - Parameter connection: The connection that reads the rows; nobody else uses it meanwhile.
  init(
    of copy: SourceCopy, _ connection: Connection, valueBytesMax: Int
  ) throws(SQLiteError) {
    guard copy.mayBeReadTwice else {
      try connection.checkPages()
      result.withLock { $0 = .success(()) }
      hasEnded.signal()
      return
    }
    connection.willChange = wait
    // Without the copy itself: it must be gone when the import has ended, and the queue may let go of this later.
    let (file, path) = (copy.file, copy.path)
    DispatchQueue(label: "roost.sqlite.check", qos: .userInitiated).async {
      let found = Result { () throws(SQLiteError) in
        try Connection(borrowing: file, of: path, valueBytesMax: valueBytesMax).checkPages()
      }
      self.result.withLock { $0 = found }
      self.hasEnded.signal()
    }
  }

  /// Throws if damage was found so far.
  func throwIfDamaged() throws(SQLiteError) {
    if case .failure(let error)? = result.withLock({ $0 }) { throw error }
  }

  /// Waits for the end, and throws if damage was found.
  func wait() throws(SQLiteError) {
    hasEnded.wait()
    hasEnded.signal()
    try throwIfDamaged()
  }

  /// Runs what reads the file: where both fail, the damage is the reason.
  func whileReading<Read>(_ body: () throws -> Read) throws -> Read {
    do { return try body() } catch {
      try wait()
      throw error
    }
  }
}
