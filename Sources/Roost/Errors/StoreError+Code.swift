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
    /// ``StoreError/notFound``
    case notFound = "not-found"
    /// ``StoreError/duplicateKey``
    case duplicateKey = "duplicate-key"
    /// ``StoreError/changedKey``
    case changedKey = "changed-key"
    /// ``StoreError/danglingLink``
    case danglingLink = "dangling-link"
    /// ``StoreError/linkedTarget``
    case linkedTarget = "linked-target"
    /// ``StoreError/undecodable``
    case undecodable
    /// ``StoreError/unencodable``
    case unencodable
    /// ``StoreError/valueMismatch``
    case valueMismatch = "value-mismatch"
    /// ``StoreError/valueTooLong``
    case valueTooLong = "value-too-long"
    /// ``StoreError/malformedText``
    case malformedText = "malformed-text"
    /// ``StoreError/branchInvalid``
    case branchInvalid = "branch-invalid"
    /// ``StoreError/outOfRange``
    case outOfRange = "out-of-range"
    /// ``StoreError/overflow``
    case overflow
    /// ``StoreError/overflowInUpdate``
    case overflowInUpdate = "overflow-in-update"
    /// ``StoreError/limitExceeded``
    case limitExceeded = "limit-exceeded"
    /// ``StoreError/missingKey``
    case missingKey = "missing-key"
    /// ``StoreError/schemaInvalid``
    case schemaInvalid = "schema-invalid"
    /// ``StoreError/nameTaken``
    case nameTaken = "name-taken"
    /// ``StoreError/fieldOrder``
    case fieldOrder = "field-order"
    /// ``StoreError/migrationRequired``
    case migrationRequired = "migration-required"
    /// ``StoreError/migrationFailed``
    case migrationFailed = "migration-failed"
    /// ``StoreError/versionUnfit``
    case versionUnfit = "version-unfit"
    /// ``StoreError/planInvalid``
    case planInvalid = "plan-invalid"
    /// ``StoreError/schemaMismatch``
    case schemaMismatch = "schema-mismatch"
    /// ``StoreError/unknownModel``
    case unknownModel = "unknown-model"
    /// ``StoreError/unknownField``
    case unknownField = "unknown-field"
    /// ``StoreError/predicateUnsupported``
    case predicateUnsupported = "predicate-unsupported"
    /// ``StoreError/queryInvalid``
    case queryInvalid = "query-invalid"
    /// ``StoreError/queryUnfit``
    case queryUnfit = "query-unfit"
    /// ``StoreError/queryMalformed``
    case queryMalformed = "query-malformed"
    /// ``StoreError/corrupt``
    case corrupt
    /// ``StoreError/notARoostFile``
    case notARoostFile = "not-a-roost-file"
    /// ``StoreError/fileTruncated``
    case fileTruncated = "file-truncated"
    /// ``StoreError/fileIsNewer``
    case fileIsNewer = "file-is-newer"
    /// ``StoreError/fileIsOlder``
    case fileIsOlder = "file-is-older"
    /// ``StoreError/unknownVersion``
    case unknownVersion = "unknown-version"
    /// ``StoreError/versionNameTaken``
    case versionNameTaken = "version-name-taken"
    /// ``StoreError/modelsChanged``
    case modelsChanged = "models-changed"
    /// ``StoreError/fileNotFound``
    case fileNotFound = "file-not-found"
    /// ``StoreError/isDirectory``
    case isDirectory = "is-directory"
    /// ``StoreError/permissionDenied``
    case permissionDenied = "permission-denied"
    /// ``StoreError/diskFull``
    case diskFull = "disk-full"
    /// ``StoreError/locked``
    case locked
    /// ``StoreError/displaced``
    case displaced
    /// ``StoreError/forked``
    case forked
    /// ``StoreError/io``
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
    /// ``StoreError/foreignSnapshot``
    case foreignSnapshot = "foreign-snapshot"
    /// ``StoreError/writesRefused``
    case writesRefused = "writes-refused"
  }

  /// The stable name of the error.
  public var code: Code {
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
    case .corrupt: .corrupt
    case .notARoostFile: .notARoostFile
    case .fileTruncated: .fileTruncated
    case .fileIsNewer: .fileIsNewer
    case .fileIsOlder: .fileIsOlder
    case .unknownVersion: .unknownVersion
    case .versionNameTaken: .versionNameTaken
    case .modelsChanged: .modelsChanged
    case .fileNotFound: .fileNotFound
    case .isDirectory: .isDirectory
    case .permissionDenied: .permissionDenied
    case .diskFull: .diskFull
    case .locked: .locked
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
    case .writesRefused: .writesRefused
    }
  }
}
