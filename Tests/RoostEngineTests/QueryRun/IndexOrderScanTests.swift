import RoostEngine
import RoostTestSupport
import Testing

/// The first few in the order of an indexed field.
struct IndexOrderScanTests {
  @Test func looksAtNoObjectWhereTheIndexAnswers() throws {
    let fixture = try QueryFixture(seed: 3, rows: 3000, isIndexed: true)
    for field in 1...FieldID(QueryFixture.types.count) {
      for isDescending in [false, true] {
        let query = ObjectQuery(
          table: fixture.items, predicate: .not(.isNull(field)),
          order: [SortKey(field: field, descending: isDescending)], limit: 20, offset: 3)
        var statistics = ScanStatistics()
        let keys = try fixture.view.matches(query, &statistics).keys()
        #expect(keys == fixture.oracle.keys(query), "field \(field)")
        #expect(statistics.index == field)
        // Long texts that begin alike are looked at, for the index cannot tell them apart.
        if field != 6 { #expect(statistics.leavesVisited == 0, "field \(field)") }
      }
    }
  }

  @Test func aPageBesideAValueIsThatOfAPlainSort() throws {
    let fixture = try QueryFixture(seed: 6, rows: 3000, isIndexed: true)
    let view = try fixture.view
    var random = SeededGenerator(seed: 61)
    let items = try #require(fixture.oracle.tables[fixture.items])
    // Only what is in memory is answered so.
    for field in 1...FieldID(QueryFixture.types.count) {
      _ = try view.matches(
        ObjectQuery(table: fixture.items, order: [SortKey(field: field)], limit: 4000))
    }
    var answered = 0
    for round in 0..<3000 {
      let field = FieldID(Int.random(in: 1...QueryFixture.types.count, using: &random))
      let value = fixture.oracle.value(
        fixture.items, Int.random(in: 0..<items.keys.count, using: &random), field)
      let comparison = try #require(Comparison.allCases.randomElement(using: &random))
      let limit = try #require([0, 1, 10, 40, .max].randomElement(using: &random))
      let offset = try #require([0, 0, 7, .max].randomElement(using: &random))
      let found = try view.indexedMatches(
        field, in: fixture.items, comparison, value, limit: limit, offset: offset)
      guard let found else { continue }
      let query = ObjectQuery(
        table: fixture.items, predicate: .compare(field, comparison, value),
        order: [SortKey(field: field)], limit: limit, offset: offset)
      try #require(try found.keys() == fixture.oracle.keys(query), "round \(round): \(query)")
      answered += 1
    }
    // The others are of no side, or of long texts.
    #expect(answered > 1300)
  }

  @Test func pagesThatFollowOneAnotherAreTheWholeList() throws {
    var random = SeededGenerator(seed: 9)
    let engine = try Engine.open("store", in: MemoryFileSystem(), options: EngineOptions())
    let transaction = try engine.beginWrite()
    try transaction.addTables([
      TableDraft(
        name: "Text",
        fields: [
          FieldDefinition(name: "id", type: .int, isIdentifier: true),
          FieldDefinition(name: "text", type: .string, isUnique: true, isIndexed: true),
        ])
    ])
    let table = try #require(transaction.catalog.table(named: "Text")).id
    // So many that the index has nodes above nodes.
    var texts: [(text: [UInt8], key: Int64)] = []
    for key in 0..<30_000 as Range<Int64> {
      let text = Array("\(random.next()) \(key)".utf8)
      texts.append((text, key))
      let batch = try transaction.batch(for: table)
      batch.columns[0].append(.bytes(text))
      try transaction.insertRow(into: table, key: key)
    }
    try transaction.commit()
    texts.sort { $0.text.lexicographicallyPrecedes($1.text) }
    let view = try engine.snapshot().view
    let all = ObjectQuery(table: table, order: [SortKey(field: 1)], limit: 40_000)
    #expect(try view.matches(all).keys() == texts.map(\.key))

    var start = 0
    var answered = 0
    var pages = 0
    while start < texts.count {
      let limit = Int.random(in: 1...70, using: &random)
      let value = Value.bytes(texts[start].text)
      let query = ObjectQuery(
        table: table, predicate: .compare(1, .greaterOrEqual, value), order: [SortKey(field: 1)],
        limit: limit)
      let page = try view.indexedMatches(
        1, in: table, .greaterOrEqual, value, limit: limit, offset: 0)
      let end = min(start + limit, texts.count)
      let expected = texts[start..<end].map(\.key)
      try #require(try (page ?? view.matches(query)).keys() == expected)
      answered += page == nil ? 0 : 1
      pages += 1
      start = end
    }
    // All but those that lie below two nodes.
    #expect(answered > pages - 10)
  }

  @Test func looksAtFewObjectsWhereAnotherWayIsShort() throws {
    let fixture = try QueryFixture(seed: 5, rows: 6000, isIndexed: true)
    let few: [Predicate] = [
      .and([.compare(0, .greater, .integer(100)), .compare(0, .less, .integer(120))]),
      .oneOf(0, (200..<210).map { .integer($0) }),
    ]
    for predicate in few {
      let query = ObjectQuery(
        table: fixture.items, predicate: predicate, order: [SortKey(field: 1)], limit: 3)
      var statistics = ScanStatistics()
      let keys = try fixture.view.matches(query, &statistics).keys()
      #expect(keys == fixture.oracle.keys(query))
      #expect(statistics.leavesVisited < 40, "\(predicate)")
    }
  }

  @Test func ordersValuesThatFillSeveralLeaves() throws {
    let fixture = try QueryFixture(seed: 8, rows: 20_000, isIndexed: true)
    let flag: FieldID = 8
    let orders: [[SortKey]] = [
      [SortKey(field: flag)], [SortKey(field: flag, descending: true)],
      [SortKey(field: flag, descending: true), SortKey(field: 0, descending: true)],
      [SortKey(field: flag), SortKey(field: 5)],
    ]
    let predicates: [Predicate] = [
      .always(true), .compare(1, .less, .integer(5)), .compare(flag, .greater, .integer(0)),
      .compare(flag, .less, .integer(1)), .not(.isNull(flag)),
    ]
    for order in orders {
      for predicate in predicates {
        for (limit, offset) in [(5, 0), (7, 2600), (300, 17_000)] {
          let query = ObjectQuery(
            table: fixture.items, predicate: predicate, order: order, limit: limit, offset: offset)
          #expect(try fixture.view.matches(query).keys() == fixture.oracle.keys(query), "\(query)")
        }
      }
    }
  }

  @Test func ordersLongTextsByWhatTheirKeysLeaveOut() throws {
    var random = SeededGenerator(seed: 4)
    let engine = try Engine.open("store", in: MemoryFileSystem(), options: EngineOptions())
    let transaction = try engine.beginWrite()
    try transaction.addTables([
      TableDraft(
        name: "Text",
        fields: [
          FieldDefinition(name: "id", type: .int, isIdentifier: true),
          FieldDefinition(name: "text", type: .string, isIndexed: true),
        ])
    ])
    let table = try #require(transaction.catalog.table(named: "Text")).id
    var texts: [(key: Int64, text: [UInt8])] = []
    for key in 0..<300 as Range<Int64> {
      let text =
        [UInt8](repeating: 97, count: Int.random(in: 1020...1024, using: &random))
        + (0..<Int.random(in: 0...2, using: &random)).map { _ in
          UInt8.random(in: 97...99, using: &random)
        }
      texts.append((key, text))
      let batch = try transaction.batch(for: table)
      batch.columns[0].append(.bytes(text))
      try transaction.insertRow(into: table, key: key)
    }
    try transaction.commit()
    let view = try engine.snapshot().view
    for isDescending in [false, true] {
      let sorted = texts.sorted { first, second in
        if first.text == second.text { return first.key < second.key }
        return first.text.lexicographicallyPrecedes(second.text) != isDescending
      }
      for limit in [1, 10, 120, 299] {
        let bound = sorted[sorted.count / 3].text
        let query = ObjectQuery(
          table: table,
          predicate: .compare(1, isDescending ? .less : .greaterOrEqual, .bytes(bound)),
          order: [SortKey(field: 1, descending: isDescending)], limit: limit)
        let expected = sorted.filter { $0.text.lexicographicallyPrecedes(bound) == isDescending }
        #expect(try view.matches(query).keys() == expected.prefix(limit).map(\.key))
      }
    }
  }
}
