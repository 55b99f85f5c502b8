package import RoostEngine

/// The bytes of a store file, with the places of its newest version's extents and of the pointers to them.
///
/// Made by the rules of Format.md and not by the engine, to change a file as somebody would who knows it.
package struct StoreImage: Sendable {
  /// An extent of the newest version.
  package struct Extent: Sendable {
    /// Its bytes in the file.
    package let range: Range<Int>
    /// What it holds.
    package let kind: ExtentKind
    /// Where the pointer to it begins in the file.
    package let pointer: Int
    /// The extent that holds the pointer; nil where the slot does.
    package let parent: Int?
  }

  /// The file.
  package var bytes: [UInt8]
  /// Where the newest slot begins.
  package let slot: Int
  /// The extents of the newest version, each before those that it points to.
  package private(set) var extents: [Extent] = []
  /// Where the root records are that count.
  package private(set) var roots: [(place: Int, holder: Int?)] = []
  private var liveUnits: [Bool] = []

  /// Finds the extents of a sound file.
  package init(_ bytes: [UInt8]) {
    self.bytes = bytes
    let slots = [16_384, 32_768, 49_152]
    func transaction(_ slot: Int) -> UInt64 {
      Self.number(bytes, at: slot, as: UInt64.self) == 0x7465_4D74_736F_6F52
        ? Self.number(bytes, at: slot + 8, as: UInt64.self) : 0
    }
    slot = slots.max { transaction($0) < transaction($1) } ?? slots[0]
    add(pointerAt: slot + 88, of: nil)
    addRoots()
    addFreeLog()
    liveUnits = [Bool](repeating: false, count: bytes.count / Unit.bytes + 1)
    for extent in extents {
      for unit in extent.range.lowerBound / Unit.bytes..<extent.range.upperBound / Unit.bytes {
        liveUnits[unit] = true
      }
    }
  }

  /// The transaction of the newest slot.
  package var transaction: UInt64 { number(at: slot + 8) }

  /// Whether an extent of the newest version covers a byte.
  package func isLive(_ offset: Int) -> Bool {
    offset / Unit.bytes < liveUnits.count && liveUnits[offset / Unit.bytes]
  }

  // MARK: Numbers

  /// The number at a place, little-endian.
  package func number<T: FixedWidthInteger>(at offset: Int, as type: T.Type = UInt64.self) -> T {
    Self.number(bytes, at: offset, as: type)
  }

  private static func number<T: FixedWidthInteger>(
    _ bytes: [UInt8], at offset: Int, as type: T.Type
  ) -> T {
    (0..<MemoryLayout<T>.size).reversed().reduce(0) {
      $0 << 8 | T(truncatingIfNeeded: bytes[offset + $1])
    }
  }

  /// Writes a number at a place.
  package mutating func set<T: FixedWidthInteger>(_ value: T, at offset: Int) {
    for place in 0..<MemoryLayout<T>.size {
      bytes[offset + place] = UInt8(truncatingIfNeeded: value >> T(8 * place))
    }
  }

  /// Adds to a number at a place.
  package mutating func add<T: FixedWidthInteger>(_ value: T, at offset: Int) {
    set(number(at: offset, as: T.self) &+ value, at: offset)
  }

  /// Changes two pieces of the file for one another.
  package mutating func swap(_ one: Int, _ other: Int, count: Int) {
    for place in 0..<count { bytes.swapAt(one + place, other + place) }
  }

  // MARK: Checksums

  /// Makes the checksums right again of changed extents, of all above them, and of the slot and its mark.
  package mutating func seal(_ changed: Set<Int>) {
    var changed = changed
    for index in extents.indices.reversed() where changed.contains(index) {
      let extent = extents[index]
      set(hash(extent.range), at: extent.pointer + 16)
      if let parent = extent.parent { changed.insert(parent) }
    }
    sealSlot(slot)
  }

  /// Makes the checksums of a slot and of its mark right again.
  private mutating func sealSlot(_ slot: Int) {
    let checksum = hash(slot..<slot + 4088)
    set(checksum, at: slot + 4088)
    let mark = (slot == 49_152 ? 16_384 : slot + 16_384) + 4096
    guard number(at: mark) == 0x666E_4374_736F_6F52, number(at: mark + 8) == number(at: slot + 8)
    else { return }
    set(checksum, at: mark + 16)
    set(hash(mark..<mark + 24), at: mark + 24)
  }

  /// Gives the newest version another number, and makes the checksums right again.
  package mutating func setTransaction(_ transaction: UInt64) {
    set(transaction, at: slot + 8)
    let mark = (slot == 49_152 ? 16_384 : slot + 16_384) + 4096
    set(0x666E_4374_736F_6F52 as UInt64, at: mark)
    set(transaction, at: mark + 8)
    sealSlot(slot)
  }

  /// Gives the file another identity, so that it does not depend on the system's random numbers.
  package mutating func setIdentity(_ low: UInt64, _ high: UInt64) {
    for place in [24, 16_384 + 72, 32_768 + 72, 49_152 + 72] {
      set(low, at: place)
      set(high, at: place + 8)
    }
    set(hash(0..<4088), at: 4088)
    for slot in [16_384, 32_768, 49_152] where number(at: slot) == 0x7465_4D74_736F_6F52 {
      sealSlot(slot)
    }
  }

  private func hash(_ range: Range<Int>) -> UInt64 {
    unsafe bytes.withUnsafeBytes { unsafe XXH3.hash(UnsafeRawBufferPointer(rebasing: $0[range])) }
  }

  // MARK: Where extents are

  private mutating func addRoots() {
    var inline: Set<UInt32> = []
    for index in 0..<Int(number(at: slot + 172, as: UInt16.self)) {
      let record = slot + 512 + 48 * index
      inline.insert(number(at: record, as: UInt32.self))
      roots.append((record, nil))
      add(pointerAt: record + 24, of: nil)
    }
    guard let extent = append(pointerAt: slot + 120, of: nil) else { return }
    let start = extents[extent].range.lowerBound
    for index in 0..<Int(number(at: start, as: UInt32.self)) {
      let record = start + 8 + 48 * index
      guard !inline.contains(number(at: record, as: UInt32.self)) else { continue }
      roots.append((record, extent))
      add(pointerAt: record + 24, of: extent)
    }
  }

  private mutating func addFreeLog() {
    var place = slot + 144
    var parent: Int?
    for _ in 0..<number(at: slot + 168, as: UInt32.self) {
      guard let page = append(pointerAt: place, of: parent) else { return }
      parent = page
      place = extents[page].range.lowerBound + 16
    }
  }

  private mutating func append(pointerAt place: Int, of parent: Int?) -> Int? {
    let word = number(at: place)
    guard word != 0, let kind = ExtentKind(rawValue: bytes[place + 6]) else { return nil }
    let start = Int(word & 0xFF_FFFF_FFFF) * Unit.bytes
    let end = start + (Int(bytes[place + 5]) + 1) * Unit.bytes
    extents.append(Extent(range: start..<end, kind: kind, pointer: place, parent: parent))
    return extents.count - 1
  }

  private mutating func add(pointerAt place: Int, of parent: Int?) {
    guard let index = append(pointerAt: place, of: parent) else { return }
    let start = extents[index].range.lowerBound
    let count = Int(number(at: start + 2, as: UInt16.self))
    switch extents[index].kind {
    case .objectInner:
      for child in 0..<count { add(pointerAt: start + 1648 + 24 * child, of: index) }
    case .indexInner:
      for child in 0..<count { add(pointerAt: start + 32 + 24 * child, of: index) }
    case .valueList:
      for child in 0..<Int(number(at: start + 4, as: UInt32.self)) {
        add(pointerAt: start + 16 + 24 * child, of: index)
      }
    case .valueNode:
      for child in 0..<count { add(pointerAt: start + 32 + 24 * child, of: index) }
    case .leafHead: addContent(ofLeaf: index, groups: count)
    default: return
    }
  }

  private mutating func addContent(ofLeaf leaf: Int, groups: Int) {
    let start = extents[leaf].range.lowerBound
    let rows = Int(number(at: start + 8, as: UInt32.self))
    let columns = Int(number(at: start + 12, as: UInt16.self))
    var holders = [leaf]
    for group in 0..<groups {
      guard let index = append(pointerAt: start + 64 + 40 * columns + 24 * group, of: leaf) else {
        return
      }
      holders.append(index)
    }
    for column in 0..<columns {
      let entry = start + 64 + 40 * column
      let (encoding, width, flags) = (bytes[entry + 5], Int(bytes[entry + 6]) / 8, bytes[entry + 7])
      guard encoding == 5, flags & 8 != 0 else { continue }
      let holder = holders[Int(number(at: entry + 8, as: UInt16.self))]
      let bitmap = (rows + 63) / 64 * 8
      let externals =
        extents[holder].range.lowerBound + Int(number(at: entry + 12, as: UInt32.self))
        + (flags & 1 != 0 ? bitmap : 0)
      let offsets = externals + bitmap
      let heap = offsets + ((rows + 1) * width + 7) / 8 * 8
      for row in 0..<rows where bytes[externals + row / 8] >> UInt8(row % 8) & 1 == 1 {
        let place = offsets + row * width
        let offset =
          width == 2
          ? Int(number(at: place, as: UInt16.self)) : Int(number(at: place, as: UInt32.self))
        add(pointerAt: heap + offset, of: holder)
      }
    }
  }
}
