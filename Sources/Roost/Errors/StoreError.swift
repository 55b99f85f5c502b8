// Indirect, so that a thrown error is one word in every call that it passes through.
/// The errors of a store.
///
/// A single type, so that one `catch` handles all errors; it may gain cases. ``message`` says in plain words what
/// happened and what to do next, and ``code-swift.property`` names the case for logs and for other programs. An
/// error that your own code throws inside `read` or `write` is never wrapped in it, but rethrown unchanged.
@nonexhaustive
public indirect enum StoreError: Error, Equatable, Sendable {
  // MARK: Objects

  /// No object of the model has this id.
  case notFound(model: String, id: String)
  /// Another object of the model already has this value in its key or in a unique field.
  case duplicateKey(model: String, field: String, value: String)
  /// A closure that changes an object's fields changed its id.
  case changedKey(model: String, id: String)
  /// At the end of a transaction, a link of the object with this id pointed to an object that does not exist.
  ///
  /// - Parameters:
  ///   - id: The first of the objects that link to it; nil for a value under a name, and where the object has no id yet.
  ///   - targetID: Nil for an object that the same transaction inserted and deleted, unless its id is an integer.
  case danglingLink(
    model: String, id: String?, field: String, target: String, targetID: String?)
  /// An object could not be deleted because others link to it.
  ///
  /// - Parameters:
  ///   - linkingModel: The model of those.
  ///   - linkingField: Their field that links to it.
  ///   - isListed: Whether the program lists their model where it opens the store.
  case linkedTarget(
    model: String, id: String, linkingModel: String, linkingField: String, isListed: Bool = true)
  /// A stored value is unknown to the field's Swift type, such as a removed case of an enum.
  case undecodable(model: String, field: String, value: String)
  /// A value could not be encoded, for a reason of its own type.
  case unencodable(type: String, reason: String)
  /// A value of another type was given for a field, or none for a field that requires one.
  case valueMismatch(model: String, field: String, expected: String, found: String)
  /// A value is longer than its field can hold.
  case valueTooLong(model: String, field: String, limit: Int)
  /// A text that objects were read from is malformed; the first mistake, with the others in it.
  case malformedText(TextProblem)
  /// A text cannot have a model's objects with a branch of others within them; empty for all branches.
  case branchInvalid(model: String, branch: String, reason: String)
  /// An option of a text's format cannot have its value.
  case formatInvalid(option: String, reason: String)
  /// A position is outside of a list with `count` elements.
  case outOfRange(place: Int, count: Int)
  /// A sum of integers does not fit in an `Int`.
  case overflow(model: String, field: String)
  /// The result of an update's expression for an object does not fit in the field's type.
  case overflowInUpdate(model: String, field: String, id: String)
  /// A limit of the store was exceeded.
  case limitExceeded(StoreLimit)

  // MARK: Models and queries

  /// A model's schema has no `Key`, or more than one.
  case missingKey(model: String)
  /// A model's schema cannot be stored as it is.
  case schemaInvalid(model: String, reason: String)
  /// Two models, or two fields of a model, would have the same name; nil for models.
  case nameTaken(model: String, field: String?)
  /// A schema lists its fields in another order than its initializer's parameters.
  case fieldOrder(model: String, field: String, receives: String)
  /// The file differs from the models in a way that needs a migration step, and was left unchanged.
  case migrationRequired([SchemaDifference])
  /// A migration step failed; the file is as it was before the step.
  case migrationFailed(MigrationFailure)
  /// A model in a kept version differs from the program's declaration: its objects there cannot be read with it.
  case versionUnfit(version: String, [SchemaDifference])
  /// A step of a migration plan has no effect, or occurs twice.
  case planInvalid(step: String, reason: String)
  /// A value under a name, or a field of some object, is stored with another type than the program declares.
  case schemaMismatch(model: String, field: String, stored: String, declared: String)
  /// A model was used that the store was not opened with.
  case unknownModel(model: String)
  /// A query or a row named a property that the model's schema does not list.
  case unknownField(model: String, property: String)
  /// A Foundation predicate has no equivalent query: the unsupported expression, and its replacement.
  case predicateUnsupported(node: String, reason: String)
  /// A query uses an expression where it is invalid, such as a field of an outer object where there is none.
  case queryInvalid(model: String, reason: String)
  /// A query read from a text uses names that the models of this store lack.
  case queryUnfit(text: String, reason: String)

  /// A text is not a valid query: the error, the expected text, and the byte offset where it was noticed.
  case queryMalformed(text: String, reason: String, offset: Int)

  // MARK: The file

  /// The file has invalid bytes: the affected objects and the position, as far as
  /// they are known.
  case corrupt(path: String, damage: StoreDamage)
  /// The file is not a Roost store.
  case notARoostFile(path: String)
  /// The file ends before its content does.
  case fileTruncated(path: String)
  /// The file uses features that this version of Roost does not know, or a newer release of the program has run migration
  /// steps that this release does not know.
  case fileIsNewer(path: String, features: [String], unknownSteps: [String] = [])
  /// The file has a format that this version of Roost no longer reads.
  case fileIsOlder(path: String, format: Int)
  /// No version is kept under the name.
  case unknownVersion(name: String)
  /// A version is already kept under the name.
  case versionNameTaken(name: String)
  /// Another store of this process has migrated a model of this one, or a kept version with other models was restored: the
  /// store must be opened anew.
  case modelsChanged
  /// There is no file at the path, and the store may not create one.
  case fileNotFound(path: String)
  /// The directory in which the store's file would be created does not exist.
  case directoryNotFound(path: String)
  /// The path leads to a directory.
  case isDirectory(path: String)
  /// The system denies the access, or the medium is read-only: the system's error number tells which.
  case permissionDenied(operation: FileOperation, path: String, errno: Int32 = 13)
  /// The medium is full; a transaction was rolled back.
  case diskFull(path: String)
  /// Another process has the file open.
  case locked(path: String)
  /// This process has the file open, where it must not be: what keeps it open.
  case inUse(path: String, by: FileHolders)
  /// This process has the file open in the other mode: read-only, or for writing.
  case openInOtherMode(path: String, isReadOnly: Bool)
  /// The file was removed, moved, replaced or truncated while the store was open. It was not changed, and can still be read.
  case displaced(path: String, Displacement)
  /// The store was opened by the parent of this forked process, which must open it itself.
  case forked(path: String)
  /// The system reported any other error.
  case io(operation: FileOperation, path: String, errno: Int32)

  // MARK: Use

  /// The store was closed.
  case closed
  /// A transaction was used after its closure had returned.
  case transactionEnded
  /// A write transaction was used on another thread than its closure's.
  case transactionOfAnotherThread
  /// A write transaction was used by code of a model's types while one of their objects was encoded or decoded.
  case transactionInUse
  /// `write` was called inside `write`.
  case reentrantWrite
  /// The store was opened read-only.
  case readOnly
  /// The task that waited for the operation was cancelled; a transaction was rolled back.
  case cancelled
  /// A snapshot of another store was passed.
  case foreignSnapshot(path: String)
  /// An earlier write failed and left the medium's state unknown: nothing more is written until the file is
  /// reopened.
  case writesRefused(path: String)
}

extension StoreError {
  /// Whether the error means that a file does not fit the models.
  var isOfSchema: Bool {
    switch self {
    case .migrationRequired: true
    case .fileIsNewer(_, _, let unknownSteps): !unknownSteps.isEmpty
    default: false
    }
  }
}
