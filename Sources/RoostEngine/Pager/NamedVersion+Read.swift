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
    self = try reader.withBytes(of: pointer) { (bytes) throws(EngineError) in
      try Self(bytes, of: slot)
    }
  }
}
