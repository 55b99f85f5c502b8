extension FreeLog {
  /// Reads the log that a slot describes or, if it is damaged, finds the free units by walking the
  /// version and the named versions, whose content needs no log.
  ///
  /// The slot's version must be the only one that is protected, but for those that have names and the anchor of pending
  /// records: then every unit that none of them covers may be written, those of its log too. The next commit writes the
  /// whole log anew.
  ///
  /// - Parameters:
  ///   - named: The versions that have names, in their order.
  ///   - pending: The records of the ring that follow the slot's log.
  /// - Returns: The log; the free units; and the pending records that the log does not have.
  /// - Complexity: As reading the log; where it is damaged, everything but long values is read once for each version.
  static func read(
    _ slot: MetaSlot, named: [NamedVersion], pending: PendingFree?, reader: PageReader
  ) throws(EngineError) -> (log: FreeLog, space: FreeSpace, pending: FreeRecords) {
    var space = FreeSpace(highWater: slot.highWater)
    do {
      let log = try FreeLog(
        slot, named: named.map(\.transaction), pending: pending, reader: reader, into: &space)
      return (log, space, pending?.records ?? FreeRecords())
    } catch {
      guard error.isDamage else { throw error }
    }
    space = FreeSpace(highWater: slot.highWater)
    do {
      try VersionWalk(slot: slot, reader: reader, bornAfter: 0).findFree(
        named, anchor: pending?.anchor, in: &space)
      // The rebuilt log has what the records say.
      return (FreeLog(rebuilt: space, at: slot.transaction), space, FreeRecords())
    } catch {
      // The extents below the damage are unknown, so nothing is free: the file grows until it is compacted.
      guard error.isDamage else { throw error }
      return (FreeLog(), FreeSpace(highWater: slot.highWater), FreeRecords())
    }
  }
}

extension EngineError {
  /// Whether the error means damage. An extent that was not read whole, although the file was long enough
  /// for it when it was opened, may be intact.
  var isDamage: Bool {
    if case .corrupt(let damage) = self { damage.reason != .extentBeyondFile } else { false }
  }
}

extension VersionWalk {
  /// Finds the units that neither the version's content nor its catalog, roots and ring cover. Units that a named version
  /// or the anchor covers wait for that version.
  fileprivate func findFree(
    _ named: [NamedVersion], anchor: MetaSlot?, in space: inout FreeSpace
  ) throws(EngineError) {
    var ownership = UnitOwnership(highWater: slot.highWater)
    let visitor = ExtentVisitor { (pointer) throws(EngineError) in
      // Two owners; this check also stops a value that lists itself.
      if let reason = ownership.claim(pointer) {
        throw .corrupt(Corruption(reason, unit: pointer.unit))
      }
    }
    try visitContent(visitor)
    if let ring = slot.ring?.pointer, let reason = ownership.claim(ring) {
      throw .corrupt(Corruption(reason, unit: ring.unit))
    }
    // By their first units: the extents that versions with names have and this one has not, and the last to have each.
    var kept: [UInt64: (extent: ExtentPointer, version: UInt64)] = [:]
    for version in named.map({ $0.slot(beside: slot) }) + (anchor.map { [$0] } ?? []) {
      var own = UnitOwnership(highWater: version.highWater)
      let walk = VersionWalk(slot: version, reader: reader, bornAfter: 0)
      let visitor = ExtentVisitor { (pointer) throws(EngineError) in
        if let reason = own.claim(pointer) {
          throw .corrupt(Corruption(reason, unit: pointer.unit))
        }
        guard !ownership.hasOwner(pointer.unit) else { return }
        guard kept[pointer.unit]?.extent ?? pointer == pointer else {
          throw .corrupt(Corruption(.overlap, unit: pointer.unit))
        }
        kept[pointer.unit] = (pointer, version.transaction)
      }
      try walk.visitContent(visitor)
    }
    let protected = ProtectedVersions(
      held: anchor.map { [$0.transaction] } ?? [], named: named.map(\.transaction))
    for unit in Array(kept.keys).ascending(by: { Int($0) }) {
      guard let (extent, version) = kept[unit] else { continue }
      if let reason = ownership.claim(extent) {
        throw .corrupt(Corruption(reason, unit: unit))
      }
      space.release(
        FreeSpace.Waiting(
          unit: unit, units: extent.units, birth: extent.birth, death: version + 1),
        protected: protected)
    }
    for run in ownership.unowned() { space.makeAvailable(run) }
  }
}
