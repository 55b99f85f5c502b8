import Foundation
import Roost
import RoostEngine
import RoostTestSupport
import Testing

/// Rows: objects read field by field, where they lie.
@Suite struct RowsTests {
  private func store(_ count: Int) throws -> Store {
    let store = try Store(.inMemory, models: Person.self, Group.self)
    try store.write { tx in
      try tx.insert(Group(id: 0, name: "zero", size: nil))
      try tx.insert(
        contentsOf: (0..<count).map {
          Person($0, "Person \($0)", age: $0 % 90, group: $0 % 2 == 0 ? 0 : nil)
        })
    }
    return store
  }

  @Test func decodeOneFieldAtATime() throws {
    let store = try store(5000)
    let rows = try store.snapshot().rows(Person.where { $0.age >= 80 })
    #expect(rows.count == (0..<5000).filter { $0 % 90 >= 80 }.count)
    for row in rows {
      let id = try row.id
      #expect(try row.name == "Person \(id)")
      #expect(try row.age == id % 90)
      #expect(try row.nickname == nil)
      #expect(try row.group == (id % 2 == 0 ? Link(id: 0) : nil))
    }
    let middle = rows[rows.count / 2]
    #expect(try middle.value.name == middle.name)
    #expect(try rows.last?.id == rows.reversed().first?.id)
  }

  @Test func leadToTheObjectsThatTheyLinkToInTheirVersion() throws {
    let store = try store(100)
    var rows: Rows<Person>? = try store.snapshot().rows(Person.all)
    try store.write { _ = try $0.update(Group.self, id: 0) { $0.name = "another" } }
    for (index, row) in try #require(rows).enumerated() {
      #expect(try row.group?.name == (index % 2 == 0 ? "zero" : nil))
      #expect(try row.group?.size == nil)
      // What asks for no property gets the link.
      let group = try row.group
      #expect(group == (index % 2 == 0 ? Link<Group>(id: 0) : nil))
      #expect(try row.group?.id == (index % 2 == 0 ? 0 : nil))
    }
    let group: Row<Group>? = try rows?[2].group
    rows = nil
    #expect(try group?.name == "zero")
    #expect(try store.snapshot().row(Person.self, id: 2)?.group?.name == "another")
  }

  @Test func leadFromOneToTheNextWhateverTheirKeysAre() throws {
    let stations = (0..<3000).map {
      Station(id: "S\($0)", next: Link(id: "S\(($0 * 7 + 1) % 3000)"))
    }
    let store = try Store(.inMemory, models: Station.self)
    try store.write { try $0.insert(contentsOf: stations) }
    try store.read { snapshot in
      for row in try snapshot.rows(Station.all) {
        let number = try #require(Int(row.id.dropFirst()))
        let third = (((number * 7 + 1) * 7 + 1) * 7 + 1) % 3000
        #expect(try row.next.next.next.id == "S\(third)")
        #expect(try row.next.next.next.value.id == "S\(third)")
      }
    }
  }

  private struct Station: Model {
    let id: String
    var next: Link<Station>
    static let schema = Schema(Station.init, Key("id", \.id), Field("next", \.next))
  }

  @Test func stayAsTheyAreWhateverIsWritten() throws {
    let store = try store(1000)
    let rows = try store.read { try $0.rows(Person.all) }
    let first = rows[0]
    try store.write { tx in
      try tx.delete(Person.all)
      try tx.insert(Person(0, "New"))
    }
    for _ in 0..<5 { try store.write { _ = try $0.update(Person.self, id: 0) { $0.age += 1 } } }
    #expect(rows.count == 1000)
    #expect(try first.name == "Person 0")
    #expect(try rows.map { try $0.age } == (0..<1000).map { $0 % 90 })
    #expect(try store.snapshot().rows(Person.all).map { try $0.name } == ["New"])
  }

  @Test func keepWhatTheyAreReadByWhenAllElseIsGone() throws {
    var kept: [Row<Person>] = []
    do {
      let store = try store(5000)
      let queries = [
        Person.all, Person.where { $0.group == Link(id: 0) }, Person.where { $0.age > 70 },
        Person.all.order(by: \.age).limit(300),
      ]
      for query in queries {
        let rows = try store.snapshot().rows(query)
        for (place, row) in rows.enumerated() where place % 61 == 0 { kept.append(row) }
        kept += rows.suffix(3)
      }
      try store.write { _ = try $0.delete(Person.all) }
      store.close()
    }
    for row in kept {
      let id = try row.id
      #expect(try row.name == "Person \(id)")
      #expect(try row.age == id % 90)
    }
  }

  @Test func throwWhereTheirLeafIsDamagedAndAreThereElsewhere() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/people.roost"
      let store = try Store(.file(path), models: Person.self, Group.self)
      try store.write { tx in
        try tx.insert(Group(id: 0, name: "zero", size: nil))
        try tx.insert(contentsOf: (0..<5000).map { Person($0, "Person \($0)", age: 5, group: 0) })
      }
      store.close()
      var bytes = try [UInt8](Data(contentsOf: URL(fileURLWithPath: path)))
      let heads = stride(from: 0, to: bytes.count, by: 4096)
        .filter { bytes[$0] == ExtentKind.leafHead.rawValue }
      bytes[heads[heads.count / 2] + 100] ^= 1
      try Data(bytes).write(to: URL(fileURLWithPath: path))

      let again = try Store(.file(path), models: Person.self, Group.self)
      let rows = try again.snapshot().rows(Person.where { $0.age == 5 })
      #expect(rows.count == 5000)
      var next = 0
      var damagedCount = 0
      for row in rows {
        do throws(StoreError) {
          #expect(try row.id == next)
          #expect(try row.name == "Person \(next)")
        } catch {
          damagedCount += 1
          #expect(throws: error) { _ = try unsafe row.withBytes(\.name) { $0.count } }
          #expect(throws: error) { _ = try row.value }
          #expect(throws: error) { _ = try rows[next].age }
        }
        next += 1
      }
      #expect(next == 5000)
      #expect((1..<5000).contains(damagedCount))
    }
  }

  @Test func goToAnyTask() async throws {
    let store = try store(2000)
    let rows = try store.snapshot().rows(Person.all)
    let sums = try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<4 { group.addTask { try rows.reduce(0) { try $0 + $1.age } } }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(Set(sums).count == 1)
  }

  @Test func giveBytesInPlace() throws {
    let store = try store(3000)
    let rows = try store.snapshot().rows(Person.all)
    for row in rows {
      let id = try row.id
      let isSame = try unsafe row.withBytes(\.name) { bytes in
        unsafe String(decoding: bytes, as: UTF8.self) == "Person \(id)"
      }
      #expect(isSame)
    }
    let row = rows[17]
    let first = try unsafe row.withBytes(\.name) { UInt(bitPattern: $0.baseAddress) }
    let again = try unsafe row.withBytes(\.name) { UInt(bitPattern: $0.baseAddress) }
    #expect(first == again)
    let nothing = try unsafe row.withBytes(\.nickname) { $0.count }
    #expect(nothing == 0)
  }

  @Test func goOnByThemselvesInEachCopyOfAnIterator() throws {
    struct Plain: Model {
      let id: Int
      static let schema = Schema(Plain.init, Key("id", \.id))
    }
    let store = try Store(.inMemory, models: Plain.self)
    try store.write { try $0.insert(contentsOf: (0..<9000).map { Plain(id: $0) }) }
    let rows = try store.snapshot().rows(Plain.all)
    var iterators = [rows.makeIterator()]
    var ids: [[Int]] = [[]]
    for step in 0..<9000 {
      if step % 700 == 300, iterators.count < 5 {
        iterators.append(iterators[0])
        ids.append(ids[0])
      }
      // They fall behind one another by more than a page.
      for place in iterators.indices where step % (place + 1) == 0 {
        if let row = iterators[place].next() { ids[place].append(try row.id) }
      }
    }
    for place in iterators.indices {
      while let row = iterators[place].next() { ids[place].append(try row.id) }
      #expect(ids[place] == Array(0..<9000))
    }
  }

  @Test func sayWhichPropertyIsNotStored() throws {
    let store = try store(1)
    let row = try store.snapshot().rows(Person.all)[0]
    #expect(throws: StoreError.self) { _ = try row[dynamicMember: \.hash] }
    #expect(throws: StoreError.self) { try store.snapshot().count(Person.where { $0.hash == 1 }) }
  }
}

extension Person {
  /// A property that no field stores.
  fileprivate var hash: Int { id &* 31 }
}

/// Rows read a batch at a time.
@Suite struct RowBatchTests {
  private func store() throws -> Store {
    let store = try Store(.inMemory, models: Person.self, Group.self)
    try store.write { tx in
      try tx.insert(Group(id: 0, name: "zero", size: nil))
      try tx.insert(
        contentsOf: (0..<5000).map {
          Person($0, "Person \($0)", age: $0 * 7 % 90, group: $0 % 2 == 0 ? 0 : nil)
        })
    }
    return store
  }

  @Test func holdTheRowsOfTheResultInItsOrder() throws {
    let snapshot = try store().snapshot()
    let queries = [
      Person.all, Person.where { $0.age >= 80 }, Person.where { $0.group == Link(id: 0) },
      Person.all.order(by: \.age, descending: true).limit(700), Person.all.limit(900, offset: 900),
      Person.where { $0.age < 0 },
    ]
    for query in queries {
      let rows = try snapshot.rows(query)
      var seen: [Person] = []
      try rows.forEachBatch { batch in
        #expect(batch.startIndex == seen.count)
        let names = try batch.column(\.name)
        let ages = try batch.column(\.age)
        let groups = try batch.column(\.group)
        #expect(names.count == batch.count)
        for place in ages.indices {
          let value = try batch[place].value
          #expect(try names[place] == value.name)
          #expect(try ages[place] == value.age)
          #expect(try groups[place] == value.group)
          let byteCount = try unsafe names.withBytes(place) { $0.count }
          #expect(byteCount == value.name.utf8.count)
          seen.append(value)
        }
      }
      #expect(try seen == snapshot.fetch(query))
    }
  }

  @Test func decodeEveryTypeToWhatItsRowsAre() throws {
    let store = try Store(.inMemory, models: Sample.self, Group.self)
    var random = SeededGenerator(seed: 11)
    let samples = (0..<3000).map { id in
      Sample(
        id: id, flag: Bool.random(using: &random),
        small: Int.random(in: 0..<90, using: &random) - 45, constant: -7,
        wide: Int(truncatingIfNeeded: random.next()),
        half: Double(Int.random(in: 0..<1000, using: &random)) / 8,
        double: Double.random(in: -1e9...1e9, using: &random),
        float: Float(Int.random(in: 0..<(1 << 20), using: &random)) / 3,
        date: Date(timeIntervalSince1970: Double(id) * 1.1),
        // Some lie outside of their leaf, in the last thousand.
        text: id >= 2000 && id % 7 == 0
          ? String(repeating: "long ", count: 900) : "text \(id % 50)",
        data: Data(repeating: UInt8(id % 256), count: id % 9), optional: id % 3 == 0 ? nil : id,
        group: Link(id: id % 4))
    }
    try store.write { transaction in
      try transaction.insert(contentsOf: (0..<4).map { Group(id: $0, name: "g", size: nil) })
      try transaction.insert(contentsOf: samples)
    }
    let snapshot = store.snapshot()
    for query in [Sample.all, Sample.all.limit(701, offset: 33), Sample.where { $0.flag == true }] {
      var seen: [Sample] = []
      try snapshot.rows(query).forEachBatch { batch in
        let columns = try (
          id: batch.column(\.id), flag: batch.column(\.flag), small: batch.column(\.small),
          constant: batch.column(\.constant), wide: batch.column(\.wide),
          half: batch.column(\.half),
          double: batch.column(\.double), float: batch.column(\.float), date: batch.column(\.date),
          text: batch.column(\.text), data: batch.column(\.data),
          optional: batch.column(\.optional),
          group: batch.column(\.group)
        )
        for place in columns.id.indices {
          let text = try unsafe columns.text.withBytes(place) { bytes in
            unsafe String(decoding: bytes, as: UTF8.self)
          }
          let data = try unsafe columns.data.withBytes(place) { bytes in unsafe Data(bytes) }
          #expect(try text == columns.text[place] && data == columns.data[place])
          seen.append(
            try Sample(
              id: columns.id[place], flag: columns.flag[place], small: columns.small[place],
              constant: columns.constant[place], wide: columns.wide[place],
              half: columns.half[place], double: columns.double[place],
              float: columns.float[place], date: columns.date[place], text: text, data: data,
              optional: columns.optional[place], group: columns.group[place]))
        }
      }
      #expect(try seen == snapshot.fetch(query))
    }
    #expect(try snapshot.fetch(Sample.all) == samples)
  }

  private struct Sample: Model {
    let id: Int
    var flag: Bool
    var small: Int
    var constant: Int
    var wide: Int
    var half: Double
    var double: Double
    var float: Float
    var date: Date
    var text: String
    var data: Data
    var optional: Int?
    var group: Link<Group>
    static let schema = Schema(
      Sample.init, Key("id", \.id), Field("flag", \.flag), Field("small", \.small),
      Field("constant", \.constant), Field("wide", \.wide), Field("half", \.half),
      Field("double", \.double), Field("float", \.float), Field("date", \.date),
      Field("text", \.text), Field("data", \.data), Field("optional", \.optional),
      Field("group", \.group))
  }

  @Test func letTheBodysOwnErrorOut() throws {
    struct Stop: Error {}
    let rows = try store().snapshot().rows(Person.all)
    #expect(throws: Stop.self) { try rows.forEachBatch { _ in throw Stop() } }
  }
}

/// Models whose properties do not lie at offsets of their own.
@Suite struct RowPropertyTests {
  enum Unit: String, Storable { case one }

  struct Odd: Model {
    let id: Int
    var first: Unit
    var second: Unit?
    var halves: Int
    var double: Int {
      get { halves * 2 }
      set { halves = newValue / 2 }
    }
    var unlisted = 7

    static let schema = Schema(
      Odd.init(id:first:second:double:), Key("id", \.id), Field("first", \.first),
      Field("second", \.second), Field("double", \.double))

    init(id: Int, first: Unit, second: Unit?, double: Int) {
      self.id = id
      self.first = first
      self.second = second
      halves = double / 2
    }
  }

  @Test func areReadWhereverTheirValuesLie() throws {
    let store = try Store(.inMemory, models: Odd.self)
    try store.write {
      try $0.insert(Odd(id: 1, first: .one, second: nil, double: 8))
      try $0.insert(Odd(id: 2, first: .one, second: .one, double: 10))
    }
    for row in try store.snapshot().rows(Odd.all) {
      let value = try row.value
      #expect(try row.id == value.id)
      #expect(try row.first == .one)
      #expect(try row.second == value.second)
      #expect(try row.double == value.double)
      #expect(throws: StoreError.self) { try row.halves }
      let unlisted = #expect(throws: StoreError.self) { try row.unlisted }
      guard case .unknownField("Odd", _) = unlisted else {
        Issue.record("Another error: \(String(describing: unlisted))")
        continue
      }
    }
  }

  @Test func areFoundByKeyPathsThatOnlyTheProgramKnows() throws {
    let store = try Store(.inMemory, models: Odd.self)
    try store.write { try $0.insert(Odd(id: 1, first: .one, second: nil, double: 8)) }
    let row = try #require(try store.snapshot().row(Odd.self, id: 1))
    let paths: [KeyPath<Odd, Int>] = [\.id, \.double]
    #expect(try paths.map { try row[dynamicMember: $0] } == [1, 8])
    let absent = try store.snapshot().row(Odd.self, id: 2)
    #expect(absent == nil)
  }
}

/// Two types of a program for the same objects, their properties in another order in memory.
@Suite struct RowsOfTwoTypesTests {
  enum One {
    struct Pair: Model {
      let id: Int
      var x: Int
      var y: Int
      static let schema = Schema(
        Pair.init(id:x:y:), Key("id", \.id), Field("x", \.x), Field("y", \.y))
    }
  }

  enum Other {
    struct Pair: Model {
      var y: Int
      var x: Int
      let id: Int
      static let schema = Schema(
        Pair.init(id:x:y:), Key("id", \.id), Field("x", \.x), Field("y", \.y))

      init(id: Int, x: Int, y: Int) {
        self.id = id
        self.x = x
        self.y = y
      }
    }
  }

  @Test func eachReadThePropertiesWhereTheirOwnTypeHasThem() throws {
    try withTemporaryDirectory { directory in
      let one = try Store(.file(directory + "/pairs.roost"), models: One.Pair.self)
      try one.write { try $0.insert(One.Pair(id: 7, x: 1, y: 2)) }
      let other = try Store(.file(directory + "/pairs.roost"), models: Other.Pair.self)
      // Both find the same leaf, which keeps columns for each.
      for _ in 0..<2 {
        let row = try #require(try one.snapshot().row(One.Pair.self, id: 7))
        #expect(try (row.id, row.x, row.y) == (7, 1, 2))
        let otherRow = try #require(try other.snapshot().row(Other.Pair.self, id: 7))
        #expect(try (otherRow.id, otherRow.x, otherRow.y) == (7, 1, 2))
      }
    }
  }
}
