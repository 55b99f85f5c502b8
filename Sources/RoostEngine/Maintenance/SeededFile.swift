import Synchronization

/// Creates a store file that begins with the content of another one, its seed.
///
/// The seed is only read, so it may lie on a medium that cannot be written. Everything in it is written, packed, to a new
/// file beside the path, which is verified, synced and renamed: a crash leaves a whole store or none. The name becomes
/// durable when the file is first opened to write; until then there is nothing that the seed has not.
struct SeededFile {
  let path: String
  let seed: String
  let fileSystem: any FileSystem
  /// The permissions of the file: the nine bits of a POSIX mode.
  let permissions: UInt16

  /// What reading the seed may keep in memory: enough for what is read again at once.
  private static let cacheBytes = 8 << 20

  /// Creates the file, unless it exists; returns whether it did.
  ///
  /// - Throws: `.locked` where somebody else is making it, or has the seed open to write; what keeps the seed from being
  ///   read; the system's refusals. Nothing is left behind then.
  func create() throws(EngineError) -> Bool {
    guard try !isThere() else { return false }
    let source = try Engine.openOwn(
      seed, in: fileSystem,
      EngineOptions(isReadOnly: true, createsFile: false, cacheBytes: Self.cacheBytes))
    let features = source.snapshot().version.slot.features
    // What only a newer library may change, a copy could not be filled with.
    guard try !features.check() else { throw .fileIsNewer(features: features.names) }
    let temporary = unfinishedPath(for: path)
    do throws(EngineError) {
      let file = try EngineError.wrap { () throws(FileError) in
        try UnfinishedFile(at: temporary, in: fileSystem).create()
      }
      do throws(EngineError) {
        // Checked under the lock: the previous holder may have put the file in its place.
        let isLate = try isThere()
        if isLate {
          try EngineError.wrap { () throws(FileError) in try fileSystem.remove(temporary) }
        } else {
          try fill(file, from: source, temporary)
        }
        file.close()
        return !isLate
      } catch {
        // Before the lock ends: from then on the name may be another's.
        try? fileSystem.remove(temporary)
        file.close()
        throw error
      }
    } catch {
      guard case .file(let error) = error, error.path == temporary else { throw error }
      switch error.meaning {
      case .busy: throw .locked(path: path)
      // Something that is in the way must be named.
      case .existingFile where error.operation == .open: throw .file(error)
      // The caller knows only its own path.
      default: throw .file(FileError(error.operation, path: path, code: error.code))
      }
    }
  }

  private func fill(
    _ file: any StorageFile, from source: Engine, _ temporary: String
  ) throws(EngineError) {
    try EngineError.wrap { () throws(FileError) in try file.setPermissions(permissions) }
    _ = try Compaction(source, in: fileSystem).fill(file, nil)
    try EngineError.wrap { () throws(FileError) in
      try file.synchronize()
      try fileSystem.rename(temporary, to: path)
    }
  }

  private func isThere() throws(EngineError) -> Bool {
    try EngineError.wrap { () throws(FileError) in try fileSystem.kind(of: path) != nil }
  }
}

extension Engine {
  /// Makes a store at `path` that begins with the content of another one, unless there is something at the path.
  ///
  /// Takes as long as compacting the seed. Where there is a store, the seed is not opened.
  /// - Parameter permissions: Who may use the new file: the nine bits of a POSIX mode.
  /// - Returns: Whether it was made.
  /// - Throws: `.locked` where another process is making it, or somebody has the seed open to write; what keeps the seed
  ///   from being read; the system's refusals as `.file`. Nothing is left behind then.
  @discardableResult
  package static func create(
    _ path: String, fromSeed seed: String, in fileSystem: any FileSystem, permissions: UInt16
  ) throws(EngineError) -> Bool {
    let file = SeededFile(
      path: path, seed: seed, fileSystem: fileSystem, permissions: permissions)
    guard fileSystem is PosixFileSystem else { return try file.create() }
    // Of several threads one creates it, and the others wait for it.
    let result = EngineRegistry.shared.opening.withLock { _ in
      Result { () throws(EngineError) in try file.create() }
    }
    return try result.get()
  }
}
