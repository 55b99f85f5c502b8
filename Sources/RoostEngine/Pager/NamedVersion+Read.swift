extension [NamedVersion] {
  /// Reads the list that a slot points to, in the order of the versions.
  init(_ slot: MetaSlot, reader: PageReader) throws(EngineError) {
    let pointer = slot.namedVersions
    guard !pointer.isNull else {
      self = []
      return
    }
    guard pointer.end <= slot.highWater else {
      throw .corrupt(Corruption(.namedVersions, unit: pointer.unit))
    }
    try self.init(try reader.frame(pointer).bytes, of: slot)
  }
}
