import RoostEngine

/// Something that a file says of its structure and that is not so, under checksums that are right.
///
/// Each of them must be reported, or keep the file from being opened.
package enum StructuralLie: String, CaseIterable, Sendable {
  // Of the slot.
  case highWater, freeUnits, usedUnitIsFree, freeUnitIsUsed, catalogLength
  // Of a root record.
  case rootCount, rootLevel, rootCounter, rootTree, swappedRoots
  case missingRoot, doubledRoot, foreignRoot
  // Of any node.
  case nodeTag, nodeLevel, nodeTree, childBirth, swappedChildren, repeatedChild, childKind
  // Of an inner node of objects.
  case childKey, childCount, pathCount
  // Of a leaf of objects.
  case rowCount, firstKey, lastKey, minimum, maximum, nullCount, unknownField, groupOfColumn
  case valueLength, valuePrefix, overlappingColumns
  // Of an index.
  case indexBase, indexEntries, indexCounts, strayEntry
  // Of a value's list and of the free log.
  case listLength, listCount, logCount, logTransaction

  /// Lies somewhere in a file, and makes its checksums right again; false where there is no place for it.
  package func apply(to image: inout StoreImage, _ random: inout SeededGenerator) -> Bool {
    switch self {
    case .highWater, .freeUnits, .usedUnitIsFree, .freeUnitIsUsed, .catalogLength:
      guard lieOfSlot(&image, &random) else { return false }
      image.seal([])
      return true
    case .missingRoot, .doubledRoot, .foreignRoot:
      guard lieOfRecords(&image, &random) else { return false }
      image.seal([])
      return true
    case .rootCount, .rootLevel, .rootCounter, .rootTree, .swappedRoots:
      guard let changed = lieOfRoot(&image, &random) else { return false }
      image.seal(changed)
      return true
    case .pathCount:
      return liePathCount(&image, &random)
    default:
      for _ in 0..<12 {
        guard let index = image.extents.indices.randomElement(using: &random) else { return false }
        guard lie(of: index, in: &image, &random) else { continue }
        image.seal([index])
        return true
      }
      return false
    }
  }

  /// Whether a file with the lie must not be opened: reading it would give less than it has.
  package var mustBeRefused: Bool {
    switch self {
    case .missingRoot, .doubledRoot, .foreignRoot: true
    default: false
    }
  }

  // MARK: The slot

  private func lieOfSlot(_ image: inout StoreImage, _ random: inout SeededGenerator) -> Bool {
    let slot = image.slot
    let sign: UInt64 = random.chance(1, in: 2) ? 1 : .max
    switch self {
    case .highWater:
      image.add(random.chance(1, in: 8) ? 1 << 33 : sign, at: slot + 32)
      return true
    case .freeUnits:
      image.add(sign, at: slot + 40)
      return true
    case .catalogLength:
      image.add(random.chance(1, in: 3) ? random.next() : sign, at: slot + 112)
      return true
    default:
      let count = image.number(at: slot + 174, as: UInt16.self)
      let highWater = Int(image.number(at: slot + 32))
      guard count < 151, let unit = (16..<highWater).randomElement(using: &random) else {
        return false
      }
      let isLive = image.isLive(unit * Unit.bytes)
      guard isLive == (self == .usedUnitIsFree) else { return false }
      image.set(UInt64(unit) | (isLive ? 1 << 63 : 0), at: slot + 1664 + 16 * Int(count))
      image.set(UInt64(0), at: slot + 1664 + 16 * Int(count) + 8)
      image.set(count + 1, at: slot + 174)
      image.add(isLive ? UInt64(1) : .max, at: slot + 40)
      return true
    }
  }

  // MARK: Roots

  private func lieOfRoot(
    _ image: inout StoreImage, _ random: inout SeededGenerator
  ) -> Set<Int>? {
    guard let root = image.roots.randomElement(using: &random) else { return nil }
    let (place, holder) = root
    let changed = holder.map { Set([$0]) } ?? []
    let isEmpty = image.number(at: place + 24) == 0
    switch self {
    case .rootCount:
      image.add(Self.difference(&random), at: place + 8)
    case .rootLevel:
      image.bytes[place + 4] = UInt8.random(in: 13...255, using: &random)
    case .rootCounter:
      guard !isEmpty else { return nil }
      if image.bytes[place + 5] == 2 {
        image.add(Self.difference(&random), at: place + 16)
      } else {
        // Only where keys are counted up, which the owners' are; their table is the first.
        guard image.number(at: place, as: UInt32.self) == 1 else { return nil }
        image.set(UInt64.random(in: 0...20, using: &random), at: place + 16)
      }
    case .rootTree:
      image.add(UInt32(truncatingIfNeeded: Self.difference(&random)) | 1 << 20, at: place)
    default:
      guard let other = image.roots.randomElement(using: &random), other.place != place,
        !isEmpty, image.number(at: other.place + 24) != 0,
        image.number(at: place + 24) != image.number(at: other.place + 24)
      else { return nil }
      image.swap(place + 4, other.place + 4, count: 44)
      return changed.union(other.holder.map { Set([$0]) } ?? [])
    }
    return changed
  }

  /// An inline record is lost, or there is one more.
  private func lieOfRecords(
    _ image: inout StoreImage, _ random: inout SeededGenerator
  ) -> Bool {
    let slot = image.slot
    let count = image.number(at: slot + 172, as: UInt16.self)
    guard count > 0, count < 24 else { return false }
    let (records, end) = (slot + 512, slot + 512 + 48 * Int(count))
    let place = records + 48 * Int(random.next() % UInt64(count))
    switch self {
    case .missingRoot:
      // Where there is a roots extent, another record of the tree may be there, that is out of date.
      guard image.number(at: slot + 120) == 0 else { return false }
      for byte in place..<end - 48 { image.bytes[byte] = image.bytes[byte + 48] }
      for byte in end - 48..<end { image.bytes[byte] = 0 }
      image.set(count - 1, at: slot + 172)
    default:
      for byte in 0..<48 { image.bytes[end + byte] = image.bytes[place + byte] }
      if self == .foreignRoot {
        image.set(UInt32.random(in: 1000 ... .max, using: &random), at: end)
        if random.chance(1, in: 2) {
          for byte in 24..<48 { image.bytes[end + byte] = 0 }
          for byte in 8..<24 { image.bytes[end + byte] = 0 }
          image.bytes[end + 4] = 0
        }
      }
      image.set(count + 1, at: slot + 172)
    }
    return true
  }

  /// What is added to a count: one, minus one, or much.
  private static func difference(_ random: inout SeededGenerator) -> UInt64 {
    switch random.next() % 4 {
    case 0: 1
    case 1: .max
    case 2: 1 << (random.next() % 64)
    default: random.next() | 1
    }
  }

  // MARK: The path to a leaf

  /// A leaf has more objects, and everything above it says so.
  private func liePathCount(
    _ image: inout StoreImage, _ random: inout SeededGenerator
  ) -> Bool {
    let inner = image.extents.indices.filter { image.extents[$0].kind == .objectInner }
    guard var index = inner.randomElement(using: &random) else { return false }
    let lowest = index
    let more = Self.difference(&random)
    let start = image.extents[index].range.lowerBound
    let child = Int.random(
      in: 0..<Int(image.number(at: start + 2, as: UInt16.self)), using: &random)
    image.add(more, at: start + 840 + 8 * child)
    image.add(more, at: start + 8)
    while let parent = image.extents[index].parent, image.extents[parent].kind == .objectInner {
      let above = image.extents[parent].range.lowerBound
      let place = (image.extents[index].pointer - above - 1648) / 24
      image.add(more, at: above + 840 + 8 * place)
      image.add(more, at: above + 8)
      index = parent
    }
    image.add(more, at: image.extents[index].pointer - 24 + 8)
    image.seal(Set([lowest]).union(image.extents[index].parent.map { [$0] } ?? []))
    return true
  }

  // MARK: One extent

  private func lie(
    of index: Int, in image: inout StoreImage, _ random: inout SeededGenerator
  ) -> Bool {
    let extent = image.extents[index]
    let start = extent.range.lowerBound
    switch (self, extent.kind) {
    case (.nodeTag, .objectInner), (.nodeTag, .leafHead), (.nodeTag, .indexInner),
      (.nodeTag, .indexLeaf), (.nodeTag, .valueList), (.nodeTag, .freeLog):
      image.bytes[start] ^= UInt8.random(in: 1...255, using: &random)
    case (.nodeLevel, .objectInner), (.nodeLevel, .leafHead), (.nodeLevel, .indexInner),
      (.nodeLevel, .indexLeaf):
      image.bytes[start + 1] ^= UInt8.random(in: 1...255, using: &random)
    case (.nodeTree, .objectInner), (.nodeTree, .leafHead), (.nodeTree, .indexInner),
      (.nodeTree, .indexLeaf):
      image.add(UInt32(truncatingIfNeeded: Self.difference(&random)) | 1, at: start + 4)
    case (.childBirth, _):
      guard extent.parent != nil, extent.kind != .freeLog else { return false }
      // The pointer is its holder's to be sealed again.
      return lieOfPointer(of: index, in: &image) { image, place in
        image.add(1 << UInt64.random(in: 30...62, using: &random), at: place + 8)
      }
    case (.childKind, _):
      guard extent.kind != .valueBytes, extent.kind != .valueLZ4 else { return false }
      return lieOfPointer(of: index, in: &image) { image, place in
        image.bytes[place + 6] ^= UInt8.random(in: 1...255, using: &random)
      }
    case (.swappedChildren, .objectInner), (.repeatedChild, .objectInner):
      return lieOfChildren(from: start + 1648, of: start, in: &image, &random)
    case (.swappedChildren, .indexInner), (.repeatedChild, .indexInner):
      return lieOfChildren(from: start + 32, of: start, in: &image, &random)
    case (.childKey, .objectInner):
      return lieOfChildKey(index, in: &image, &random)
    case (.childCount, .objectInner):
      let count = Int(image.number(at: start + 2, as: UInt16.self))
      image.add(
        Self.difference(&random), at: start + 840 + 8 * Int.random(in: 0..<count, using: &random))
    case (.listLength, .valueList): image.add(Self.difference(&random), at: start + 8)
    case (.listCount, .valueList):
      image.add(UInt32(truncatingIfNeeded: Self.difference(&random)) | 1, at: start + 4)
    case (.logCount, .freeLog):
      // A record may say what another says too, but the last one of a page that is full is needed.
      image.set(UInt32.random(in: 253 ... .max, using: &random), at: start + 4)
    case (.logTransaction, .freeLog): image.add(Self.difference(&random), at: start + 8)
    case (_, .leafHead): return lieOfHead(index, in: &image, &random)
    case (_, .indexLeaf), (_, .indexInner):
      return lieOfIndex(start, extent.kind, in: &image, &random)
    default: return false
    }
    return true
  }

  /// Changes the pointer to an extent, so that its holder must be sealed and it itself must not.
  private func lieOfPointer(
    of index: Int, in image: inout StoreImage, _ change: (inout StoreImage, Int) -> Void
  ) -> Bool {
    let extent = image.extents[index]
    change(&image, extent.pointer)
    image.seal(extent.parent.map { [$0] } ?? [])
    return true
  }

  private func lieOfChildren(
    from pointers: Int, of start: Int, in image: inout StoreImage, _ random: inout SeededGenerator
  ) -> Bool {
    let count = Int(image.number(at: start + 2, as: UInt16.self))
    guard count > 1 else { return false }
    let one = Int.random(in: 0..<count, using: &random)
    let other = (one + Int.random(in: 1..<count, using: &random)) % count
    if self == .swappedChildren {
      image.swap(pointers + 24 * one, pointers + 24 * other, count: 24)
    } else {
      for place in 0..<24 {
        image.bytes[pointers + 24 * one + place] = image.bytes[pointers + 24 * other + place]
      }
    }
    return true
  }

  /// A child's least key is above its first key.
  private func lieOfChildKey(
    _ index: Int, in image: inout StoreImage, _ random: inout SeededGenerator
  ) -> Bool {
    let start = image.extents[index].range.lowerBound
    let children = image.extents.filter { $0.parent == index && $0.kind != .leafGroup }
    guard let child = children.randomElement(using: &random) else { return false }
    let place = (child.pointer - start - 1648) / 24
    let firstKey = image.number(
      at: child.range.lowerBound + (child.kind == .leafHead ? 16 : 32), as: Int64.self)
    guard firstKey < .max else { return false }
    image.set(firstKey + Int64.random(in: 1...4, using: &random), at: start + 32 + 8 * place)
    return true
  }

  private func lieOfHead(
    _ index: Int, in image: inout StoreImage, _ random: inout SeededGenerator
  ) -> Bool {
    let start = image.extents[index].range.lowerBound
    let columns = Int(image.number(at: start + 12, as: UInt16.self))
    let entry = start + 64 + 40 * Int.random(in: 0..<columns, using: &random)
    let (encoding, flags) = (image.bytes[entry + 5], image.bytes[entry + 7])
    switch self {
    case .rowCount:
      image.add(UInt32(truncatingIfNeeded: Self.difference(&random)) | 1, at: start + 8)
    case .firstKey: image.add(Self.difference(&random), at: start + 16)
    case .lastKey: image.add(Self.difference(&random), at: start + 24)
    case .minimum, .maximum:
      // With two rows, a stride between other ends is as good as the right one.
      guard flags & 2 != 0, encoding != 2 else { return false }
      image.add(Self.difference(&random), at: entry + (self == .minimum ? 24 : 32))
    case .nullCount:
      image.add(UInt32(truncatingIfNeeded: Self.difference(&random)) | 1, at: entry + 20)
    case .unknownField:
      guard entry > start + 64 else { return false }
      image.set(UInt32.random(in: 60_000...70_000, using: &random), at: entry)
    case .groupOfColumn:
      guard image.number(at: entry + 16, as: UInt32.self) > 0 else { return false }
      let groups = image.number(at: start + 2, as: UInt16.self)
      let group = image.number(at: entry + 8, as: UInt16.self)
      // In the head a column could lie in what another one covers, and be as good.
      image.set(group == groups ? groups &+ 1 : UInt16.max, at: entry + 8)
    case .overlappingColumns:
      // Two columns of one extent lie over the same bytes.
      let group = image.number(at: entry + 8, as: UInt16.self)
      let others = (1..<columns).map { start + 64 + 40 * $0 }.filter {
        $0 != entry && image.number(at: $0 + 8, as: UInt16.self) == group
          && image.number(at: $0 + 16, as: UInt32.self) > 0
      }
      guard entry > start + 64, image.number(at: entry + 16, as: UInt32.self) > 0,
        let other = others.randomElement(using: &random)
      else { return false }
      image.set(image.number(at: other + 12, as: UInt32.self), at: entry + 12)
    case .valueLength, .valuePrefix:
      let values = image.extents.indices.filter {
        image.extents[$0].parent == index && image.extents[$0].kind.rawValue >= 6
      }
      guard let value = values.randomElement(using: &random) else { return false }
      let reference = image.extents[value].pointer
      if self == .valuePrefix {
        image.add(UInt8.random(in: 1...255, using: &random), at: reference + 32)
      } else if image.extents[value].kind == .valueBytes {
        // A value may end anywhere in its last unit.
        image.add(1 << UInt64.random(in: 20...63, using: &random), at: reference + 24)
      } else {
        image.add(Self.difference(&random), at: reference + 24)
      }
    default: return false
    }
    return true
  }

  private func lieOfIndex(
    _ start: Int, _ kind: ExtentKind, in image: inout StoreImage,
    _ random: inout SeededGenerator
  ) -> Bool {
    switch (self, kind) {
    case (.indexBase, .indexLeaf): image.add(Self.difference(&random), at: start + 16)
    case (.strayEntry, .indexLeaf):
      // The last key of the leaf is another one.
      let (values, entries) = (
        Int(image.number(at: start + 2, as: UInt16.self)),
        Int(image.number(at: start + 8, as: UInt32.self))
      )
      let (width, prefix) = (
        Int(image.bytes[start + 12]), Int(image.number(at: start + 14, as: UInt16.self))
      )
      let length = Int(image.number(at: start + 24, as: UInt16.self))
      guard width > 0 else { return false }
      var place = start + 32 + prefix + (values < entries ? 2 * (values + 1) : 0)
      if length == 65_535 {
        place += 2 * (values + 1)
        place += Int(image.number(at: place - 2, as: UInt16.self))
      } else {
        place += length * values
      }
      let last = place + width * (entries - 1)
      guard image.bytes[last] < 255 else { return false }
      image.bytes[last] += 1
    case (.indexEntries, .indexLeaf):
      image.add(UInt32(truncatingIfNeeded: Self.difference(&random)) | 1, at: start + 8)
    case (.indexCounts, .indexInner):
      let count = Int(image.number(at: start + 2, as: UInt16.self))
      let child = Int.random(in: 0..<count, using: &random)
      image.add(Self.difference(&random), at: start + 32 + 24 * count + 8 * child)
    default: return false
    }
    return true
  }
}
