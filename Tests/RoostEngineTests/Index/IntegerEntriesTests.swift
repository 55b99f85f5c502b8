import RoostEngine
import RoostTestSupport
import Testing

@Suite struct IntegerEntriesTests {
  @Test(arguments: 0..<8)
  func makeTheIndexThatTheSameChangesMake(seed: Int) throws {
    var generator = SeededGenerator(seed: UInt64(seed) &* 13 &+ 1)
    let values: ClosedRange<Int64> = seed % 2 == 0 ? -40...40 : Int64.min...Int64.max
    let keys: ClosedRange<Int64> = seed < 4 ? 0...100_000 : Int64.min...Int64.max
    let (fixture, expected) = (try IndexFixture(), try IndexFixture())
    var seen: Set<Int64> = []
    for _ in 0..<3 {
      let column = ColumnBuffer(type: .integer)
      let objects = ColumnBuffer(type: .integer)
      var changes = IndexChanges()
      var value = IndexKey()
      for _ in 0..<2000 {
        let key = Int64.random(in: keys, using: &generator)
        guard seen.insert(key).inserted else { continue }
        objects.append(key)
        if generator.chance(1, in: 10) {
          column.appendNull()
          value.setNull()
        } else {
          let number = Int64.random(in: values, using: &generator)
          column.append(number)
          value.set(number)
        }
        value.withView { changes.add($0, key) }
      }
      var entries = IntegerEntries()
      // In two parts, as two slices of objects come.
      entries.add(column, keys: objects, rows: 0..<700)
      entries.add(column, keys: objects, rows: 700..<column.count)
      #expect(entries.count == column.count)
      try expected.apply(changes)
      if seed == 3 {
        var moved = IndexChanges()
        entries.move(to: &moved)
        #expect(entries.count == 0)
        try fixture.apply(moved)
      } else {
        try fixture.apply(IndexRun(&entries, tree: 7))
      }
      #expect(try fixture.tree.pairs() == expected.tree.pairs(), "seed \(seed)")
      try fixture.tree.checkInvariants()
    }
  }

  @Test(arguments: [nil, 5] as [Int64?])
  func refuseAnEntryThatIsAddedTwice(value: Int64?) throws {
    let column = ColumnBuffer(type: .integer)
    let keys = ColumnBuffer(type: .integer)
    for key: Int64 in [9, 3, 9] {
      if let value { column.append(value) } else { column.appendNull() }
      keys.append(key)
    }
    var entries = IntegerEntries()
    entries.add(column, keys: keys, rows: 0..<3)
    #expect(throws: EngineError.corrupt(Corruption(.indexEntry, tree: 7, keys: 9...9))) {
      _ = try IndexRun(&entries, tree: 7)
    }
  }
}
