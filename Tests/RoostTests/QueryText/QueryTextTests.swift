import Roost
import RoostQueryText
import RoostTestSupport
import Testing

/// Queries as text, as people write them; that what is printed reads back is checked wherever a test asks random queries.
@Suite struct QueryTextTests {
  private let store: Store
  private let snapshot: Snapshot

  init() throws {
    var random = SeededGenerator(seed: 5)
    store = try Store(.inMemory, models: Person.self, Group.self)
    let groups = People.groups(using: &random)
    let people = (0..<300).map { People.person($0, using: &random) }
    try store.write { tx in
      try tx.insert(contentsOf: groups)
      try tx.insert(contentsOf: people)
    }
    snapshot = store.snapshot()
  }

  /// Checks that a text asks what a query of key paths does.
  private func expect(
    _ text: String, _ query: Query<Person>, _ location: SourceLocation = #_sourceLocation
  ) throws {
    let expected = try snapshot.fetch(query).map(\.id)
    #expect(!expected.isEmpty, sourceLocation: location)
    #expect(
      try snapshot.fetch(try Query<Person>(text, in: store)).map(\.id) == expected,
      sourceLocation: location)
  }

  @Test func aTextAsksWhatItSays() throws {
    try expect("Person", .init())
    try expect("Person where age >= 3", .init().where { $0.age >= 3 })
    try expect(
      #"Person where age >= 3 && name contains[i] "A" sort name limit 20"#,
      .init().where { $0.age >= 3 && $0.name.contains("A", options: .caseInsensitive) }
        .order(by: \.name).limit(20))
    try expect(
      "Person where (age < 3 || age > 7) && nickname != nil sort age desc, id limit 5 offset 2",
      .init().where { ($0.age < 3 || $0.age > 7) && $0.nickname != nil }
        .order(by: \.age, descending: true).order(by: \.id).limit(5, offset: 2))
    try expect(
      "Person where age in [1, 3, 5] && !(isActive == true)",
      .init().where { $0.age.in([1, 3, 5]) && !($0.isActive == true) })
    try expect(
      "Person where group.size > 2 || group == nil",
      .init().where { $0.group.size > 2 || $0.group == nil })
    try expect(
      "Person where age as Double * 2 + 1 > score",
      .init().where { $0.age.asDouble * 2 + 1 > $0.score })
    try expect(
      #"Person where mood == "wild" && rank != nil sort folded[id](name), id"#,
      .init().where { $0.mood == .wild && $0.rank != nil }
        .order { $0.name.folded([.caseInsensitive, .diacriticInsensitive]) }.order(by: \.id))
  }

  @Test func aQueryIsPrintedAndReadBack() throws {
    let query = Person.where { $0.age >= 18 && $0.name.contains("an", options: .caseInsensitive) }
      .order(by: \.name).limit(20)
    let text = #"Person where age >= 18 && name contains[i] "an" sort name limit 20"#
    #expect("\(query)" == text)
    let store = try Store(.inMemory, models: Group.self, Person.self)
    try store.write { tx in
      try tx.insert(contentsOf: [
        Person(1, "Roman", age: 18), Person(2, "Hans", age: 17), Person(3, "Bob", age: 40),
        Person(4, "ANNA", age: 30),
      ])
    }
    #expect(try store.read { try $0.fetch(query) }.map(\.id) == [4, 1])
    let readBack = try query.readBack(in: store)
    #expect(try store.read { try $0.fetch(readBack) }.map(\.id) == [4, 1])
  }

  @Test func aTextCanBeRefined() throws {
    let adults = try Query<Person>("Person where age >= 3 sort age limit 50", in: store)
    let named = adults.where { $0.nickname != nil }.order(by: \.name).limit(7, offset: 1)
    let same = Person.where { $0.age >= 3 && $0.nickname != nil }.order(by: \.age, \.name)
      .limit(7, offset: 1)
    #expect(try snapshot.fetch(named).map(\.id) == snapshot.fetch(same).map(\.id))
    #expect(try snapshot.fetch(adults).count == 50)
    #expect(
      "\(named)"
        == "Person where age >= 3 && nickname != nil sort age, name limit 7 offset 1")
    #expect(named == adults.where { $0.nickname != nil }.order(by: \.name).limit(7, offset: 1))
    #expect(named != adults)
  }

  @Test func aTextKeepsItsConditionWhereAnIndexAnswersTheRest() throws {
    let read = try Query<Person>(#"Person where name < "b""#, in: store)
    let refined = read.where { $0.age >= 3 }.order(by: \.age).limit(9)
    let same = Person.where { $0.name < "b" && $0.age >= 3 }.order(by: \.age).limit(9)
    #expect(try snapshot.fetch(refined).map(\.id) == snapshot.fetch(same).map(\.id))
    let plain = try snapshot.fetch(Person.where { $0.age >= 3 }.order(by: \.age).limit(9))
    #expect(try snapshot.fetch(refined).map(\.id) != plain.map(\.id))
  }

  @Test func whetherSomethingIsTrueIsOneOrZeroAsANumber() throws {
    let active = try Query<Person>("Person where (isActive as Double) > 0.5", in: store)
    let same = Person.where { $0.isActive == true }
    #expect(try snapshot.fetch(active).map(\.id) == snapshot.fetch(same).map(\.id))
    #expect(try !snapshot.fetch(active).isEmpty)
  }

  @Test func negationsAreNotWalkedOverAgainAndAgain() throws {
    let query = try Query<Person>(
      "Person where " + String(repeating: "!", count: 49) + "age == 1", in: store)
    #expect("\(query)" == "Person where age != 1")
  }

  @Test func aTextIsAskedOfAnotherStoreOfTheSameModels() throws {
    let adults = try Query<Person>("Person where age >= 18 && group.size == 1", in: store)
    let other = try Store(.inMemory, models: Group.self, Person.self)
    try other.write { tx in
      try tx.insert(Group(id: 4, name: "four", size: 1))
      try tx.insert(Person(1, age: 18, group: 4))
      try tx.insert(Person(2, age: 17, group: 4))
    }
    #expect(try other.read { try $0.fetch(adults) }.map(\.id) == [1])
    let without = try Store(.inMemory, models: Group.self)
    #expect(throws: StoreError.self) { try without.read { try $0.fetch(adults) } }
  }

  private func error(_ text: String) -> String? {
    do throws(QueryTextError) {
      _ = try Query<Person>(text, in: store)
      return nil
    } catch { return "\(error)" }
  }

  @Test(arguments: [
    ("Person where ¶aeg > 3", "Person has no field aeg. Did you mean \"age\"?"),
    ("Person sort ¶Nmae", "Person has no field Nmae. Did you mean \"name\"?"),
    ("Person where group.¶siz > 3", "Group has no field siz. Did you mean \"size\"?"),
    (
      "Person ¶wher age > 3",
      "Here a query ends, or goes on with where, sort, limit or offset, in this order. Did you mean \"where\"?"
    ),
    (
      "Person where name ¶contain \"x\"",
      "Here a query ends, or goes on with where, sort, limit or offset, in this order. Did you mean \"contains\"?"
    ),
  ])
  func aMisspeltNameIsAnsweredWithTheNearest(_ marked: String, _ message: String) {
    expectError(marked, message)
  }

  @Test(arguments: [
    (
      "Person where name == ¶Delft",
      "Person has no field Delft. A text is written in quotation marks: \"Delft\"."
    ),
    (
      "Person where mood == ¶calm",
      "Person has no field calm. A text is written in quotation marks: \"calm\"."
    ),
    (
      "Person where name in [¶Ann, Bob]",
      "Person has no field Ann. A text is written in quotation marks: \"Ann\"."
    ),
    ("Person where name contains ¶Ann", "A text is written in quotation marks: \"Ann\"."),
    (
      "Person where name == Den ¶Haag && age > 3",
      "Here a query ends, or goes on with where, sort, limit or offset, in this order. A text is written in quotation marks: \"Den Haag\"."
    ),
    (
      "Person where age == ¶\"old\"",
      "This is no constant of type Int: a number is written without quotation marks."
    ),
    (
      "Person where name == ¶7",
      "This is no constant of type String: a text is written in quotation marks, \"7\"."
    ),
    ("Person where age == ¶Delft", "Person has no field Delft."),
  ])
  func aConstantWrittenOtherwiseIsToldItsForm(_ marked: String, _ message: String) {
    expectError(marked, message)
  }

  /// Expects an error at the mark `¶` in a text, which is no part of it.
  private func expectError(
    _ marked: String, _ message: String, location: SourceLocation = #_sourceLocation
  ) {
    let parts = marked.split(separator: "¶", omittingEmptySubsequences: false)
    #expect(
      error(parts.joined()) == "At byte \(parts[0].utf8.count): \(message)",
      sourceLocation: location)
  }

  @Test func whatIsWrongSaysWhere() {
    #expect(error("Person where age > ")?.hasPrefix("At byte 19: ") == true)
    #expect(error("Person where colour > 3") == "At byte 13: Person has no field colour.")
    #expect(error("Persons")?.contains("asks for objects of \"Persons\"") == true)
    #expect(
      error("Group where size > 3")
        == "At byte 0: The text asks for objects of \"Group\", and the model is stored as \"Person\"."
    )
    #expect(
      error("Person where age == 2.5") == "At byte 20: This is no constant of type Int.")
    #expect(error(#"Person where name == "Ann"#)?.contains("no second quotation mark") == true)
    #expect(error("Person where age")?.hasPrefix("At byte 13: This is a value") == true)
    #expect(error("Person where group { size > 1")?.contains("}") == true)
    #expect(error("Person limit 3 sort name")?.hasPrefix("At byte 15: Here a query ends") == true)
    #expect(error("Person where name.length > 3")?.contains("nothing behind this field") == true)
    #expect(
      error("Person where age == name")
        == "At byte 20: A value of type Int is not compared with one of type String.")
    #expect(error(#"Person where age hasPrefix "1""#)?.contains("no text") == true)
    #expect(error(#"Person sort age locale "sv""#)?.contains("A locale orders texts") == true)
    #expect(error("Person where age contains 3")?.contains("no objects or elements") == true)
  }

  @Test func namesThatAreNoWordsStandInBackquotes() throws {
    let store = try Store(.inMemory, models: Odd.self)
    try store.write { try $0.insert(Odd(id: 1, order: 3, café: 4, tick: 5)) }
    let query = Odd.where { $0.order == 3 && $0.café == 4 && $0.tick == 5 }
    #expect("\(query)" == "Odd where `sort` == 3 && café == 4 && `a``b c` == 5")
    let readBack = try query.readBack(in: store)
    #expect(try store.read { try $0.count(readBack) } == 1)
  }

  @Test func elementsAndLinksHoldConstants() throws {
    let store = try Store(.inMemory, models: Shelf.self, Book.self)
    try store.write { tx in
      try tx.insert(contentsOf: [Book(id: 1, tags: ["old", "Thin"], sizes: [3]), Book(id: 2)])
      try tx.insert(contentsOf: [Shelf(id: 1, books: [2, 1]), Shelf(id: 2, books: [2])])
    }
    func books(_ condition: String) throws -> [Int] {
      let query = try Query<Book>("Book where \(condition)", in: store)
      return try store.read { try $0.fetch(query) }.map(\.id)
    }
    func shelves(_ condition: String) throws -> [Int] {
      let query = try Query<Shelf>("Shelf where \(condition)", in: store)
      return try store.read { try $0.fetch(query) }.map(\.id)
    }
    #expect(try books(#"tags contains "old""#) == [1])
    #expect(try books(#"tags contains "thin""#) == [])
    #expect(try books(#"tags contains[i] "thin""#) == [1])
    #expect(try books("sizes contains 3 || tags.count == 0") == [1, 2])
    #expect(try books("(Shelf by books).count > 1") == [2])
    #expect(try books("Shelf by books contains 1") == [1, 2])
    #expect(try books("Shelf by books contains { id == 1 && books.count == 2 }") == [1, 2])
    #expect(try shelves("books contains 1") == [1])
    #expect(try shelves(#"books contains { tags contains "old" }"#) == [1])
    #expect(try shelves("books.where { tags.count == 0 }.count == 1") == [1, 2])
    #expect(try shelves("books.sum { tags.count } == 2") == [1])
  }
}

private struct Odd: Model {
  let id: Int
  var order: Int
  var café: Int
  var tick: Int
  static let schema = Schema(
    Odd.init, Key("id", \.id), Field("sort", \.order), Field("café", \.café),
    Field("a`b c", \.tick))
}

private struct Book: Model {
  let id: Int
  var tags: [String] = []
  var sizes: Set<Int> = []
  static let schema = Schema(
    Book.init, Key("id", \.id), Field("tags", \.tags), Field("sizes", \.sizes))
}

private struct Shelf: Model {
  let id: Int
  var books: Links<Book>
  static let schema = Schema(Shelf.init, Key("id", \.id), Field("books", \.books))
}
