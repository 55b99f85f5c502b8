/// The units below the high-water mark that belong to an extent.
///
/// Stores only blocks of 4 MiB that contain extents: memory grows with the extents and not with the file's length, which
/// costs a sparse file nothing.
package struct UnitOwnership {
  private let highWater: UInt64
  /// The index of the first word of each block, by block number.
  private var blocks: [UInt64: Int] = [:]
  /// A bit for each unit of the blocks, set if an extent owns the unit.
  private var words: [UInt64] = []

  private static let blockUnits: UInt64 = 1024
  private static let blockWords = Int(blockUnits) / 64
  private static let segmentBlocks = UInt64(Unit.segmentUnits) / blockUnits

  package init(highWater: UInt64) { self.highWater = highWater }

  /// Marks the units of an extent as owned.
  ///
  /// - Returns: Why the extent cannot own them; nil if it does now.
  package mutating func claim(_ pointer: ExtentPointer) -> Corruption.Reason? {
    guard pointer.unit >= Unit.firstExtent, pointer.end <= highWater else {
      return .pointerOutsideFile
    }
    var unit = pointer.unit
    while unit < pointer.end {
      let (next, mask) = Self.part(from: unit, to: pointer.end)
      if word(of: unit) & mask != 0 { return .overlap }
      unit = next
    }
    unit = pointer.unit
    while unit < pointer.end {
      let (next, mask) = Self.part(from: unit, to: pointer.end)
      words[place(of: unit)] |= mask
      unit = next
    }
    return nil
  }

  /// The runs of units that no extent owns; no run crosses a segment's end.
  package func unowned() -> [Range<UInt64>] {
    var runs: [Range<UInt64>] = []
    let segment = UInt64(Unit.segmentUnits)
    var start: UInt64?
    var unit: UInt64 = 0
    while unit < highWater {
      // Advances by part of a word, or of a segment without extents.
      let isEmpty = unit.isMultiple(of: segment) && isEmpty(segment: unit / segment)
      let end = min(highWater, unit + (isEmpty ? segment : 64))
      var left = isEmpty ? 0 : word(of: unit)
      if unit == 0 { left |= (1 << Unit.firstExtent) - 1 }
      if unit.isMultiple(of: segment), let first = start {
        runs.append(first..<unit)
        start = nil
      }
      var place = unit
      while place < end {
        // The bits of a segment without extents are all clear, like the bits that are shifted in.
        let isOwned = left & 1 != 0
        let count = UInt64((isOwned ? ~left : left).trailingZeroBitCount)
        if isOwned {
          if let first = start { runs.append(first..<place) }
          start = nil
        } else if start == nil {
          start = place
        }
        place = left == 0 ? end : place + count
        left = count < 64 ? left >> count : 0
      }
      unit = end
    }
    if let first = start { runs.append(first..<highWater) }
    return runs
  }

  /// The first units of the runs that are both owned and free, and of the runs that are neither.
  package func compare(withFree free: UnitSet) -> (twice: [UInt64], none: [UInt64]) {
    let segment = UInt64(Unit.segmentUnits)
    var twice = RunStarts()
    var none = RunStarts()
    var unit: UInt64 = 0
    while unit < highWater {
      if unit.isMultiple(of: segment), unit > 0, unit + segment <= highWater,
        isEmpty(segment: unit / segment), let isFree = free.isUniform(segment: unit / segment)
      {
        twice.add(0, at: unit)
        none.add(isFree ? 0 : .max, at: unit)
        unit += segment
        continue
      }
      var exists: UInt64 = unit + 64 <= highWater ? .max : (1 << (highWater - unit)) - 1
      if unit == 0 { exists &= ~((1 << Unit.firstExtent) - 1) }
      let owned = word(of: unit)
      let free = free.word(at: unit)
      twice.add(owned & free & exists, at: unit)
      none.add(~(owned | free) & exists, at: unit)
      unit += 64
    }
    return (twice.starts, none.starts)
  }

  private func isEmpty(segment: UInt64) -> Bool {
    let first = segment * Self.segmentBlocks
    return (first..<first + Self.segmentBlocks).allSatisfy { blocks[$0] == nil }
  }

  /// Whether an extent owns a unit.
  func hasOwner(_ unit: UInt64) -> Bool { word(of: unit) >> (unit & 63) & 1 != 0 }

  /// The word of 64 units that contains a unit.
  private func word(of unit: UInt64) -> UInt64 {
    guard let block = blocks[unit / Self.blockUnits] else { return 0 }
    return words[block + Int(unit % Self.blockUnits / 64)]
  }

  /// The index of the word of a unit; its block is added if it is missing.
  private mutating func place(of unit: UInt64) -> Int {
    let number = unit / Self.blockUnits
    let offset = Int(unit % Self.blockUnits / 64)
    if let block = blocks[number] { return block + offset }
    let block = words.count
    blocks[number] = block
    words.append(contentsOf: repeatElement(0, count: Self.blockWords))
    return block + offset
  }

  /// The part of a range that lies in one word: the start of the next part, and the word's bits.
  private static func part(from unit: UInt64, to end: UInt64) -> (next: UInt64, mask: UInt64) {
    let next = min(end, (unit | 63) + 1)
    let width = next - unit
    let ones: UInt64 = width == 64 ? .max : (1 << width) - 1
    return (next, ones << (unit & 63))
  }
}

/// Finds the starts of runs of set bits in consecutive words.
private struct RunStarts {
  private(set) var starts: [UInt64] = []
  private var isOpen = false

  mutating func add(_ word: UInt64, at unit: UInt64) {
    var first = word & ~(word << 1 | (isOpen ? 1 : 0))
    while first != 0 {
      starts.append(unit + UInt64(first.trailingZeroBitCount))
      first &= first - 1
    }
    isOpen = word >> 63 != 0
  }
}
