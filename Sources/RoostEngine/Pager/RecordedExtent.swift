/// One extent that a record of the ring describes.
package struct RecordedExtent: Equatable, Sendable {
  /// The extent's pointer.
  package let pointer: ExtentPointer
  /// The extent of the version before that it was made from; nil if there is none.
  package let base: Base?
  /// How it was made.
  package let delta: PageDelta

  /// The place of an extent.
  package struct Base: Equatable, Sendable {
    /// The first unit.
    package let unit: UInt64
    /// The number of units.
    package let units: Int

    /// A place.
    package init(unit: UInt64, units: Int) {
      self.unit = unit
      self.units = units
    }

    /// The units.
    var range: Range<UInt64> { unit..<unit + UInt64(units) }
  }

  /// An extent, with the encoded operations that make it.
  ///
  /// - Throws: `.corrupt` where the operations are not valid.
  package init(
    pointer: ExtentPointer, base: Base?, ops: ArraySlice<UInt8>
  ) throws(EngineError) {
    self.pointer = pointer
    self.base = base
    delta = try PageDelta(
      validating: ops, byteCount: pointer.byteCount,
      baseByteCount: (base?.units ?? 0) * Unit.bytes)
  }

  /// An extent, made of the one that it is known to be made of, else of the one of some older extents that is most like it.
  init(of extent: UnwrittenExtent, orOneOf older: [Frame]) {
    let frame = extent.frame
    pointer = frame.pointer
    let base = extent.base ?? frame.likest(of: older)
    self.base = base.map { Base(unit: $0.pointer.unit, units: $0.pointer.units) }
    let ops =
      extent.ops ?? base.map { DeltaOps(from: $0.bytes, to: frame.bytes) }
      ?? DeltaOps(literals: frame.bytes)
    delta = PageDelta(
      ops, byteCount: pointer.byteCount, baseByteCount: base?.pointer.byteCount ?? 0)
  }

  /// The bytes of the operations, filled to a multiple of eight.
  var opsBytes: Int {
    (delta.ops.count + RingPlace.alignment - 1) / RingPlace.alignment * RingPlace.alignment
  }
}

extension Frame {
  /// The extent of the same kind that has most words in common with this one.
  fileprivate func likest(of older: [Frame]) -> Frame? {
    let kind = pointer.kind
    var likest: Frame?
    // Of the likest; nil while there is no other.
    var words: Int?
    for candidate in older where candidate.pointer.kind == kind {
      guard let first = likest else {
        likest = candidate
        continue
      }
      let count = commonWords(with: candidate)
      let most = words ?? commonWords(with: first)
      if count > most { likest = candidate }
      words = max(count, most)
    }
    return likest
  }

  /// The number of words, of some, that are the same and not zero in both.
  private func commonWords(with other: Frame) -> Int {
    var count = 0
    // A prime number of words apart, so that structures of every size are met.
    for place in stride(from: 0, to: min(bytes.count, other.bytes.count), by: 23 * 8) {
      let word = bytes.uint64(at: place)
      if word != 0, word == other.bytes.uint64(at: place) { count += 1 }
    }
    return count
  }
}
