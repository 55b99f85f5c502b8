import RoostEngine
import RoostTestSupport

/// A store at work beside its oracle.
final class Session {
  static let path = "store.roost"

  let workload: Workload
  private let fileSystem: any FileSystem
  private var engine: Engine?
  /// What the store must hold: all that was acknowledged.
  private(set) var model: Model
  /// What it may hold while a commit is under way, or after one that failed.
  private(set) var attempted: Model?
  /// Versions that readers hold, with what they held at first.
  private var pinned: [(snapshot: Snapshot, digest: UInt64)] = []

  /// Opens the store, or makes it; its tables come with the first ``step(_:)``.
  ///
  /// - Parameter model: What the file holds already.
  init(
    _ workload: Workload, on fileSystem: any FileSystem, holding model: Model = Model()
  ) throws {
    self.workload = workload
    self.fileSystem = fileSystem
    self.model = model
    try open()
  }

  private func open() throws {
    engine = try Engine.open(Self.path, in: fileSystem, options: Self.options(workload))
  }

  /// How the file of a workload is opened.
  static func options(_ workload: Workload) -> EngineOptions {
    var options = EngineOptions(cacheBytes: workload.cacheBytes)
    options.compactsOnOpen = nil
    return options
  }

  /// The newest version.
  func snapshot() throws -> Snapshot {
    guard let engine else { throw Wrong("no engine is open") }
    return engine.snapshot()
  }

  /// Does what comes next: a transaction, or something between two.
  ///
  /// Afterwards ``model`` is what was acknowledged. After an error, ``attempted`` may be there instead.
  func step(_ random: inout SeededGenerator) throws {
    attempted = nil
    if !model.tables.isEmpty, !workload.breaks.isEmpty,
      random.chance(1, in: workload.breakEvery),
      let pause = workload.breaks.randomElement(using: &random)
    {
      return try perform(pause)
    }
    try transact(&random)
  }

  // MARK: Between transactions

  private func perform(_ pause: Workload.Break) throws {
    switch pause {
    case .reopen:
      try close()
      try open()
    case .compact:
      try close()
      _ = try Engine.compact(Self.path, in: fileSystem, options: Self.options(workload))
      try open()
    case .pin:
      guard pinned.count < 6 else { return }
      let snapshot = try snapshot()
      pinned.append((snapshot, try snapshot.contentDigest()))
    case .unpin:
      guard !pinned.isEmpty else { return }
      try check(pinned.removeFirst())
    }
  }

  /// Checks what readers hold, and gives the file back.
  func close() throws {
    try checkPinned()
    pinned = []
    engine = nil
  }

  /// Throws where what a reader holds has changed.
  func checkPinned() throws {
    for pin in pinned { try check(pin) }
  }

  private func check(_ pin: (snapshot: Snapshot, digest: UInt64)) throws {
    guard try pin.snapshot.contentDigest() == pin.digest else {
      throw Wrong("pinned version \(pin.snapshot.version.transaction) has changed")
    }
  }

  // MARK: Transactions

  /// Runs one transaction of the workload.
  func transact(_ random: inout SeededGenerator) throws {
    guard let engine else { throw Wrong("no engine is open") }
    let transaction = try engine.beginWrite()
    var staging = Staging(transaction, model, workload)
    do {
      if model.tables.isEmpty {
        try staging.makeTables()
      } else {
        let isMany = random.chance(1, in: 10)
        let count =
          isMany ? workload.manyChanges : Int.random(in: workload.changeCount, using: &random)
        try staging.change(count, &random)
        if workload.rollbacks > 0, random.chance(1, in: workload.rollbacks) {
          transaction.rollback()
          return
        }
      }
    } catch {
      transaction.rollback()
      throw error
    }
    staging.endLinks()
    attempted = staging.model
    guard let refusal = staging.danglingLink else {
      try transaction.commit()
      model = staging.model
      attempted = nil
      return
    }
    attempted = nil
    do { try transaction.commit() } catch EngineError.linkedTarget {
      return
    } catch EngineError.danglingLink {
      // The link was made by the same transaction.
      return
    }
    throw Wrong("committed although \(refusal)")
  }
}
