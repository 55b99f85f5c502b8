import RoostEngine
import RoostTestSupport

/// Opens what a crash left and compares it with what may be there.
struct ImageCheck {
  let workload: Workload
  /// The versions that may be found: those from the last acknowledged one on.
  let allowed: [Model]
  /// The digests of all versions that there ever were before.
  var older: Set<UInt64> = []
  /// What is said of a failure.
  let place: String

  /// Checks an image, and counts it unless the case counts something else.
  ///
  /// - Returns: What was found, if it is one of those that may be.
  @discardableResult
  func check(_ image: SimulatedDisk, _ trial: Trial, counting: Bool = true) -> Model? {
    do {
      let engine = try Engine.open(Session.path, in: image, options: Session.options(workload))
      return try check(engine, trial, counting: counting)
    } catch {
      if counting { trial.count(0) }
      trial.report(.lost, "\(place): \(error)")
      return nil
    }
  }

  /// Checks an open store, and counts it unless the case counts something else.
  func check(_ engine: Engine, _ trial: Trial, counting: Bool = true) throws -> Model? {
    let snapshot = engine.snapshot()
    let digest = try snapshot.modelDigest()
    if counting { trial.count(digest) }
    let findings = try snapshot.verify()
    if let finding = findings.first {
      trial.report(.wrong, "\(place): verify finds \(findings.count), first \(finding)")
    }
    if let found = allowed.first(where: { $0.digest == digest }) { return found }
    let isOlder = older.contains(digest)
    trial.report(
      isOlder ? .lost : .wrong,
      "\(place): \(isOlder ? "an older version is there" : "what is there was never committed")"
        + (try difference(of: snapshot)))
    return nil
  }

  /// Which part of a version is none that may be there.
  private func difference(of snapshot: EngineSnapshot) throws -> String {
    let tables = try snapshot.modelDigest { _ in true }
    var words = allowed.contains { $0.tableDigest == tables } ? "" : ", its tables"
    for version in snapshot.namedVersions {
      let content = try snapshot.named(version.name).modelDigest { _ in true }
      let known = allowed.flatMap(\.named).filter { $0.name == version.name }
      if !known.contains(where: { Model.digest(of: $0.tables) == content }) {
        words += known.isEmpty ? ", the name \"\(version.name)\"" : ", \"\(version.name)\""
      }
    }
    return words
  }
}
