extension StoreError {
  /// A name for each case that is stable across versions: for logs, for statistics, and for other programs.
  ///
  /// ```swift
  /// logger.error("\(error.message)", metadata: ["code": "\(error.code.rawValue)"])
  /// ```
  ///
  /// Names never change, and are never reused for another error. New errors get new names.
  @nonexhaustive
  public enum Code: String, CaseIterable, Hashable, Sendable {
    /// ``StoreError/notFound(model:id:)``
    case notFound = "not-found"
    /// ``StoreError/duplicateKey(model:field:value:)``
    case duplicateKey = "duplicate-key"
    /// ``StoreError/changedKey(model:id:)``
    case changedKey = "changed-key"
    /// ``StoreError/danglingLink(model:id:field:target:targetID:)``
    case danglingLink = "dangling-link"
    /// ``StoreError/linkedTarget(model:id:linkingModel:linkingField:isListed:)``
    case linkedTarget = "linked-target"
    /// ``StoreError/undecodable(model:field:value:)``
    case undecodable
    /// ``StoreError/unencodable(type:reason:)``
    case unencodable
    /// ``StoreError/valueMismatch(model:field:expected:found:)``
    case valueMismatch = "value-mismatch"
    /// ``StoreError/valueTooLong(model:field:limit:)``
    case valueTooLong = "value-too-long"
    /// ``StoreError/malformedText(_:)``
    case malformedText = "malformed-text"
    /// ``StoreError/branchInvalid(model:branch:reason:)``
    case branchInvalid = "branch-invalid"
    /// ``StoreError/formatInvalid(option:reason:)``
    case formatInvalid = "format-invalid"
    /// ``StoreError/outOfRange(place:count:)``
    case outOfRange = "out-of-range"
    /// ``StoreError/overflow(model:field:)``
    case overflow
    /// ``StoreError/overflowInUpdate(model:field:id:)``
    case overflowInUpdate = "overflow-in-update"
    /// ``StoreError/limitExceeded(_:)``
    case limitExceeded = "limit-exceeded"
    /// ``StoreError/missingKey(model:)``
    case missingKey = "missing-key"
    /// ``StoreError/schemaInvalid(model:reason:)``
    case schemaInvalid = "schema-invalid"
    /// ``StoreError/nameTaken(model:field:)``
    case nameTaken = "name-taken"
    /// ``StoreError/fieldOrder(model:field:receives:)``
    case fieldOrder = "field-order"
    /// ``StoreError/migrationRequired(_:)``
    case migrationRequired = "migration-required"
    /// ``StoreError/migrationFailed(_:)``
    case migrationFailed = "migration-failed"
    /// ``StoreError/versionUnfit(version:_:)``
    case versionUnfit = "version-unfit"
    /// ``StoreError/planInvalid(step:reason:)``
    case planInvalid = "plan-invalid"
    /// ``StoreError/schemaMismatch(model:field:stored:declared:)``
    case schemaMismatch = "schema-mismatch"
    /// ``StoreError/unknownModel(model:)``
    case unknownModel = "unknown-model"
    /// ``StoreError/unknownField(model:property:)``
    case unknownField = "unknown-field"
    /// ``StoreError/predicateUnsupported(node:reason:)``
    case predicateUnsupported = "predicate-unsupported"
    /// ``StoreError/queryInvalid(model:reason:)``
    case queryInvalid = "query-invalid"
    /// ``StoreError/queryUnfit(text:reason:)``
    case queryUnfit = "query-unfit"
    /// ``StoreError/queryMalformed(text:reason:offset:)``
    case queryMalformed = "query-malformed"
    /// ``StoreError/corrupt(path:damage:)``
    case corrupt
    /// ``StoreError/notARoostFile(path:)``
    case notARoostFile = "not-a-roost-file"
    /// ``StoreError/fileTruncated(path:)``
    case fileTruncated = "file-truncated"
    /// ``StoreError/fileIsNewer(path:features:unknownSteps:)``
    case fileIsNewer = "file-is-newer"
    /// ``StoreError/fileIsOlder(path:format:)``
    case fileIsOlder = "file-is-older"
    /// ``StoreError/unknownVersion(name:)``
    case unknownVersion = "unknown-version"
    /// ``StoreError/versionNameTaken(name:)``
    case versionNameTaken = "version-name-taken"
    /// ``StoreError/modelsChanged``
    case modelsChanged = "models-changed"
    /// ``StoreError/fileNotFound(path:)``
    case fileNotFound = "file-not-found"
    /// ``StoreError/directoryNotFound(path:)``
    case directoryNotFound = "directory-not-found"
    /// ``StoreError/isDirectory(path:)``
    case isDirectory = "is-directory"
    /// ``StoreError/permissionDenied(operation:path:errno:)``
    case permissionDenied = "permission-denied"
    /// ``StoreError/diskFull(path:)``
    case diskFull = "disk-full"
    /// ``StoreError/locked(path:)``
    case locked
    /// ``StoreError/inUse(path:by:)``
    case inUse = "in-use"
    /// ``StoreError/openInOtherMode(path:isReadOnly:)``
    case openInOtherMode = "open-in-other-mode"
    /// ``StoreError/displaced(path:_:)``
    case displaced
    /// ``StoreError/forked(path:)``
    case forked
    /// ``StoreError/io(operation:path:errno:)``
    case io
    /// ``StoreError/closed``
    case closed
    /// ``StoreError/transactionEnded``
    case transactionEnded = "transaction-ended"
    /// ``StoreError/transactionOfAnotherThread``
    case transactionOfAnotherThread = "transaction-of-another-thread"
    /// ``StoreError/transactionInUse``
    case transactionInUse = "transaction-in-use"
    /// ``StoreError/reentrantWrite``
    case reentrantWrite = "reentrant-write"
    /// ``StoreError/readOnly``
    case readOnly = "read-only"
    /// ``StoreError/cancelled``
    case cancelled
    /// ``StoreError/foreignSnapshot(path:)``
    case foreignSnapshot = "foreign-snapshot"
    /// ``StoreError/writesRefused(path:)``
    case writesRefused = "writes-refused"
  }

  /// The stable name of the error.
  public var code: Code { codeOfObjects ?? codeOfFile }

  /// The code of an error about objects, models or queries; nil for another error.
  private var codeOfObjects: Code? {
    switch self {
    case .notFound: .notFound
    case .duplicateKey: .duplicateKey
    case .changedKey: .changedKey
    case .danglingLink: .danglingLink
    case .linkedTarget: .linkedTarget
    case .undecodable: .undecodable
    case .unencodable: .unencodable
    case .valueMismatch: .valueMismatch
    case .valueTooLong: .valueTooLong
    case .malformedText: .malformedText
    case .branchInvalid: .branchInvalid
    case .formatInvalid: .formatInvalid
    case .outOfRange: .outOfRange
    case .overflow: .overflow
    case .overflowInUpdate: .overflowInUpdate
    case .limitExceeded: .limitExceeded
    case .missingKey: .missingKey
    case .schemaInvalid: .schemaInvalid
    case .nameTaken: .nameTaken
    case .fieldOrder: .fieldOrder
    case .migrationRequired: .migrationRequired
    case .migrationFailed: .migrationFailed
    case .versionUnfit: .versionUnfit
    case .planInvalid: .planInvalid
    case .schemaMismatch: .schemaMismatch
    case .unknownModel: .unknownModel
    case .unknownField: .unknownField
    case .predicateUnsupported: .predicateUnsupported
    case .queryInvalid: .queryInvalid
    case .queryUnfit: .queryUnfit
    case .queryMalformed: .queryMalformed
    default: nil
    }
  }

  /// The code of an error about the file, or the use of a store.
  private var codeOfFile: Code {
    switch self {
    case .corrupt: .corrupt
    case .notARoostFile: .notARoostFile
    case .fileTruncated: .fileTruncated
    case .fileIsNewer: .fileIsNewer
    case .fileIsOlder: .fileIsOlder
    case .unknownVersion: .unknownVersion
    case .versionNameTaken: .versionNameTaken
    case .modelsChanged: .modelsChanged
    case .fileNotFound: .fileNotFound
    case .directoryNotFound: .directoryNotFound
    case .isDirectory: .isDirectory
    case .permissionDenied: .permissionDenied
    case .diskFull: .diskFull
    case .locked: .locked
    case .inUse: .inUse
    case .openInOtherMode: .openInOtherMode
    case .displaced: .displaced
    case .forked: .forked
    case .io: .io
    case .closed: .closed
    case .transactionEnded: .transactionEnded
    case .transactionOfAnotherThread: .transactionOfAnotherThread
    case .transactionInUse: .transactionInUse
    case .reentrantWrite: .reentrantWrite
    case .readOnly: .readOnly
    case .cancelled: .cancelled
    case .foreignSnapshot: .foreignSnapshot
    // The one that is left: the tests have an error of each code.
    default: .writesRefused
    }
  }
}
