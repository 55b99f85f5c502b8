import RoostEngine
import RoostTestSupport
import Testing

/// Queries that an index of several fields, or of some objects, can answer.
@Suite struct TableIndexQueryTests {
  @Test(arguments: [UInt64](1...8))
  func findsWhatANaiveEvaluationFinds(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let fixture = try QueryFixture(
      seed: seed, rows: 1200, isIndexed: seed.isMultiple(of: 4),
      tableIndexes: RandomTableIndex.drafts(&random))
    #expect(try fixture.engine.snapshot().verify() == [])
    let view = try fixture.view
    let indexes = try #require(view.catalog.table(fixture.items)).indexes
    var usedCount = 0
    for number in 0..<700 {
      let index = try #require(indexes.randomElement(using: &random))
      let query = RandomTableIndex.query(index, fixture, &random)
      let expected = fixture.oracle.keys(query)
      var statistics = ScanStatistics()
      let found = try view.matches(query, &statistics).keys()
      try #require(found == expected, "seed \(seed), query \(number): \(query), \(indexes)")
      try #require(try view.count(query) == expected.count, "seed \(seed), query \(number)")
      if statistics.tableIndex != nil { usedCount += 1 }
    }
    if !seed.isMultiple(of: 4) { #expect(usedCount > 200, "seed \(seed): \(usedCount)") }
  }

  // MARK: Which index is used

  /// Messages of chats: 20,000 in 100 chats, a tenth of them unread.
  private struct Messages {
    let view: ReadView
    let table: UInt32
    let all: [(chat: Int64, day: Int64, isRead: Bool)]

    init(_ indexes: [TableIndexDraft]) throws {
      let engine = try Engine.open("store", in: MemoryFileSystem(), options: EngineOptions())
      let transaction = try engine.beginWrite()
      try transaction.addTables([
        TableDraft(
          name: "Message",
          fields: [
            FieldDefinition(name: "id", type: .int, isIdentifier: true),
            FieldDefinition(name: "chat", type: .int), FieldDefinition(name: "day", type: .int),
            FieldDefinition(name: "isRead", type: .bool),
          ], indexes: indexes)
      ])
      table = try #require(transaction.catalog.table(named: "Message")).id
      var random = SeededGenerator(seed: 1)
      all = (0..<20_000).map { _ in
        (
          Int64.random(in: 0..<100, using: &random), Int64.random(in: 0..<5000, using: &random),
          !random.chance(1, in: 10)
        )
      }
      for (key, message) in all.enumerated() {
        let batch = try transaction.batch(for: table)
        batch.columns[0].append(message.chat)
        batch.columns[1].append(message.day)
        batch.columns[2].append(message.isRead ? 1 : 0 as Int64)
        try transaction.insertRow(into: table, key: Int64(key))
      }
      try transaction.commit()
      view = try engine.snapshot().view
    }

    func find(
      _ parts: [Predicate], _ order: [SortKey] = [], limit: Int? = nil
    ) throws -> (keys: [Int64], statistics: ScanStatistics) {
      var statistics = ScanStatistics()
      let query = ObjectQuery(table: table, predicate: .and(parts), order: order, limit: limit)
      return (try view.matches(query, &statistics).keys(), statistics)
    }
  }

  @Test func theFirstOfAChatAreFoundWithoutLookingAtObjects() throws {
    let messages = try Messages([TableIndexDraft(of: ["chat", "day"])])
    let inChat = messages.all.enumerated().filter { $1.chat == 7 }
      .sorted { ($0.element.day, $0.offset) < ($1.element.day, $1.offset) }
    let (first, statistics) = try messages.find(
      [.compare(1, .equal, .integer(7))], [SortKey(field: 2)], limit: 10)
    #expect(first == inChat.prefix(10).map { Int64($0.offset) })
    #expect(statistics.tableIndex?.fields == [1, 2])
    #expect(statistics.leavesVisited == 0)
    let last = try messages.find(
      [.compare(1, .equal, .integer(7)), .compare(2, .less, .integer(1000))],
      [SortKey(field: 2, descending: true)], limit: 3)
    let before = inChat.filter { $0.element.day < 1000 }
      .sorted { ($1.element.day, $0.offset) < ($0.element.day, $1.offset) }
    #expect(last.keys == before.prefix(3).map { Int64($0.offset) })
    #expect(last.statistics.tableIndex?.fields == [1, 2])
    #expect(last.statistics.leavesVisited == 0)
  }

  @Test func valuesAndARangeOfTheNextFieldAreOneRange() throws {
    let messages = try Messages([TableIndexDraft(of: ["chat", "day"])])
    let (keys, statistics) = try messages.find([
      .compare(1, .equal, .integer(3)), .compare(2, .greaterOrEqual, .integer(100)),
      .compare(2, .less, .integer(300)),
    ])
    let expected = messages.all.indices.filter {
      messages.all[$0].chat == 3 && (100..<300).contains(messages.all[$0].day)
    }
    #expect(keys == expected.map(Int64.init))
    #expect(statistics.tableIndex?.fields == [1, 2])
    #expect(statistics.leavesVisited == 0)
    // The second field alone is no beginning.
    let other = try messages.find([.compare(2, .equal, .integer(100))])
    #expect(other.statistics.tableIndex == nil)
  }

  @Test func anIndexOfSomeObjectsIsUsedOnlyByWhoAsksForThem() throws {
    let isUnread = TableIndexDraft.FieldCondition("isRead", .compare(.equal, .integer(0)))
    let messages = try Messages([TableIndexDraft(of: ["day"], where: [isUnread])])
    let unread = messages.all.indices.filter { !messages.all[$0].isRead }
    let tree = try #require(messages.view.catalog.table(messages.table)?.indexes.first?.tree)
    #expect(try messages.view.index(tree: tree).count == UInt64(unread.count))
    let asked = try messages.find(
      [.compare(3, .equal, .integer(0))], [SortKey(field: 2)], limit: 20)
    #expect(
      asked.keys
        == unread.sorted { (messages.all[$0].day, $0) < (messages.all[$1].day, $1) }
        .prefix(20).map(Int64.init))
    #expect(asked.statistics.tableIndex?.fields == [2])
    #expect(asked.statistics.leavesVisited == 0)
    let all = try messages.find([.compare(2, .equal, .integer(40))])
    #expect(all.statistics.tableIndex == nil)
    #expect(all.keys == messages.all.indices.filter { messages.all[$0].day == 40 }.map(Int64.init))
  }
}
