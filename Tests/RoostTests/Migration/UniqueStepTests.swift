import Roost
import RoostTestSupport
import Testing

/// What a step that makes a field unique can read of the objects that have the same value.
@Suite struct UniqueStepTests {
  struct Author: Model {
    let id: Int
    var name: String
    var books: Int
    var partner: Link<Author>?
    static let schema = Schema(
      Author.init, Key("id", \.id), Field("name", \.name), Field("books", \.books),
      Field("partner", \.partner, .onTargetDelete(.nullify)))
  }

  enum Unique {
    struct Author: Model {
      let id: Int
      var name: String
      var books: Int
      var partner: Link<Author>?
      static let schema = Schema(
        Author.init, Key("id", \.id), Field("name", \.name, .unique), Field("books", \.books),
        Field("partner", \.partner, .onTargetDelete(.nullify)))
    }
  }

  @Test func withoutAWayToSettleItAnErrorSaysHow() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/authors.roost"
      let before = try Store(.file(path), models: Author.self)
      try before.write {
        for id in 1...2 {
          try $0.insert(Author(id: id, name: "Ann", books: 3, partner: nil))
        }
      }
      before.close()
      let failure = MigrationFailure(
        step: "names are unique", model: "Author", id: nil, field: "name",
        reason: MigrationFailure.equalValues("Ann"),
        completed: [])
      #expect(throws: StoreError.migrationFailed(failure)) {
        try Store(.file(path), models: Unique.Author.self) {
          MigrationStep("names are unique") { try $0.makeUnique("name", of: "Author") }
        }
      }
    }
  }

  @Test func bothObjectsAreRead() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/authors.roost"
      let before = try Store(.file(path), models: Author.self)
      try before.write {
        try $0.insert(contentsOf: [
          Author(id: 1, name: "Ann", books: 3, partner: nil),
          Author(id: 2, name: "Ben", books: 1, partner: Link(id: 1)),
          Author(id: 3, name: "Ann", books: 3, partner: nil),
          Author(id: 4, name: "Ann", books: 7, partner: Link(id: 2)),
        ])
      }
      before.close()
      let store = try Store(.file(path), models: Unique.Author.self) {
        MigrationStep("names are unique") {
          try $0.makeUnique("name", of: "Author") { first, other in
            let old = try other.old
            guard try first.value("books", as: Int.self) != old.value("books") else {
              return other.delete()
            }
            let partner = try old.object("partner")?.value("name", as: String.self) ?? "?"
            try other.set("name", to: "Ann, of \(partner)")
            // It stays what it was.
            #expect(try other.old.value("name", as: String.self) == "Ann")
          }
        }
      }
      let authors = try store.snapshot().fetch(Unique.Author.all)
      #expect(authors.map(\.name) == ["Ann", "Ben", "Ann, of Ben"])
      #expect(try store.verify() == [])
    }
  }

  @Test func aNewObjectWasNothingBefore() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/authors.roost"
      try Store(.file(path), models: Author.self).close()
      let error = #expect(throws: StoreError.self) {
        try Store(.file(path), models: Author.self) {
          MigrationStep("one more") {
            try $0.insert(into: "Author") { _ = try $0.old }
          }
        }
      }
      guard case .migrationFailed(let failure)? = error else { throw try #require(error) }
      #expect(failure.reason == "The object is new: it was not there before.")
    }
  }
}

extension MigrationFailure {
  /// The reason where objects have the same value in a field that a step makes unique.
  static func equalValues(_ value: String) -> String {
    "Several objects have the value \(value). Give them others, or say in the closure of `makeUnique` or `changeKey` "
      + "what becomes of each but the first: `{ first, other in other.delete() }`."
  }
}
