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
}
