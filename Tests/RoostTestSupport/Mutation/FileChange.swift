import RoostEngine

/// A change of a file's bytes as media make it, or as a program that knows nothing of the format.
package enum FileChange: String, CaseIterable, Sendable {
  case flippedBit, otherBytes, zeroedSector, zeroedUnit, staleUnit, swappedUnits, copiedUnit, cut
  case extended

  /// Changes a file somewhere, mostly where its newest version's extents are.
  ///
  /// - Returns: The bytes that may be other ones now; those behind the end where the file was cut.
  package func apply(
    to image: inout StoreImage, stale: [UInt8], _ random: inout SeededGenerator
  ) -> [Range<Int>] {
    let offset = Self.place(in: image, &random)
    let unit = offset / Unit.bytes * Unit.bytes
    switch self {
    case .flippedBit:
      image.bytes[offset] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      return [offset..<offset + 1]
    case .otherBytes:
      let end = min(offset + Int.random(in: 1...64, using: &random), image.bytes.count)
      for place in offset..<end { image.bytes[place] = UInt8(truncatingIfNeeded: random.next()) }
      return [offset..<end]
    case .zeroedSector:
      return [Self.zero(&image, offset / 512 * 512, 512)]
    case .zeroedUnit:
      return [Self.zero(&image, unit, Unit.bytes)]
    case .staleUnit:
      guard unit + Unit.bytes <= min(stale.count, image.bytes.count) else { return [] }
      image.bytes.replaceSubrange(unit..<unit + Unit.bytes, with: stale[unit..<unit + Unit.bytes])
      return [unit..<unit + Unit.bytes]
    case .swappedUnits, .copiedUnit:
      let other = Self.place(in: image, &random) / Unit.bytes * Unit.bytes
      guard other != unit, max(unit, other) + Unit.bytes <= image.bytes.count else { return [] }
      if self == .swappedUnits {
        image.swap(unit, other, count: Unit.bytes)
        return [unit..<unit + Unit.bytes, other..<other + Unit.bytes]
      }
      image.bytes.replaceSubrange(
        unit..<unit + Unit.bytes, with: Array(image.bytes[other..<other + Unit.bytes]))
      return [unit..<unit + Unit.bytes]
    case .cut:
      let end = random.chance(1, in: 8) ? Int.random(in: 0..<70_000, using: &random) : offset
      let range = min(end, image.bytes.count)..<image.bytes.count
      image.bytes.removeSubrange(range)
      return [range]
    case .extended:
      image.bytes += random.bytes(Int.random(in: 1...20_000, using: &random))
      return []
    }
  }

  /// A place in one of the newest version's extents, in four of five cases; else anywhere.
  private static func place(in image: StoreImage, _ random: inout SeededGenerator) -> Int {
    guard random.chance(4, in: 5), let extent = image.extents.randomElement(using: &random),
      extent.range.upperBound <= image.bytes.count
    else {
      let end = random.chance(1, in: 2) ? min(image.bytes.count, 65_536) : image.bytes.count
      return Int.random(in: 0..<max(end, 1), using: &random)
    }
    return Int.random(in: extent.range, using: &random)
  }

  private static func zero(_ image: inout StoreImage, _ start: Int, _ count: Int) -> Range<Int> {
    let range = start..<min(start + count, image.bytes.count)
    for place in range { image.bytes[place] = 0 }
    return range
  }
}
