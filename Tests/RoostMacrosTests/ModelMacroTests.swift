#if Macros
import RoostMacros
import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacroExpansion
import SwiftSyntaxMacros
import SwiftSyntaxMacrosGenericTestSupport
import Testing

/// What `@Model` writes, and what it refuses.
@Suite struct ModelMacroTests {
  private let macros: [String: MacroSpec] = [
    "Model": MacroSpec(type: ModelMacro.self, conformances: ["Model"]),
    "Indexed": MacroSpec(type: FieldMacro.self), "Unique": MacroSpec(type: FieldMacro.self),
    "OnTargetDelete": MacroSpec(type: FieldMacro.self),
    "OnMissingTarget": MacroSpec(type: FieldMacro.self),
    "Assigned": MacroSpec(type: FieldMacro.self),
    "Default": MacroSpec(type: FieldMacro.self), "Named": MacroSpec(type: FieldMacro.self),
  ]

  private func expect(
    _ source: String, becomes expanded: String, _ diagnostics: [DiagnosticSpec] = [],
    applying fixIts: [String]? = nil, mended: String? = nil,
    at location: Testing.SourceLocation = #_sourceLocation
  ) {
    assertMacroExpansion(
      source, expandedSource: expanded, diagnostics: diagnostics, macroSpecs: macros,
      applyFixIts: fixIts, fixedSource: mended, indentationWidth: .spaces(2),
      failureHandler: { Issue.record("\($0.message)", sourceLocation: location) })
  }

  private func schema(_ properties: String, _ fields: String, initializer: String = "init") {
    expect(
      "@Model struct Dog {\n\(properties)\n}",
      becomes: """
        struct Dog {
        \(Self.withoutAttributes(properties))
        }

        extension Dog: Roost.Model {
          static let schema = Roost.Schema(Dog.\(initializer), \(fields))
        }
        """)
  }

  private static func withoutAttributes(_ text: String) -> String {
    text.replacing(#/@(?!Sendable)\w+(\([^)]*\))? /#, with: "")
  }

  @Test func writesTheSchemaLine() {
    schema(
      """
        let id: Int
        @Indexed var name: String
        @OnTargetDelete(.cascade) var owner: Link<Person>?
      """,
      #"Roost.Key("id", \.id), Roost.Field("name", \.name, .indexed), Roost.Field("owner", \.owner, .onTargetDelete(.cascade))"#
    )
  }

  @Test func allOptionsAreCopied() {
    schema(
      """
        @Assigned let id: UUID
        @Unique @Named("title") var name: String
        @Default(3) var age: Int
        @OnMissingTarget(.nullify) @OnTargetDelete(.nullify) var owner: Link<Person>?
      """,
      #"Roost.Key("id", \.id, .assigned), Roost.Field("title", \.name, .unique), Roost.Field("age", \.age, .default(3)), "#
        + #"Roost.Field("owner", \.owner, .onMissingTarget(.nullify), .onTargetDelete(.nullify))"#)
  }

  @Test func leavesOutWhatIsNotStored() {
    schema(
      """
        let id: Int
        static let limit = 7
        static var shared: Dog?
        let version = 1
        var double: Int { id * 2 }
        var half: Int {
          get { id / 2 }
          set {}
        }
        var name: String {
          didSet { print(name) }
        }
      """, #"Roost.Key("id", \.id), Roost.Field("name", \.name)"#)
  }

  @Test func aLazyPropertyIsLeftOutWhereTheInitializerDoesNotTakeIt() {
    schema(
      "  let id: Int\n  lazy var cache = [1]\n  init(id: Int) { self.id = id }",
      #"Roost.Key("id", \.id)"#, initializer: "init(id:)")
  }

  @Test func severalNamesShareAType() {
    schema(
      "  let id: Int\n  var width, height: Double",
      #"Roost.Key("id", \.id), Roost.Field("width", \.width), Roost.Field("height", \.height)"#)
  }

  @Test func anInitializerOfOnesOwnIsNotTakenForTheOneThatIsMeant() {
    schema(
      "  let id: Int\n  var name: String\n  init(id: Int, name: String) { self.id = id; self.name = name }",
      #"Roost.Key("id", \.id), Roost.Field("name", \.name)"#, initializer: "init(id:name:)")
  }

  @Test func thePublicModelsSchemaIsPublic() {
    expect(
      "@Model public struct Tag {\n  public let id: String\n}",
      becomes: """
        public struct Tag {
          public let id: String
        }

        extension Tag: Roost.Model {
          public static let schema = Roost.Schema(Tag.init, Roost.Key("id", \\.id))
        }
        """)
  }

  // MARK: Refused

  private func refuse(
    _ property: String, _ message: String, column: Int, fixIt: String? = nil, mended: String? = nil
  ) {
    let text = { (property: String) in "struct Dog {\n  let id: Int\n  \(property)\n}" }
    expect(
      "@Model " + text(property), becomes: text(Self.withoutAttributes(property)),
      [
        DiagnosticSpec(
          message: message, line: 3, column: column,
          fixIts: fixIt.map { [FixItSpec(message: $0)] } ?? [])
      ], applying: fixIt.map { [$0] }, mended: mended.map { "@Model " + text($0) })
  }

  /// Properties of such types are refused, each by its name.
  private func refuse(_ types: [String], _ message: String) {
    for type in types { refuse("var value: \(type)", "'value' holds " + message, column: 14) }
  }

  @Test func refusesFunctions() {
    refuse(
      [
        "() -> Void", "(@Sendable (Int) -> Int)?", "[() async throws -> Int]",
        "Optional<() -> Void>",
        "[String: () -> Void]", "@Sendable () -> Void",
      ], "a function, which cannot be stored; make the property computed or static")
  }

  @Test func refusesTuples() {
    refuse(
      [
        "(Double, Double)", "[(x: Int, y: Int)]?", "[(Int, Int)]", "[String: (Int, Int)]",
        "[[String: [(Int, Int)?]]]", "Swift.Array<(Int, Int)>", "Dictionary<String, (Int, Int)>",
        "Optional<(Int, Int)>", "((Int, Int))", "()",
      ], "a tuple, which cannot be stored; use a struct that is 'Embedded'")
  }

  @Test func refusesValuesOfAnyType() {
    refuse(
      [
        "any Sendable", "(any Sendable)?", "[any Equatable]", "Any", "[String: Any]", "[Any?]",
        "AnyObject?", "Set<AnyHashable>", "some Sendable", "any Hashable & Sendable",
      ],
      "values of any type, and only those of one known type can be stored; use an enum that is 'Opaque' for several"
    )
  }

  @Test func refusesPointers() {
    refuse(
      [
        "UnsafePointer<Int>", "UnsafeMutableRawPointer?", "[UnsafeRawBufferPointer]",
        "Swift.UnsafeMutableBufferPointer<UInt8>", "OpaquePointer", "Unmanaged<Person>",
      ], "a pointer, which means nothing in a file; store what it points to")
  }

  @Test func typesOfAModelsOwnAreLeftToTheCompiler() {
    // Nothing is known of them but their names.
    schema(
      """
        let id: Int
        var unsafe: UnsafeSwing
        var pair: Pair<(Int, Int)>
        var breed: Setter.UnsafePointer
        var kin: Family.Links?
        var friends: [Links<Person>.ID]?
      """,
      #"Roost.Key("id", \.id), Roost.Field("unsafe", \.unsafe), Roost.Field("pair", \.pair), "#
        + #"Roost.Field("breed", \.breed), Roost.Field("kin", \.kin), Roost.Field("friends", \.friends)"#
    )
  }

  @Test func whatIsUnwrappedImplicitlyBecomesOptional() {
    refuse(
      "var name: String!",
      "'name' is unwrapped where it is read, though nothing may be stored; make it optional with '?'",
      column: 13, fixIt: "Make it 'String?'", mended: "var name: String?")
  }

  @Test func listsOfLinksAndBlobsAreNotOptional() {
    for type in ["Links<Person>?", "Optional<Links<Person>>", "(Links<Person>)?"] {
      refuse(
        "var friends: \(type)", "'friends' is a list of links, which may be empty, but not nil",
        column: 16, fixIt: "Make it 'Links<Person>'", mended: "var friends: Links<Person>")
    }
    refuse(
      "var photo: Blob?", "'photo' is a blob, which may be empty, but not nil",
      column: 14, fixIt: "Make it 'Blob'", mended: "var photo: Blob")
    refuse(
      "var photo: Roost.Blob?", "'photo' is a blob, which may be empty, but not nil",
      column: 14, fixIt: "Make it 'Roost.Blob'", mended: "var photo: Roost.Blob")
  }

  @Test func refusesReferences() {
    for (modifier, type) in [
      ("weak", "Person?"), ("unowned", "Person"), ("unowned(unsafe)", "Person"),
    ] {
      refuse(
        "\(modifier) var owner: \(type)",
        "'owner' is a reference, which cannot be stored; use a 'Link' to another model, which keeps no object in memory",
        column: 3)
    }
  }

  @Test func refusesWhatIsLazyWhereTheInitializerTakesIt() {
    for property in ["lazy var cache = [1]", "private lazy var cache: [Int] = [1]"] {
      refuse(
        property,
        "'cache' is lazy, and so the initializer that Swift writes takes it, too; make it computed, or write an initializer",
        column: property.hasPrefix("lazy") ? 3 : 11)
    }
  }

  @Test func refusesSeveralNamesInOnePattern() {
    refuse(
      "var (x, y): (Int, Int)",
      "A stored property of a model has one name; declare each by itself", column: 7)
  }

  @Test func everyPropertyThatCannotBeStoredIsNamed() {
    let text = "struct Dog {\n  let id: Int\n  var a, b: Any\n  var c: () -> Void\n}"
    let any =
      "values of any type, and only those of one known type can be stored; use an enum that is 'Opaque' for several"
    expect(
      "@Model " + text, becomes: text,
      [
        DiagnosticSpec(message: "'b' holds " + any, line: 3, column: 13),
        DiagnosticSpec(message: "'a' holds " + any, line: 3, column: 13),
        DiagnosticSpec(
          message:
            "'c' holds a function, which cannot be stored; make the property computed or static",
          line: 4, column: 10),
      ])
  }

  @Test func aTypeMustBeWrittenAndIsAddedWhereALiteralTells() {
    let message = "Say the type of this property: '@Model' sees no types but those that are written"
    refuse("var made = Date()", message, column: 7)
    refuse("var age = 3", message, column: 7, fixIt: "Add ': Int'", mended: "var age: Int = 3")
    refuse(
      "var name = \"\"", message, column: 7, fixIt: "Add ': String'",
      mended: "var name: String = \"\"")
  }

  @Test func aClassBecomesAStruct() {
    expect(
      "@Model class Dog {\n  let id: Int\n}", becomes: "class Dog {\n  let id: Int\n}",
      [
        DiagnosticSpec(
          message: "A model is a struct: '@Model' cannot make one of this declaration", line: 1,
          column: 8, fixIts: [FixItSpec(message: "Make it a struct")])
      ], applying: ["Make it a struct"], mended: "@Model struct Dog {\n  let id: Int\n}")
  }

  @Test func aModelHasAKey() {
    expect(
      "@Model struct Dog {\n  var name: String\n}", becomes: "struct Dog {\n  var name: String\n}",
      [
        DiagnosticSpec(
          message: "A model needs a property 'id', by which its objects are known", line: 1,
          column: 15, fixIts: [FixItSpec(message: "Add 'let id: Int'")])
      ], applying: ["Add 'let id: Int'"],
      mended: "@Model struct Dog {\n  let id: Int\n  var name: String\n}")
  }

  @Test func theKeyHasNoOptionsOfAField() {
    expect(
      "@Model struct Dog {\n  @Indexed let id: Int\n}", becomes: "struct Dog {\n  let id: Int\n}",
      [
        DiagnosticSpec(
          message:
            "The key 'id' is unique and indexed already: only '@Assigned' and '@Named' suit it",
          line: 2,
          column: 3)
      ])
  }

  @Test func refusesAnEnumAndAGenericStruct() {
    expect(
      "@Model enum Mood {\n  case calm\n}", becomes: "enum Mood {\n  case calm\n}",
      [
        DiagnosticSpec(
          message: "A model is a struct: '@Model' cannot make one of this declaration", line: 1,
          column: 1)
      ])
    expect(
      "@Model struct Box<V> {\n  let id: Int\n}", becomes: "struct Box<V> {\n  let id: Int\n}",
      [
        DiagnosticSpec(
          message: "'@Model' writes no schema for a generic struct; declare it by hand", line: 1,
          column: 18)
      ])
  }
}
#endif
