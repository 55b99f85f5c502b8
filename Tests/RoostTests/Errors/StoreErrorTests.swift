import Foundation
import Roost
import RoostEngine
import Testing

/// What the errors say, to programs and to people.
@Suite struct StoreErrorTests {
  /// The texts are in logs and in other programs: one that is here is never changed, and never used for another error.
  @Test func aCodeIsTheSameInEveryVersion() {
    let texts: [StoreError.Code: String] = [
      .notFound: "not-found",
      .duplicateKey: "duplicate-key",
      .changedKey: "changed-key",
      .danglingLink: "dangling-link",
      .linkedTarget: "linked-target",
      .undecodable: "undecodable",
      .unencodable: "unencodable",
      .valueMismatch: "value-mismatch",
      .valueTooLong: "value-too-long",
      .malformedText: "malformed-text",
      .branchInvalid: "branch-invalid",
      .formatInvalid: "format-invalid",
      .outOfRange: "out-of-range",
      .overflow: "overflow",
      .overflowInUpdate: "overflow-in-update",
      .limitExceeded: "limit-exceeded",
      .missingKey: "missing-key",
      .schemaInvalid: "schema-invalid",
      .nameTaken: "name-taken",
      .fieldOrder: "field-order",
      .migrationRequired: "migration-required",
      .migrationFailed: "migration-failed",
      .versionUnfit: "version-unfit",
      .planInvalid: "plan-invalid",
      .schemaMismatch: "schema-mismatch",
      .unknownModel: "unknown-model",
      .unknownField: "unknown-field",
      .predicateUnsupported: "predicate-unsupported",
      .queryInvalid: "query-invalid",
      .queryUnfit: "query-unfit",
      .queryMalformed: "query-malformed",
      .corrupt: "corrupt",
      .notARoostFile: "not-a-roost-file",
      .fileTruncated: "file-truncated",
      .fileIsNewer: "file-is-newer",
      .fileIsOlder: "file-is-older",
      .unknownVersion: "unknown-version",
      .versionNameTaken: "version-name-taken",
      .modelsChanged: "models-changed",
      .fileNotFound: "file-not-found",
      .directoryNotFound: "directory-not-found",
      .isDirectory: "is-directory",
      .permissionDenied: "permission-denied",
      .diskFull: "disk-full",
      .locked: "locked",
      .inUse: "in-use",
      .openInOtherMode: "open-in-other-mode",
      .displaced: "displaced",
      .forked: "forked",
      .io: "io",
      .closed: "closed",
      .transactionEnded: "transaction-ended",
      .transactionOfAnotherThread: "transaction-of-another-thread",
      .transactionInUse: "transaction-in-use",
      .reentrantWrite: "reentrant-write",
      .readOnly: "read-only",
      .cancelled: "cancelled",
      .foreignSnapshot: "foreign-snapshot",
      .writesRefused: "writes-refused",
    ]
    for code in StoreError.Code.allCases { #expect(texts[code] == code.rawValue) }
    #expect(Set(texts.values).count == texts.count)
    #expect(texts.count == StoreError.Code.allCases.count)
  }

  @Test func anErrorHasTheCodeOfItsCase() {
    #expect(StoreError.notFound(model: "A", id: "1").code == .notFound)
    #expect(StoreError.io(operation: .read, path: "p", errno: 5).code.rawValue == "io")
    #expect(StoreError.closed.code.rawValue == "closed")
  }

  @Test(arguments: EngineLimit.Kind.allCases)
  func aLimitSaysWhatAndHowMuchAsTheEngineDoes(kind: EngineLimit.Kind) {
    let limit = EngineLimit(kind, 7, in: "Person")
    guard case .limitExceeded(let told) = error(.limit(limit)) else {
      Issue.record("It is another error.")
      return
    }
    #expect(told.description == limit.description)
    #expect(told.maximum == 7 && told.model == "Person")
  }

  @Test func whatIsUnknownIsSaidByModelAndField() throws {
    #expect(error(.unknownTable(name: "Person")) == .unknownModel(model: "Person"))
    #expect(
      error(.unknownField(table: "Person", field: "age"))
        == .unknownField(model: "Person", property: "age"))
    var catalog = Catalog()
    let table = try catalog.addTable(
      named: "Person",
      fields: [
        FieldDefinition(name: "id", type: .int, isIdentifier: true),
        FieldDefinition(name: "name", type: .string, isIndexed: true),
      ])
    #expect(
      error(.unknownColumn(tree: table.tree, field: 9), catalog)
        == .unknownField(model: "Person", property: "a field that this version of the file lacks"))
    #expect(
      error(.unknownIndex(tree: table.fields[1].indexTree), catalog)
        == .unknownField(model: "Person", property: "the index of name"))
  }

  @Test func aSecondTableOrFieldOfANameIsNotUnknown() throws {
    var catalog = Catalog()
    let fields = [
      FieldDefinition(name: "id", type: .int, isIdentifier: true),
      FieldDefinition(name: "name", type: .string),
    ]
    let table = try catalog.addTable(named: "Person", fields: fields)
    _ = try catalog.addTable(named: "Pet", fields: fields)
    #expect(throws: EngineError.nameTaken(table: "Person", field: nil)) {
      try catalog.addTable(named: "Person", fields: fields)
    }
    #expect(throws: EngineError.nameTaken(table: "Pet", field: nil)) {
      try catalog.renameTable(table.id, to: "Pet")
    }
    #expect(throws: EngineError.nameTaken(table: "Person", field: "name")) {
      try catalog.addField(fields[1], to: table.id)
    }
    #expect(throws: EngineError.nameTaken(table: "Person", field: "name")) {
      try catalog.renameField(0, of: table.id, to: "name")
    }
    #expect(throws: EngineError.unknownTable(name: "9")) {
      try catalog.renameField(0, of: 9, to: "name")
    }
    #expect(throws: EngineError.unknownField(table: "Person", field: "9")) {
      try catalog.renameField(9, of: table.id, to: "other")
    }
    #expect(
      error(.nameTaken(table: "Person", field: "name"))
        == .nameTaken(model: "Person", field: "name"))
  }

  private func error(_ error: EngineError, _ catalog: Catalog = Catalog()) -> StoreError {
    StoreError(error, in: StoreFile(path: "p", catalog: catalog))
  }
}
