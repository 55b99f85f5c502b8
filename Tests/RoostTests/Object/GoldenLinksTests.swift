import Foundation
import Roost
import RoostTestSupport
import Testing

/// A file with lists of links of all lengths, kept in Tests/FormatTests/golden.
///
/// `ROOST_GOLDEN_LINKS=FILE` in the environment makes it anew; an old one stays.
@Suite struct GoldenLinksTests {
  private static let shelves = Inverse(\Shelf.books)

  private func store(_ path: String, isReadOnly: Bool) throws -> Store {
    var configuration = Configuration()
    configuration.isReadOnly = isReadOnly
    return try Store(
      .file(path), models: Shelf.self, Book.self, configuration: configuration)
  }

  private var books: [Book] {
    (0..<700).map { number in
      let others = (0..<number % 4).map { "book \((number + $0 * 97) % 700)" }
      return Book(id: "book \(number)", sequels: Links(ids: others))
    }
  }

  /// The books of a shelf: none, a few, as many as just lie in a row, one more, and so many that nodes lie above nodes.
  private func list(of shelf: Int) -> [String] {
    let count = [0, 3, 128, 129, 5_000, 70_000][shelf]
    return (0..<count).map { "book \(($0 * 31 + $0 / 700 + shelf) % 700)" }
  }

  /// Makes the file, by inserting and by edits in place.
  private func fill(_ store: Store) throws {
    try store.write { transaction in
      try transaction.insert(contentsOf: books)
      for shelf in 0..<6 {
        let books = list(of: shelf)
        try transaction.insert(
          Shelf(id: shelf - 2, books: Links(ids: books.prefix(books.count / 2))))
      }
    }
    for shelf in 0..<6 {
      try store.write { transaction in
        let books = list(of: shelf)
        let edited = try transaction.links(\Shelf.books, of: shelf - 2)
        try edited.append(contentsOf: books.suffix(books.count - books.count / 2))
        for place in stride(from: 0, to: books.count, by: 911) {
          try edited.remove(at: place)
          try edited.insert(books[place], at: place)
        }
      }
    }
  }

  @Test func aFileWithListsOfLinksIsReadAsItWasWritten() throws {
    if let path = ProcessInfo.processInfo.environment["ROOST_GOLDEN_LINKS"] {
      try fill(try store(path, isReadOnly: false))
    }
    let golden = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("FormatTests/golden/format-1-links.roost")
    let store = try store(golden.path, isReadOnly: true)
    #expect(try store.verify().isEmpty)
    let snapshot = store.snapshot()
    #expect(
      try snapshot.fetch(Book.all).sorted { $0.id < $1.id } == books.sorted { $0.id < $1.id })
    for shelf in 0..<6 {
      let found = try snapshot.find(Shelf.self, id: shelf - 2).books
      #expect(found == Links(ids: list(of: shelf)))
    }
    for book in ["book 0", "book 3", "book 699"] {
      let expected = (0..<6).filter { list(of: $0).contains(book) }.map { $0 - 2 }
      #expect(try snapshot.fetch(Self.shelves(of: book)).map(\.id) == expected)
    }
  }
}

private struct Book: Model {
  let id: String
  var sequels: Links<Book>
  static let schema = Schema(Book.init, Key("id", \.id), Field("sequels", \.sequels))
}

private struct Shelf: Model {
  let id: Int
  var books: Links<Book>
  static let schema = Schema(
    Shelf.init, Key("id", \.id), Field("books", \.books, .onTargetDelete(.deny)))
}
