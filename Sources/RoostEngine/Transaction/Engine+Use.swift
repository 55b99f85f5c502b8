extension Engine {
  /// What uses the engine.
  private var use: FileUse {
    // What remains of them is held by snapshots and rows.
    newest.dropCompanions()
    return newest.holders.use(isWriting: isWriting)
  }

  /// Locks a file. If an engine of it is just ending in this process, waits for that.
  ///
  /// - Throws: `.locked` or `.inUse` where another has it; the system's refusals as `.file`.
  package static func lock(
    _ file: any StorageFile, exclusive: Bool, _ path: String
  ) throws(EngineError) {
    while true {
      let isLocked = try EngineError.wrap { () throws(FileError) in
        try file.lock(exclusive: exclusive)
      }
      if isLocked { return }
      guard let lock = file.lockOfThisProcess else { throw .locked(path: path) }
      switch EngineRegistry.shared.holder(of: lock) {
      case .engine(let engine): throw .inUse(path: path, engine.use)
      case .endingEngine where lock.waitForEnd(): continue
      case .endingEngine, .unknown: throw .inUse(path: path, FileUse())
      }
    }
  }
}
