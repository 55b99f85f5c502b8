extension EngineError {
  /// Whether the file itself cannot be opened by this library, now or later, whoever tries.
  package var isUnreadableFile: Bool {
    switch self {
    case .corrupt, .notARoostFile, .truncated, .fileIsNewer, .fileIsOlder: true
    default: false
    }
  }
}

extension Engine {
  /// Moves or removes a file that cannot be opened, so that a new one can be created.
  ///
  /// The file is locked and checked again first, so that of several callers who find it unreadable only the first
  /// moves it, and none the new one.
  /// - Parameters:
  ///   - destination: What the file is called from now on; nil removes it.
  /// - Returns: False where the file can be opened after all; then it stays.
  /// - Throws: `.locked` where another process has it open; the system's refusals as `.file`.
  package static func clear(
    unreadable path: String, movingTo destination: String?,
    in fileSystem: any FileSystem = PosixFileSystem()
  ) throws(EngineError) -> Bool {
    let file = try EngineError.wrap { () throws(FileError) in
      try fileSystem.open(path, .readWrite)
    }
    do {
      let options = EngineOptions(createsFile: false, cacheBytes: 1 << 20)
      // The engine closes the file when it is deallocated.
      let engine = try open(file, path, options)
      withExtendedLifetime(engine) {}
      return false
    } catch {
      defer { file.close() }
      guard error.isUnreadableFile else { throw error }
      try EngineError.wrap { () throws(FileError) in
        if let destination {
          try fileSystem.rename(path, to: destination)
        } else {
          try fileSystem.remove(path)
        }
        try fileSystem.synchronizeDirectory(of: path)
      }
      return true
    }
  }
}
