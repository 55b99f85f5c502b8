#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

extension Store {
  /// The migration's steps that were run in the file, or that it was made after, the oldest first.
  ///
  /// - Throws: ``StoreError/closed``; ``StoreError/corrupt(path:damage:)`` where the file is damaged.
  public var history: [AppliedStep] {
    get throws(StoreError) { try MigrationHistory(try version()).entries.map(\.step) }
  }

  /// The names of the steps of a plan that opening the store at a location would run, in order; none where there is no file.
  ///
  /// Reads the file, and changes nothing.
  public static func pendingSteps(
    at location: Location, of plan: MigrationPlan, configuration: Configuration = Configuration()
  ) throws(StoreError) -> [String] {
    try StoreOpening.history(at: location, configuration)?.pending(of: plan).map(\.name) ?? []
  }

  /// What opening a store would change in its file: the steps that the file lacks are run, and what needs no step is done,
  /// and the file is left as it is, byte for byte.
  ///
  /// ```swift
  /// print(try Store.dryRun(at: "people.roost", models: Person.self, Dog.self) { migrations })
  /// ```
  ///
  /// All that is written goes to a file in the directory for temporary files, which must have room for it, and which has
  /// no name any more when the first step is run. The closures of steps are called as they are when the store is opened,
  /// so that they must not count on being called once. Nothing is compacted, nor recovered in the file itself.
  /// - Complexity: That of opening the store, and of one pass over what it wrote. Memory is bounded as it is there.
  /// - Throws: What opening the store throws, also where the configuration would have the file removed or set aside:
  ///   ``StoreError/migrationFailed(_:)``, ``StoreError/migrationRequired(_:)``; ``StoreError/locked(path:)`` where the
  ///   file is open for writing, here or in another process.
  public static func dryRun<each M: Model>(
    at location: Location, models: repeat (each M).Type,
    configuration: Configuration = Configuration(),
    @MigrationPlanBuilder migrations: () -> [MigrationStep] = { [] }
  ) throws(StoreError) -> MigrationReport {
    var descriptions: [ModelDescription] = []
    for model in repeat each models { descriptions.append(try ModelDescription(model)) }
    try checkNames(of: descriptions)
    let scratch = FileManager.default.temporaryDirectory
      .appending(path: "roost-dry-run-\(UUID().uuidString)")
    return try StoreOpening.dryRun(
      location, descriptions, MigrationPlan(migrations), configuration, scratchPath: scratch.path)
  }
}
