package import RoostDynamic

/// What the page talks to: a store, the versions of it that are looked at, and the results of the last queries.
///
/// A version is held for a minute after it was last asked for; what it alone has stays in the file meanwhile.
package actor BrowseSession {
  let store: DynamicStore
  let name: String
  let isWritable: Bool
  private let now: @Sendable () -> ContinuousClock.Instant
  private var versions: [HeldVersion] = []
  private var results: [HeldResults] = []
  var undoable: [UndoStep] = []

  /// How long a version is held without being asked for.
  package static let idleTime = Duration.seconds(60)
  /// How many results of queries are kept.
  package static let resultsMax = 2

  /// A version that is looked at.
  private struct HeldVersion {
    let name: VersionName
    let snapshot: DynamicSnapshot
    var lastUse: ContinuousClock.Instant
  }

  /// The results of a query of a version.
  private struct HeldResults {
    let version: VersionName
    let text: String
    let found: Found
  }

  /// A session with a store.
  ///
  /// - Parameters:
  ///   - name: What the page calls it.
  ///   - isWritable: Whether the page may change it.
  ///   - now: The time, for tests.
  package init(
    _ store: DynamicStore, name: String, isWritable: Bool = false,
    now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
  ) {
    self.store = store
    self.name = name
    self.isWritable = isWritable
    self.now = now
  }

  // MARK: Versions

  /// A version, and its name among those that are held.
  struct Version {
    let name: VersionName
    let snapshot: DynamicSnapshot

    /// What the page calls it.
    var value: DynamicValue {
      if case .kept(let name) = name { return .string(name) }
      return .uint(snapshot.version)
    }
  }

  /// A version for an operation; the newest where a number is no longer held.
  func version(_ wanted: VersionName) throws -> Version {
    if wanted != .newest, let held = held(wanted) { return held }
    switch wanted {
    case .kept(let name): return hold(try store.snapshot(of: name), as: wanted)
    case .newest, .number:
      let snapshot = try store.snapshot()
      let name = VersionName.number(snapshot.version)
      return held(name) ?? hold(snapshot, as: name)
    }
  }

  private func held(_ name: VersionName) -> Version? {
    guard let place = versions.firstIndex(where: { $0.name == name }) else { return nil }
    versions[place].lastUse = now()
    return Version(name: name, snapshot: versions[place].snapshot)
  }

  private func hold(_ snapshot: DynamicSnapshot, as name: VersionName) -> Version {
    versions.append(HeldVersion(name: name, snapshot: snapshot, lastUse: now()))
    return Version(name: name, snapshot: snapshot)
  }

  /// Lets go of the versions that nobody has asked for within ``idleTime``, and of their results.
  package func letGoOfIdle() {
    let end = now() - Self.idleTime
    versions.removeAll { $0.lastUse <= end }
    results.removeAll { found in !versions.contains { $0.name == found.version } }
  }

  /// How many versions, and results, are held.
  package var heldCounts: (versions: Int, results: Int) { (versions.count, results.count) }

  // MARK: Results

  /// The results of a query, which are made once for a version and kept until two others came.
  ///
  /// - Returns: The results, and whether they were kept.
  func results(
    of text: String, in version: Version, _ make: () throws -> Found
  ) rethrows -> (found: Found, wasKept: Bool) {
    if let place = results.firstIndex(where: { $0.version == version.name && $0.text == text }) {
      let kept = results.remove(at: place)
      results.append(kept)
      return (kept.found, true)
    }
    let found = try make()
    results.append(HeldResults(version: version.name, text: text, found: found))
    if results.count > Self.resultsMax { results.removeFirst() }
    return (found, false)
  }
}
