#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

extension Store {
  /// The migration steps that were run in the file, or that it was created after, oldest first.
  ///
  /// - Throws: ``StoreError/closed``; ``StoreError/corrupt(path:damage:)`` where the file is damaged.
  public var history: [AppliedStep] {
    get throws(StoreError) { try MigrationHistory(try version()).entries.map(\.step) }
  }

  /// The names of a plan's steps that opening the store at a location would run, in order; empty if there is no file.
  ///
  /// Reads the file, and changes nothing.
  public static func pendingSteps(
    at location: Location, of plan: MigrationPlan, configuration: Configuration = Configuration()
  ) throws(StoreError) -> [String] {
    try StoreOpening.history(at: location, configuration)?.pending(of: plan).map(\.name) ?? []
  }

  /// The names of a plan's steps that opening the store at `path` would run, as for the location of a file.
  @_alwaysEmitIntoClient
  public static func pendingSteps(
    at path: String, of plan: MigrationPlan, configuration: Configuration = Configuration()
  ) throws(StoreError) -> [String] {
    try pendingSteps(at: .file(path), of: plan, configuration: configuration)
  }

  /// The changes that opening a store would make to its file: missing steps and automatic changes are run,
  /// and the file stays as it is, byte for byte.
  ///
  /// ```swift
  /// print(try Store.dryRun(at: "people.roost", models: Person.self, Dog.self) { migrations })
  /// ```
  ///
  /// All writes go to a file in the directory for temporary files, which must have room for it; the file has
  /// no name any more when the first step runs. The closures of steps run as they do when the store is opened,
  /// so they must not rely on running only once. Nothing is compacted, nor recovered in the file itself.
  /// - Complexity: That of opening the store, and of one pass over what it wrote. Memory is bounded as it is there.
  /// - Throws: What opening the store throws, also where the configuration would have the file removed or set aside:
  ///   ``StoreError/migrationFailed(_:)``, ``StoreError/migrationRequired(_:)``; ``StoreError/inUse(path:by:)`` and
  ///   ``StoreError/locked(path:)`` where the file is open for writing, here or in another process.
  public static func dryRun<each M: Model>(
    at location: Location, models: repeat (each M).Type,
    configuration: Configuration = Configuration(),
    @MigrationPlanBuilder migrations: () -> [MigrationStep] = { [] }
  ) throws(StoreError) -> MigrationReport {
    let descriptions = try descriptions(of: repeat each models)
    let scratch = FileManager.default.temporaryDirectory
      .appending(path: "roost-dry-run-\(UUID().uuidString)")
    return try StoreOpening.dryRun(
      location, descriptions, MigrationPlan(migrations), configuration, scratchPath: scratch.path)
  }

  /// The changes that opening the store at `path` would make to its file, as for the location of a file.
  @_alwaysEmitIntoClient
  public static func dryRun<each M: Model>(
    at path: String, models: repeat (each M).Type,
    configuration: Configuration = Configuration(),
    @MigrationPlanBuilder migrations: () -> [MigrationStep] = { [] }
  ) throws(StoreError) -> MigrationReport {
    try dryRun(
      at: .file(path), models: repeat each models, configuration: configuration,
      migrations: migrations)
  }
}
