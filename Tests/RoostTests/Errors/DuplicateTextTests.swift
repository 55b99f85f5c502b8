import Foundation
import Roost
import RoostTestSupport
import Testing

/// How an error names a value that must be unique, and that two objects would have.
@Suite struct DuplicateTextTests {
  struct Book: Model {
    let isbn: String
    var id: String { isbn }
    static let schema = Schema(Book.init, Key("isbn", \.isbn))
  }
  struct Hold: Model {
    let id: Int
    var book: Link<Book>
    var day: Date
    static let schema = Schema(
      Hold.init, Key("id", \.id), Field("book", \.book, .unique), Field("day", \.day))
  }
  struct Loan: Model {
    let id: Int
    var book: Link<Book>
    var day: Date
    static let schema = Schema(
      Loan.init, Key("id", \.id), Field("book", \.book), Field("day", \.day))
    static let indexes: [Index<Loan>] = [.unique(\.book, \.day)]
  }
  enum Later {
    struct Loan: Model {
      let id: Int
      var book: Link<Book>
      var day: Date
      static let schema = Schema(
        Loan.init, Key("id", \.id), Field("book", \.book, .unique), Field("day", \.day, .unique))
    }
  }

  private static let day = Date(timeIntervalSinceReferenceDate: 730_512_000)
  private static let dayText = "2024-02-25T00:00:00Z"

  private func value(
    _ store: Store, _ body: (WriteTransaction) throws -> Void
  ) throws -> String? {
    do {
      try store.write { try body($0) }
      return nil
    } catch StoreError.duplicateKey(_, _, let value) { return value }
  }

  @Test func aLinkIsNamedByTheIdOfItsTargetAndADateAsSuch() throws {
    let store = try Store(.inMemory, models: Book.self, Hold.self, Loan.self)
    let (day, other) = (Self.day, Self.day + 1)
    try store.write { tx in
      for isbn in ["978-2", "978-1"] { try tx.insert(Book(isbn: isbn)) }
      try tx.insert(Hold(id: 1, book: Link(id: "978-1"), day: day))
      try tx.insert(Loan(id: 1, book: Link(id: "978-1"), day: day))
      try tx.insert(Loan(id: 2, book: Link(id: "978-1"), day: other))
    }
    let pair = "(978-1, \(Self.dayText))"
    #expect(
      try value(store) { try $0.insert(Hold(id: 2, book: Link(id: "978-1"), day: day)) } == "978-1")
    #expect(
      try value(store) { try $0.insert(Loan(id: 3, book: Link(id: "978-1"), day: day)) } == pair)
    #expect(try value(store) { try $0.update(Loan.self, id: 2) { $0.day = day } } == pair)
    #expect(try value(store) { _ = try $0.update(Loan.all) { $0.day = day } } == pair)
    // Of a book that the same transaction adds.
    #expect(
      try value(store) { tx in
        try tx.insert(Book(isbn: "978-3"))
        for id in 5...6 { try tx.insert(Hold(id: id, book: Link(id: "978-3"), day: day)) }
      } == "978-3")
    #expect(
      try value(store) { tx in
        for id in 5...6 { try tx.insert(Hold(id: id, book: Link(id: "978-4"), day: day)) }
      } == "978-4")
    #expect(try store.verify() == [])
  }

  @Test func soIsOneThatBecomesUnique() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/loans.roost"
      do {
        let store = try Store(.file(path), models: Book.self, Loan.self)
        try store.write { tx in
          for isbn in ["978-2", "978-1"] { try tx.insert(Book(isbn: isbn)) }
          for id in 1...2 {
            try tx.insert(Loan(id: id, book: Link(id: "978-1"), day: Self.day + Double(id)))
          }
          try tx.insert(Loan(id: 3, book: Link(id: "978-2"), day: Self.day + 1))
        }
      }
      let error = #expect(throws: StoreError.self) {
        try Store(.file(path), models: Book.self, Later.Loan.self)
      }
      let words = "\(try #require(error))"
      #expect(words.contains("978-1") && words.contains("2024-02-25T00:00:01Z"), "\(words)")
    }
  }
}
