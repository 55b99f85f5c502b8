import RoostEngine
import RoostTestSupport
import Testing

@Suite struct IndexChangesTests {
  @Test func cancelsAnAdditionAgainstARemovalOfTheSamePair() throws {
    let fixture = try IndexFixture()
    try fixture.apply(add: [Pair("a", 1), Pair("b", 2)])
    var changes = IndexChanges()
    for _ in 0..<3 {
      view([1, 97]) { changes.remove($0, 1) }
      view([1, 97]) { changes.add($0, 1) }
      view([1, 98]) { changes.add($0, 9) }
      view([1, 98]) { changes.remove($0, 9) }
    }
    view([1, 99]) { changes.add($0, 5) }
    #expect(changes.count == 13)
    let run = try IndexRun(changes, tree: 7)
    #expect(run.count == 1)
    #expect(run.groupCount == 1)
    try fixture.apply(run)
    #expect(try fixture.tree.pairs() == [Pair("a", 1), Pair("b", 2), Pair("c", 5)])
  }

  @Test func keepsTheRootWhenNothingIsLeftToApply() throws {
    let fixture = try IndexFixture()
    try fixture.apply(add: [Pair("a", 1)])
    let root = fixture.root
    try fixture.apply(add: [Pair("b", 1)], remove: [Pair("b", 1)])
    #expect(fixture.root == root)
  }

  @Test func refusesTheSameChangeTwice() throws {
    let error = EngineError.corrupt(Corruption(.indexEntry, tree: 7, keys: 4...4))
    var changes = IndexChanges()
    view([1, 97]) { changes.add($0, 4) }
    view([1, 97]) { changes.add($0, 4) }
    #expect(throws: error) { _ = try IndexRun(changes, tree: 7).count }
    changes.removeAll()
    view([1, 97]) { changes.remove($0, 4) }
    view([1, 97]) { changes.add($0, 3) }
    view([1, 97]) { changes.remove($0, 4) }
    #expect(throws: error) { _ = try IndexRun(changes, tree: 7).count }
  }

  @Test func refusesAnAdditionThatIsThereAndARemovalThatIsNot() throws {
    let fixture = try IndexFixture()
    try fixture.apply(add: [Pair("a", 1), Pair("a", 3), Pair("c", 2)])
    let root = fixture.root
    let wrong: [(add: [Pair], remove: [Pair])] = [
      ([Pair("a", 3)], []), ([], [Pair("a", 2)]), ([], [Pair("b", 1)]), ([], [Pair("d", 1)]),
    ]
    for (add, remove) in wrong {
      let key = (add + remove)[0].key
      #expect(
        throws: EngineError.corrupt(
          Corruption(.indexEntry, unit: root.pointer.unit, tree: 7, keys: key...key))
      ) {
        try fixture.apply(add: add, remove: remove)
      }
    }
    #expect(fixture.root == root)
    let empty = try IndexFixture()
    #expect(throws: EngineError.corrupt(Corruption(.indexEntry, tree: 7, keys: 1...1))) {
      try empty.apply(remove: [Pair("a", 1)])
    }
  }

  @Test func findsTheHolderOfAValueThroughTheChanges() throws {
    let fixture = try IndexFixture()
    try fixture.apply(add: [Pair("a", 1), Pair("b", 2)])
    var changes = IndexChanges()
    func first(_ text: String) throws -> Int64? {
      try view([1] + Array(text.utf8)) { try changes.first(equal: $0, over: fixture.tree) }
    }
    #expect(try first("a") == 1)
    view([1, 97]) { changes.remove($0, 1) }
    #expect(try first("a") == nil)
    view([1, 97]) { changes.add($0, 8) }
    #expect(try first("a") == 8)
    view([1, 97]) { changes.remove($0, 8) }
    view([1, 97]) { changes.add($0, 1) }
    #expect(try first("a") == 1)
    #expect(view([1, 97]) { changes.lastChange(of: $0, 8) } == false)
    #expect(view([1, 97]) { changes.lastChange(of: $0, 1) } == true)
    #expect(view([1, 98]) { changes.lastChange(of: $0, 2) } == nil)
    #expect(try first("b") == 2)
    #expect(try first("c") == nil)
  }

  /// Values that agree in whole groups of eight bytes, that are prefixes of each other, and that end in zeros.
  @Test(arguments: 0..<6)
  func sortsValuesAsBytes(seed: Int) throws {
    var generator = SeededGenerator(seed: UInt64(seed))
    let alphabet: [UInt8] = seed % 2 == 0 ? [0, 1] : [0, 97, 255]
    let fixture = try IndexFixture()
    var pairs: Set<Pair> = []
    for key in 0..<3000 {
      let length = Int.random(in: 0...(seed < 3 ? 20 : 40), using: &generator)
      var value: [UInt8] = [UInt8](repeating: 0, count: generator.chance(1, in: 2) ? 16 : 0)
      for _ in 0..<length { value.append(alphabet.randomElement(using: &generator) ?? 0) }
      if !value.isEmpty { pairs.insert(Pair(value, Int64(key % 50))) }
    }
    try fixture.apply(add: pairs.shuffled(using: &generator))
    #expect(try fixture.tree.pairs() == pairs.sorted())
  }
}
