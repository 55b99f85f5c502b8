/// The numbers of versions that the file knows something of.
struct RingFacts: Equatable {
  /// The newest version whose slot is known confirmed.
  var confirmed: UInt64
  /// The newest version known durable.
  var durable: UInt64
  /// The highest number that is known to have been given.
  var highest: UInt64

  mutating func formUnion(_ other: RingFacts) {
    confirmed = max(confirmed, other.confirmed)
    durable = max(durable, other.durable)
    highest = max(highest, other.highest)
  }
}

/// The bytes of a ring.
package struct RingContent {
  let pointer: ExtentPointer
  private let bytes: [UInt8]

  /// Reads all of a ring. Its records have checksums of their own.
  package init(
    reading pointer: ExtentPointer, from file: any StorageFile
  ) throws(EngineError) {
    self.pointer = pointer
    var bytes = [UInt8](repeating: 0, count: pointer.byteCount)
    let offset = pointer.unit * UInt64(Unit.bytes)
    let count = try EngineError.wrap { () throws(FileError) in
      try bytes.withMutableByteView { (view) throws(FileError) in
        try file.read(into: view, at: offset)
      }
    }
    guard count == bytes.count else {
      throw .corrupt(Corruption(.extentBeyondFile, unit: pointer.unit))
    }
    self.bytes = bytes
  }

  /// What the whole records say, also those that follow no slot: idle marks, and records of earlier laps.
  var facts: RingFacts {
    var facts = RingFacts(confirmed: 0, durable: 0, highest: 0)
    bytes.withByteView { view in
      var offset = 0
      while offset < view.count {
        guard let header = RingRecordHeader(view, at: offset, key: pointer.checksum) else {
          offset += RingPlace.alignment
          continue
        }
        facts.formUnion(
          RingFacts(
            confirmed: header.confirmed, durable: header.durable, highest: header.transaction))
        offset = header.end
      }
    }
    return facts
  }

  /// The record that follows a version.
  ///
  /// - Parameters:
  ///   - position: The offset behind the version's own record.
  ///   - transaction: The version.
  ///   - chain: The chain value that the record must name.
  /// - Returns: Its header; nil where no record follows.
  func next(
    after position: Int, _ transaction: UInt64, chain: UInt64
  ) -> RingRecordHeader? {
    let nextUnit = (position + Unit.bytes - 1) / Unit.bytes * Unit.bytes
    return bytes.withByteView { view in
      for offset in [position, nextUnit, 0] {
        if let header = RingRecordHeader(view, at: offset, key: pointer.checksum),
          !header.isIdleMark, header.chain == chain, header.transaction > transaction
        {
          return header
        }
      }
      return nil
    }
  }

  /// Reads and checks a record.
  func record(_ header: RingRecordHeader) throws(EngineError) -> RingRecord {
    try RingRecord(bytes[...], header)
  }
}
