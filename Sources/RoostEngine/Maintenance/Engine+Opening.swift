extension Engine {
  /// Opens the store at `path`, or creates it.
  ///
  /// A file that this process has open already, by whatever path, is shared. Opening reads what the
  /// last commits wrote, not the whole file. A file that was not open and is opened for writing is
  /// compacted when the options say so; where that fails, it stays as it was and is opened, and
  /// ``compactionFailure`` says why.
  ///
  /// - Throws: `.locked` at once when another process has the file open; `.notARoostFile`,
  ///   `.truncated`, `.fileIsNewer`, `.corrupt`, or the system's refusal as `.file`; `.cancelled` where the task was
  ///   cancelled while the file was compacted, which then is as it was.
  package static func open(
    _ path: String, in fileSystem: any FileSystem = PosixFileSystem(),
    options: EngineOptions = EngineOptions()
  ) throws(EngineError) -> Engine {
    try attach(path, in: fileSystem, options) { (engine) throws(EngineError) in
      guard !engine.isReadOnly else { return engine }
      let compaction = Compaction(engine, in: fileSystem)
      compaction.removeLeftovers()
      guard let isWorthwhile = options.compactsOnOpen,
        isWorthwhile(try engine.fileBytes(), try engine.snapshot().usedBytesWithNamed())
      else { return engine }
      switch try compaction.run() {
      case .replaced:
        return try openOwn(path, in: fileSystem, options)
      case .failed(.cancelled):
        throw .cancelled
      case .failed(let error):
        engine.noteFailedCompaction(error)
        return engine
      }
    }
  }

  /// Compacts the store at `path`, which must not be open.
  ///
  /// - Parameters:
  ///   - condition: Asked with the file's size and the bytes in use; nil compacts in any case.
  ///   - progress: Called now and then, by this thread.
  /// - Returns: What it came to; nil where the condition was not met.
  /// - Throws: What opening throws, `.locked` also where this process has the file open, and what
  ///   kept the file from being compacted; the file is then as it was.
  package static func compact(
    _ path: String, in fileSystem: any FileSystem = PosixFileSystem(),
    options: EngineOptions = EngineOptions(),
    when condition: ((_ fileBytes: UInt64, _ usedBytes: UInt64) -> Bool)? = nil,
    progress: ((MaintenanceProgress) -> Void)? = nil
  ) throws(EngineError) -> CompactionResult? {
    var options = options
    options.isReadOnly = false
    options.createsFile = false
    let engine = try openOwn(path, in: fileSystem, options)
    guard !engine.isReadOnly else { throw .readOnly }
    let compaction = Compaction(engine, in: fileSystem)
    compaction.removeLeftovers()
    let before = try engine.fileBytes()
    if let condition, !condition(before, try engine.snapshot().usedBytesWithNamed()) {
      return nil
    }
    switch try compaction.run(progress: progress) {
    case .replaced(let fileBytes):
      return CompactionResult(fileBytesBefore: before, fileBytesAfter: fileBytes)
    case .failed(let error):
      throw error
    }
  }
}

/// The result of a compaction.
package struct CompactionResult: Equatable, Sendable {
  /// The size of the file that was compacted.
  package var fileBytesBefore: UInt64
  /// The size of the one that took its place.
  package var fileBytesAfter: UInt64
}
