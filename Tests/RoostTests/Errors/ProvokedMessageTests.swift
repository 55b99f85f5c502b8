import Foundation
import Roost
import RoostTestSupport
import Testing

/// What a program reads after a mistake that the compiler does not see.
@Suite struct ProvokedMessageTests {
  /// The message of the error that `body` throws.
  private func message(_ body: () throws -> Void) -> String {
    do {
      try body()
      return "There was no error."
    } catch { return (error as? StoreError)?.message ?? "It was another error: \(error)" }
  }

  private func opening<each M: Model>(_ models: repeat (each M).Type) -> String {
    message { _ = try Store(.inMemory, models: repeat each models) }
  }

  // MARK: Models

  private struct Keyless: Model {
    let id: Int
    static let schema = Schema(Keyless.init, Field("id", \.id))
  }
  private struct OptionalKey: Model {
    let id: Double?
    static let schema = Schema(OptionalKey.init, Key("id", \.id))
  }
  private struct FloatingKey: Model {
    let id: Double
    static let schema = Schema(FloatingKey.init, Key("id", \.id))
  }
  private struct Twice: Model {
    let id: Int
    var first: String
    var second: String
    static let schema = Schema(
      Twice.init, Key("id", \.id), Field("name", \.first), Field("name", \.second))
  }
  private struct Swapped: Model {
    let id: Int
    var first: String
    var second: String
    static let schema = Schema(
      Swapped.init, Key("id", \.id), Field("second", \.second), Field("first", \.first))
  }
  private struct Copied: Model {
    let id: Int
    var first: String
    var second: String
    static let schema = Schema(
      Copied.init, Key("id", \.id), Field("first", \.first), Field("second", \.first))
  }
  private struct LinkingToUnlisted: Model {
    let id: Int
    var tag: Link<Tag>?
    static let schema = Schema(LinkingToUnlisted.init, Key("id", \.id), Field("tag", \.tag))
  }

  @Test func aModelThatCannotBeStoredIsExplained() {
    #expect(
      opening(Keyless.self) == "The schema of Keyless needs exactly one `Key(\"id\", \\.id)`.")
    #expect(
      opening(OptionalKey.self)
        == "The schema of OptionalKey cannot be stored: the key \"id\" may not be optional.")
    #expect(
      opening(FloatingKey.self)
        == "The schema of FloatingKey cannot be stored: the key \"id\" is a Double, which cannot be one; an integer, a text "
        + "or a UUID can.")
    #expect(
      opening(Twice.self)
        == "The schema of Twice cannot be stored: two fields are called \"name\".")
    #expect(
      opening(Swapped.self)
        == "The schema of Swapped lists its fields in another order than the initializer takes them: \"second\" receives "
        + "the value of \"first\". List them in the initializer's order.")
    #expect(
      opening(Copied.self)
        == "The schema of Copied cannot be stored: the field \"second\" has the value of \"first\" always: both name one "
        + "property, or the initializer sets both from one parameter.")
    #expect(
      opening(LinkingToUnlisted.self)
        == "Tag is not among the models of this store. Add `Tag.self` where the store is opened.")
  }

  // MARK: Objects

  @Test func anObjectThatCannotBeWrittenIsExplained() throws {
    let store = try Store(.inMemory, models: Account.self, Dog.self)
    let ann = Account(id: UUID(), email: "ann@example.org", phone: nil)
    try store.write { try $0.insert(ann) }
    #expect(
      message { try store.write { try $0.insert(ann) } }
        == "Account already has an object whose id is \(ann.id). Give the new one another id, or change the object that is there: `upsert` replaces one of the same id alone."
    )
    #expect(
      message { _ = try store.snapshot().find(Dog.self, id: 3) }
        == "There is no Dog with the id 3. Where it may be missing, `fetch` returns nil, and `upsert` inserts it."
    )
    let id = UUID()
    #expect(
      message {
        try store.write {
          try $0.insert(Dog(id: 1, name: "Rex", owner: Link(id: id), walker: nil))
        }
      }
        == "Dog.owner of Dog 1 links to Account \(id), which does not exist. Insert it in the same transaction, or "
        + "do without the link: of a list, remove the id; an optional link can be nil, or be declared with "
        + "`.onMissingTarget(.nullify)`.")
    #expect(
      message { try store.write { try $0.insert(Group(id: 1, name: "a", size: nil)) } }
        == "Group is not among the models of this store. Add `Group.self` where the store is opened."
    )
    try store.write { try $0.insert(Dog(id: 1, name: "Rex", owner: Link(ann), walker: nil)) }
    #expect(
      message { _ = try store.write { try $0.delete(Account.self, id: ann.id) } }
        == "Account \(ann.id) cannot be deleted, because Dog.owner links to it. Delete or change what links to it in the "
        + "same transaction.")
  }

  @Test func aLinkFromAModelThatIsNotListedSaysHowToGetOn() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/dogs.roost"
      let ann = Account(id: UUID(), email: "ann@example.org", phone: nil)
      do {
        let store = try Store(.file(path), models: Account.self, Dog.self)
        try store.write { transaction in
          try transaction.insert(ann)
          try transaction.insert(Dog(id: 1, name: "Rex", owner: Link(ann), walker: nil))
        }
      }
      do {
        let store = try Store(.file(path), models: Account.self)
        #expect(
          message { _ = try store.write { try $0.delete(Account.self, id: ann.id) } }
            == "Account \(ann.id) cannot be deleted, because Dog.owner links to it, and Dog is not among the models of this "
            + "store. Add `Dog.self` where the store is opened, and delete or change what links to it in the same "
            + "transaction. If no program uses Dog any more, remove it in a migration step: `removeModel(\"Dog\")`."
        )
      }
      // As it says.
      let store = try Store(.file(path), models: Account.self) {
        MigrationStep("no dogs") { try $0.removeModel("Dog") }
      }
      try store.write { try $0.delete(Account.self, id: ann.id) }
      #expect(try store.snapshot().count(Account.all) == 0)
    }
  }

  @Test func aLinkUnderANameIsNamedSo() throws {
    let store = try Store(.inMemory, models: Tag.self)
    try store.write { transaction in
      try transaction.insert(Tag(id: "vip", color: 1))
      try transaction.setValue("favourite", to: Link<Tag>(id: "vip"))
    }
    #expect(
      message { _ = try store.write { try $0.delete(Tag.self, id: "vip") } }
        == "Tag vip cannot be deleted, because the value \"favourite\" links to it. Delete or change what links to it in "
        + "the same transaction.")
    #expect(
      message { try store.write { try $0.setValue("favourite", to: Link<Tag>(id: "no")) } }
        == "The value \"favourite\" links to Tag no, which does not exist. Insert it in the same transaction, or "
        + "do without the link: of a list, remove the id; an optional link can be nil, or be declared with "
        + "`.onMissingTarget(.nullify)`.")
  }

  // MARK: The file

  private enum Old {
    struct Note: Model {
      let id: Int
      var text: String?
      static let schema = Schema(Note.init, Key("id", \.id), Field("text", \.text))
    }
    struct Settings: Embedded {
      var theme: String
      static let fields = Fields(Settings.init, Part("theme", \.theme))
    }
  }
  private enum New {
    struct Note: Model {
      let id: Int
      var text: String
      var stars: Int
      static let schema = Schema(
        Note.init, Key("id", \.id), Field("text", \.text), Field("stars", \.stars))
    }
    struct Settings: Embedded {
      var theme: String
      var size: Int
      static let fields = Fields(Settings.init, Part("theme", \.theme), Part("size", \.size))
    }
  }

  @Test func whatTheFileLacksNeedsADefault() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/notes.roost"
      do {
        let store = try Store(.file(path), models: Old.Note.self)
        try store.write { transaction in
          try transaction.insert(Old.Note(id: 1, text: nil))
          try transaction.setValue("settings", to: Old.Settings(theme: "dark"))
        }
        #expect(
          message { _ = try store.snapshot().value("settings", as: New.Settings.self) }
            == "The value \"settings\", in value.size, is stored as nothing, but declared as Int without a default. The file "
            + "was left as it is. Give the field a value for what has none, `.default(…)`, or declare it as an optional."
        )
      }
      #expect(
        message { _ = try Store(.file(path), models: New.Note.self) } == """
          The file does not fit the models, and was left as it is.
          Note.stars is declared as Int, and the file has no such field.
          Note.text is declared as String, and 1 object has no value.
          Note.stars needs no step if its field says `.default(…)`, or if it is an optional.
          Note.text needs no step if its field says `.default(…)`.
          Add a step to the plan that the store is opened with, such as:
          MigrationStep("add Note.stars") {
            try $0.add("stars", to: "Note", default: <#Int#>)
          }
          MigrationStep("require Note.text") {
            try $0.makeRequired("text", of: "Note", default: <#String#>)
          }
          """)
    }
  }

  @Test func aFileThatIsNoneIsExplained() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/notes.roost"
      try Data("not a store".utf8).write(to: URL(fileURLWithPath: path))
      #expect(
        message { _ = try Store(.file(path), models: Tag.self) }
          == "\(path) is not a Roost store. Check the path; the file was left as it is.")
      #expect(
        message { _ = try Store(.file(directory), models: Tag.self) }
          == "\(directory) is a directory. Give the path of a file, such as \(directory)/app.roost."
      )
      var configuration = Configuration()
      configuration.isReadOnly = true
      let missing = directory + "/none.roost"
      #expect(
        message {
          _ = try Store(.file(missing), models: Tag.self, configuration: configuration)
        }
          == "There is no file at \(missing). Check the path. Only a store's file is made, where the store is "
          + "opened for writing."
      )
    }
  }

  // MARK: Use

  /// A type whose own code refuses.
  private struct Refusal: Opaque {
    struct Reason: Error, CustomStringConvertible { let description: String }
    var reason: String
    init(_ reason: String) { self.reason = reason }
    init(from decoder: any Decoder) throws { reason = "" }
    func encode(to encoder: any Encoder) throws {
      if !reason.isEmpty { throw Reason(description: reason) }
    }
  }

  @Test(arguments: ["It is too long", "It is too long."])
  func theReasonOfAnotherTypeIsASentence(_ reason: String) throws {
    let store = try Store(.inMemory, models: Tag.self)
    #expect(
      message { try store.write { try $0.setValue("refused", to: Refusal(reason)) } }
        == "A Refusal could not be stored: It is too long. Nothing was changed."
    )
  }

  @Test func aPositionThatIsNotThereIsExplained() throws {
    let store = try Store(.inMemory, models: Film.self)
    try store.write { try $0.insert(Film(id: 1, title: "a", pictures: Blob([1, 2, 3]))) }
    #expect(
      message {
        try store.write { _ = try $0.blob(\Film.pictures, of: 1).read(1..<5) }
      }
        == "There is no position 5 in a list, or a blob, of 3. Positions begin at 0; ask for its `count` before."
    )
  }

  @Test func aTransactionThatIsUsedWrongIsExplained() throws {
    let store = try Store(.inMemory, models: Tag.self)
    var kept: WriteTransaction?
    try store.write { kept = $0 }
    let transaction = try #require(kept)
    #expect(
      message { try transaction.insert(Tag(id: "a", color: 1)) }
        == "The transaction has ended. Use it only inside of its closure, and return values from there."
    )
    #expect(
      message { try store.write { _ in try store.write { _ in } } }
        == "`write` was called inside of `write`. Pass the transaction on to the function that writes."
    )
    store.close()
    #expect(
      message { _ = try store.snapshot().count(Tag.all) }
        == "The store was closed. Open it again to use it.")
  }

  @Test func aValueBehindALinkThatIsNilIsNamed() throws {
    let store = try Store(.inMemory, models: Account.self, Dog.self)
    try store.write { try $0.insert(Dog(id: 1, name: "Rex", owner: nil, walker: nil)) }
    #expect(
      message { _ = try store.snapshot().values(of: Dog.all) { $0.owner.email } }
        == "Dog.owner.email is nil here, and the type that it is read as has no nil. Ask for it with `orNil`, or with a "
        + "value in place of nil: `??`.")
  }
}
