import Foundation
import Roost
import Testing

/// What a schema may be, and what is found wrong when a store opens.
@Suite struct SchemaTests {
  private func openingError<M: Model>(_ model: M.Type) -> StoreError? {
    do {
      _ = try Store(.inMemory, models: model)
      return nil
    } catch { return error }
  }

  @Test func acceptsEveryTypeOfField() {
    #expect(throws: Never.self) {
      _ = try Store(.inMemory, models: Everything.self, Tag.self)
    }
  }

  struct SwappedTexts: Model {
    let id: Int
    var name: String
    var email: String
    static let schema = Schema(
      SwappedTexts.init, Key("id", \.id), Field("email", \.email), Field("name", \.name))
  }

  @Test func findsTwoTextsInTheWrongOrder() {
    #expect(
      openingError(SwappedTexts.self)
        == .fieldOrder(model: "SwappedTexts", field: "email", receives: "name"))
  }

  struct SwappedFlags: Model {
    let id: Int
    var first: Bool
    var second: Bool
    var third: Bool
    static let schema = Schema(
      SwappedFlags.init, Key("id", \.id), Field("first", \.first), Field("third", \.third),
      Field("second", \.second))
  }

  @Test func findsTwoFlagsInTheWrongOrder() {
    #expect(
      openingError(SwappedFlags.self)
        == .fieldOrder(model: "SwappedFlags", field: "third", receives: "second"))
  }

  struct SwappedEnums: Model {
    let id: Int
    var now: Mood
    var before: Mood
    var rank: Rank?
    var bestRank: Rank?
    static let schema = Schema(
      SwappedEnums.init, Key("id", \.id), Field("before", \.before), Field("now", \.now),
      Field("rank", \.rank), Field("bestRank", \.bestRank))
  }

  @Test func findsTwoEnumsInTheWrongOrderWithoutAListOfTheirCases() {
    #expect(
      openingError(SwappedEnums.self)
        == .fieldOrder(model: "SwappedEnums", field: "before", receives: "now"))
  }

  struct SwappedKey: Model {
    let id: Int
    var other: Int
    static let schema = Schema(SwappedKey.init, Field("other", \.other), Key("id", \.id))
  }

  @Test func findsAKeyInTheWrongPlace() {
    #expect(
      openingError(SwappedKey.self)
        == .fieldOrder(model: "SwappedKey", field: "other", receives: "id"))
  }

  struct SwappedBesideOpaque: Model {
    enum State: Opaque {
      case new
      case sent(Stamp, attempts: [Int], previous: Holder?)
    }
    struct Stamp: Codable, Hashable {
      enum Level: String, Codable { case first, second }
      var level: Level
      var date: Date
      var id: UUID
    }
    struct Holder: Codable, Hashable { var states: [State] }
    let id: Int
    var name: String
    var state: State
    var email: String
    static let schema = Schema(
      SwappedBesideOpaque.init, Key("id", \.id), Field("email", \.email), Field("state", \.state),
      Field("name", \.name))
  }

  @Test func findsTwoTextsInTheWrongOrderBesideAnEnumWithPayloads() {
    #expect(
      openingError(SwappedBesideOpaque.self)
        == .fieldOrder(model: "SwappedBesideOpaque", field: "email", receives: "name"))
  }

  struct SwappedLinks: Model {
    let id: Int
    var first: Link<Group>?
    var second: Link<Group>?
    static let schema = Schema(
      SwappedLinks.init, Key("id", \.id), Field("second", \.second), Field("first", \.first))
  }

  @Test func findsTwoLinksInTheWrongOrder() {
    #expect(
      throws: StoreError.fieldOrder(model: "SwappedLinks", field: "second", receives: "first")
    ) {
      _ = try Store(.inMemory, models: SwappedLinks.self, Group.self)
    }
  }

  struct Clamped: Model {
    let id: Int
    var percent: Int
    var name: String
    static let schema = Schema(
      Clamped.init, Key("id", \.id), Field("percent", \.percent), Field("name", \.name))
    init(id: Int, percent: Int, name: String) {
      self.id = id
      self.percent = min(percent, 1)
      self.name = name.uppercased()
    }
  }

  @Test func allowsAnInitializerThatChangesWhatItGets() {
    #expect(openingError(Clamped.self) == nil)
  }

  struct Keyless: Model {
    let id: Int
    var name: String
    static let schema = Schema(Keyless.init, Field("id", \.id), Field("name", \.name))
  }

  @Test func missesAKey() {
    #expect(openingError(Keyless.self) == .missingKey(model: "Keyless"))
  }

  struct OtherKey: Model {
    let id: String
    let code: String
    var name: String
    static let schema = Schema(
      OtherKey.init, Field("id", \.id), Key("code", \.code), Field("name", \.name))
  }
  struct CalculatedID: Model {
    let code: Int
    var id: Int { code &+ 1 }
    static let schema = Schema(CalculatedID.init, Key("code", \.code))
  }
  struct ReturnedID: Model {
    let code: String
    var name: String
    var id: String { code }
    static let schema = Schema(ReturnedID.init, Key("code", \.code), Field("name", \.name))
  }

  @Test func rejectsAKeyThatIsNotTheID() {
    let reason =
      "the key \"code\" is not the property `id`: write `Key(\"code\", \\.id)`, and let `id` return it."
    #expect(
      openingError(OtherKey.self) == .schemaInvalid(model: "OtherKey", reason: reason))
    #expect(
      openingError(CalculatedID.self) == .schemaInvalid(model: "CalculatedID", reason: reason))
    #expect(openingError(ReturnedID.self) == nil)
  }

  @Test func aKeyOfAnotherNameIsReadByBoth() throws {
    let store = try Store(.inMemory, models: ReturnedID.self)
    try store.write { try $0.insert(ReturnedID(code: "a", name: "Ann")) }
    let snapshot = store.snapshot()
    for row in try snapshot.rows(ReturnedID.all.order(by: \.id)) {
      #expect(try row.code == "a" && row[\.code] == "a" && row.id == "a")
    }
    #expect(try snapshot.count(ReturnedID.where { $0.id == "a" && $0.code == "a" }) == 1)
    #expect(try snapshot.find(ReturnedID.self, id: "a").name == "Ann")
    #expect(try snapshot.values(of: ReturnedID.all.order(by: \.code)) { $0.code } == ["a"])
  }

  struct KeyByID: Model {
    let code: String
    var id: String { code }
    static let schema = Schema(KeyByID.init, Key("code", \.id))
  }

  @Test func aPropertyThatOnlyTheIDReturnsIsSaidToBeTheKey() throws {
    let store = try Store(.inMemory, models: KeyByID.self)
    try store.write { try $0.insert(KeyByID(code: "a")) }
    let row = try #require(try store.snapshot().row(KeyByID.self, id: "a"))
    #expect(try row.id == "a")
    let error = #expect(throws: StoreError.self) { try row.code }
    #expect(
      error?.description.hasPrefix(
        "The schema of KeyByID has no field for the property at byte 0. If `id` returns it, declare the key with it, "
          + "`Key(\"code\", \\.code)`, and not with `\\.id`.") == true)
  }

  struct SameNames: Model {
    let id: Int
    var first: String
    var second: String
    static let schema = Schema(
      SameNames.init, Key("id", \.id), Field("name", \.first), Field("name", \.second))
  }

  @Test func rejectsTwoFieldsOfOneName() {
    #expect(
      openingError(SameNames.self)
        == .schemaInvalid(model: "SameNames", reason: "two fields are called \"name\"."))
  }

  struct Nameless: Model {
    let id: Int
    var name: String
    static let schema = Schema(Nameless.init, Key("id", \.id), Field("", \.name))
  }

  @Test func rejectsAFieldWithoutAName() {
    guard case .schemaInvalid(model: "Nameless", _) = openingError(Nameless.self) else {
      Issue.record("The schema was accepted.")
      return
    }
  }

  struct LongName: Model {
    static let name = String(repeating: "n", count: 1025)
    let id: Int
    var value: Int
    static let schema = Schema(LongName.init, Key("id", \.id), Field(name, \.value))
  }

  @Test func rejectsANameThatIsTooLong() {
    #expect(
      openingError(LongName.self)
        == .schemaInvalid(
          model: "LongName",
          reason: "a field's name has 1 to 1024 bytes, and \"\(LongName.name)\" has not."))
  }

  struct LongDefault: Model {
    let id: Int
    var text: String
    static let schema = Schema(
      LongDefault.init, Key("id", \.id),
      Field("text", \.text, .default(String(repeating: "é", count: 513))))
  }

  @Test func rejectsADefaultThatIsTooLong() {
    #expect(
      openingError(LongDefault.self)
        == .schemaInvalid(
          model: "LongDefault",
          reason: "the default of \"text\" has 1026 bytes; 1024 are the most."))
  }

  struct DoubleKey: Model {
    let id: Double
    static let schema = Schema(DoubleKey.init, Key("id", \.id))
  }

  @Test func rejectsAKeyThatCannotBeOne() {
    #expect(
      openingError(DoubleKey.self)
        == .schemaInvalid(
          model: "DoubleKey",
          reason: "the key \"id\" is a Double, which cannot be one; "
            + "an integer, a text or a UUID can."))
  }

  struct Nested: Model {
    let id: Int
    var value: Int??
    static let schema = Schema(Nested.init, Key("id", \.id), Field("value", \.value))
  }

  @Test func rejectsAnOptionalOfAnOptional() {
    guard case .schemaInvalid(model: "Nested", _) = openingError(Nested.self) else {
      Issue.record("The schema was accepted.")
      return
    }
  }

  @Test func wantsTheTargetOfALinkAmongTheModels() {
    #expect(throws: StoreError.unknownModel(model: "Group")) {
      _ = try Store(.inMemory, models: Person.self)
    }
  }

  enum V1 {
    struct Page: Model {
      let id: Int
      static let schema = Schema(Page.init, Key("id", \.id))
    }
  }
  enum V2 {
    struct Page: Model {
      let id: Int
      var next: Link<V1.Page>?
      static let schema = Schema(Page.init, Key("id", \.id), Field("next", \.next))
    }
  }

  @Test func twoTypesOfOneNameAreCalledByTheirQualifiedNames() throws {
    func error(_ body: () throws -> Void) -> StoreError? {
      do {
        try body()
        return nil
      } catch { return error as? StoreError }
    }
    let (first, second) = (String(reflecting: V1.Page.self), String(reflecting: V2.Page.self))
    #expect(first.hasSuffix("SchemaTests.V1.Page") && second.hasSuffix("SchemaTests.V2.Page"))
    #expect(
      error { _ = try Store(.inMemory, models: V2.Page.self) }
        == .schemaInvalid(
          model: "Page",
          reason:
            "\"next\" links to \(first), and the store was given another type of this name, \(second)."
        ))
    #expect(
      error { _ = try Store(.inMemory, models: V1.Page.self, V2.Page.self) }
        == .schemaInvalid(
          model: "Page",
          reason: "the store was given two models of this name, \(first) and \(second)."))
    let store = try Store(.inMemory, models: V1.Page.self)
    #expect(
      error { _ = try store.snapshot().fetch(V2.Page.all) } == .unknownModel(model: second))
    #expect(
      error { _ = try store.snapshot().contains(V2.Page.self, id: 1) }
        == .unknownModel(model: second))
  }

  @Test func rejectsTwoModelsOfOneName() {
    #expect(
      throws: StoreError.schemaInvalid(
        model: "Group", reason: "the store was given it twice.")
    ) {
      _ = try Store(.inMemory, models: Group.self, Group.self)
    }
  }
}
