import Foundation
import Observation
import Roost
import RoostTestSupport
import RoostUI
import Testing

/// What is shown of objects, and of those that they have to do with.
private protocol Shown: Model {
  /// Changed where something must be told.
  var stamp: Int { get set }
  /// What becomes of results whose cells show what is behind their links.
  static func changes(of query: Query<Self>, in store: Store) -> Changes<ResultsChange<Self>>
  /// What a cell shows.
  static func text(_ object: Self, in snapshot: Snapshot) throws -> String
}

private struct Shelf: Shown {
  let id: String
  var name: String
  var stamp = 0
  static let books = Inverse(\Book.shelf)
  static let schema = Schema(
    Shelf.init, Key("id", \.id), Field("name", \.name), Field("stamp", \.stamp))

  static func changes(of query: Query<Shelf>, in store: Store) -> Changes<ResultsChange<Shelf>> {
    store.changes(of: query, reading: { $0[Shelf.books].max { $0.title } })
  }

  static func text(_ shelf: Shelf, in snapshot: Snapshot) throws -> String {
    let titles = try snapshot.fetch(Shelf.books(of: shelf.id)).map(\.title)
    return "\(shelf.name): \(titles.sorted())"
  }
}

private struct Book: Shown {
  let id: String
  var title: String
  var year: Int
  var shelf: Link<Shelf>?
  var stamp = 0
  static let loans = Inverse(\Loan.book)
  static let schema = Schema(
    Book.init, Key("id", \.id), Field("title", \.title), Field("year", \.year),
    Field("shelf", \.shelf, .onTargetDelete(.nullify)), Field("stamp", \.stamp))

  static func changes(of query: Query<Book>, in store: Store) -> Changes<ResultsChange<Book>> {
    store.changes(of: query, reading: { ($0.shelf.name, $0[Book.loans].count) })
  }

  static func text(_ book: Book, in snapshot: Snapshot) throws -> String {
    let shelf = try book.shelf.flatMap { try snapshot.fetch($0) }
    let count = try snapshot.count(Book.loans, of: book.id)
    return "\(book.title) of \(book.year) on \(shelf?.name ?? "none"), lent \(count) times"
  }
}

private struct Loan: Shown {
  let id: Int
  var book: Link<Book>
  var others: Links<Book>
  var stamp = 0
  static let schema = Schema(
    Loan.init, Key("id", \.id), Field("book", \.book, .onTargetDelete(.cascade)),
    Field("others", \.others), Field("stamp", \.stamp))

  static func changes(of query: Query<Loan>, in store: Store) -> Changes<ResultsChange<Loan>> {
    store.changes(
      of: query,
      reading: { ($0.book.title, $0.book.shelf.name, $0.others.targets.max { $0.title }) })
  }

  static func text(_ loan: Loan, in snapshot: Snapshot) throws -> String {
    let book = try snapshot.fetch(loan.book)
    let shelf = try book?.shelf.flatMap { try snapshot.fetch($0) }
    let others = try snapshot.fetch(loan.others).map(\.title)
    return "\(book?.title ?? "none") on \(shelf?.name ?? "none"), with \(others)"
  }
}

/// A list that is shown, and brought up to date by what each change says alone.
private struct Screen<M: Shown> {
  let query: Query<M>
  var changes: Changes<ResultsChange<M>>.Iterator
  var objects: [M] = []
  var cells: [String] = []

  init(_ query: Query<M>, in store: Store) {
    self.query = query
    changes = M.changes(of: query, in: store).makeAsyncIterator()
  }

  mutating func update(in store: Store, stamp: Int, _ context: String) async throws {
    // One that has nothing to say would be waited for: this is told in any case.
    let isTold = try await store.write { [query] tx -> Bool in
      guard let first = try tx.first(query) else { return false }
      try tx.update(M.self, id: first.id) { $0.stamp = stamp }
      return true
    }
    guard isTold else { return }
    let change = try #require(try await changes.next())
    let context = "\(context), \(query)"
    let before = objects
    try change.apply(to: &objects) { try $0.value }
    try change.apply(to: &cells) { try M.text($0.value, in: change.snapshot) }
    try #require(try objects == change.snapshot.fetch(query), "\(context)")
    try #require(try objects == change.results.map { try $0.value }, "\(context)")
    try #require(
      try cells == objects.map { try M.text($0, in: change.snapshot) }, "\(context)")
    guard !change.isInitial else { return }

    let (old, new) = (Set(before.map(\.id)), Set(objects.map(\.id)))
    try #require(Set(change.deletions.map(\.id)) == old.subtracting(new), "\(context)")
    try #require(Set(change.insertions.map(\.id)) == new.subtracting(old), "\(context)")
    try #require(change.deletions.allSatisfy { before[$0.index].id == $0.id }, "\(context)")
    try #require(change.insertions.allSatisfy { objects[$0.index].id == $0.id }, "\(context)")
    for move in change.moves {
      try #require(before[move.from].id == move.id && objects[move.to].id == move.id, "\(context)")
    }
    for modification in change.modifications {
      let (earlier, later) = (before[modification.from], objects[modification.to])
      try #require(earlier.id == modification.id && later.id == modification.id, "\(context)")
      // A link to one that was inserted again under its id is another one, and looks the same.
      try #require(earlier == later || !modification.fields.isEmpty, "\(context)")
    }
  }
}

/// Results that are observed while objects are deleted and inserted again, and those that they link to are.
@Suite struct LinkedChangesTests {
  private static let titles = [
    "zebra", "ähnlich", "apfel", "Öl", "offen", "Ost", "åka", "Zoo", "étude", "etudf", "cz", "ch",
  ]

  private func makeStore() throws -> Store {
    let store = try Store(.inMemory, models: Shelf.self, Book.self, Loan.self)
    try store.write { tx in
      for number in 0..<5 { try tx.insert(Shelf(id: "shelf \(number)", name: "\(number)")) }
      for number in 0..<30 {
        try tx.insert(
          Book(
            id: "book \(number)", title: Self.titles[number % 12], year: 1900 + number,
            shelf: Link(id: "shelf \(number % 5)")))
      }
      for number in 0..<20 {
        try tx.insert(
          Loan(
            id: number, book: Link(id: "book \(number % 9)"),
            others: ["book \(number)", "book \(29 - number)"]))
      }
    }
    return store
  }

  // MARK: Random changes

  /// Deletes an object and inserts one under its id, with the values that it had or others; some stay away.
  private static func replace(_ tx: WriteTransaction, _ random: inout SeededGenerator) throws {
    if random.chance(1, in: 4) {
      let id = "shelf \(Int.random(in: 0..<5, using: &random))"
      let old = try tx.fetch(Shelf.self, id: id)
      try tx.delete(Shelf.self, id: id)
      guard !random.chance(1, in: 4) else { return }
      let new = Shelf(id: id, name: "\(Int.random(in: 0..<4, using: &random))")
      try tx.insert(random.chance(1, in: 2) ? old ?? new : new)
      return
    }
    let id = "book \(Int.random(in: 0..<30, using: &random))"
    let old = try tx.fetch(Book.self, id: id)
    try tx.delete(Book.self, id: id)
    guard !random.chance(1, in: 5) else { return }
    let new = try book(id, tx, &random)
    try tx.insert(random.chance(1, in: 2) ? old ?? new : new)
  }

  private static func book(
    _ id: String, _ tx: WriteTransaction, _ random: inout SeededGenerator
  ) throws -> Book {
    Book(
      id: id, title: titles[Int.random(in: 0..<12, using: &random)],
      year: Int.random(in: 1900..<2000, using: &random), shelf: try shelf(tx, &random))
  }

  private static func shelf(
    _ tx: WriteTransaction, _ random: inout SeededGenerator
  ) throws -> Link<Shelf>? {
    let id = "shelf \(Int.random(in: 0..<5, using: &random))"
    return try tx.contains(Shelf.self, id: id) ? Link(id: id) : nil
  }

  /// Changes objects and their links.
  private static func change(_ tx: WriteTransaction, _ random: inout SeededGenerator) throws {
    let id = "book \(Int.random(in: 0..<30, using: &random))"
    guard try tx.contains(Book.self, id: id) else {
      try tx.insert(book(id, tx, &random))
      return
    }
    switch Int.random(in: 0..<6, using: &random) {
    case 0:
      let title = titles[Int.random(in: 0..<12, using: &random)]
      try tx.update(Book.self, id: id, set: \.title, to: title)
    case 1:
      let year = Int.random(in: 1900..<2000, using: &random)
      try tx.update(Book.self, id: id, set: \.year, to: year)
    case 2: try tx.update(Book.self, id: id, set: \.shelf, to: try shelf(tx, &random))
    case 3:
      guard let shelf = try shelf(tx, &random) else { return }
      let name = "\(Int.random(in: 0..<4, using: &random))"
      try tx.update(Shelf.self, id: shelf.id, set: \.name, to: name)
    default:
      let other = "book \(Int.random(in: 0..<30, using: &random))"
      let loan = Loan(
        id: Int.random(in: 0..<25, using: &random), book: Link(id: id),
        others: try tx.contains(Book.self, id: other) ? [other, id] : [id])
      try tx.upsert(loan)
    }
  }

  /// Follows queries through random changes.
  private func follow(
    _ shelves: [Query<Shelf>], _ books: [Query<Book>], _ loans: [Query<Loan>], seed: Int,
    replacesMost: Bool
  ) async throws {
    let store = try makeStore()
    var shelves = shelves.map { Screen($0, in: store) }
    var books = books.map { Screen($0, in: store) }
    var loans = loans.map { Screen($0, in: store) }
    var random = SeededGenerator(seed: UInt64(seed))
    var stamp = 0
    for step in 0..<80 {
      let context = "seed \(seed), step \(step)"
      // Some look at several versions at once.
      for place in shelves.indices where step == 0 || Bool.random(using: &random) {
        stamp += 1
        try await shelves[place].update(in: store, stamp: stamp, context)
      }
      for place in books.indices where step == 0 || Bool.random(using: &random) {
        stamp += 1
        try await books[place].update(in: store, stamp: stamp, context)
      }
      for place in loans.indices where step == 0 || Bool.random(using: &random) {
        stamp += 1
        try await loans[place].update(in: store, stamp: stamp, context)
      }
      try await store.write { [random] tx in
        var random = random
        for _ in 0..<Int.random(in: 1...3, using: &random) {
          if random.chance(replacesMost ? 3 : 1, in: 4) {
            try Self.replace(tx, &random)
          } else {
            try Self.change(tx, &random)
          }
        }
      }
      _ = random.next()
    }
  }

  @Test(arguments: 0..<4)
  func whatIsInsertedAgainUnderItsTextIsFollowedByEveryQuery(seed: Int) async throws {
    try await follow(
      [Shelf.all, Shelf.all.order(by: \.name).limit(3)],
      [
        Book.all, Book.where { $0.year >= 1950 }, Book.all.order(by: \.title),
        Book.where { $0.title >= "c" }.order(by: \.year, descending: true).limit(5),
        Book.all.order(by: \.title, \.year).limit(4, offset: 2),
      ], [], seed: seed, replacesMost: true)
  }

  @Test(arguments: 0..<4)
  func deletedTargetsAreFollowedByQueriesThatGoThroughLinks(seed: Int) async throws {
    try await follow(
      [
        Shelf.where { $0[Shelf.books].contains { $0.year > 1950 } },
        Shelf.all.order { $0[Shelf.books].count },
      ],
      [
        Book.where { $0.shelf.name == "2" }, Book.where { $0.shelf.name != "2" },
        Book.all.order { $0.shelf.name }.limit(6), Book.where { $0[Book.loans].count > 1 },
      ],
      [
        Loan.where { $0.book.shelf.name >= "2" }, Loan.all.order { $0.book.title },
        Loan.where { $0.others.contains { $0.year < 1950 } },
        Loan.all.order(descending: true) { $0.book.shelf.name }.limit(5, offset: 1),
      ], seed: seed, replacesMost: seed % 2 == 0)
  }

  @Test(arguments: 0..<3)
  func resultsInTheOrderOfALocaleAreFollowed(seed: Int) async throws {
    let (swedish, german) = (Locale(identifier: "sv"), Locale(identifier: "de"))
    try await follow(
      [],
      [
        Book.all.order(by: \.title, locale: swedish),
        Book.where { $0.year >= 1930 }.order(by: \.title, locale: german, descending: true),
        Book.all.order(by: \.title, locale: swedish).limit(5, offset: 1),
      ], [Loan.all.order(locale: german) { $0.book.title }], seed: seed, replacesMost: false)
  }

  // MARK: What is read

  @Test func anObjectWithTheValuesThatItHadIsModifiedWhereItsLinksLostIt() async throws {
    let store = try makeStore()
    var changes = Shelf.changes(of: Shelf.all, in: store).makeAsyncIterator()
    #expect(try await changes.next()?.results.count == 5)
    try await store.write { tx in
      let shelf = try tx.find(Shelf.self, id: "shelf 3")
      try tx.delete(Shelf.self, id: "shelf 3")
      try tx.insert(shelf)
    }
    let change = try #require(try await changes.next())
    // The books are nowhere now.
    #expect(change.modifications.map(\.id) == ["shelf 3"])
    #expect(change.modifications.map(\.fields) == [[]])
    #expect(change.deletions.isEmpty && change.insertions.isEmpty)
  }

  @Test func whatIsReadOfAResultIsToldWhateverIsWatched() async throws {
    let store = try makeStore()
    var changes = store.changes(
      of: Book.all, watching: \.title, reading: { ($0.shelf.name, $0.year) }
    ).makeAsyncIterator()
    #expect(try await changes.next()?.results.count == 30)
    try await store.write { tx in
      try tx.update(Book.self, id: "book 1", set: \.stamp, to: 1)
      try tx.update(Book.self, id: "book 2", set: \.title, to: "Watched")
      try tx.update(Book.self, id: "book 3", set: \.year, to: 2000)
      try tx.update(Book.self, id: "book 5", set: \.shelf, to: nil)
      try tx.update(Shelf.self, id: "shelf 4", set: \.name, to: "Four")
      try tx.update(Shelf.self, id: "shelf 1", set: \.stamp, to: 1)
    }
    let change = try #require(try await changes.next())
    let fields = Dictionary(
      uniqueKeysWithValues: change.modifications.map { ($0.id, $0.fields) })
    let behind = stride(from: 4, to: 30, by: 5).map { ("book \($0)", [String]()) }
    let own = [("book 2", ["title"]), ("book 3", ["year"]), ("book 5", ["shelf"])]
    #expect(fields == Dictionary(uniqueKeysWithValues: behind + own))
  }

  @Test @MainActor
  func aLiveQueryTellsOfWhatIsReadBehindLinks() async throws {
    let store = try makeStore()
    let live = LiveQuery(Book.where { $0.year < 1910 }, in: store, reading: { $0.shelf.name })
    let lists = Observations {
      try? live.objects.map { try Book.text($0, in: store.snapshot()) }
    }
    var shown = lists.makeAsyncIterator()
    func wait(for end: String) async {
      while let texts = await shown.next(), texts?.first?.hasSuffix(end) != true {}
    }
    await wait(for: "on 0, lent 3 times")
    let before = live.objects
    try await store.write { try $0.update(Shelf.self, id: "shelf 0", set: \.name, to: "Zero") }
    await wait(for: "on Zero, lent 3 times")
    // The books themselves are what they were.
    #expect(live.objects == before)
  }
}
