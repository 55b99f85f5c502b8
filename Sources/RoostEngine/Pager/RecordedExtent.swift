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

  /// The bytes of the operations, filled to a multiple of eight.
  var opsBytes: Int {
    (delta.ops.count + RingPlace.alignment - 1) / RingPlace.alignment * RingPlace.alignment
  }
}
