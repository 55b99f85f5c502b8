import Synchronization

/// One version of the store: immutable, shared by every snapshot of it.
///
/// While it or anything that was read through it lives, none of its extents is overwritten.
package final class Version: Sendable {
  /// The transaction that made it.
  package let transaction: UInt64
  /// The trees that the last commits have left as they were: the version's own unless ``unapplied`` changes them.
  let applied: ReadView
  /// The slot that describes it.
  package let slot: MetaSlot
  /// The roots of ``applied``.
  let appliedRoots: TreeRoots
  /// What is not applied to the trees; nil for nothing.
  let unapplied: UnappliedRows?
  /// The versions that have names in it; nil where none has.
  let named: NamedVersions?
  /// Of a version that records of the ring lead to: what they say of free units, after the slot's log.
  let pendingFree: PendingFree?
  /// A number that two versions of an engine share only if their tables and fields are the same: it grows by one with each
  /// commit that changes them.
  package let modelsEpoch: UInt64
  /// The transaction that made the version before, from which nothing but objects differs; 0 where that is not known.
  private let predecessor: UInt64
  /// What the transaction changed, table by table; of tables with many changes nothing.
  private let touched: [WriteSet]
  private let pin: VersionPin
  /// Of a version with something unapplied: its trees, once somebody has asked for them.
  private let made = PublishedReference<MadeTrees>()
  /// Held while they are made.
  private let making = Mutex(())
  /// How often an object was looked up without them.
  private let lookups = Atomic(0)

  private final class MadeTrees: Sendable {
    let view: ReadView
    let roots: TreeRoots

    init(_ trees: (view: ReadView, roots: TreeRoots)) { (view, roots) = trees }
  }

  convenience init(
    slot: MetaSlot, catalog: Catalog, roots: TreeRoots, unapplied: UnappliedRows? = nil,
    named: NamedVersions?, pendingFree: PendingFree? = nil, modelsEpoch: UInt64 = 0,
    reader: PageReader, pins: PinRegistry
  ) throws(EngineError) {
    let pin = VersionPin(slot.transaction, in: pins)
    self.init(
      slot: slot, roots: roots,
      applied: try ReadView(catalog: catalog, roots: roots, reader: reader, pin: pin),
      unapplied: unapplied, named: named, pendingFree: pendingFree, modelsEpoch: modelsEpoch,
      predecessor: 0, touched: [], pin: pin)
  }

  /// The version that follows another one, when the tables and fields are the same.
  convenience init(
    slot: MetaSlot, roots: TreeRoots, named: NamedVersions?,
    pendingFree: PendingFree? = nil, succeeding other: Version, touched: [WriteSet],
    pins: PinRegistry
  ) {
    let pin = VersionPin(slot.transaction, in: pins)
    self.init(
      slot: slot, roots: roots,
      applied: ReadView(succeeding: other.applied, roots: roots, pin: pin), unapplied: nil,
      named: named, pendingFree: pendingFree, modelsEpoch: other.modelsEpoch,
      predecessor: other.transaction, touched: touched, pin: pin)
  }

  /// The version that follows another one, and whose changes are not applied.
  convenience init(
    slot: MetaSlot, leaving rows: UnappliedRows, pendingFree: PendingFree,
    succeeding other: Version, pins: PinRegistry
  ) {
    self.init(
      slot: slot, roots: other.appliedRoots, applied: other.applied, unapplied: rows,
      named: other.named, pendingFree: pendingFree, modelsEpoch: other.modelsEpoch,
      predecessor: 0, touched: [], pin: VersionPin(slot.transaction, in: pins))
  }

  private init(
    slot: MetaSlot, roots: TreeRoots, applied: ReadView, unapplied: UnappliedRows?,
    named: NamedVersions?, pendingFree: PendingFree?, modelsEpoch: UInt64, predecessor: UInt64,
    touched: [WriteSet], pin: VersionPin
  ) {
    transaction = slot.transaction
    self.slot = slot
    appliedRoots = roots
    self.applied = applied
    self.unapplied = unapplied
    self.named = named
    self.pendingFree = pendingFree
    self.modelsEpoch = modelsEpoch
    self.predecessor = predecessor
    self.touched = touched
    self.pin = pin
  }

  /// Its tables and fields.
  package var catalog: Catalog { applied.catalog }

  /// Its tables and trees. Where changes are not applied yet, the first caller makes trees of them, and others wait for that.
  package func view() throws(EngineError) -> ReadView {
    pin.noteRead()
    return try madeTrees()?.view ?? applied
  }

  /// Its trees; nil where they would have to be made, and ``find(_:in:)`` does without. Whoever asks counts as a reader.
  package var knownTrees: ReadView? {
    pin.noteRead()
    return unapplied == nil ? applied : made.reference?.object.view
  }

  /// The roots of its trees.
  package func roots() throws(EngineError) -> TreeRoots { try madeTrees()?.roots ?? appliedRoots }

  /// The trees with what is unapplied; nil where nothing is.
  private func madeTrees() throws(EngineError) -> MadeTrees? {
    guard let unapplied else { return nil }
    if let made = made.reference { return made.object }
    let result = making.withLock { _ -> Result<MadeTrees, EngineError> in
      if let made = made.reference { return .success(made.object) }
      return Result { () throws(EngineError) in
        let trees = try unapplied.view(of: slot, over: applied, appliedRoots, pin: pin)
        return made.publish(MadeTrees(trees))
      }
    }
    return try result.get()
  }

  /// The content of a version that has a name in this one.
  func content(of version: NamedVersion) throws(EngineError) -> Version {
    // While this version lives, the other's extents stay.
    let slot = version.slot(beside: slot)
    let reader = applied.reader
    let catalog = try Catalog(reading: slot, reader: reader)
    return try Version(
      slot: slot, catalog: catalog,
      roots: try RootTable(slot, of: catalog, reader: reader).roots, named: nil, reader: reader,
      pins: pin.pins)
  }

  // MARK: Single objects

  /// The object with a key. Where changes are not applied yet, no trees are made for the first who ask.
  ///
  /// - Complexity: As of ``ReadView/find(_:in:)``, and a comparison with each key that was changed and not applied.
  package func find(_ key: Int64, in table: UInt32) throws(EngineError) -> RowPlace? {
    if let unapplied = unappliedForLookup() {
      let objects = try applied.objects(table)
      switch try unapplied.object(key, of: table, objects.shape) {
      case .unchanged: return try objects.find(key).map { .leaf($0.leaf, $0.row) }
      case .deleted: return nil
      case .inserted(let batch): return .batch(batch, 0)
      case .updated(let values):
        guard let found = try objects.find(key) else {
          throw .corrupt(Corruption(.ringRecord, tree: objects.root.id, keys: key...key))
        }
        return .patched(try PatchedRow(found.leaf, row: found.row, values))
      case .unknown: break
      }
    }
    return try view().find(key, in: table).map { .leaf($0.leaf, $0.row) }
  }

  /// The object key of the object with this identifier, in a table whose object key is another; as ``find(_:in:)``.
  package func objectKey(
    in table: UInt32, identifier: Value
  ) throws(EngineError) -> Int64? {
    if let unapplied = unappliedForLookup(), let field = catalog.table(table)?.identifier?.id,
      let inserted = try unapplied.insertedKey(identifier, in: field, of: table)
    {
      let stored =
        inserted == nil ? try applied.objectKey(in: table, identifier: identifier) : nil
      guard let key = inserted ?? stored else { return nil }
      switch try unapplied.object(key, of: table, applied.objects(table).shape) {
      case .unchanged, .inserted, .updated: return key
      case .deleted: return nil
      case .unknown: break
      }
    }
    return try view().objectKey(in: table, identifier: identifier)
  }

  /// What is unapplied, for looking something up behind it; nil where the trees are better asked.
  private func unappliedForLookup() -> UnappliedRows? {
    guard let unapplied, made.reference == nil else { return nil }
    return lookups.add(1, ordering: .relaxed).newValue <= pin.pins.leaving.lookups ? unapplied : nil
  }

  /// The keys of all objects of a table that may not be as they are in another version, ascending: known where one
  /// transaction lies between, which changed few.
  package func touchedKeys(of table: UInt32, since other: Version) -> [Int64]? {
    guard predecessor == other.transaction, pin.isBeside(other.pin) else { return nil }
    return touched.first { $0.table == table }?.keys
  }
}

/// What keeps a version's extents: held by the version and by every leaf that was read through it.
final class VersionPin: Sendable {
  private let transaction: UInt64
  fileprivate let pins: PinRegistry

  init(_ transaction: UInt64, in pins: PinRegistry) {
    self.transaction = transaction
    self.pins = pins
    pins.pin(transaction)
  }

  deinit { pins.unpin(transaction) }

  /// Notes that somebody reads the version.
  @inline(__always)
  fileprivate func noteRead() { pins.noteRead(transaction) }

  /// Whether both are versions of one engine.
  func isBeside(_ other: VersionPin) -> Bool { pins === other.pins }
}

/// The versions that have names in some version, whose extents it keeps while that version lives.
///
/// So what a dropped name kept stays until its dropping is confirmed: until then the confirmed version lives.
final class NamedVersions: Sendable {
  /// Them, in their order.
  let list: [NamedVersion]
  private let pins: PinRegistry

  init(_ list: [NamedVersion], in pins: PinRegistry) {
    self.list = list
    self.pins = pins
    pins.pin(named: list)
  }

  deinit { pins.unpin(named: list) }
}

/// The versions that are alive in this process.
final class PinRegistry: Sendable {
  private struct Pins {
    /// In the order of their numbers.
    var versions: [Pin] = []
    /// How many lists have the versions that have names.
    var named: [UInt64: Int] = [:]
    var newest: UInt64 = 0

    /// Where a version is, or would be.
    func place(of transaction: UInt64) -> Int {
      if let last = versions.last, last.transaction < transaction { return versions.count }
      return versions.partitioningIndex { $0.transaction >= transaction }
    }

    /// Whether a version is at a place.
    func has(_ transaction: UInt64, at place: Int) -> Bool {
      place < versions.count && versions[place].transaction == transaction
    }
  }

  private struct Pin {
    let transaction: UInt64
    var count = 1
    /// Since when there is a newer version.
    var replaced: ContinuousClock.Instant?
  }

  private let pinned = Mutex(Pins())
  private let read = Atomic<UInt64>(0)
  /// Which commits leave their changes to be applied later.
  let leaving: ChangeLeaving

  init(_ leaving: ChangeLeaving) { self.leaving = leaving }

  /// About the newest version that somebody has read.
  var lastRead: UInt64 { read.load(ordering: .relaxed) }

  /// Notes that somebody reads a version.
  @inline(__always)
  func noteRead(_ transaction: UInt64) {
    if read.load(ordering: .relaxed) < transaction {
      read.store(transaction, ordering: .relaxed)
    }
  }

  func pin(_ transaction: UInt64) {
    pinned.withLock { pins in
      let place = pins.place(of: transaction)
      let isNewest = transaction > pins.newest
      if isNewest {
        // The versions that are held are mostly the last ones.
        let last = pins.place(of: pins.newest)
        if pins.has(pins.newest, at: last) { pins.versions[last].replaced = .now }
        pins.newest = transaction
      }
      if pins.has(transaction, at: place) {
        pins.versions[place].count += 1
      } else {
        pins.versions.insert(Pin(transaction: transaction), at: place)
        // One that has a name may be held again long after it was the newest.
        if transaction < pins.newest { pins.versions[place].replaced = .now }
      }
    }
  }

  func unpin(_ transaction: UInt64) {
    pinned.withLock { pins in
      let place = pins.place(of: transaction)
      guard pins.has(transaction, at: place) else { return }
      pins.versions[place].count -= 1
      if pins.versions[place].count == 0 { pins.versions.remove(at: place) }
    }
  }

  fileprivate func pin(named list: [NamedVersion]) {
    pinned.withLock { pins in
      for version in list { pins.named[version.transaction, default: 0] += 1 }
    }
  }

  fileprivate func unpin(named list: [NamedVersion]) {
    pinned.withLock { pins in
      for version in list {
        guard let count = pins.named[version.transaction] else { continue }
        pins.named[version.transaction] = count > 1 ? count - 1 : nil
      }
    }
  }

  /// The versions, with others that are protected for another reason.
  ///
  /// - Parameter others: A few, in any order.
  func protected(with others: [UInt64]) -> ProtectedVersions {
    pinned.withLock { pins in
      var held: [UInt64] = []
      held.reserveCapacity(pins.versions.count + others.count)
      for pin in pins.versions { held.append(pin.transaction) }
      for other in others {
        let place = held.partitioningIndex { $0 >= other }
        if place == held.count || held[place] != other { held.insert(other, at: place) }
      }
      let named = pins.named.isEmpty ? [] : pins.named.keys.sorted()
      return ProtectedVersions(held: held, named: named)
    }
  }

  /// For how long there have been newer versions than a pinned one; nil for one that is not pinned.
  func age(of transaction: UInt64) -> Duration? {
    pinned.withLock { pins in
      let place = pins.place(of: transaction)
      guard pins.has(transaction, at: place) else { return nil }
      return pins.versions[place].replaced.map { .now - $0 }
    }
  }
}

/// The oldest version that a snapshot or rows still hold although newer versions exist.
package struct OldestPinnedVersion: Equatable, Sendable {
  /// The version's number.
  package var version: UInt64
  /// For how long there have been newer versions.
  package var age: Duration
  /// The bytes of the file that it keeps from being reused.
  package var bytes: UInt64
}
