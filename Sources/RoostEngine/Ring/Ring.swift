import Synchronization

/// The ring of an open file, where a small commit writes a record of what it changed in place of its extents (Format.md §7).
///
/// A unit of the ring is closed when a sync begins that covers it. No write touches it from then on until a later slot is
/// confirmed, so that no write can damage a record that is durable. Until then the records of commits that wait for the same
/// sync share units. There is one lock for finding a place, writing, and taking back what could not be written: no sync
/// begins in between.
final class Ring: Sendable {
  private let file: any StorageFile
  private let state = Mutex(State())

  private struct State {
    /// The bytes of the unit that is not closed, from its beginning on, and room for a record.
    lazy var buffer = Self.buffer()
    /// The other buffer, which the last durable write may be reading.
    lazy var otherBuffer = Self.buffer()
    /// The end of the last record, in a unit that is not closed; nil where the next record begins in a new unit.
    var open: Int?
    /// The places of the records that no sync has covered yet.
    var uncovered: [(transaction: UInt64, offset: UInt64)] = []
    /// Where the records behind the confirmed slot begin; nil where it has none.
    var tail: RingPlace?

    private static func buffer() -> AlignedBytes {
      AlignedBytes(count: RingRecord.bytesMax + 2 * Unit.bytes, alignment: Unit.bytes)
    }

    /// Where a record begins: directly behind the last one, in the next unit, or at the beginning of the ring.
    ///
    /// - Returns: Nil where it would reach the records that the confirmed slot needs.
    func place(for count: Int, at place: RingPlace) -> Int? {
      let start = open == Int(place.start) ? Int(place.start) : roundedUp(Int(place.start))
      // In a ring that is not the confirmed slot's, nothing is needed, but from its beginning on.
      let tail =
        tail?.pointer == place.pointer ? Int(tail?.start ?? 0) / Unit.bytes * Unit.bytes : 0
      guard start >= tail else { return roundedUp(start + count) < tail ? start : nil }
      if start + count <= place.byteCount { return start }
      // Never up to the tail: a full ring would look like an empty one.
      return roundedUp(count) < tail ? 0 : nil
    }
  }

  /// - Parameter tail: Where the records behind the confirmed slot begin; nil where there are none.
  init(file: any StorageFile, tail: RingPlace?) {
    self.file = file
    state.withLock { $0.tail = tail }
  }

  /// What becomes of a record that was written.
  struct Written {
    /// The place behind it.
    var next: RingPlace
    /// Whether ``StorageFile/finishDurableWrite()`` must follow, which makes it durable.
    var isBegun: Bool
  }

  /// What follows the writing of a record.
  enum Following {
    case nothing
    /// A sync soon.
    case sync
    /// A sync of this record alone, if nothing else waits for one.
    case syncOfIt
  }

  /// Writes a record.
  ///
  /// - Parameters:
  ///   - record: Its bytes; the checksum at their end is the next chain value.
  ///   - place: Where the base's records end.
  ///   - following: Where a sync follows, the disk begins to write it before that.
  ///   - refuse: Called where a record that was written in part could not be taken back: nothing more may be written.
  /// - Returns: Nil where there is no room for it.
  func append(
    _ record: ByteView, of transaction: UInt64, at place: RingPlace, _ following: Following,
    refuse: () -> Void
  ) throws(EngineError) -> Written? {
    try state.withLock { (state) throws(EngineError) -> Written? in
      guard let start = state.place(for: record.count, at: place) else { return nil }
      let unit = start / Unit.bytes * Unit.bytes
      let end = start + record.count
      let buffer = state.buffer.mutableView
      buffer.copy(record, at: start - unit)
      let padded = roundedUp(end) - unit
      buffer.slice(end - unit, padded - (end - unit)).zero()
      let bytes = buffer.readOnly.slice(0, padded)
      let offset = place.offset(unit)
      let isBegun = following == .syncOfIt && file.beginDurableWrite(bytes, at: offset)
      if !isBegun {
        do throws(FileError) { try file.write(bytes, at: offset) } catch {
          // The buffer may have the record in place of those of the open unit, where the record was to go to another one.
          state.open = nil
          do throws(EngineError) { try takeBack(place.offset(start)) } catch { refuse() }
          throw EngineError.file(error)
        }
        if following != .nothing {
          file.startWriteback(of: offset..<offset + UInt64(padded))
        }
      }
      state.uncovered.append((transaction, place.offset(start)))
      if isBegun {
        // As it is closed at once, nothing of it is needed again.
        (state.buffer, state.otherBuffer) = (state.otherBuffer, state.buffer)
        state.open = nil
      } else {
        let last = end / Unit.bytes * Unit.bytes
        if last > unit { buffer.copy(buffer.readOnly.slice(last - unit, end - last), at: 0) }
        state.open = end
      }
      var next = place
      next.start = UInt32(end)
      next.chain = record.uint64(at: record.count - 8)
      return Written(next: next, isBegun: isBegun)
    }
  }

  /// Closes the unit that records were written to: a sync begins that covers it.
  func close() { state.withLock { $0.open = nil } }

  /// Notes that a sync covered the records up to a transaction.
  ///
  /// - Parameter confirmed: Where the records behind the slot that it confirmed begin; all before is free.
  func noteDurable(_ transaction: UInt64, tail: RingPlace?) {
    state.withLock { state in
      state.uncovered.removeAll { $0.transaction <= transaction }
      state.tail = tail
    }
  }

  /// Makes sure that a later opening does not find the records above a transaction, which no sync has covered.
  func drop(after transaction: UInt64) throws(EngineError) {
    try state.withLock { (state) throws(EngineError) in
      var failure: EngineError?
      for record in state.uncovered where record.transaction > transaction {
        do throws(EngineError) { try takeBack(record.offset) } catch { failure = error }
      }
      state.uncovered.removeAll { $0.transaction > transaction }
      state.open = nil
      if let failure { throw failure }
    }
  }

  /// Makes a record one that no reader takes for whole.
  private func takeBack(_ offset: UInt64) throws(EngineError) {
    let zeros: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0]
    do {
      try zeros.withByteView { (zeros) throws(FileError) in try file.write(zeros, at: offset) }
    } catch { throw .file(error) }
  }
}

extension RingPlace {
  /// The offset in the file of a byte of the ring.
  fileprivate func offset(_ byte: Int) -> UInt64 {
    pointer.unit * UInt64(Unit.bytes) + UInt64(byte)
  }

  /// The bytes of the ring from another place on up to this one.
  func bytes(since other: RingPlace) -> Int {
    let distance = Int(start) - Int(other.start)
    return distance < 0 ? distance + byteCount : distance
  }
}

/// The end of the unit that a byte is in, or the byte itself at the beginning of one.
private func roundedUp(_ byte: Int) -> Int {
  (byte + Unit.bytes - 1) / Unit.bytes * Unit.bytes
}
