import Foundation
import Roost
import RoostEngine
import RoostTestSupport
import Synchronization
import Testing

/// A step that catches the error of an operation and goes on: nothing half done is ever committed.
@Suite struct CaughtErrorTests {
  private struct Author: Model {
    let id: Int
    var name: String
    var mail: String
    var essay: String
    var note: String?
    var book: Link<Book>?
    var place: Place
    static let schema = Schema(
      Author.init, Key("id", \.id), Field("name", \.name), Field("mail", \.mail, .indexed),
      Field("essay", \.essay), Field("note", \.note, .unique),
      Field("book", \.book, .onTargetDelete(.deny)), Field("place", \.place))
  }
  private struct Book: Model {
    let id: String
    var title: String
    var cover: Blob
    static let schema = Schema(
      Book.init, Key("id", \.id), Field("title", \.title), Field("cover", \.cover))
  }
  private struct Place: Embedded {
    var city: String
    var zip: String
    static let fields = Fields(Place.init, Part("city", \.city), Part("zip", \.zip))
  }
  private enum Strict {
    struct Author: Model {
      let id: Int
      var mail: String
      var essay: String
      static let schema = Schema(
        Author.init, Key("id", \.id), Field("mail", \.mail, .unique),
        Field("essay", \.essay, .unique))
    }
  }
  private struct Refusal: Error {}
  typealias Operation = @Sendable (Migration) throws -> Void

  /// A file of 6,000 authors, in several leaves, and 10 books. The last two authors have the same name and mail.
  private func withLibrary(_ body: (String) throws -> Void) throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/library.roost"
      do {
        let store = try Store(.file(path), models: Author.self, Book.self)
        try store.write { transaction in
          for number in 0..<10 {
            try transaction.insert(Book(id: "b\(number)", title: "T", cover: Blob()))
          }
          for id in 0..<6000 {
            let number = min(id, 5998)
            try transaction.insert(
              Author(
                id: id, name: "N\(number)", mail: "\(number)@example.org",
                essay: String(repeating: "a", count: id == 5000 ? 1024 : 2) + "\(id)",
                note: id == 5500 ? nil : "\(id)", book: Link(id: "b\(id % 10)"),
                place: Place(city: "C", zip: "Z")))
          }
        }
        store.close()
      }
      try body(path)
    }
  }

  /// Runs a step that catches the error of an operation, and then adds a field.
  private func dryRun(_ path: String, _ operation: Operation?) throws -> MigrationReport.Part {
    let report = try Store.dryRun(at: .file(path), models: Author.self, Book.self) {
      MigrationStep("step") { migration in
        if let operation {
          do {
            try operation(migration)
            Issue.record("There was no error.")
          } catch {}
        }
        try? migration.add("after", to: "Author", default: 1)
      }
    }
    return try #require(report.parts.first)
  }

  /// Operations that change nothing where they throw.
  static let whole: [(name: String, Operation)] = [
    ("rename onto another", { try $0.rename("name", of: "Author", to: "mail") }),
    (
      "rename onto a part of another",
      { migration in
        try migration.rename("name", of: "Author", to: "spot.zip")
        defer { try? migration.rename("spot.zip", of: "Author", to: "name") }
        try migration.rename("place", of: "Author", to: "spot")
      }
    ),
    ("rename a model onto another", { try $0.renameModel("Author", to: "Book") }),
    ("remove the key", { try $0.remove("id", of: "Author") }),
    ("make the key optional", { try $0.makeOptional("id", of: "Book") }),
    ("remove a model with links to it", { try $0.removeModel("Book") }),
    ("link to no model", { try $0.addLink("x", to: "Author", target: "Nothing") }),
    ("copy a blob", { try $0.copy("cover", of: "Book", to: "other") }),
    ("equal values", { try $0.makeUnique("name", of: "Author") }),
    ("equal values of an index", { try $0.makeUnique("mail", of: "Author") }),
    ("values too long", { try $0.makeUnique("essay", of: "Author") }),
    ("a key that cannot be", { try $0.changeKey(of: "Book", to: "cover") }),
    ("an id that is taken", { try $0.insert(into: "Book") { try $0.set("id", to: "b1") } }),
    ("an object without an id", { try $0.insert(into: "Author") { _ in } }),
    ("an id of another type", { _ = try $0.object(of: "Book", id: 1) }),
    ("a closure of an insertion", { try $0.insert(into: "Book") { _ in throw Refusal() } }),
    ("a closure that only reads", { try $0.forEach("Book") { _ in throw Refusal() } }),
  ]

  /// Operations that are the step's end where they throw.
  static let ending: [(name: String, Operation)] = [
    (
      "convert",
      {
        try $0.convert("name", of: "Author", from: String.self, to: Int.self) {
          guard $0 != "N5998" else { throw Refusal() }
          return 1
        }
      }
    ),
    (
      "convert to equal values",
      {
        try $0.convert("note", of: "Author", from: String?.self, to: Int?.self) { _ in 1 }
      }
    ),
    (
      "convert to values too long",
      {
        try $0.convert("note", of: "Author", from: String?.self, to: String?.self) {
          $0.map { $0 + String(repeating: "a", count: 1022) }
        }
      }
    ),
    (
      "convert the key",
      {
        try $0.convert("id", of: "Author", from: Int.self, to: Int.self) { $0 / 2 }
      }
    ),
    ("require", { try $0.makeRequired("note", of: "Author", default: 7) }),
    (
      "require with a value that is taken",
      {
        try $0.makeRequired("note", of: "Author", default: "1")
      }
    ),
    ("settle", { try $0.makeUnique("name", of: "Author") { _, _ in throw Refusal() } }),
    ("settle nothing", { try $0.makeUnique("mail", of: "Author") { _, _ in } }),
    (
      "settle values too long",
      {
        try $0.makeUnique("essay", of: "Author") { _, other in
          other.delete()
        }
      }
    ),
    ("a key of equal values", { try $0.changeKey(of: "Author", to: "mail") }),
    ("a key that one lacks", { try $0.changeKey(of: "Author", to: "note") { _, _ in } }),
    (
      "rewrite",
      {
        try $0.rewrite("Author") { old, new in
          guard try old.value("id", as: Int.self) < 5999 else { throw Refusal() }
          try new.set("name", to: "")
        }
      }
    ),
    (
      "rewrite to equal values",
      {
        try $0.rewrite("Author") { _, new in
          try new.set("note", to: String?("same"))
        }
      }
    ),
    ("delete what may not go", { try $0.rewrite("Book") { _, new in new.delete() } }),
    (
      "within another pass",
      { migration in
        try migration.forEach("Book") { _ in
          try migration.rewrite("Author") { _, new in
            try new.set("name", to: "")
            throw Refusal()
          }
        }
      }
    ),
  ]

  @Test(arguments: Self.whole.indices) func anOperationThatThrowsHasChangedNothing(
    place: Int
  ) throws {
    let (name, operation) = Self.whole[place]
    try withLibrary { path in
      let (part, only) = (try dryRun(path, operation), try dryRun(path, nil))
      #expect(part.changes == only.changes, "\(name)")
      #expect(part.objects == only.objects, "\(name)")
      let store = try Store(.file(path), models: Author.self, Book.self) {
        MigrationStep("step") { migration in try? operation(migration) }
      }
      #expect(try store.verify() == [], "\(name)")
    }
  }

  @Test(arguments: Self.ending.indices) func anOperationThatWasHalfDoneEndsTheStep(
    place: Int
  ) throws {
    let (name, operation) = Self.ending[place]
    try withLibrary { path in
      func error(_ operation: @escaping Operation) -> StoreError? {
        do {
          _ = try Store(.file(path), models: Author.self, Book.self) {
            MigrationStep("step", body: operation)
          }
          Issue.record("\(name): the step was run.")
          return nil
        } catch { return error }
      }
      let thrown = error(operation)
      let caught = error { migration in
        try? operation(migration)
        try? migration.add("after", to: "Author", default: 1)
      }
      #expect(
        thrown != nil && caught?.code == thrown?.code, "\(name): \(String(describing: caught))")
      let store = try Store(.file(path), models: Author.self, Book.self)
      #expect(try store.history.isEmpty, "\(name)")
      #expect(try store.verify() == [], "\(name)")
    }
  }

  @Test func aValueThatIsRefusedIsNotSet() throws {
    try withLibrary { path in
      let store = try Store(.file(path), models: Author.self, Book.self) {
        MigrationStep("step") { migration in
          try migration.rewrite("Author") { old, new in
            let id = try old.value("id", as: Int.self)
            if id % 2 == 0 { #expect(throws: StoreError.self) { try new.set("name", to: 1) } }
            if id % 3 == 0 {
              #expect(throws: StoreError.self) { try new.set("name", to: String?.none) }
            } else {
              try new.set("name", to: "New \(id)")
            }
          }
          try migration.add("kind", to: "Book", default: "plain")
          try migration.insert(into: "Book") { new in
            try new.set("id", to: "new")
            try new.set("title", to: "New")
            #expect(throws: StoreError.self) { try new.set("kind", to: 1) }
            #expect(throws: StoreError.self) { try new.set("kind", to: String?.none) }
          }
        }
      }
      #expect(try store.verify() == [])
      for author in try store.snapshot().fetch(Author.all) {
        let old = "N\(min(author.id, 5998))"
        #expect(author.name == (author.id % 3 == 0 ? old : "New \(author.id)"))
      }
      #expect(try store.snapshot().fetch(Book.self, id: "new")?.title == "New")
    }
  }

  @Test func uniqueValuesOfAnyLengthAreRefusedAsAWriteRefusesThem() throws {
    for field in ["essay", "mail"] {
      try withTemporaryDirectory { directory in
        let path = directory + "/authors.roost"
        let store = try Store(.file(path), models: Author.self, Book.self)
        func author(_ id: Int, _ text: String) -> Author {
          Author(
            id: id, name: "", mail: text, essay: text, note: nil, book: nil,
            place: Place(city: "", zip: ""))
        }
        let long = String(repeating: "a", count: 1023)
        try store.write { tx in
          try tx.insert(author(1, long))
          // The same as far as an index tells, and another value.
          try tx.insert(author(2, long + "b"))
        }
        store.close()
        let step = MigrationStep("unique") { try $0.makeUnique(field, of: "Author") }
        let reason = StoreError.valueTooLong(model: "Author", field: field, limit: 1023).message
        #expect(
          throws: StoreError.migrationFailed(
            MigrationFailure(step: "unique", model: "Author", id: nil, field: field, reason: reason)
          )
        ) {
          try Store(.file(path), models: Author.self, Book.self) { step }
        }
        let again = try Store(.file(path), models: Author.self, Book.self)
        try again.write { tx in _ = try tx.delete(Author.self, id: 2) }
        again.close()
        // A value of 1,023 bytes is told apart.
        let last = try Store(.file(path), models: Strict.Author.self) { step }
        #expect(try last.verify() == [])
        #expect(throws: StoreError.valueTooLong(model: "Author", field: field, limit: 1023)) {
          try last.write { tx in
            try tx.insert(
              Strict.Author(
                id: 3, mail: field == "mail" ? long + "b" : "",
                essay: field == "essay" ? long + "b" : ""))
          }
        }
      }
    }
  }

  private enum Shop {
    struct Address: Embedded {
      var city: String
      var zip: String
      static let fields = Fields(
        Address.init, Part("city", \.city, .indexed), Part("zip", \.zip, .indexed))
    }
    struct Shop: Model {
      let id: Int
      var address: Address
      static let schema = Schema(Shop.init, Key("id", \.id), Field("address", \.address))
    }
  }
  private enum Bare {
    struct Shop: Model {
      let id: Int
      static let schema = Schema(Shop.init, Key("id", \.id))
    }
  }

  @Test func aStructOfWhichAPartCannotBeRemovedKeepsAllParts() throws {
    let path = "shops.roost"
    func configuration(_ disk: SimulatedDisk) -> Configuration {
      var configuration = Configuration()
      configuration.fileSystem = disk
      configuration.keepsBeforeMigration = 0
      return configuration
    }
    let original = SimulatedDisk()
    let store = try Store(
      .file(path), models: Shop.Shop.self, configuration: configuration(original))
    try store.write { transaction in
      for id in 0..<9000 {
        let address = Shop.Address(city: "city \(id &* 7919 % 9000)", zip: "\(id)")
        try transaction.insert(Shop.Shop(id: id, address: address))
      }
    }
    store.close()
    let bytes = try #require(original.contents(of: path))
    // Removing reads the nodes of both indexes: a fault at every one of these reads.
    var failures = 0
    for call in 1... {
      let disk = SimulatedDisk()
      disk.install(bytes, at: path)
      let hasFailed = Mutex(false)
      let store = try Store(
        .file(path), models: Bare.Shop.self, configuration: configuration(disk)
      ) {
        MigrationStep("no address") { migration in
          disk.inject(SimulatedDisk.Fault(.only(.read), call: call, .failOnce(EIO)))
          do { try migration.remove("address", of: "Shop") } catch {
            hasFailed.withLock { $0 = true }
          }
          disk.removeFaults()
        }
      }
      let kept = try store.keptFields.map(\.field)
      #expect(try store.verify() == [])
      guard hasFailed.withLock({ $0 }) else {
        #expect(kept == [])
        break
      }
      #expect(kept == ["address.city", "address.zip"], "call \(call)")
      failures += 1
    }
    #expect(failures > 2)
  }

  @Test func twoEmptyTextsAreEqualValues() throws {
    for field in ["essay", "mail"] {
      try withTemporaryDirectory { directory in
        let path = directory + "/authors.roost"
        let store = try Store(.file(path), models: Author.self, Book.self)
        try store.write { tx in
          for id in 1...2 {
            try tx.insert(
              Author(
                id: id, name: "", mail: "", essay: "", note: nil, book: nil,
                place: Place(city: "", zip: "")))
          }
        }
        store.close()
        let reason = MigrationFailure.equalValues("")
        #expect(
          throws: StoreError.migrationFailed(
            MigrationFailure(step: "unique", model: "Author", id: nil, field: field, reason: reason)
          )
        ) {
          try Store(.file(path), models: Author.self, Book.self) {
            MigrationStep("unique") { try $0.makeUnique(field, of: "Author") }
          }
        }
      }
    }
  }
}
