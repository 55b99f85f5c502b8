package import RoostEngine

/// A file with a ring, made of ordinary files by the rules of Format.md: what is the content of later ones becomes records
/// behind the first one's slot.
package struct RingFile {
  /// Where a record is put, as a writer may.
  package enum Place: Sendable {
    case behind, nextUnit, start
  }

  /// The file.
  package private(set) var bytes: [UInt8]
  /// Where the slot begins that the records follow.
  package private(set) var slot: Int
  /// The offsets in the file at which records begin, and their bytes.
  package private(set) var records: [Range<Int>] = []
  /// How many extents lie where an earlier record's lay.
  package private(set) var reusedUnits = 0
  /// The ring's bytes in the file.
  package let ring: Range<Int>
  private let key: UInt64
  private var version: RingVersion
  /// The pages of the slot's free log, which no record changes.
  private var log: [ExtentPointer]
  private var position: Int
  private var chain: UInt64
  private var units: Set<UInt64> = []
  private var random: SeededGenerator

  /// The version that the records make.
  package var transaction: UInt64 { version.transaction }

  /// An ordinary file with a ring behind its last unit, closed in order: a library that writes no records writes on in it.
  package static func closed(_ bytes: [UInt8], units: Int, key: UInt64) -> [UInt8] {
    var image = StoreImage(bytes)
    let highWater: UInt64 = image.number(at: image.slot + 32)
    let end = (Int(highWater) + units) * Unit.bytes
    image.bytes += [UInt8](repeating: 0, count: max(0, end - bytes.count))
    let pointer = highWater | UInt64(units - 1) << 40 | 13 << 48
    image.set(pointer, at: image.slot + 200)
    image.set(image.transaction, at: image.slot + 208)
    image.set(key, at: image.slot + 216)
    image.set(0x5A5A_5A5A as UInt64, at: image.slot + 232)
    image.set(highWater + UInt64(units), at: image.slot + 32)
    image.set(image.number(at: image.slot + 24) | 4 as UInt64, at: image.slot + 24)
    image.set(2 as UInt64, at: image.slot + 64)
    for (place, byte) in ([4] + Array("ring".utf8)).enumerated() {
      image.bytes[image.slot + 256 + place] = byte
    }
    image.setTransaction(image.transaction)
    return image.bytes
  }

  /// Begins behind the newest slot of a file that ``closed(_:units:key:)`` made.
  ///
  /// - Parameter start: Where the first record may begin.
  package init(_ bytes: [UInt8], start: Int = 0, seed: UInt64 = 1) {
    let image = StoreImage(bytes)
    self.bytes = bytes
    random = SeededGenerator(seed: seed)
    slot = image.slot
    let word: UInt64 = image.number(at: slot + 200)
    let first = Int(word & 0xFF_FFFF_FFFF) * Unit.bytes
    ring = first..<first + (Int(word >> 40 & 0xFF) + 1) * Unit.bytes
    key = image.number(at: slot + 216)
    version = RingVersion(image)
    log = image.extents.filter { $0.kind == .freeLog }.map { image.pointer(at: $0.pointer) }
    position = start
    chain = 0xC0FF_EE00_0000_0000 + image.transaction
    setSlot()
  }

  /// Writes the slot: its version's own record ends at the position, and the chain value is what the next one names.
  private mutating func setSlot() {
    var image = StoreImage(bytes)
    image.set(image.number(at: slot + 24) & ~(4 as UInt64), at: slot + 24)
    image.set(UInt32(position), at: slot + 224)
    image.set(chain, at: slot + 232)
    image.setTransaction(image.transaction)
    bytes = image.bytes
  }

  /// Makes a record of what an ordinary file's newest version changed.
  ///
  /// - Parameter images: Whether extents have no bases.
  package mutating func makeRecord(
    of file: [UInt8], images: Bool = false, durable: UInt64? = nil
  ) throws(EngineError) -> RingRecord {
    let next = RingVersion(StoreImage(file))
    var record = RingRecord(
      transaction: next.transaction, chain: chain, durable: durable ?? version.transaction,
      confirmed: StoreImage(bytes).number(at: slot + 8), highWater: next.highWater,
      freeUnits: freeUnits(of: next))
    let removed = version.extents.filter { !next.extents.contains($0) }
    let added = next.extents.filter { !version.extents.contains($0) }
    for extent in removed {
      record.free.append(
        FreeRecord(
          unit: extent.unit, units: extent.units, isFree: true, birth: extent.birth,
          death: next.transaction))
    }
    var end = version.highWater
    for extent in added {
      if extent.unit < version.highWater {
        record.free.append(
          FreeRecord(
            unit: extent.unit, units: extent.units, isFree: false, birth: 0, death: 0))
        continue
      }
      record.addGap(end..<extent.unit)
      end = extent.end
    }
    record.addGap(end..<max(end, next.highWater))
    if next.rootsExtent == version.rootsExtent {
      record.roots = next.inlineRoots.filter { !version.inlineRoots.contains($0) }
    } else {
      record.roots = next.inlineRoots
    }
    var bases = removed
    for extent in added {
      let page = Array(file[extent.range])
      // A record has not room for the literals of a large leaf.
      let isImage = images || page.count <= 8192 && random.chance(1, in: 8)
      guard !isImage, let place = version.nearest(to: page, extent.kind, among: bases) else {
        let ops = page.withByteView { DeltaOps(literals: $0) }
        record.extents.append(
          try RecordedExtent(pointer: extent, base: nil, ops: ops.bytes[...]))
        continue
      }
      let base = bases.remove(at: place)
      let ops = PlainDelta.ops(from: Array(version.bytes[base.range]), to: page, &random)
      record.extents.append(
        try RecordedExtent(
          pointer: extent, base: .init(unit: base.unit, units: base.units), ops: ops[...]))
    }
    for extent in added {
      if !units.isDisjoint(with: extent.unit..<extent.end) { reusedUnits += 1 }
      units.formUnion(extent.unit..<extent.end)
    }
    version = next
    return record
  }

  /// Puts a record into the ring.
  package mutating func append(_ record: RingRecord, _ place: Place = .behind) {
    let offset: Int
    switch place {
    case .behind: offset = position
    case .nextUnit: offset = (position + Unit.bytes - 1) / Unit.bytes * Unit.bytes
    case .start: offset = 0
    }
    chain = write(record, at: offset)
    records.append(ring.lowerBound + offset..<ring.lowerBound + offset + record.byteCount)
    position = offset + record.byteCount
    let end = Int(record.highWater) * Unit.bytes
    bytes += [UInt8](repeating: 0, count: max(0, end - bytes.count))
  }

  /// Puts an idle mark where the next record will begin.
  package mutating func appendIdleMark(durable: UInt64) {
    let mark = RingRecord(
      .idle, transaction: max(durable, version.transaction), chain: 0, durable: durable,
      confirmed: 1, highWater: 0, freeUnits: 0)
    _ = write(mark, at: position)
  }

  /// Makes the record of a checkpoint that took no units.
  package func makeCheckpoint() -> RingRecord {
    RingRecord(
      .checkpoint, transaction: version.transaction + 1, chain: chain,
      durable: version.transaction, confirmed: StoreImage(bytes).number(at: slot + 8),
      highWater: version.highWater, freeUnits: freeUnits(of: version))
  }

  private mutating func write(_ record: RingRecord, at offset: Int) -> UInt64 {
    var content = [UInt8](repeating: 0, count: record.byteCount)
    let checksum = unsafe content.withUnsafeMutableBytes {
      unsafe record.store(in: MutableByteView($0), key: key)
    }
    let start = ring.lowerBound + offset
    precondition(start + content.count <= ring.upperBound, "The record fits into the ring.")
    bytes.replaceSubrange(start..<start + content.count, with: content)
    return checksum
  }

  private func freeUnits(of version: RingVersion) -> UInt64 {
    let used = version.units + log.reduce(0) { $0 + $1.units } + ring.count / Unit.bytes
    return version.highWater - Unit.firstExtent - UInt64(used)
  }

  /// Makes the checksum of a changed record right again.
  package mutating func seal(_ record: Range<Int>) {
    let end = record.upperBound - 8
    let checksum = unsafe bytes[record.lowerBound..<end].withUnsafeBytes {
      unsafe XXH3.hash($0)
    }
    var image = StoreImage(bytes)
    image.set(checksum ^ key, at: end)
    bytes = image.bytes
  }

  /// Changes one byte of the file.
  package mutating func set(_ byte: UInt8, at offset: Int) { bytes[offset] = byte }

  /// Commits an ordinary file's newest version directly: it gets a slot, and its pages are in the file.
  ///
  /// The slot before stays, with its records.
  package mutating func commitDirectly(_ file: [UInt8]) {
    let next = StoreImage(file)
    var image = next
    image.bytes.replaceSubrange(ring, with: bytes[ring])
    let newSlot = slot == 49_152 ? 16_384 : slot + 16_384
    let content = Array(file[next.slot..<next.slot + Unit.bytes])
    for block in [16_384, 32_768, 49_152] {
      let kept = block == slot ? Array(bytes[block..<block + Unit.bytes]) : []
      image.bytes.replaceSubrange(
        block..<block + 16_384, with: kept + [UInt8](repeating: 0, count: 16_384 - kept.count))
    }
    image.bytes.replaceSubrange(newSlot..<newSlot + Unit.bytes, with: content)
    bytes = Array(
      image.bytes.prefix(Int(next.number(at: next.slot + 32, as: UInt32.self)) * Unit.bytes))
    slot = newSlot
    version = RingVersion(next)
    log = next.extents.filter { $0.kind == .freeLog }.map { next.pointer(at: $0.pointer) }
    chain = 0xD1EC_7000_0000_0000 + next.transaction
    setSlot()
  }
}

/// What a ring must know of a version.
private struct RingVersion {
  let bytes: [UInt8]
  let transaction: UInt64
  let highWater: UInt64
  /// The extents but for those of the free log, by unit.
  let extents: [ExtentPointer]
  let rootsExtent: ExtentPointer
  let inlineRoots: [TreeRoot]

  var units: Int { extents.reduce(0) { $0 + $1.units } }

  /// The position of the extent of a kind that has the most bytes in common with a page, place by place.
  func nearest(
    to page: [UInt8], _ kind: ExtentKind?, among extents: [ExtentPointer]
  ) -> Int? {
    func common(_ place: Int) -> Int {
      zip(page, bytes[extents[place].range]).reduce(0) { $0 + ($1.0 == $1.1 ? 1 : 0) }
    }
    return extents.indices.filter { extents[$0].kind == kind }.max { common($0) < common($1) }
  }

  init(_ image: StoreImage) {
    bytes = image.bytes
    transaction = image.transaction
    highWater = image.number(at: image.slot + 32)
    extents = image.extents.filter { $0.kind != .freeLog }
      .map { image.pointer(at: $0.pointer) }.sorted { $0.unit < $1.unit }
    rootsExtent = image.pointer(at: image.slot + 120)
    let slot = image.slot
    inlineRoots = (0..<Int(image.number(at: slot + 172, as: UInt16.self))).map { index in
      let place = slot + 512 + 48 * index
      return TreeRoot(
        id: image.number(at: place, as: UInt32.self),
        kind: image.bytes[place + 5] == 1 ? .objects : .index, level: Int(image.bytes[place + 4]),
        count: image.number(at: place + 8), counter: image.number(at: place + 16),
        pointer: image.pointer(at: place + 24))
    }
  }
}

extension RingRecord {
  /// Says of units above the old high-water mark that they are free.
  fileprivate mutating func addGap(_ range: Range<UInt64>) {
    guard !range.isEmpty else { return }
    free.append(
      FreeRecord(
        unit: range.lowerBound, units: range.count, isFree: true, birth: transaction,
        death: transaction))
  }
}

extension ExtentPointer {
  fileprivate var range: Range<Int> { Int(unit) * Unit.bytes..<Int(end) * Unit.bytes }
}

extension StoreImage {
  /// The pointer at a place.
  fileprivate func pointer(at place: Int) -> ExtentPointer {
    unsafe bytes[place..<place + ExtentPointer.size].withUnsafeBytes {
      unsafe ExtentPointer(ByteView($0), at: 0)
    }
  }
}
