import RoostEngine
import RoostTestSupport
import Testing

/// The operations of a record: they make what they say, or are refused.
@Suite struct PageDeltaTests {
  /// Applies operations to a base by the words of Format.md; nil where they are not valid.
  private func plain(_ ops: [UInt8], base: [UInt8], count: Int) -> [UInt8]? {
    var made: [UInt8] = []
    var place = 0
    var shift: Int64 = 0
    func number() -> UInt64? {
      var value: UInt64 = 0
      for group in 0..<10 {
        guard place < ops.count else { return nil }
        let byte = UInt64(ops[place])
        place += 1
        if group == 9, byte > 1 { return nil }
        value |= (byte & 127) << UInt64(7 * group)
        if byte < 128 { return value }
      }
      return nil
    }
    func signed() -> Int64? {
      number().map { $0 & 1 == 0 ? Int64($0 >> 1) : ~Int64($0 >> 1) }
    }
    while made.count < count {
      guard let head = number() else { return nil }
      let size = head >> 3
      let room = UInt64(count - made.count)
      guard size > 0, size <= room else { return nil }
      var constant: Int64 = 0
      let width = [1, 1, 1, 1, 2, 4, 8, 0][Int(head & 7)]
      guard width > 0, size * UInt64(width) <= room else { return nil }
      switch head & 7 {
      case 1:
        guard let change = signed(), abs(change) <= 1 << 24, abs(shift + change) <= 1 << 24 else {
          return nil
        }
        shift += change
      case 2:
        guard size <= UInt64(ops.count - place) else { return nil }
        made += ops[place..<place + Int(size)]
        place += Int(size)
        continue
      case 3:
        made += [UInt8](repeating: 0, count: Int(size))
        continue
      case 4, 5, 6:
        guard let number = signed() else { return nil }
        constant = number
      default: break
      }
      for _ in 0..<size {
        let source = made.count + Int(shift)
        guard source >= 0, source + width <= base.count else { return nil }
        let word = (0..<width).reversed().reduce(0 as UInt64) {
          $0 << 8 | UInt64(base[source + $1])
        }
        let sum = word &+ UInt64(bitPattern: constant)
        for index in 0..<width { made.append(UInt8(truncatingIfNeeded: sum >> UInt64(8 * index))) }
      }
    }
    return ops.count - place < 8 ? made : nil
  }

  private func applied(_ ops: [UInt8], base: [UInt8], count: Int) -> [UInt8]? {
    guard
      let delta = try? PageDelta(
        validating: ops[...], byteCount: count, baseByteCount: base.count)
    else { return nil }
    var made = [UInt8](repeating: 0xEE, count: count)
    base.withByteView { base in
      unsafe made.withUnsafeMutableBytes {
        unsafe delta.apply(base: base, into: MutableByteView($0))
      }
    }
    return made
  }

  @Test(arguments: 1...40 as ClosedRange<UInt64>)
  func theDifferenceOfTwoPagesMakesTheSecondOfTheFirst(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let base = random.bytes(1500) + [UInt8](repeating: 0, count: 700) + random.bytes(1896)
    var page = base
    for _ in 0..<Int.random(in: 0...9, using: &random) {
      let place = Int.random(in: 0..<4000, using: &random)
      switch random.next() % 4 {
      case 0: page[place] &+= 3
      case 1: page.insert(contentsOf: random.bytes(12), at: place)
      case 2: page.removeSubrange(place..<place + 9)
      default: for index in place..<place + 20 { page[index] = 0 }
      }
      page = Array((page + [UInt8](repeating: 0, count: 300)).prefix(4096))
    }
    let ops = PlainDelta.ops(from: base, to: page, &random)
    #expect(plain(ops, base: base, count: 4096) == page)
    #expect(applied(ops, base: base, count: 4096) == page)
    let literals = page.withByteView { DeltaOps(literals: $0) }
    #expect(applied(literals.bytes, base: [], count: 4096) == page)
    #expect(plain(literals.bytes, base: [], count: 4096) == page)
  }

  @Test(arguments: 1...30 as ClosedRange<UInt64>)
  func anyBytesMakeWhatAPlainReaderMakesOrAreRefused(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var valid = 0
    for _ in 0..<400 {
      let base = random.bytes([0, 64, 200][Int(random.next() % 3)])
      let count = Int.random(in: 1...160, using: &random)
      var ops: [UInt8] = []
      for _ in 0..<Int.random(in: 0...12, using: &random) {
        let size = UInt8(random.next() % (random.chance(1, in: 6) ? 32 : 16))
        ops.append((size & 15) << 3 | UInt8(random.next() % (random.chance(1, in: 20) ? 8 : 7)))
        if random.chance(1, in: 2) { ops.append(UInt8(truncatingIfNeeded: random.next()) % 32) }
      }
      if random.chance(2, in: 3), ops.count < 60 {
        let literal = random.bytes(count)
        var tail = DeltaOps()
        literal.withByteView { tail.literal($0.slice(0, min(count, 100))) }
        ops += tail.bytes
      }
      let expected = plain(ops, base: base, count: count)
      if expected != nil { valid += 1 }
      #expect(applied(ops, base: base, count: count) == expected)
    }
    #expect(valid > 3)
  }

  @Test(
    arguments: [
      [], [0x07], [0x22, 1, 2], [0x00, 0x22, 1, 2, 3, 4], [0x2A, 1, 2, 3, 4, 5], [0x43],
      [0x20], [0x21, 0x01], [0x21, 0x80], [0x0E, 0x02], [0x22, 1, 2, 3, 4, 0, 0, 0, 0, 0, 0, 0, 0],
      [0xA2, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x00],
      [0x22 | 0x80, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x02],
    ] as [[UInt8]])
  func operationsThatDoNotMakeTheExtentAreRefused(ops: [UInt8]) {
    #expect(plain(ops, base: [1, 2], count: 4) == nil)
    #expect(applied(ops, base: [1, 2], count: 4) == nil)
  }
}
