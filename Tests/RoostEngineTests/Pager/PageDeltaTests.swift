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
      guard size > 0 || head & 7 == 1, size <= room else { return nil }
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
    let found = difference(base, page)
    #expect(plain(found, base: base, count: 4096) == page)
    #expect(applied(found, base: base, count: 4096) == page)
    let literals = page.withByteView { DeltaOps(literals: $0) }
    #expect(applied(literals.bytes, base: [], count: 4096) == page)
    #expect(plain(literals.bytes, base: [], count: 4096) == page)
  }

  private func difference(
    _ base: [UInt8], _ page: [UInt8], moves: [PageMove] = []
  ) -> [UInt8] {
    base.withByteView { base in
      page.withByteView { DeltaOps(from: base, to: $0, moves: moves).bytes }
    }
  }

  @Test(arguments: 1...60 as ClosedRange<UInt64>)
  func theDifferenceIsRightWhateverItsMovesSay(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let base = random.bytes(1024)
    var page: [UInt8] = []
    var moves: [PageMove] = []
    while page.count < 900 {
      let source = Int(random.next() % 900)
      let place = page.count - (random.chance(1, in: 8) ? min(page.count, 5) : 0)
      // Some are wrong, or lead out of the base.
      let error = random.chance(1, in: 5) ? Int(random.next() % 4096) - 2048 : 0
      moves.append(PageMove(place: place, source: source + error))
      page += base[source...].prefix(Int(random.next() % 120))
      page += random.bytes(Int(random.next() % 40))
    }
    let ops = difference(base, page, moves: moves)
    #expect(plain(ops, base: base, count: page.count) == page)
    #expect(applied(ops, base: base, count: page.count) == page)
  }

  @Test func movesThatAreKnownTakeFewerBytesThanThoseThatAreLookedFor() {
    var random = SeededGenerator(seed: 4)
    // Three columns that each grow by two bytes of a kind that is everywhere.
    let columns: [[UInt8]] = (0..<3).map { _ in random.bytes(300).map { $0 & 1 } }
    let base: [UInt8] = columns.flatMap { $0 }
    let page: [UInt8] = columns.flatMap { $0 + [7, 9] }
    let moves = (0..<3).map { PageMove(place: 302 * $0, source: 300 * $0) }
    #expect(difference(base, page, moves: moves).count <= 3 * (3 + 3 + 3))
  }

  @Test(arguments: 1...60 as ClosedRange<UInt64>)
  func aCopiedPageIsWhatItsOperationsMake(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let base = random.bytes(512)
    var page = [UInt8](repeating: 0xEE, count: 2048)
    var expected: [UInt8] = []
    let ops = base.withByteView { base in
      unsafe page.withUnsafeMutableBytes { page in
        var copy = PageCopy(of: base, in: unsafe MutableByteView(page))
        while expected.count < 1500 {
          let source = Int(random.next() % 400)
          let count = Int(random.next() % 40)
          switch random.next() % 7 {
          case 0:
            copy.copy(count, from: source)
            expected += base.array[source..<source + count]
          case 1:
            let end = min(copy.place + count, base.count)
            if end > copy.place { expected += base.array[copy.place..<end] }
            copy.copy(to: end)
          case 2:
            let bytes = random.bytes(count)
            bytes.withByteView { copy.append($0) }
            expected += bytes
          case 3:
            copy.append(UInt32(truncatingIfNeeded: 0x0403_0201))
            expected += [1, 2, 3, 4]
          case 4:
            let addend = UInt16(truncatingIfNeeded: random.chance(1, in: 4) ? 0 : random.next())
            copy.add(addend, to: count, from: source)
            expected += Self.words(base.array, source, count, 2, UInt64(addend))
          case 5:
            let addend = UInt64(bitPattern: -Int64(random.next() % 9))
            copy.add(addend, to: count / 8, from: source)
            expected += Self.words(base.array, source, count / 8, 8, addend)
          default:
            copy.edit(count + 1, from: source).store(UInt8(77), at: count)
            expected += base.array[source..<source + count] + [77]
          }
        }
        return copy.finish().bytes
      }
    }
    expected += [UInt8](repeating: 0, count: page.count - expected.count)
    #expect(page == expected)
    #expect(plain(ops, base: base, count: page.count) == expected)
    #expect(applied(ops, base: base, count: page.count) == expected)
  }

  private static func words(
    _ base: [UInt8], _ source: Int, _ count: Int, _ size: Int, _ addend: UInt64
  ) -> [UInt8] {
    var made: [UInt8] = []
    for index in 0..<count {
      var word: UInt64 = 0
      for byte in (0..<size).reversed() {
        word = word << 8 | UInt64(base[source + index * size + byte])
      }
      word &+= addend
      for byte in 0..<size { made.append(UInt8(truncatingIfNeeded: word >> UInt64(8 * byte))) }
    }
    return made
  }

  /// Pages of any kind and size, with much or nothing in common.
  @Test(arguments: 1...60 as ClosedRange<UInt64>)
  func theDifferenceOfAnyTwoPagesMakesTheSecondOfTheFirst(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    func page(_ count: Int) -> [UInt8] {
      let values = [2, 4, 256][Int(random.next() % 3)]
      return (0..<count).map { _ in UInt8(random.next() % UInt64(values)) }
    }
    for _ in 0..<8 {
      let base = page([0, 1, 7, 8, 64, 300][Int(random.next() % 6)])
      var other = random.chance(1, in: 3) ? page(Int(random.next() % 300)) : base
      for _ in 0..<random.next() % 4 where !other.isEmpty {
        let place = Int(random.next() % UInt64(other.count))
        let end = min(other.count, place + Int(random.next() % 80))
        switch random.next() % 3 {
        case 0: other.removeSubrange(place..<end)
        case 1: other.insert(contentsOf: page(Int(random.next() % 30)), at: place)
        default:
          for word in stride(from: place, to: end - 1, by: 2) { other[word] &+= 40 }
        }
      }
      guard !other.isEmpty else { continue }
      #expect(plain(difference(base, other), base: base, count: other.count) == other)
    }
  }

  @Test func whatChangesInPagesTakesFewBytes() {
    var random = SeededGenerator(seed: 9)
    let base = random.bytes(4096)
    var page = base
    page[2000] &+= 1
    #expect(difference(base, page).count <= 8)
    page.replaceSubrange(3000..<3012, with: random.bytes(12))
    #expect(difference(base, page).count <= 24)
    // A row is inserted into three columns, the second of which ends in room that takes it up.
    page.insert(contentsOf: random.bytes(4), at: 500)
    page.insert(contentsOf: random.bytes(8), at: 1200)
    page.removeSubrange(1800..<1808)
    page.insert(contentsOf: random.bytes(4), at: 2100)
    page.removeLast(8)
    #expect(difference(base, page).count <= 84)
    // Positions behind an inserted entry.
    var moved = base
    for word in stride(from: 600, to: 1400, by: 2) {
      let sum = (UInt16(moved[word]) | UInt16(moved[word + 1]) << 8) &+ 12
      moved[word] = UInt8(truncatingIfNeeded: sum)
      moved[word + 1] = UInt8(truncatingIfNeeded: sum >> 8)
    }
    #expect(difference(base, moved).count <= 12)
    // Behind two bytes that are inserted, positions are greater by one; behind two that are removed, less.
    let positions = (0..<2048 as Range<UInt16>).flatMap { word in
      [UInt8(truncatingIfNeeded: word &* 21), UInt8(truncatingIfNeeded: (word &* 21) >> 8)]
    }
    for place in [800, 801] {
      var page = positions
      for word in stride(from: place, to: 3000, by: 2) {
        let sum = (UInt16(page[word]) | UInt16(page[word + 1]) << 8) &+ 1
        page[word] = UInt8(truncatingIfNeeded: sum)
        page[word + 1] = UInt8(truncatingIfNeeded: sum >> 8)
      }
      page.insert(contentsOf: [9, 200], at: place)
      page.removeLast(2)
      #expect(difference(positions, page).count <= 48)
      #expect(difference(page, positions).count <= 48)
    }
    #expect(difference(base, base).count == 3)
    // What is looked for in longer strides behind many new bytes is still found, wherever it has moved to.
    for shift in 0..<16 {
      let page = random.bytes(2000 + shift) + base[1000..<2500]
      #expect(difference(base, page).count <= 2000 + shift + 256 + 16)
    }
    let other = random.bytes(4096)
    #expect(difference(base, other).count <= 4096 + 64)
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
