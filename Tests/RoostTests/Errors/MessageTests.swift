import Foundation
import Roost
import RoostEngine
import RoostTestSupport
import Testing

/// The messages of all errors, as sentences.
@Suite struct MessageTests {
  /// Reasons as other code gives them, with a full stop and without.
  private static let reasons = ["it is so", "It is so.", "Is it so?", "It is so…"]

  /// At least one error of each case.
  private static let errors: [StoreError] = {
    var errors: [StoreError] = [
      .notFound(model: "A", id: "1"), .duplicateKey(model: "A", field: "id", value: "1"),
      .changedKey(model: "A", id: "1"),
      .danglingLink(model: "A", id: "2", field: "b", target: "B", targetID: "1"),
      .danglingLink(model: "A", id: "2", field: "b", target: "B", targetID: nil),
      .danglingLink(
        model: "value:favourite", id: nil, field: "value", target: "B", targetID: "1"),
      .linkedTarget(model: "A", id: "1", linkingModel: "B", linkingField: "c"),
      .linkedTarget(model: "A", id: "1", linkingModel: "B", linkingField: "c", isListed: false),
      .linkedTarget(
        model: "A", id: "1", linkingModel: "value:favourite", linkingField: "value"),
      .undecodable(model: "A", field: "b", value: "\"wild\""),
      .undecodable(model: "A", field: "b", value: "nil"),
      .valueMismatch(model: "A", field: "b", expected: "an Int", found: "a text"),
      .valueTooLong(model: "A", field: "b", limit: 1023), .outOfRange(place: 3, count: 3),
      .overflow(model: "A", field: "b"), .overflowInUpdate(model: "A", field: "b", id: "1"),
      .limitExceeded(StoreLimit(.followedLinks, maximum: 32)),
      .limitExceeded(StoreLimit(.indexes, maximum: 63, model: "A")),
      .limitExceeded(StoreLimit(.keptVersions, maximum: 100)), .missingKey(model: "A"),
      .nameTaken(model: "A", field: "b"), .nameTaken(model: "A", field: nil),
      .fieldOrder(model: "A", field: "b", receives: "c"),
      .schemaMismatch(model: "A", field: "b", stored: "Int", declared: "String"),
      .schemaMismatch(model: "A", field: "b", stored: "nothing", declared: "String"),
      .unknownModel(model: "A"), .unknownField(model: "A", property: "\\A.b"),
      .notARoostFile(path: "p"), .fileTruncated(path: "p"),
      .fileIsNewer(path: "p", features: ["a", "b"]),
      .fileIsNewer(path: "p", features: [], unknownSteps: ["a"]),
      .fileIsOlder(path: "p", format: 1), .unknownVersion(name: "a"),
      .versionNameTaken(name: "a"), .modelsChanged, .fileNotFound(path: "p"),
      .directoryNotFound(path: "p"),
      .isDirectory(path: "p"), .permissionDenied(operation: .setPermissions, path: "p"),
      .diskFull(path: "p"), .locked(path: "p"), .forked(path: "p"),
      .io(operation: .read, path: "p", errno: 5), .closed, .transactionEnded,
      .transactionOfAnotherThread, .transactionInUse, .reentrantWrite, .readOnly, .cancelled,
      .foreignSnapshot(path: "p"), .writesRefused(path: "p"),
    ]
    errors += reasons.flatMap { reason -> [StoreError] in
      [
        .unencodable(type: "A", reason: reason),
        .branchInvalid(model: "A", branch: "b", reason: reason),
        .branchInvalid(model: "A", branch: "", reason: reason),
        .formatInvalid(option: "separator", reason: reason),
        .schemaInvalid(model: "A", reason: reason), .planInvalid(step: "a", reason: reason),
        .predicateUnsupported(node: "Matching", reason: reason),
        .queryInvalid(model: "A", reason: reason), .queryUnfit(text: "A", reason: reason),
        .queryMalformed(text: "A where", reason: reason, offset: 7),
        .migrationFailed(
          MigrationFailure(step: "a", model: "A", id: "1", field: "b", reason: reason)),
        .migrationFailed(
          MigrationFailure(step: "a", model: nil, id: nil, field: nil, reason: reason)),
      ]
    }
    errors += [Displacement.removed, .moved, .replaced, .shortened].map {
      .displaced(path: "p", $0)
    }
    let problem = TextProblem(
      source: "Menu.json", line: 3, column: 7, model: "A", field: "b", expected: "an Int",
      found: "a text")
    let nameless = TextProblem(
      source: nil, line: 0, column: 0, model: "A", field: "", expected: "an object",
      found: "nothing")
    errors += [.malformedText(problem), .malformedText(nameless)]
    errors += uses.map { .inUse(path: "p", by: FileHolders($0)) }
    errors += [
      .openInOtherMode(path: "p", isReadOnly: true),
      .openInOtherMode(path: "p", isReadOnly: false),
    ]
    errors += [
      .corrupt(path: "p", damage: StoreDamage("checksum")),
      .corrupt(path: "p", damage: StoreDamage("checksum", unit: 7, model: "A", keys: 1...9)),
    ]
    let differences: [SchemaDifference] = [
      .pendingStep("a"), .pendingChange(model: "A", field: "b"),
      .pendingChange(model: "A", field: nil),
      .missingField(model: "A", field: "b", declared: "Int", undeclared: [], others: [:]),
      .otherType(model: "A", field: "b", stored: "Int", declared: "String"),
      .otherTarget(model: "A", field: "b", stored: "C", declared: "D", isList: true),
      .otherKey(
        model: "A", stored: "\"id\", Int", field: "b", declared: "String", isStored: true),
      .missingValues(model: "A", field: "b", objects: 1, declared: "Int"),
      .otherStruct(
        model: "A", field: "b", stored: "String", declared: "a struct", parts: ["b.c", "b.d"]),
      .otherStruct(
        model: "A", field: "b", stored: "a struct", declared: "String", parts: ["b.c"]),
      .otherStruct(
        model: "A", field: "b", stored: "JSON", declared: "a struct", parts: ["b.c", "b.d"]),
      .duplicateDefault(model: "A", field: "b", declared: "String"),
      .duplicateValues(model: "A", field: "b", value: "c"),
      .duplicateValues(model: "A", field: "b, c", value: "(d, e)"),
      .missingKind(model: "A", field: "b", declared: "Payment"), .unknownName("A.b", step: "a"),
    ]
    errors += differences.flatMap { difference -> [StoreError] in
      [.migrationRequired([difference]), .versionUnfit(version: "a", [difference])]
    }
    return errors
  }()

  /// By nobody that is known, by one of each kind, and by several.
  private static let uses: [FileUse] = {
    var one = FileUse()
    one.stores = 1
    one.transactions = 1
    one.observations = 1
    one.versions = 1
    var several = FileUse()
    several.stores = 2
    several.observations = 2
    several.versions = 2
    return [FileUse(), one, several]
  }()

  @Test func fieldsThatMayBeTheSameOlderOneGetOneStepThatLetsOneChoose() {
    func missing(_ field: String, _ undeclared: [String]) -> SchemaDifference {
      .missingField(
        model: "Patient", field: field, declared: "String", undeclared: undeclared, others: [:])
    }
    let olderNames = ["name", "phone"]
    let differences = ["firstName", "lastName", "mobile"].map { missing($0, olderNames) }
    let message = StoreError.migrationRequired(differences + [missing("consent", [])]).message
    #expect(
      message.contains(
        #"If Patient.firstName, Patient.lastName or Patient.mobile was called "name" or "phone", declare it"#
      ))
    // Each alone would be right, and all of them together rename one field three times.
    #expect(!message.contains(#"rename("name""#) && message.firstRange(of: "`.was(…)`") != nil)
    let step = #"""
      MigrationStep(<#"name of the step"#>) {
        try $0.rename(<#"name" or "phone"#>, of: "Patient", to: <#"firstName" or "lastName" or "mobile"#>)
      }
      MigrationStep("add Patient.consent") {
      """#
    #expect(message.contains(step))
    #expect(differences[0].step?.contains(#"to: "firstName")"#) == true)
    #expect(
      missing("mobile", ["phone"]).step?.contains(#"rename("phone", of: "Patient", to: "mobile")"#)
        == true)
  }

  @Test(arguments: [
    ("Int", "String", "<#String($0)#>"), ("Int", "UUID", "<#a UUID for $0#>"),
    ("Int", "String?", "<#String($0)#>"), ("Int?", "String?", "<#$0.map { … }#>"),
    ("Int", "Bool", "<#$0 != 0#>"), ("Int", "UInt", "UInt(exactly: $0) ?? <#UInt#>"),
    ("Double", "Int", "Int(exactly: $0) ?? <#Int#>"),
    ("Double", "Decimal", #"Decimal(exactly: "\($0)") ?? <#Decimal#>"#),
    ("Decimal", "Int", "<#a Int for $0#>"), ("Int", "Decimal", "<#Decimal($0)#>"),
    ("String", "Int", "Int($0) ?? <#Int#>"), ("String", "Int?", "Int($0) ?? <#nil#>"),
    ("String", "UUID", "UUID(uuidString: $0) ?? <#UUID#>"), ("UUID", "String", "<#$0.uuidString#>"),
    ("Bool", "String", "$0 ? <#String#> : <#String#>"),
    ("[String: Int]", "[String: Decimal]", "<#a [String: Decimal] for $0#>"),
  ])
  func aStepThatChangesATypeProposesAConversionThatCompiles(
    stored: String, declared: String, conversion: String
  ) {
    let difference = SchemaDifference.otherType(
      model: "A", field: "b", stored: stored, declared: declared)
    #expect(difference.step?.contains("\(declared).self) { \(conversion) }") == true)
  }

  @Test func whoForgotThePlanIsToldToGiveIt() {
    let message = StoreError.fileIsNewer(path: "p", features: [], unknownSteps: ["a", "b"]).message
    #expect(message.contains("steps that this program does not give (a, b). Open it with the plan"))
  }

  @Test func everyCaseHasAMessageOfWholeSentences() {
    #expect(Set(Self.errors.map(\.code)) == Set(StoreError.Code.allCases))
    for error in Self.errors {
      // The template of a step is no sentence.
      let text = error.message.split(separator: "\n").prefix { !$0.hasPrefix("MigrationStep(") }
        .joined(separator: "\n")
      // Neither is code.
      let words = text.replacing(/`[^`]*`/, with: "code")
        // The place in a text that objects are read from.
        .replacing("line 3, column 7", with: "a place")
      let lines = words.split(separator: "\n")
      #expect(lines.allSatisfy { $0.contains(/[.:?…]$/) }, "\(text)")
      #expect(words.hasSuffix(".") || lines.count > 1 || words.contains(/[?…]$/), "\(text)")
      #expect(!words.contains(/[.,:;?!…][.,:;?!…]/), "\(text)")
      #expect(!words.contains("  ") && !words.contains(#/ [.,:;?!)]/#), "\(text)")
      #expect(!words.contains("Optional("), "\(text)")
      // A person knows names, and not what the file numbers.
      #expect(!words.contains(/\b(?:tree|table|field|column|index) \d/), "\(text)")
      #expect(text.first?.isLowercase == false || text.hasPrefix("p "), "\(text)")
      #expect(error.localizedDescription == error.message && "\(error)" == error.message)
    }
  }
}
