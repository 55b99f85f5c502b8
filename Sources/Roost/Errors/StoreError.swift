// Indirect, so that what is thrown is one word at each of the calls that it goes through.
/// Everything that can go wrong with a store.
///
/// One type, so that one `catch` sees it all; it may gain cases. ``message`` says in plain words what
/// happened and what to do next, and ``code-swift.property`` names the case for logs and for other programs. An
/// error that your own code throws inside `read` or `write` is never wrapped in it: it comes out as it went in.
@nonexhaustive
public indirect enum StoreError: Error, Equatable, Sendable {
  // MARK: Objects

  /// No object of the model has this id.
  case notFound(model: String, id: String)
  /// Another object of the model already has this value in its key or in a unique field.
  case duplicateKey(model: String, field: String, value: String)
  /// A closure that was to change an object's fields changed its id.
  case changedKey(model: String, id: String)
  /// At the end of a transaction, a link pointed to an object that does not exist.
  case danglingLink(model: String, field: String, target: String, targetID: String)
  /// An object could not be deleted because others link to it.
  ///
  /// - Parameters:
  ///   - linkingModel: The model of those, which may be one that the program does not list.
  ///   - linkingField: Their field that links to it.
  case linkedTarget(model: String, id: String, linkingModel: String, linkingField: String)
  /// A stored value is none that the field's Swift type knows, such as an enum's removed case.
  case undecodable(model: String, field: String, value: String)
  /// A value could not be turned into what is stored, for a reason of its own type.
  case unencodable(type: String, reason: String)
  /// A value was given for a field that stores values of another type, or none where one is needed.
  case valueMismatch(model: String, field: String, expected: String, found: String)
  /// A value is longer than its field can hold.
  case valueTooLong(model: String, field: String, limit: Int)
  /// A text that objects were read from is not what it should be.
  case malformedText(TextProblem)
  /// A list has no such place; it has so many.
  case outOfRange(place: Int, count: Int)
  /// A sum of integers does not fit in an `Int`.
  case overflow(model: String, field: String)
  /// What an update's expression makes of an object does not fit in the field's type.
  case overflowInUpdate(model: String, field: String, id: String)
  /// More of something than a store can hold, and how much it can.
  case limitExceeded(StoreLimit)

  // MARK: Models and queries

  /// A model's schema has no `Key`, or more than one.
  case missingKey(model: String)
  /// A model's schema cannot be stored as it is.
  case schemaInvalid(model: String, reason: String)
  /// Two models, or two fields of a model, would have one name; nil for models.
  case nameTaken(model: String, field: String?)
  /// A schema lists its fields in another order than the initializer takes them.
  case fieldOrder(model: String, field: String, receives: String)
  /// The file differs from the models in what only a migration's step can settle, and was left as it is.
  case migrationRequired([SchemaDifference])
  /// A migration's step could not go on; the file is as it was before the step.
  case migrationFailed(MigrationFailure)
  /// What a kept version has of a model is not what the program declares: its objects there cannot be read with it.
  case versionUnfit(version: String, [SchemaDifference])
  /// A step of a migration's plan can do nothing, or is there twice.
  case planInvalid(step: String, reason: String)
  /// A value under a name, or a field of some object, is stored in another type than the program declares.
  case schemaMismatch(model: String, field: String, stored: String, declared: String)
  /// A model was used that the store was not opened with.
  case unknownModel(model: String)
  /// A query or a row was asked for a property that the model's schema does not list.
  case unknownField(model: String, property: String)
  /// A predicate of Foundation's says what no query can: by which of its expressions, and what to write instead.
  case predicateUnsupported(node: String, reason: String)
  /// A query uses something where it is not to be had, such as a field of an object outside where there is none.
  case queryInvalid(model: String, reason: String)
  /// A query that was read from a text asks for what the models of this store do not have.
  case queryUnfit(text: String, reason: String)

  /// A text is no query of the store: what is wrong, what would be right, and the byte of the text where it was noticed.
  case queryMalformed(text: String, reason: String, offset: Int)

  // MARK: The file

  /// The file holds bytes that it should not hold: which objects they hit, and where they are, as far as
  /// that is known.
  case corrupt(path: String, damage: StoreDamage)
  /// The file is something else than a Roost store.
  case notARoostFile(path: String)
  /// The file ends before its content does.
  case fileTruncated(path: String)
  /// The file uses features that this version of Roost does not know, or a newer release of the program has run steps of its
  /// migration that this one does not know.
  case fileIsNewer(path: String, features: [String], unknownSteps: [String] = [])
  /// The file has a format that this version of Roost no longer reads.
  case fileIsOlder(path: String, format: Int)
  /// No version is kept under the name.
  case unknownVersion(name: String)
  /// A version is kept under the name already.
  case versionNameTaken(name: String)
  /// A kept version was restored that had other models: the store must be opened again.
  case modelsChanged
  /// There is no file at the path, and the store was not to create one.
  case fileNotFound(path: String)
  /// The path leads to a directory.
  case isDirectory(path: String)
  /// The system does not allow the access, or the medium can only be read: its error number says which.
  case permissionDenied(operation: FileOperation, path: String, errno: Int32 = 13)
  /// The medium is full; a transaction was rolled back.
  case diskFull(path: String)
  /// Another process has the file open, or something read from a closed store holds it.
  case locked(path: String)
  /// The file was removed, moved, replaced or cut off while the store was open. Nothing was changed, and reading goes on.
  case displaced(path: String, Displacement)
  /// The store was opened by the process that forked this one, which must open it itself.
  case forked(path: String)
  /// The system reported any other error.
  case io(operation: FileOperation, path: String, errno: Int32)

  // MARK: Use

  /// The store was closed.
  case closed
  /// A transaction was used after its closure had returned.
  case transactionEnded
  /// A write transaction was used on another thread than the one that its closure runs on.
  case transactionOfAnotherThread
  /// A write transaction was used by code that a model's types run while it encodes or decodes one of their objects.
  case transactionInUse
  /// `write` was called inside of `write`.
  case reentrantWrite
  /// The store was opened for reading only.
  case readOnly
  /// The task that waited for the operation was cancelled; a transaction was rolled back.
  case cancelled
  /// A snapshot of another store was given.
  case foreignSnapshot(path: String)
  /// An earlier write failed in a way that leaves the medium's state unknown: nothing more is written until the file is
  /// opened again.
  case writesRefused(path: String)
}

extension StoreError {
  /// Whether it says that a file does not fit the models.
  var isOfSchema: Bool {
    switch self {
    case .migrationRequired: true
    case .fileIsNewer(_, _, let unknownSteps): !unknownSteps.isEmpty
    default: false
    }
  }
}
