/// Replaces a store file by a copy without gaps.
///
/// The copy is built beside the file, verified, compared, synced and renamed over it. Until the
/// rename the file is untouched, and the rename is one step: a crash leaves the old file or the new
/// one, each whole. The file's engine holds its lock throughout, and the copy is locked before it gets
/// the name, so it is never open to others in between.
struct Compaction {
  /// The outcome for the file.
  enum Outcome {
    /// The copy is in its place, and the given engine must not be used any more.
    case replaced(fileBytes: UInt64)
    /// The file is as it was, and its engine still usable.
    case failed(EngineError)
  }

  private let engine: Engine
  private let fileSystem: any FileSystem
  /// The file to replace, all links followed.
  private let path: String

  /// A compaction of the file that an engine has open, alone, for writing.
  init(_ engine: Engine, in fileSystem: any FileSystem) {
    self.engine = engine
    self.fileSystem = fileSystem
    path = (try? fileSystem.resolved(engine.path)) ?? engine.path
  }

  /// The path of the copy until it takes the file's place.
  static func temporaryPath(for path: String) -> String { path + ".compacting" }

  /// Removes the leftovers of an earlier compaction or of the file's creation after a crash, and links at these paths.
  func removeLeftovers() {
    for path in [Self.temporaryPath(for: path), unfinishedPath(for: path)] {
      let file = UnfinishedFile(at: path, in: fileSystem)
      try? file.removeLink()
      _ = try? file.removeLeftover()
    }
  }

  /// Compacts.
  ///
  /// - Throws: Where the copy took the file's place and the system cannot say that it will keep it: both
  ///   are whole, but nothing must be written until it is clear which one a crash would leave.
  func run(
    progress: ((MaintenanceProgress) -> Void)? = nil
  ) throws(EngineError) -> Outcome {
    let fileBytes: UInt64
    do { fileBytes = try replace(progress) } catch { return .failed(error) }
    engine.file.close()
    do { try fileSystem.synchronizeDirectory(of: path) } catch { throw .file(error) }
    return .replaced(fileBytes: fileBytes)
  }

  /// Makes the copy and renames it; after an error nothing of the copy is left.
  private func replace(
    _ progress: ((MaintenanceProgress) -> Void)?
  ) throws(EngineError) -> UInt64 {
    let temporary = Self.temporaryPath(for: path)
    let file = try EngineError.wrap { () throws(FileError) in
      // If the directory cannot be synced, this must fail before anything is replaced.
      try fileSystem.synchronizeDirectory(of: path)
      return try UnfinishedFile(at: temporary, in: fileSystem).create()
    }
    do {
      // Before the copy has any content to read.
      try EngineError.wrap { () throws(FileError) in
        try file.adoptPermissions(of: engine.file)
      }
      let fileBytes = try fill(file, progress)
      try EngineError.wrap { () throws(FileError) in
        try file.synchronize()
        try checkPlace()
        try fileSystem.rename(temporary, to: path)
      }
      file.close()
      return fileBytes
    } catch {
      try? fileSystem.remove(temporary)
      file.close()
      throw error
    }
  }

  /// Throws if the file to replace is not the one that was copied.
  private func checkPlace() throws(FileError) {
    guard try fileSystem.identity(of: path) == engine.file.identity() else {
      throw FileError(.rename, path: path, .stale)
    }
  }

  /// Copies everything to an open file, and makes sure that it is all there.
  func fill(
    _ file: any StorageFile, _ progress: ((MaintenanceProgress) -> Void)?
  ) throws(EngineError) -> UInt64 {
    let source = engine.snapshot()
    try EngineError.wrap { () throws(FileError) in
      try NewFile.fill(
        file, transaction: source.version.transaction, features: source.version.slot.features)
    }
    let copy = try Engine.open(file, file.path, EngineOptions(cacheBytes: Self.cacheBytes))
    let storeCopy = StoreCopy(of: source, to: copy, progress)
    // Only these are copied alike and not compared while they are.
    let named = source.namedVersions.isEmpty ? nil : try storeCopy.runWithNamed()
    let content = named == nil ? try storeCopy.run() : nil
    let result = copy.snapshot()
    let fileBytes = result.version.slot.highWater * UInt64(Unit.bytes)
    try EngineError.wrap { () throws(FileError) in try file.truncate(to: fileBytes) }
    guard result.catalog == source.catalog else { throw .corrupt(Corruption(.catalog)) }
    if let finding = try result.verify(holds: content, progress: progress).first {
      throw .corrupt(finding)
    }
    if let named { try check(result, holds: named, namesOf: source) }
    return fileBytes
  }

  /// Checks that each version of a copy has the same content as the original's.
  private func check(
    _ copy: EngineSnapshot, holds digests: [UInt64], namesOf source: EngineSnapshot
  ) throws(EngineError) {
    guard copy.namedVersions.map(\.name) == source.namedVersions.map(\.name) else {
      throw .corrupt(Corruption(.namedVersions))
    }
    var copies: [UInt64] = []
    for version in copy.namedVersions {
      copies.append(
        try EngineSnapshot(version: try copy.version.content(of: version)).contentDigest())
    }
    copies.append(try copy.contentDigest())
    guard copies == digests else { throw .corrupt(Corruption(.objectCount)) }
  }

  /// What the copy may keep in memory: enough for what is read again at once.
  private static let cacheBytes = 8 << 20
}

extension EngineError {
  /// Runs file operations, whose errors become the engine's.
  package static func wrap<Result>(
    _ body: () throws(FileError) -> Result
  ) throws(EngineError) -> Result {
    do { return try body() } catch { throw .file(error) }
  }
}
