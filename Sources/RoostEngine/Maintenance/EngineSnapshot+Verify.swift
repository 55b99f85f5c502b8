extension EngineSnapshot {
  /// Checks everything that Format.md demands of the version, and returns all that is wrong.
  ///
  /// Reads every extent from the file anew, whatever is in memory: pointers, checksums, the structure of
  /// nodes and leaves, the order of keys, counts, zone maps, values outside of leaves; that fields have
  /// values, bools are 0 or 1 and strings UTF-8; that each
  /// index has exactly the entries that its table's objects ask for; that every link leads to an
  /// object; that each unit belongs to one extent or is free. So it does with the versions that have names in this one, of
  /// which nothing may be free to be written. Takes time and input in proportion to
  /// the bytes in use, and little memory. Where more than 10,000 things are wrong, those of one kind in one tree are put
  /// together: the last one's keys are from the lowest to the highest. What lies below damage cannot be checked, and is not
  /// reported as missing.
  /// - Throws: What the system refuses; `.cancelled` soon after the task was cancelled; damage is returned.
  package func verify(
    progress: ((MaintenanceProgress) -> Void)? = nil
  ) throws(EngineError) -> [Corruption] {
    let verification = try Verification(self, nil, progress)
    try verification.run()
    return verification.findings
  }

  /// Checks a copy as ``verify(progress:)`` does, but for what the original says better: that the copy's
  /// objects and index entries are the original's.
  func verify(
    holds content: StoreContent?, progress: ((MaintenanceProgress) -> Void)?
  ) throws(EngineError) -> [Corruption] {
    let verification = try Verification(self, content, progress)
    try verification.run()
    return verification.findings
  }
}

/// One check of a whole version: the findings so far, and the owner of each unit.
final class Verification {
  private(set) var findings: [Corruption] = []
  /// The position of the last finding of each kind: of a reason, in a tree.
  private var lastOfKind: [String: Int] = [:]
  /// From this many findings on, only the first one of a kind is added.
  static let findingsMax = 10_000
  let view: ReadView
  private let version: Version
  /// Whether the version is a named one; no slot lists its free units.
  private let isNamed: Bool
  /// The owners of the file's units; nil where only trees are checked of which parts lie in memory.
  private var ownership: UnitOwnership?
  private let meter: ProgressMeter
  /// The trees with an unreadable or invalid part.
  private var damagedTrees: Set<UInt32> = []
  /// Whether extents may be unknown because the pointers to them could not be read.
  private var isAnythingHidden = false
  /// The expected content of the version, if it is a copy.
  let content: StoreContent?
  /// Random for every check, so that an attacker cannot choose entries that cancel each other out.
  let seed: UInt64

  private static let cacheBytes = 8 << 20

  init(
    _ snapshot: EngineSnapshot, _ content: StoreContent?,
    _ progress: ((MaintenanceProgress) -> Void)?,
    isNamed: Bool = false
  ) throws(EngineError) {
    version = snapshot.version
    self.content = content
    self.isNamed = isNamed
    seed = content?.seed ?? UInt64.random(in: .min ... .max)
    let shared = version.applied.reader
    let reader = PageReader(file: shared.file, cacheBytes: Self.cacheBytes, dirty: shared.dirty)
    view = try ReadView(
      catalog: snapshot.catalog, roots: version.appliedRoots, reader: reader, pin: snapshot.version)
    ownership = UnitOwnership(highWater: version.slot.highWater)
    meter = ProgressMeter(
      .verifying, total: snapshot.usedBytes / UInt64(Unit.bytes), progress)
  }

  /// A check of the trees alone that a version's unapplied rows make in memory.
  private init(_ made: ReadView, of version: Version) {
    self.version = version
    content = nil
    isNamed = false
    seed = UInt64.random(in: .min ... .max)
    view = made
    ownership = nil
    meter = ProgressMeter(.verifying, total: 0, nil)
  }

  func run() throws(EngineError) {
    if !isNamed { try checkMarks() }
    try checkRoots()
    try checkCatalog()
    try checkTables()
    try checkUnapplied()
    if !isNamed { try checkSpace() }
  }

  private func checkTables() throws(EngineError) {
    for table in view.catalog.tables { try check(table) }
    for table in view.catalog.tables { try checkLinks(of: table) }
  }

  // MARK: Findings

  /// Notes a finding; a damaged tree is not compared with others.
  func report(_ finding: Corruption, hidesExtents: Bool = false) {
    note(finding)
    if let tree = finding.tree { damagedTrees.insert(tree) }
    if hidesExtents { isAnythingHidden = true }
  }

  /// Notes a finding, without excluding anything from being read and compared.
  ///
  /// Of very many findings, those that are like an earlier one widen it, so that a small file makes no endless list.
  func note(_ finding: Corruption) {
    let kind = "\(finding.reason.rawValue) \(finding.tree ?? 0)"
    if findings.count >= Self.findingsMax, let place = lastOfKind[kind] {
      guard let known = findings[place].keys, let more = finding.keys else { return }
      findings[place].keys =
        min(known.lowerBound, more.lowerBound)...max(known.upperBound, more.upperBound)
      return
    }
    lastOfKind[kind] = findings.count
    findings.append(finding)
  }

  /// Whether a tree was found to be as it must be so far.
  func isSound(_ tree: UInt32) -> Bool { !damagedTrees.contains(tree) }

  /// The result, or nil after noting the damage that prevented it.
  func attempt<Result>(
    in tree: UInt32? = nil, _ body: () throws(EngineError) -> Result
  ) throws(EngineError) -> Result? {
    try checkCancellation()
    do { return try body() } catch {
      guard case .corrupt(var finding) = error else { throw error }
      if finding.tree == nil { finding.tree = tree }
      report(finding, hidesExtents: true)
      return nil
    }
  }

  /// Makes an extent the owner of its units.
  ///
  /// - Returns: False if it cannot be; then the extents that it points to are not checked.
  func claim(_ pointer: ExtentPointer, in tree: UInt32? = nil) -> Bool {
    meter.advance(UInt64(pointer.units))
    guard let reason = ownership?.claim(pointer) else { return true }
    report(Corruption(reason, unit: pointer.unit, tree: tree), hidesExtents: true)
    return false
  }

  // MARK: What no tree holds

  /// Checks that marks name the slots that there are; one that is torn says nothing.
  private func checkMarks() throws(EngineError) {
    let slots = SlotStore(file: view.reader.file, identity: version.slot.identity)
    guard let survey = try attempt({ () throws(EngineError) in try slots.survey() }) else { return }
    for found in survey.slots {
      for mark in survey.marks
      where mark.transaction == found.slot.transaction && mark.slotChecksum != found.checksum {
        note(Corruption(.confirmMark, unit: MetaSlot.offset(of: found.index) / UInt64(Unit.bytes)))
      }
    }
    try checkRing(slots)
  }

  /// Checks that the records in the file still make the version of its slot's.
  private func checkRing(_ slots: SlotStore) throws(EngineError) {
    guard let anchor = version.pendingFree?.anchor, let ring = anchor.ring else { return }
    let made = try attempt { () throws(EngineError) -> RingReplay in
      let content = try RingContent(reading: ring.pointer, from: view.reader.file)
      var replay = RingReplay(from: anchor, at: ring)
      while replay.slot.transaction < version.transaction,
        try replay.applyNext(of: content)
      {}
      return replay
    }
    guard let made else { return }
    // What records of rows make of the trees is not compared: their extents are this process's own.
    let isWhole =
      made.unapplied.isEmpty
      ? made.slot == version.slot : made.slot.transaction == version.transaction
    guard !isWhole else { return }
    // Behind an older slot the records may have been overwritten.
    let survey = try attempt { () throws(EngineError) in try slots.survey() }
    guard survey?.slots.first?.slot.transaction == anchor.transaction else { return }
    report(Corruption(.ringCut, unit: ring.pointer.unit))
  }

  /// Checks that what is not applied to the trees yet fits them, and that what it makes of them is as they must be.
  private func checkUnapplied() throws(EngineError) {
    guard version.unapplied != nil else { return }
    guard let made = try attempt({ () throws(EngineError) in try version.view() }) else { return }
    let verification = Verification(made, of: version)
    try verification.checkTables()
    // What is damaged in the file was found there.
    for var finding in verification.findings where !findings.contains(finding) {
      if let unit = finding.unit, unit >= version.slot.highWater {
        finding.unit = version.slot.ring?.pointer.unit
      }
      note(finding)
    }
  }

  private func checkRoots() throws(EngineError) {
    let extent = version.slot.rootsExtent
    if !extent.isNull, claim(extent) {
      _ = try attempt { () throws(EngineError) in try view.reader.frame(extent) }
    }
    let roots = try attempt { () throws(EngineError) in
      try RootTable(version.slot, of: view.catalog, reader: view.reader).roots
    }
    guard let roots, roots != version.appliedRoots else { return }
    report(Corruption(.roots, unit: extent.isNull ? nil : extent.unit))
  }

  private func checkCatalog() throws(EngineError) {
    let slot = version.slot
    guard !slot.catalog.isNull else { return }
    _ = try attempt { () throws(EngineError) in
      try view.reader.streamValue(
        slot.catalog, length: slot.catalogLength, parentBirth: slot.transaction,
        visit: { _ = self.claim($0) }, content: { _ in })
    }
    for field in view.catalog.tables.flatMap(\.fields) where !field.canDefault {
      note(Corruption(.catalog, unit: slot.catalog.unit))
    }
    // A library that does not know them must not write.
    if !isNamed, view.catalog.hasDeleteRules, !slot.features.hasDeleteRules {
      note(Corruption(.catalog, unit: slot.catalog.unit))
    }
  }

  /// Checks the free units, and the named versions.
  private func checkSpace() throws(EngineError) {
    let slot = version.slot
    if slot.features.hasNamedVersions == slot.namedVersions.isNull { note(Corruption(.slotField)) }
    let read = try attempt { () throws(EngineError) in
      try [NamedVersion](slot, reader: view.reader)
    }
    guard let named = read else { return }
    if !named.isEmpty { _ = claim(slot.namedVersions) }
    if let ring = slot.ring { _ = claim(ring.pointer) }
    var space = FreeSpace(highWater: slot.highWater)
    let log = try attempt { () throws(EngineError) in
      try FreeLog(
        slot, named: named.map(\.transaction), pending: version.pendingFree,
        reader: view.reader, into: &space)
    }
    if let log { compare(log, space) }
    for version in named { try check(version, space.available) }
  }

  /// Checks a named version.
  ///
  /// - Parameter available: The units that may be written.
  private func check(_ named: NamedVersion, _ available: UnitSet) throws(EngineError) {
    let snapshot = try attempt { () throws(EngineError) in
      EngineSnapshot(version: try version.content(of: named))
    }
    guard let snapshot else { return }
    let verification = try Verification(snapshot, nil, nil, isNamed: true)
    try verification.run()
    // Damage that several versions share is reported once.
    for finding in verification.findings where !findings.contains(finding) { note(finding) }
    for unit in verification.ownership?.compare(withFree: available).twice ?? [] {
      report(Corruption(.overlap, unit: unit))
    }
  }

  private func compare(_ log: FreeLog, _ space: FreeSpace) {
    for page in log.pages { _ = claim(page) }
    guard let (twice, none) = ownership?.compare(withFree: space.free) else { return }
    for unit in twice { report(Corruption(.overlap, unit: unit)) }
    guard !isAnythingHidden else { return }
    for unit in none { report(Corruption(.leak, unit: unit)) }
  }
}
