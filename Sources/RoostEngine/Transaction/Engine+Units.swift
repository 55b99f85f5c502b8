extension Engine {
  /// Throws unless each unit below the high-water mark of the newest version is free or has exactly
  /// one owner.
  ///
  /// - Complexity: Reads the whole version.
  package func checkUnitsHaveOneOwner() throws(EngineError) {
    let version = snapshot().version
    var owned = UnitSet()
    owned.insert(0..<Unit.firstExtent)
    let walk = VersionWalk(slot: version.slot, reader: version.view.reader, bornAfter: 0)
    try walk.visit { (pointer) throws(EngineError) in
      let before = owned.count
      owned.insert(pointer.unit..<pointer.end)
      guard owned.count == before + UInt64(pointer.units) else {
        throw .corrupt(Corruption(.overlap, unit: pointer.unit))
      }
      guard pointer.end <= version.slot.highWater else {
        throw .corrupt(Corruption(.extentBeyondFile, unit: pointer.unit))
      }
    }
    var space = FreeSpace(highWater: version.slot.highWater)
    _ = try FreeLog(version.slot, reader: version.view.reader, into: &space)
    for run in space.free.runs(in: 0..<version.slot.highWater) {
      let before = owned.count
      owned.insert(run)
      guard owned.count == before + UInt64(run.count) else {
        throw .corrupt(Corruption(.overlap, unit: run.lowerBound))
      }
    }
    guard owned.count == version.slot.highWater else {
      throw .corrupt(Corruption(.leak, unit: owned.firstMissing(below: version.slot.highWater)))
    }
  }
}
