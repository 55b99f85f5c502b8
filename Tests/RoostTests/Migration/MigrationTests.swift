import Foundation
import Roost
import RoostEngine
import RoostTestSupport
import Synchronization
import Testing

/// What steps do, one by one, and what is refused.
@Suite struct MigrationTests {
  enum Old {
    struct Author: Model {
      let id: Int
      var name: String
      var books: Links<Book> = []
      static let schema = Schema(
        Author.init, Key("id", \.id), Field("name", \.name, .indexed), Field("books", \.books))
    }
    struct Book: Model {
      let id: String
      var title: String
      var pages: Int?
      var place: Place
      static let schema = Schema(
        Book.init, Key("id", \.id), Field("title", \.title), Field("pages", \.pages),
        Field("place", \.place))
    }
    struct Place: Embedded {
      var city: String
      var zip: String?
      static let fields = Fields(Place.init, Part("city", \.city), Part("zip", \.zip))
    }
  }

  private let configuration = Configuration()

  /// A file of 5,000 books and 10 authors.
  func withLibrary(_ body: (String) throws -> Void) throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/library.roost"
      do {
        let store = try Store(.file(path), models: Old.Author.self, Old.Book.self)
        try store.write { transaction in
          for number in 0..<5000 {
            try transaction.insert(
              Old.Book(
                id: "b\(number)", title: "T\(number / 2)", pages: number % 5 == 0 ? nil : number,
                place: Old.Place(city: "C\(number % 3)", zip: number % 2 == 0 ? nil : "Z")))
          }
          for id in 0..<10 {
            try transaction.insert(
              Old.Author(id: id, name: "A\(id % 4)", books: Links(ids: ["b\(id)", "b\(id + 10)"])))
          }
        }
      }
      try body(path)
    }
  }

  private func bytes(_ path: String) throws -> Data {
    try Data(contentsOf: URL(fileURLWithPath: path))
  }

  /// Opens the library with the old models and some steps.
  func open(
    _ path: String, _ configuration: Configuration = Configuration(),
    @MigrationPlanBuilder _ steps: () -> [MigrationStep]
  ) throws(StoreError) -> Store {
    try Store(
      .file(path), models: Old.Author.self, Old.Book.self, configuration: configuration,
      migrations: steps)
  }

  // MARK: Refusals

  @Test func aFileThatLacksAStepIsRefusedWhereNothingMayBeChanged() throws {
    try withLibrary { path in
      let before = try bytes(path)
      var reading = Configuration()
      reading.isReadOnly = true
      var visiting = Configuration()
      visiting.migrates = false
      for configuration in [reading, visiting] {
        #expect(throws: StoreError.migrationRequired([.pendingStep("one"), .pendingStep("two")])) {
          try self.open(path, configuration) {
            MigrationStep("one") { try $0.makeOptional("title", of: "Book") }
            MigrationStep("two") { try $0.makeOptional("title", of: "Book") }
          }
        }
      }
      #expect(try bytes(path) == before)
    }
  }

  @Test func whatWouldBeAddedIsSaidWhereNothingMayBeChanged() throws {
    struct Book: Model {
      let id: String
      var name: String
      var stars: Int
      static let schema = Schema(
        Book.init, Key("id", \.id), Field("name", \.name, .was("title")),
        Field("stars", \.stars, .default(0)))
    }
    struct Reader: Model {
      let id: Int
      static let schema = Schema(Reader.init, Key("id", \.id))
    }
    struct Author: Model {
      let id: Int
      var name: String?
      static let schema = Schema(Author.init, Key("id", \.id), Field("name", \.name))
    }
    try withLibrary { path in
      let before = try bytes(path)
      var reading = Configuration()
      reading.isReadOnly = true
      var visiting = Configuration()
      visiting.migrates = false
      #expect(
        throws: StoreError.migrationRequired([
          .pendingChange(model: "Reader", field: nil),
          .pendingChange(model: "Book", field: "name"),
          .pendingChange(model: "Book", field: "stars"),
        ])
      ) { try Store(.file(path), models: Book.self, Reader.self, configuration: reading) }
      // Who writes must not write what the file does not allow yet; who reads reads it.
      #expect(
        throws: StoreError.migrationRequired([.pendingChange(model: "Author", field: "name")])
      ) { try Store(.file(path), models: Author.self, configuration: visiting) }
      let store = try Store(.file(path), models: Author.self, configuration: reading)
      #expect(try store.snapshot().find(Author.self, id: 5).name == "A1")
      #expect(try bytes(path) == before)
    }
  }

  @Test func aStepThatFailsNamesTheObjectAndChangesNothing() throws {
    try withLibrary { path in
      struct Unfit: Error, CustomStringConvertible { let description = "the title is odd" }
      let failure = MigrationFailure(
        step: "two", model: "Book", id: "b4712", field: "title", reason: "the title is odd",
        completed: ["one"])
      #expect(
        failure.description
          == "The migration's step \"two\" could not go on at title of Book b4712: the title is odd. The file is as it was "
          + "before the step. The step \"one\" was run before it and will not run again: to correct it, add a step."
      )
      #expect(throws: StoreError.migrationFailed(failure)) {
        try self.open(path) {
          MigrationStep("one") { try $0.rename("city", of: "Author", to: "town") }
          MigrationStep("two") {
            try $0.remove("pages", of: "Book")
            try $0.convert("title", of: "Book", from: String.self, to: Int.self) {
              if $0 == "T2356" { throw Unfit() }
              return $0.count
            }
          }
        }
      }
      // The step before stays, and nothing of the one that failed.
      let store = try open(path) {
        MigrationStep("one") { _ in Issue.record("The step was run twice.") }
      }
      #expect(try store.history.map(\.name) == ["one"])
      #expect(try store.snapshot().find(Old.Book.self, id: "b4712").title == "T2356")
      #expect(try store.snapshot().find(Old.Book.self, id: "b4712").pages == 4712)
      #expect(try store.verify() == [])
    }
  }

  @Test func whatAStepMistakesOfAFieldIsSaid() throws {
    try withLibrary { path in
      func failure(_ body: @escaping @Sendable (Migration) throws -> Void) -> MigrationFailure? {
        do {
          _ = try open(path) { MigrationStep("wrong", body: body) }
        } catch {
          if case .migrationFailed(let failure) = error { return failure }
        }
        return nil
      }
      #expect(
        failure { try $0.rewrite("Book") { old, _ in _ = try old.value("title", as: Int.self) } }
          == MigrationFailure(
            step: "wrong", model: "Book", id: "b0", field: "title",
            reason: "It stores String, not Int."))
      #expect(
        failure { try $0.rewrite("Book") { old, _ in _ = try old.value("pages", as: Int.self) } }
          == MigrationFailure(
            step: "wrong", model: "Book", id: "b0", field: "pages",
            reason: "It has no value. Read it as an optional."))
      #expect(
        failure { try $0.rewrite("Book") { old, _ in _ = try old.value("pagez", as: Int.self) } }
          == MigrationFailure(
            step: "wrong", model: "Book", id: "b0", field: "pagez",
            reason: """
              The file has no such field, but "id", "title", "pages", "place.city", "place.zip". \
              Read it as an optional only where it may be missing.
              """))
      #expect(
        failure { try $0.rewrite("Book") { _, new in try new.set("pagez", to: 1) } }
          == MigrationFailure(
            step: "wrong", model: "Book", id: "b0", field: "pagez",
            reason: "There is no such field. Add it with `add` before."))
      #expect(
        failure { try $0.rename("title", of: "Book", to: "pages") }
          == MigrationFailure(
            step: "wrong", model: "Book", id: nil, field: "title",
            reason: "The file has a field \"pages\" already. Remove or rename it before."))
      #expect(
        failure { try $0.makeUnique("title", of: "Book") }
          == MigrationFailure(
            step: "wrong", model: "Book", id: nil, field: "title",
            reason: MigrationFailure.equalValues("T0")))
      #expect(
        failure { try $0.removeModel("Book") }
          == MigrationFailure(
            step: "wrong", model: "Book", id: nil, field: nil,
            reason: "Author.books links to it. Remove that before."))
    }
  }

  @Test func twoStepsOfOneNameAreAnError() throws {
    let error = StoreError.planInvalid(
      step: "one", reason: "Two steps have this name. Give the newer one another.")
    #expect(throws: error) {
      try Store(.inMemory, models: Old.Book.self) {
        MigrationStep("one") { _ in }
        MigrationStep("one") { _ in }
      }
    }
  }

  @Test func aStepWhoseNamesAreNowhereIsFoundWithoutAFile() throws {
    func error(_ body: @escaping @Sendable (Migration) throws -> Void) -> StoreError? {
      do {
        try MigrationPlan { MigrationStep("one", body: body) }
          .validate(models: Old.Author.self, Old.Book.self)
        return nil
      } catch { return error as? StoreError }
    }
    #expect(
      error { try $0.rename("name", of: "Book", to: "titel") }
        == .planInvalid(
          step: "one",
          reason: "No model declares Book.titel, and no later step renames or removes it. Mend the "
            + "name, or remove the field in a later step."))
    #expect(
      error { try $0.renameModel("Paper", to: "Bock") }
        == .planInvalid(
          step: "one",
          reason: "There is no model Bock, and no later step renames or removes it. Mend the name, "
            + "or remove the model in a later step."))
    #expect(
      error { try $0.remove("title", of: "Book") }
        == .planInvalid(
          step: "one",
          reason:
            "It removes Book.title, which the model declares. Remove the field from the model."))
    #expect(
      error { try $0.convert("pagez", of: "Book", from: Int.self, to: Int.self) { $0 } } != nil)
    #expect(error { try $0.rewrite("Boook") { _, _ in } } != nil)
    #expect(error { try $0.rename("town", of: "Book", to: "place.city") } == nil)
    #expect(
      error {
        try $0.rename("name", of: "Paper", to: "heading")
        try $0.renameModel("Paper", to: "Book")
        try $0.rename("heading", of: "Book", to: "title")
      } == nil)
  }

  @Test func programsThatDoNotKnowACompatibleStepOpenTheFile() throws {
    try withLibrary { path in
      try open(path) {
        MigrationStep("loosen", .compatible) { try $0.makeOptional("title", of: "Book") }
      }.close()
      // It is required for them, and no object lacks it.
      let store = try open(path) {}
      #expect(try store.history.map(\.isCompatible) == [true])
      #expect(try store.snapshot().count(Old.Book.all) == 5000)
    }
  }

  @Test func namesOfTheStoresOwnAreNoProgramsValues() throws {
    let store = try Store(.inMemory, models: Old.Book.self, Old.Author.self) {
      MigrationStep("one") { _ in }
    }
    let error = StoreError.schemaInvalid(
      model: "the value \"roost.history\"",
      reason: "names that begin with \"roost.\" are the store's own.")
    #expect(throws: error) { try store.write { try $0.setValue("roost.history", to: 1) } }
    #expect(throws: error) { try store.write { try $0.removeValue("roost.history") } }
    #expect(try store.history.map(\.name) == ["one"])
  }

  // MARK: What needs no step

  enum Renamed {
    struct Book: Model {
      let id: String
      var heading: String
      var pages: Int
      var location: Place
      static let schema = Schema(
        Book.init, Key("id", \.id), Field("heading", \.heading, .was("title")),
        Field("pages", \.pages, .default(-1)), Field("location", \.location, .was("place")))
    }
    struct Place: Embedded {
      var town: String
      var zip: String?
      static let fields = Fields(
        Place.init, Part("town", \.town, .was("city"), .indexed), Part("zip", \.zip))
    }
  }

  @Test func aFieldThatWasCalledOtherwiseIsRenamedAndOneWithADefaultIsRequired() throws {
    try withLibrary { path in
      let store = try Store(.file(path), models: Renamed.Book.self)
      let books = try store.snapshot().fetch(Renamed.Book.all.order(by: \.id))
      #expect(books.count == 5000)
      for book in books {
        let number = try #require(Int(book.id.dropFirst()))
        #expect(
          book
            == Renamed.Book(
              id: "b\(number)", heading: "T\(number / 2)", pages: number % 5 == 0 ? -1 : number,
              location: Renamed.Place(town: "C\(number % 3)", zip: number % 2 == 0 ? nil : "Z")))
      }
      #expect(try store.keptFields.map(\.model) == ["Author", "Author", "Author"])
      #expect(try store.snapshot().count(Renamed.Book.where { $0.location.town == "C1" }) == 1667)
    }
  }

  enum Mistyped {
    struct Book: Model {
      let id: String
      var title: String
      var page: Int?
      static let schema = Schema(
        Book.init, Key("id", \.id), Field("title", \.title), Field("page", \.page))
    }
  }

  @Test func aFieldThatVanishesWhileAnotherAppearsIsSaidInTheLog() throws {
    try withLibrary { path in
      let lines = Mutex<[String]>([])
      let log: @Sendable (String) -> Void = { line in lines.withLock { $0.append(line) } }
      var configuration = Configuration()
      configuration.log = log
      _ = try Store(.file(path), models: Mistyped.Book.self, configuration: configuration)
      #expect(
        lines.withLock { $0 } == [
          "Book has a new field \"page\", and \"pages\" of the same type is not declared any more. Its "
            + "values are kept. If it is the same field under another name, declare it with "
            + "`.was(\"pages\")`."
        ])
    }
  }

  enum Corrected {
    struct Book: Model {
      let id: String
      var title: String
      var page: Int?
      static let schema = Schema(
        Book.init, Key("id", \.id), Field("title", \.title), Field("page", \.page, .was("pages")))
    }
  }

  @Test(arguments: [false, true])
  func anOlderNameThatIsDeclaredLateTakesTheValuesWhereTheNewFieldHasNone(
    isUsedMeanwhile: Bool
  ) throws {
    try withLibrary { path in
      do {
        let store = try Store(.file(path), models: Mistyped.Book.self)
        if isUsedMeanwhile {
          try store.write { _ = try $0.update(Mistyped.Book.self, id: "b4999") { $0.page = 7 } }
        }
      }
      let lines = Mutex<[String]>([])
      var configuration = Configuration()
      configuration.log = { line in lines.withLock { $0.append(line) } }
      for _ in 0..<2 {
        let store = try Store(
          .file(path), models: Corrected.Book.self, configuration: configuration)
        let book = try store.snapshot().find(Corrected.Book.self, id: "b4999")
        #expect(book.page == (isUsedMeanwhile ? 7 : 4999))
        let isKept = try store.keptFields.contains { $0.model == "Book" && $0.field == "pages" }
        #expect(isKept == isUsedMeanwhile)
      }
      let note =
        "Book has values in \"page\" and in its older name \"pages\", which are kept there, and not read. "
        + "If they are wanted, take them by a step with `rewrite`, and remove the older field."
      #expect(lines.withLock { $0 } == (isUsedMeanwhile ? [note, note] : []))
    }
  }

  @Test func addingAFieldThatIsThereWithAnotherTypeIsAnError() throws {
    try withLibrary { path in
      let before = try bytes(path)
      let error = StoreError.migrationFailed(
        MigrationFailure(
          step: "title", model: "Book", id: nil, field: "title",
          reason: "The file has it already, with another type.", completed: []))
      #expect(throws: error) {
        try Store(.file(path), models: Old.Author.self, Old.Book.self) {
          MigrationStep("title") { try $0.add("title", to: "Book", default: 7) }
        }
      }
      #expect(try bytes(path) == before)
      let store = try Store(.file(path), models: Old.Author.self, Old.Book.self) {
        MigrationStep("title") { try $0.add("title", to: "Book", default: "none") }
      }
      #expect(try store.snapshot().count(Old.Book.where { $0.title == "none" }) == 0)
    }
  }

  @Test func anOlderNameWithoutValuesIsNotToldAgain() throws {
    try withLibrary { path in
      do {
        let store = try Store(.file(path), models: Old.Author.self, Old.Book.self)
        try store.write { transaction in
          for number in 0..<5000 {
            try transaction.update(Old.Book.self, id: "b\(number)", set: \.pages, to: nil)
          }
        }
      }
      do {
        let store = try Store(.file(path), models: Mistyped.Book.self)
        try store.write { _ = try $0.update(Mistyped.Book.self, id: "b7") { $0.page = 7 } }
      }
      let lines = Mutex<[String]>([])
      var configuration = Configuration()
      configuration.log = { line in lines.withLock { $0.append(line) } }
      let store = try Store(.file(path), models: Corrected.Book.self, configuration: configuration)
      #expect(try store.snapshot().find(Corrected.Book.self, id: "b7").page == 7)
      #expect(lines.withLock { $0 }.isEmpty)
    }
  }

  enum Other {
    struct Book: Model {
      let id: String
      var title: Int
      var price: Double
      static let schema = Schema(
        Book.init, Key("id", \.id), Field("title", \.title), Field("price", \.price))
    }
  }

  @Test func everythingElseNamesTheStepToWriteOrStartsAnewWhereThatIsSaid() throws {
    try withLibrary { path in
      let before = try bytes(path)
      let differences: [SchemaDifference] = [
        .otherType(model: "Book", field: "title", stored: "String", declared: "Int"),
        .missingField(
          model: "Book", field: "price", declared: "Double", undeclared: [],
          others: ["pages": "Int?"]),
      ]
      let error = StoreError.migrationRequired(differences)
      #expect(throws: error) { try Store(.file(path), models: Other.Book.self) }
      #expect(try bytes(path) == before)
      #expect(
        error.message == """
          The file does not fit the models, and was left as it is.
          Book.title is declared as Int, and stored as String.
          Book.price is declared as Double, and the file has no such field. It has "pages" (Int?), which Book does not declare.
          Book.price needs no step if its field says `.default(…)`, or if it is an optional.
          Add a step to the plan that the store is opened with, such as:
          MigrationStep("Book.title becomes Int") {
            try $0.convert("title", of: "Book", from: String.self, to: Int.self) { Int($0) ?? <#Int#> }
          }
          // If it was "pages": `rename`, then `convert`, in place of `add`.
          MigrationStep("add Book.price") {
            try $0.add("price", to: "Book", default: <#Double#> as Double)
          }
          """)

      var configuration = Configuration()
      configuration.onSchemaChange = .recreate
      let store = try Store(.file(path), models: Other.Book.self, configuration: configuration)
      #expect(try store.snapshot().count(Other.Book.all) == 0)
    }
  }

  // MARK: Steps

  @Test func stepsChangeFieldsAndFindLinksAndWhatLinks() throws {
    try withLibrary { path in
      let titles = Mutex<[String]>([])
      let store = try Store(.file(path), models: Old.Book.self) {
        MigrationStep("authors are texts of books") { migration in
          try migration.add("authors", to: "Book", default: [String]())
          try migration.copy("title", of: "Book", to: "heading")
          try migration.rewrite("Book") { old, new in
            let authors = try old.objects(of: "Author", linkingBy: "books")
            guard !authors.isEmpty else { return }
            try new.set("authors", to: try authors.map { try $0.value("name", as: String.self) })
          }
          try migration.forEach("Author") { author in
            let books = try author.objects("books").map { try $0.value("title", as: String.self) }
            titles.withLock { $0 += books }
          }
          try migration.removeModel("Author")
          try migration.makeRequired("pages", of: "Book", default: 0)
          try migration.makeOptional("pages", of: "Book")
        }
        MigrationStep("no books of many pages") {
          try $0.rewrite("Book") { old, new in
            if try old.value("pages", as: Int.self) >= 1000 { new.delete() }
          }
        }
      }
      #expect(
        titles.withLock { $0 } == (0..<10).flatMap { ["T\($0 / 2)", "T\(($0 + 10) / 2)"] })
      #expect(try store.keptFields.map(\.field) == ["authors", "heading"])
      let books = try store.snapshot().fetch(Old.Book.all)
      #expect(books.count == 1800)
      #expect(try store.snapshot().find(Old.Book.self, id: "b10").pages == 0)
      #expect(try store.verify() == [])

      struct Texts {
        struct Book: Model {
          let id: String
          var heading: String
          var authors: [String]
          static let schema = Schema(
            Book.init, Key("id", \.id), Field("heading", \.heading), Field("authors", \.authors))
        }
      }
      let texts = try Store(
        .file(path), models: Texts.Book.self,
        migrations: {
          MigrationStep("authors are texts of books") { _ in }
          MigrationStep("no books of many pages") { _ in }
        })
      #expect(
        try texts.snapshot().find(Texts.Book.self, id: "b12")
          == Texts.Book(id: "b12", heading: "T6", authors: ["A2"]))
      #expect(try texts.snapshot().find(Texts.Book.self, id: "b25").authors == [])
    }
  }

  enum Unique {
    struct Author: Model {
      let id: Int
      var name: String
      static let schema = Schema(
        Author.init, Key("id", \.id), Field("name", \.name, .unique))
    }
  }

  @Test func equalValuesBecomeUniqueAsTheStepSays() throws {
    try withLibrary { path in
      let store = try Store(.file(path), models: Unique.Author.self) {
        MigrationStep("names are unique") {
          try $0.makeUnique("name", of: "Author") { first, other in
            let name = try first.value("name", as: String.self)
            if name == "A0" { return other.delete() }
            try other.set("name", to: "\(name) \(UUID())")
          }
        }
      }
      let authors = try store.snapshot().fetch(Unique.Author.all)
      #expect(authors.map(\.id) == [0, 1, 2, 3, 5, 6, 7, 9])
      #expect(authors.prefix(4).map(\.name) == ["A0", "A1", "A2", "A3"])
      #expect(Set(authors.map(\.name)).count == 8)
      #expect(throws: StoreError.duplicateKey(model: "Author", field: "name", value: "A1")) {
        try store.write { try $0.insert(Unique.Author(id: 20, name: "A1")) }
      }
      #expect(try store.verify() == [])
    }
  }

  enum Indexed {
    struct Book: Model {
      let id: String
      var title: String
      var pages: Int?
      static let schema = Schema(
        Book.init, Key("id", \.id), Field("title", \.title), Field("pages", \.pages))
      static let indexes: [Index<Book>] = [
        Index(\.title, \.pages), Index(\.pages, where: { $0.title == "T7" }),
        Index(\.pages, \.title),
      ]
    }
  }

  private struct Shelf: Model {
    let id: Int
    static let schema = Schema(Shelf.init, Key("id", \.id))
  }

  @Test func indexesOfSeveralFieldsStayWhereOneIsConverted() throws {
    func indexes(_ store: Store) -> [String] {
      let table = store.binding.catalog.table(named: "Book")
      return table.map { table in table.indexes.map(table.name) } ?? []
    }
    try withLibrary { path in
      let before = try Store(.file(path), models: Indexed.Book.self)
      #expect(
        indexes(before) == [
          "title, pages", "pages where title == T7", "pages, title",
        ])
      before.close()
      // A program that does not name the model.
      let after = try Store(.file(path), models: Shelf.self) {
        MigrationStep("pages are texts") {
          try $0.convert("pages", of: "Book", from: Int?.self, to: String?.self) {
            $0.map { "\($0)" }
          }
        }
        MigrationStep("titles are lengths") {
          try $0.convert("title", of: "Book", from: String.self, to: Int.self) { $0.count }
        }
      }
      // The condition compares texts with the title.
      #expect(Set(indexes(after)) == ["title, pages", "pages, title"])
      #expect(try after.verify() == [])
    }
  }
}
