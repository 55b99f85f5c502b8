import RoostEngine
import RoostTestSupport
import Testing

/// Random changes and questions, answered by the tree and by a sorted array.
@Suite struct IndexOracleTests {
  /// What the values of a run look like.
  enum Kind: CaseIterable, Sendable {
    case tinyAlphabet, sharedPrefixes, longValues, integers, fewValues

    func value(_ generator: inout SeededGenerator) -> [UInt8] {
      switch self {
      case .tinyAlphabet:
        let length = Int.random(in: 0...6, using: &generator)
        return [1] + (0..<length).map { _ in UInt8.random(in: 0...2, using: &generator) }
      case .sharedPrefixes:
        let length = Int.random(in: 0...3, using: &generator)
        return [1] + [UInt8](repeating: 97, count: Int.random(in: 0...40, using: &generator))
          + (0..<length).map { _ in UInt8.random(in: 97...99, using: &generator) }
      case .longValues:
        let length = Int.random(in: 900...1023, using: &generator)
        var value = [UInt8](repeating: 7, count: length + 1)
        value[0] = 1
        value[Int.random(in: 1...length, using: &generator)] = UInt8.random(
          in: 5...9, using: &generator)
        return value
      case .integers:
        var key = IndexKey()
        key.set(Int64.random(in: -300...300, using: &generator) * 65_537)
        return key.bytes
      case .fewValues:
        return [1, UInt8.random(in: 0...3, using: &generator)]
      }
    }

    var keys: ClosedRange<Int64> {
      switch self {
      case .tinyAlphabet: 0...40
      case .sharedPrefixes: -5...5
      case .longValues: Int64.min...Int64.max
      case .integers: 0...1_000_000
      case .fewValues: 0...200_000
      }
    }
  }

  @Test(arguments: Kind.allCases, 0..<scaled(1))
  func agreesWithASortedArray(kind: Kind, seed: Int) throws {
    var generator = SeededGenerator(seed: UInt64(seed) &* 31 &+ 5)
    let fixture = try IndexFixture()
    var model: Set<Pair> = []
    var sorted: [Pair] = []
    var history: [(root: TreeRoot, pairs: [Pair])] = []
    let steps = 40
    for step in 0..<steps {
      let isGrowing = step % 16 < 10
      let wanted = Int.random(in: 1...(generator.chance(1, in: 3) ? 2500 : 20), using: &generator)
      var changes = IndexChanges()
      for _ in 0..<wanted {
        if generator.chance(isGrowing ? 8 : 2, in: 10) || sorted.isEmpty {
          let pair = Pair(
            kind.value(&generator), Int64.random(in: kind.keys, using: &generator))
          if model.insert(pair).inserted { view(pair.value) { changes.add($0, pair.key) } }
        } else {
          let pair = sorted[Int.random(in: 0..<sorted.count, using: &generator)]
          if model.remove(pair) != nil { view(pair.value) { changes.remove($0, pair.key) } }
        }
      }
      if step % 16 == 15 {
        // Nearly everything goes, in order, so that leaves and nodes are joined.
        for pair in sorted where model.contains(pair) && !generator.chance(1, in: 50) {
          model.remove(pair)
          view(pair.value) { changes.remove($0, pair.key) }
        }
      }
      try fixture.apply(changes)
      for _ in 0..<(step % 3 == 0 ? 12 : 0) { try changeOne(fixture, &model, kind, &generator) }
      sorted = model.sorted()
      // Then every leaf and node is found in order from its bytes.
      if step % 4 == 3 { fixture.reopen(cacheBytes: 256 << 20) }
      try fixture.tree.checkInvariants()
      #expect(fixture.tree.count == UInt64(sorted.count))
      #expect(try fixture.tree.pairs() == sorted)
      try ask(fixture.tree, sorted, kind, &generator)
      if step % 10 == 0 { history.append((fixture.root, sorted)) }
    }
    for (root, pairs) in history {
      #expect(try IndexTree(root: root, reader: fixture.reader).pairs() == pairs)
    }
  }

  /// Makes a version with one or two changes, as the commit of one object does.
  private func changeOne(
    _ fixture: IndexFixture, _ model: inout Set<Pair>, _ kind: Kind,
    _ generator: inout SeededGenerator
  ) throws {
    var added: [Pair] = []
    var removed: [Pair] = []
    let value = kind.value(&generator)
    if generator.chance(1, in: 2) {
      let keys = try fixture.tree.keys(equal: value)
      if let key = keys.randomElement(using: &generator) { removed.append(Pair(value, key)) }
    }
    if generator.chance(2, in: 3) || removed.isEmpty {
      let key = removed.first?.key ?? Int64.random(in: kind.keys, using: &generator)
      let pair = Pair(generator.chance(1, in: 3) ? value : kind.value(&generator), key)
      if !model.contains(pair) { added.append(pair) }
    }
    model.subtract(removed)
    model.formUnion(added)
    try fixture.apply(add: added, remove: removed)
    try fixture.tree.checkInvariants()
  }

  private func ask(
    _ tree: IndexTree, _ sorted: [Pair], _ kind: Kind, _ generator: inout SeededGenerator
  ) throws {
    #expect(try tree.pairs(descending: true) == sorted.reversed())
    for _ in 0..<8 {
      let value = kind.value(&generator)
      let keys = sorted.filter { $0.value == value }.map(\.key)
      #expect(try tree.keys(equal: value) == keys)
      let key = keys.randomElement(using: &generator) ?? 3
      #expect(try view(value) { try tree.count(equal: $0) } == UInt64(keys.count))
      #expect(try view(value) { try tree.first(equal: $0) } == keys.first)
      #expect(try view(value) { try tree.contains($0, key) } == keys.contains(key))
      #expect(try view(value) { try tree.contains($0, key &+ 1) } == keys.contains(key &+ 1))
      let range = Self.range(kind, &generator)
      let expected = sorted.filter { range.holds($0.value) }
      #expect(try tree.count(in: range) == UInt64(expected.count))
      #expect(try tree.pairs(range) == expected)
      #expect(try tree.pairs(range, descending: true) == expected.reversed())
    }
  }

  private static func range(_ kind: Kind, _ generator: inout SeededGenerator) -> IndexRange {
    func bound() -> IndexBound {
      switch Int.random(in: 0..<3, using: &generator) {
      case 0: .unbounded
      case 1: .inclusive(kind.value(&generator))
      default: .exclusive(kind.value(&generator))
      }
    }
    return generator.chance(1, in: 4)
      ? IndexRange(prefix: Array(kind.value(&generator).prefix(4)))
      : IndexRange(from: bound(), to: bound())
  }
}

extension IndexRange {
  /// Whether a value lies in the range.
  fileprivate func holds(_ value: [UInt8]) -> Bool {
    switch lower {
    case .unbounded: break
    case .inclusive(let bytes): if value.lexicographicallyPrecedes(bytes) { return false }
    case .exclusive(let bytes): if !bytes.lexicographicallyPrecedes(value) { return false }
    }
    switch upper {
    case .unbounded: return true
    case .inclusive(let bytes): return !bytes.lexicographicallyPrecedes(value)
    case .exclusive(let bytes): return value.lexicographicallyPrecedes(bytes)
    }
  }
}
