extension FreeLog {
  /// Reads the log that a slot describes or, where it is damaged, finds what is free by walking the
  /// version, whose content needs no log.
  ///
  /// The slot's version must be the only one that is protected: then every unit that it does not cover
  /// may be written, those of its log too. The next commit writes the whole log anew.
  ///
  /// - Complexity: As reading the log; where it is damaged, everything but long values is read once.
  static func read(
    _ slot: MetaSlot, reader: PageReader
  ) throws(EngineError) -> (log: FreeLog, space: FreeSpace) {
    var space = FreeSpace(highWater: slot.highWater)
    do {
      let log = try FreeLog(slot, reader: reader, into: &space)
      return (log, space)
    } catch {
      guard error.isDamage else { throw error }
    }
    space = FreeSpace(highWater: slot.highWater)
    do {
      let free = try VersionWalk(slot: slot, reader: reader, bornAfter: 0).unusedUnits()
      for run in free { space.makeAvailable(run) }
      return (FreeLog(rebuilt: free), space)
    } catch {
      // What lies below the damage is unknown, so nothing is free: the file grows until it is compacted.
      guard error.isDamage else { throw error }
      return (FreeLog(), space)
    }
  }
}

extension EngineError {
  /// Whether what was read is damaged. An extent that was not read whole, although the file was long enough
  /// for it when it was opened, may be as it should.
  var isDamage: Bool {
    if case .corrupt(let damage) = self { damage.reason != .extentBeyondFile } else { false }
  }
}

extension VersionWalk {
  /// The runs of units that neither the version's content nor its catalog and roots cover, none across a segment's end.
  fileprivate func unusedUnits() throws(EngineError) -> [Range<UInt64>] {
    var ownership = UnitOwnership(highWater: slot.highWater)
    try visitContent { (pointer) throws(EngineError) in
      // Two owners: this stops a value that lists itself, too.
      if let reason = ownership.claim(pointer) {
        throw .corrupt(Corruption(reason, unit: pointer.unit))
      }
    }
    return ownership.unowned()
  }
}
