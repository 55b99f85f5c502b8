import Roost
import RoostTestSupport
import Synchronization
import Testing

/// A model whose Swift type was renamed: what is said without a step, and that the step may come later.
@Suite struct RenamedModelTests {
  enum Old {
    struct Person: Model {
      let id: Int
      var name: String
      var age: Int?
      static let schema = Schema(
        Person.init, Key("id", \.id), Field("name", \.name), Field("age", \.age))
    }
    struct Note: Model {
      let id: Int
      var person: Link<Person>?
      var readers: Links<Person> = []
      static let schema = Schema(
        Note.init, Key("id", \.id), Field("person", \.person), Field("readers", \.readers))
    }
    struct Tag: Model {
      let id: String
      static let schema = Schema(Tag.init, Key("id", \.id))
    }
  }
  enum New {
    struct Human: Model {
      let id: Int
      var name: String
      var age: Int?
      var email: String?
      static let schema = Schema(
        Human.init, Key("id", \.id), Field("name", \.name), Field("age", \.age),
        Field("email", \.email))
    }
    struct Note: Model {
      let id: Int
      var person: Link<Human>?
      var readers: Links<Human> = []
      static let schema = Schema(
        Note.init, Key("id", \.id), Field("person", \.person), Field("readers", \.readers))
    }
  }
  /// A model of its own, which has the key of the old one.
  struct Place: Model {
    let id: Int
    var street: String?
    var town: String?
    static let schema = Schema(
      Place.init, Key("id", \.id), Field("street", \.street), Field("town", \.town))
  }

  private let plan = MigrationPlan {
    MigrationStep("Human") { try $0.renameModel("Person", to: "Human") }
  }

  private func withFile(_ body: (String) throws -> Void) throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/people.roost"
      do {
        let store = try Store(.file(path), models: Old.Person.self, Old.Note.self, Old.Tag.self)
        try store.write { transaction in
          for id in 0..<10 { try transaction.insert(Old.Person(id: id, name: "N\(id)", age: id)) }
          try transaction.insert(Old.Note(id: 1, person: Link(id: 3), readers: Links(ids: [4, 5])))
          try transaction.insert(Old.Tag(id: "w"))
        }
      }
      try body(path)
    }
  }

  /// The lines of the log while a store is opened.
  private func log(_ open: (Configuration) throws -> Store) throws -> [String] {
    let lines = Mutex<[String]>([])
    let log: @Sendable (String) -> Void = { line in lines.withLock { $0.append(line) } }
    var configuration = Configuration()
    configuration.log = log
    _ = try open(configuration)
    return lines.withLock { $0 }
  }

  @Test func aNewModelThatIsLikeOneThatIsNotNamedAnyMoreIsSaidInTheLog() throws {
    try withFile { path in
      let lines = try log {
        try Store(.file(path), models: New.Human.self, Place.self, configuration: $0)
      }
      #expect(
        lines == [
          "The file has a model \"Person\", which none of the models is named after. Human, which has most of "
            + "its fields, is new, and has no objects. Those of \"Person\" are kept. If Person became Human, "
            + "add a step with `renameModel(\"Person\", to: \"Human\")`."
        ])
    }
    try withFile { path in
      // The models that the program has are no others' older ones.
      let lines = try log {
        try Store(
          .file(path), models: Old.Person.self, Old.Note.self, New.Human.self, configuration: $0)
      }
      #expect(lines == [])
    }
    try withFile { path in
      let lines = try log {
        try Store(.file(path), models: New.Human.self, configuration: $0) { plan }
      }
      #expect(lines == [])
    }
  }

  @Test func theStepMayComeAfterTheNewModelAsLongAsThatHasNoObjects() throws {
    try withFile { path in
      _ = try Store(.file(path), models: New.Human.self)
      let store = try Store(.file(path), models: New.Human.self, New.Note.self) { plan }
      #expect(try store.snapshot().fetch(New.Human.all).map(\.name) == (0..<10).map { "N\($0)" })
      let note = try store.snapshot().find(New.Note.self, id: 1)
      #expect(note.person?.id == 3 && note.readers == Links(ids: [4, 5]))
      #expect(try store.verify() == [])
    }
    try withFile { path in
      do {
        let store = try Store(.file(path), models: New.Human.self)
        try store.write { try $0.insert(New.Human(id: 1, name: "a", age: nil, email: nil)) }
      }
      let failure = MigrationFailure(
        step: "Human", model: "Person", id: nil, field: nil,
        reason: "The file has a model \"Human\" already. Remove or rename it before.")
      #expect(throws: StoreError.migrationFailed(failure)) {
        try Store(.file(path), models: New.Human.self) { plan }
      }
      let store = try Store(.file(path), models: New.Human.self, Old.Person.self)
      #expect(try store.snapshot().count(Old.Person.all) == 10)
      #expect(try store.snapshot().count(New.Human.all) == 1)
    }
  }

  @Test func whereLinksLeadToItTheErrorSuggestsToRenameTheModel() throws {
    try withFile { path in
      let error = StoreError.migrationRequired([
        .otherTarget(
          model: "Note", field: "person", stored: "Person", declared: "Human", isList: false),
        .otherTarget(
          model: "Note", field: "readers", stored: "Person", declared: "Human", isList: true),
      ])
      #expect(throws: error) { try Store(.file(path), models: New.Human.self, New.Note.self) }
      #expect(
        error.message == """
          The file does not fit the models, and was left as it is.
          Note.person is declared as Link<Human>, and stored with links to Person, which is none of the models.
          Note.readers is declared as Links<Human>, and stored with links to Person, which is none of the models.
          Add a step to the plan that the store is opened with, such as:
          MigrationStep("Person becomes Human") { try $0.renameModel("Person", to: "Human") }
          """)
      let store = try Store(.file(path), models: New.Human.self, New.Note.self) { plan }
      #expect(try store.snapshot().count(New.Human.all) == 10)
    }
  }

  @Test func aLinkToAnotherModelOfTheProgramHasAnotherType() throws {
    struct Note: Model {
      let id: Int
      var person: Link<Place>?
      static let schema = Schema(Note.init, Key("id", \.id), Field("person", \.person))
    }
    try withFile { path in
      #expect(
        throws: StoreError.migrationRequired([
          .otherType(
            model: "Note", field: "person", stored: "Link<Person>?", declared: "Link<Place>?")
        ])
      ) { try Store(.file(path), models: Old.Person.self, Place.self, Note.self) }
    }
  }
}
