import Foundation
import Roost
import RoostInterchange
import RoostTestSupport
import Testing

/// Nested texts of models of other kinds: keys that are no integers, unique fields, blobs, fields of other releases.
@Suite struct NestedKindsTests {
  struct Shelf: Model {
    let id: String
    static let books = Inverse(\Book.shelf, "books")
    static let schema = Schema(Shelf.init, Key("id", \.id))
  }

  struct Book: Model {
    let id: UUID
    var code: Int
    var cover = Blob()
    var shelf: Link<Shelf>?
    var next: Links<Shelf>
    static let pages = Inverse(\Page.book, "pages")
    static let schema = Schema(
      Book.init, Key("id", \.id, .assigned), Field("code", \.code, .unique),
      Field("cover", \.cover), Field("shelf", \.shelf), Field("next", \.next))
  }

  struct Page: Model {
    let id: UUID
    var number: Int
    var shelf: Link<Shelf>
    var book: Link<Book>
    static let schema = Schema(
      Page.init, Key("id", \.id, .assigned), Field("number", \.number), Field("shelf", \.shelf),
      Field("book", \.book, .onTargetDelete(.cascade)))
  }

  private func shelves() throws -> Store {
    try Store(.inMemory, models: Shelf.self, Book.self, Page.self)
  }

  private func upsert(_ json: String, in store: Store) throws {
    try store.write {
      try $0.upsert(Shelf.self, from: .text(json)) {
        $0.books(identifiedBy: \.code, replacing: true) {
          $0.next
          $0.pages(replacing: true) { $0.shelf }
        }
      }
    }
  }

  @Test func keysAreOfAnyType() throws {
    let store = try shelves()
    let json = #"""
      [{"books": [{"code": 1, "next": [{"id": "B"}, "A"], "pages": [
        {"number": 1, "shelf": {"id": "C"}}, {"number": 1, "shelf": "C"}, {"number": 2, "shelf": "A"}]}],
        "id": "A"}, {"id": "B", "books": [{"code": 2, "shelf": "B"}]}]
      """#
    try upsert(json, in: store)
    let snapshot = store.snapshot()
    let books = try snapshot.fetch(Book.all.order(by: \.code))
    #expect(books.map(\.shelf) == [Link(id: "A"), Link(id: "B")])
    #expect(books.map(\.next) == [["B", "A"], []])
    #expect(try snapshot.fetch(Shelf.all.order(by: \.id)).map(\.id) == ["A", "B", "C"])
    let pages = try snapshot.fetch(Book.pages(of: books[0].id))
    #expect(pages.map(\.number) == [1, 1, 2])
    #expect(pages.map(\.shelf.id) == ["C", "C", "A"])
    let version = try snapshot.version
    try upsert(json, in: store)
    #expect(try store.snapshot().version == version)
    try upsert(#"{"id": "A", "books": [{"code": 1, "pages": [{"shelf": "A"}]}]}"#, in: store)
    #expect(try store.snapshot().fetch(Page.all) == [pages[2]])
  }

  @Test func aUniqueValueOfAnObjectThatIsGoneIsFree() throws {
    let store = try shelves()
    let key = "00000000-0000-0000-0000-00000000000"
    try upsert(#"{"id": "A", "books": [{"id": "\#(key)1", "code": 1}]}"#, in: store)
    try upsert(#"{"id": "A", "books": [{"id": "\#(key)2", "code": 1}]}"#, in: store)
    #expect(try store.snapshot().fetch(Book.all).map(\.id.uuidString) == [key + "2"])
    let error = #expect(throws: StoreError.self) {
      try upsert(#"{"id": "B", "books": [{"id": "\#(key)3", "code": 1}]}"#, in: store)
    }
    guard case .malformedText(let problem)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(problem.model == "Book" && problem.field == "code" && problem.found == "1")
    #expect(problem.line == 1 && problem.column == 23)
    #expect(try store.snapshot().count(Shelf.all) == 1)
  }

  @Test func anObjectWithAUniqueValueOfAnotherIsLeftOutWithWhatItIsIn() throws {
    let store = try shelves()
    let key = "00000000-0000-0000-0000-00000000000"
    func shelf(_ id: String, _ book: Int, code: Int) -> String {
      #"{"id": "\#(id)", "books": [{"id": "\#(key)\#(book)", "code": \#(code)}]}"#
    }
    let text = [
      shelf("A", 1, code: 1), shelf("B", 2, code: 1), shelf("C", 3, code: 2),
      shelf("D", 4, code: 2), shelf("E", 5, code: 3),
    ].joined(separator: "\n")
    var refused: [TextProblem] = []
    try store.write { transaction in
      try transaction.upsert(
        Shelf.self, from: .text(text), as: .ndjson, leavingOut: { refused.append($0) }
      ) { $0.books }
    }
    #expect(refused.map(\.line) == [2, 4] && refused.map(\.found) == ["1", "2"])
    let shelves = try store.snapshot().fetch(Shelf.all.order(by: \.id))
    #expect(shelves.map(\.id) == ["A", "C", "E"])
    #expect(try store.snapshot().count(Book.all) == 3)
    // All of them at once, where none is left out.
    let other = try self.shelves()
    let error = #expect(throws: StoreError.self) {
      try other.write {
        _ = try $0.upsert(Shelf.self, from: .text(text), as: .ndjson) { $0.books }
      }
    }
    guard case .malformedText(let problem)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(problem.count == 2 && problem.others.map(\.line) == [4])
  }

  @Test func aBlobStaysUnlessTheTextGivesIt() throws {
    let store = try shelves()
    try upsert(#"{"id": "A", "books": [{"code": 1, "cover": "AQID"}]}"#, in: store)
    try upsert(#"{"id": "A", "books": [{"code": 1, "pages": []}]}"#, in: store)
    let id = try #require(try store.snapshot().fetch(Book.all).first?.id)
    #expect(try store.snapshot().blob(\Book.cover, of: id).read(0..<3) == [1, 2, 3])
    try upsert(#"{"id": "A", "books": [{"code": 1, "cover": "BA=="}]}"#, in: store)
    #expect(try store.snapshot().blob(\Book.cover, of: id).count == 1)
  }

  @Test func aLongTextIsReadInParts() throws {
    let store = try shelves()
    func text(_ codes: Range<Int>) -> String {
      codes.map { #"{"id": "\#($0 % 3000)", "books": [{"code": \#($0)}]}"# }.joined(separator: "\n")
    }
    func upsert(_ codes: Range<Int>) throws -> Int {
      try store.write {
        try $0.upsert(Shelf.self, from: .text(text(codes)), as: .ndjson) {
          $0.books(identifiedBy: \.code, replacing: true)
        }
      }
    }
    #expect(try upsert(0..<3000) == 3000)
    #expect(try store.snapshot().count(Book.all) == 3000)
    #expect(try upsert(3000..<6000) == 3000)
    #expect(try store.snapshot().count(Shelf.all) == 3000)
    #expect(try store.snapshot().fetch(Book.all).map(\.code).sorted() == Array(3000..<6000))
  }

  // MARK: Fields of other releases

  private enum New {
    struct Guest: Model {
      let id: Int
      var name: String
      var email: String?
      var house: Link<House>
      static let schema = Schema(
        Guest.init, Key("id", \.id), Field("name", \.name), Field("email", \.email),
        Field("house", \.house))
    }
    struct House: Model {
      let id: Int
      var street: String
      var rank: String?
      static let schema = Schema(
        House.init, Key("id", \.id), Field("street", \.street), Field("rank", \.rank))
    }
  }

  private enum Old {
    struct Guest: Model {
      let id: Int
      var name: String
      var house: Link<House>
      static let schema = Schema(
        Guest.init, Key("id", \.id), Field("name", \.name), Field("house", \.house))
    }
    struct House: Model {
      let id: Int
      var street: String
      static let guests = Inverse(\Guest.house, "guests")
      static let schema = Schema(House.init, Key("id", \.id), Field("street", \.street))
    }
  }

  @Test func fieldsThatTheProgramDoesNotNameSurvive() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/houses.roost"
      do {
        let store = try Store(.file(path), models: New.House.self, New.Guest.self)
        try store.write {
          try $0.insert(New.House(id: 1, street: "Old Street", rank: "high"))
          try $0.insert(New.Guest(id: 1, name: "Ann", email: "ann@example.org", house: Link(id: 1)))
        }
      }
      do {
        let store = try Store(.file(path), models: Old.House.self, Old.Guest.self)
        let guests = #"[{"id": 1, "name": "Anna"}, {"id": 2, "name": "Bo"}]"#
        let json = #"{"id": 1, "street": "New Street", "guests": \#(guests)}"#
        try store.write {
          try $0.upsert(Old.House.self, from: .text(json)) { $0.guests(replacing: true) }
        }
      }
      let store = try Store(.file(path), models: New.House.self, New.Guest.self)
      #expect(
        try store.snapshot().fetch(New.House.all)
          == [New.House(id: 1, street: "New Street", rank: "high")])
      #expect(
        try store.snapshot().fetch(New.Guest.all) == [
          New.Guest(id: 1, name: "Anna", email: "ann@example.org", house: Link(id: 1)),
          New.Guest(id: 2, name: "Bo", email: nil, house: Link(id: 1)),
        ])
    }
  }
}
