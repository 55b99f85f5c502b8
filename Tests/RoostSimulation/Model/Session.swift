import RoostEngine
import RoostTestSupport

/// A store at work beside its oracle.
final class Session {
  static let path = "store.roost"

  let workload: Workload
  private let path: String
  private let fileSystem: any FileSystem
  /// Whether the syncs that nobody waits for follow the clock.
  private let isTimed: Bool
  /// Where they wait for their time otherwise.
  private var timer = SimulatedTimer()
  private var engine: Engine?
  /// What the next transaction begins from.
  private(set) var model: Model
  /// What a crash may leave: from what is durable for sure to what was attempted last.
  private(set) var possible: [Model]
  /// Which of them readers see.
  private var visiblePlace = 0
  /// Whether the error of the last step came from a commit.
  private(set) var failedInCommit = false
  /// How many changes the transactions made, those that were rolled back too.
  private(set) var changesMade = 0
  /// Commits that are staged and not waited for yet, oldest first, each with the version that it makes and its place in
  /// ``possible``.
  private var staged: [(commit: PendingCommit, version: UInt64, place: Int)] = []
  /// Versions that readers hold, with what they held at first.
  private var pinned: [(snapshot: EngineSnapshot, digest: UInt64)] = []

  /// Opens the store, or makes it; its tables come with the first ``step(_:)``.
  ///
  /// - Parameters:
  ///   - model: What the file holds already.
  ///   - isTimed: Whether the syncs that nobody waits for follow the clock, so that no other run is the same.
  init(
    _ workload: Workload, on fileSystem: any FileSystem, path: String = Session.path,
    holding model: Model = Model(), isTimed: Bool = false
  ) throws {
    self.workload = workload
    self.fileSystem = fileSystem
    self.path = path
    self.model = model
    possible = [model]
    self.isTimed = isTimed
    try open()
  }

  private func open() throws {
    var options = Self.options(workload)
    timer = SimulatedTimer()
    if !isTimed { options.syncTimer = timer }
    engine = try Engine.open(path, in: fileSystem, options: options)
  }

  /// How the file of a workload is opened.
  static func options(_ workload: Workload) -> EngineOptions {
    var options = EngineOptions(cacheBytes: workload.cacheBytes)
    options.compactsOnOpen = nil
    options.ringUnits = workload.ringUnits
    workload.smallCommits.set(&options.leaving)
    return options
  }

  /// Whether an engine is open: none is after an error between closing and opening.
  var isOpen: Bool { engine != nil }

  /// The newest version.
  func snapshot() throws -> EngineSnapshot {
    guard let engine else { throw Wrong("no engine is open") }
    return engine.snapshot()
  }

  /// Throws where readers do not see what they must.
  func checkContent() throws {
    guard try snapshot().modelDigest() == possible[visiblePlace].digest else {
      throw Wrong("readers see something else than what was committed")
    }
  }

  /// What readers see; nil where commits are staged, which may be in the file, too.
  var visible: Model? { staged.isEmpty ? possible[visiblePlace] : nil }

  /// Throws where pages of a version that is gone wait in memory.
  ///
  /// Only records of the ring, and commits that are staged, have pages that the file has not.
  func checkMemory() throws {
    let snapshot = try snapshot()
    guard staged.isEmpty, snapshot.slotVersion == snapshot.version.transaction,
      snapshot.recordedBytes > 0
    else { return }
    throw Wrong("\(snapshot.recordedBytes) bytes of a version that failed wait in memory")
  }

  /// What the death of the process may leave: what readers see, or something newer.
  var possibleAfterKill: [Model] { Array(possible[visiblePlace...]) }

  /// Does what comes next: a transaction, or something between two.
  ///
  /// Afterwards, also after an error, one of ``possible`` is in the file.
  func step(_ random: inout SeededGenerator) throws {
    failedInCommit = false
    if !model.tables.isEmpty, !workload.breaks.isEmpty,
      random.chance(1, in: workload.breakEvery),
      let pause = workload.breaks.randomElement(using: &random)
    {
      return try perform(pause)
    }
    try transact(&random)
  }

  // MARK: Between transactions

  /// Does something between two transactions.
  func perform(_ pause: Workload.Break) throws {
    switch pause {
    case .reopen:
      try close()
      try open()
    case .compact:
      try close()
      _ = try Engine.compact(path, in: fileSystem, options: Self.options(workload))
      try open()
    case .rebuild:
      try close()
      guard try damageFreeLog() else { return try open() }
      try open()
      // The next commit writes the whole log anew.
      try engine?.write { (transaction) throws(EngineError) in
        try transaction.catalogDidChange()
      }
    case .pin:
      guard pinned.count < 6 else { return }
      let snapshot = try snapshot()
      pinned.append((snapshot, try snapshot.contentDigest()))
    case .unpin:
      guard !pinned.isEmpty else { return }
      try check(pinned.removeFirst())
    }
  }

  /// Damages the newest page of the list of free space, which says nothing that the version does not.
  ///
  /// - Returns: Whether there is one.
  private func damageFreeLog() throws -> Bool {
    let file = try fileSystem.open(path, .readWrite)
    defer { file.close() }
    let slots = try (0..<MetaSlot.count).map {
      try file.bytes(at: MetaSlot.offset(of: $0), Unit.bytes)
    }
    func number(_ slot: [UInt8], _ offset: Int, bytes: Int) -> UInt64 {
      slot[offset..<offset + bytes].reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }
    let newest = slots.max { number($0, 8, bytes: 8) < number($1, 8, bytes: 8) }
    guard let newest, number(newest, 168, bytes: 4) > 0 else { return false }
    let page = number(newest, 144, bytes: 5) * UInt64(Unit.bytes)
    try file.write([UInt8](repeating: 0xA5, count: 64), at: page)
    return true
  }

  /// Makes everything durable, checks what readers hold, and gives the file back.
  func close() throws {
    try makeDurable()
    try engine?.synchronize()
    everythingIsDurable()
    try checkPinned()
    pinned = []
    engine = nil
  }

  /// Throws where what a reader holds has changed.
  func checkPinned() throws {
    for pin in pinned { try check(pin) }
  }

  private func check(_ pin: (snapshot: EngineSnapshot, digest: UInt64)) throws {
    guard try pin.snapshot.contentDigest() == pin.digest else {
      throw Wrong("pinned version \(pin.snapshot.version.transaction) has changed")
    }
  }

  // MARK: Transactions

  /// Runs one transaction of the workload, or of another on the same tables.
  func transact(_ random: inout SeededGenerator, as other: Workload? = nil) throws {
    let workload = other ?? workload
    guard let engine else { throw Wrong("no engine is open") }
    synchronizeLater(&random)
    // Not as the engine left it: on another kind of file, the same steps must be the same.
    let isOnTrees =
      workload.changes.contains { $0.change == .keep } && random.chance(1, in: 2)
    let transaction = try engine.beginWrite(onTrees: isOnTrees)
    var staging = Staging(transaction, model, workload, isOnTrees: isOnTrees)
    do {
      if model.tables.isEmpty {
        try staging.makeTables()
      } else {
        let isMany = random.chance(1, in: 10)
        let count =
          isMany ? workload.manyChanges : Int.random(in: workload.changeCount, using: &random)
        changesMade += count
        try staging.change(count, &random)
        synchronizeLater(&random)
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
    if let reason = staging.danglingLink { return try expectRefusal(of: transaction, reason) }
    try commit(transaction, staging.model, &random)
  }

  private func expectRefusal(of transaction: EngineTransaction, _ reason: String) throws {
    do { try transaction.commit() } catch EngineError.linkedTarget {
      return
    } catch EngineError.danglingLink {
      // The link was made by the same transaction.
      return
    }
    throw Wrong("committed although \(reason)")
  }

  private func commit(
    _ transaction: EngineTransaction, _ next: Model, _ random: inout SeededGenerator
  ) throws {
    let durability = workload.durability.randomElement(using: &random) ?? .full
    possible.append(next)
    failedInCommit = true
    let seen = try snapshot().version.transaction
    let pending = try transaction.stage(durability)
    if let pending {
      staged.append((pending, transaction.number, possible.count - 1))
    } else if try snapshot().version.transaction > seen {
      visiblePlace = possible.count - 1
    } else if next.digest != model.digest {
      throw Wrong("readers do not see a commit that waits for nothing")
    }
    model = next
    // Several transactions share a sync where nobody waits for the first of them.
    let isShared = durability == .grouped && staged.count < 4 && random.chance(2, in: 3)
    if pending != nil, !isShared { try makeDurable() }
    failedInCommit = false
  }

  /// Lets the time come, now and then, for the sync that nobody waits for.
  private func synchronizeLater(_ random: inout SeededGenerator) {
    guard workload.durability.contains(.relaxed), random.chance(1, in: 4), timer.run()
    else { return }
    // It covers all that is staged; those who staged it have yet to wait for it.
    staged = staged.map { ($0.commit, $0.version, 0) }
    everythingIsDurable()
  }

  private func everythingIsDurable() {
    possible = [model]
    visiblePlace = 0
  }

  /// Waits for the commits that nobody has waited for yet.
  func waitForStaged() throws {
    failedInCommit = true
    try makeDurable()
    failedInCommit = false
  }

  /// Waits for all commits that are staged; after an error, those are there that were acknowledged before it, and no other.
  private func makeDurable() throws {
    guard !staged.isEmpty else { return }
    defer { staged = [] }
    var acknowledged: [(version: UInt64, place: Int)] = []
    var failure: (any Error)?
    for pending in staged {
      do {
        try pending.commit.makeDurable()
        if failure == nil { acknowledged.append((pending.version, pending.place)) }
      } catch { failure = error }
    }
    if failure != nil { model = possible[max(visiblePlace, acknowledged.last?.place ?? 0)] }
    // One that changed nothing made no version, and nothing durable: what failed before it may still be there after a crash.
    let durable = try snapshot().version.transaction
    if let last = acknowledged.last(where: { $0.version <= durable })?.place {
      // What came after the last of them, and is not waited for, may still be lost.
      visiblePlace = max(visiblePlace, last) - last
      possible.removeFirst(last)
    }
    if let failure { throw failure }
  }
}
