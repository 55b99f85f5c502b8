internal import RoostEngine

extension StoreError {
  /// What happened, and what to do next.
  ///
  /// In parts, in the order of the cases. That none is left out, the tests see: they have an error of each code.
  var words: String {
    wordsOfObjects ?? wordsOfModels ?? wordsOfContent ?? wordsOfAccess ?? wordsOfUse
      ?? code.rawValue
  }

  /// The words of an error about objects and their values; nil for another error.
  private var wordsOfObjects: String? {
    switch self {
    case .notFound(let model, let id):
      "There is no \(model) with the id \(id). Where it may be missing, `fetch` returns nil, and `upsert` inserts it."
    case .duplicateKey(let model, let field, let value):
      "\(model) already has an object whose \(field) is \(value). "
        + "Give the new one another \(field), or change the object that is there: `upsert` replaces one of the same id alone."
        + (value == "0" ? " The key says `.assigned` if the store is to assign ids." : "")
    case .changedKey(let model, let id):
      "The id of \(model) \(id) was changed in an update. "
        + "Delete the object and insert it under its new id."
    case .danglingLink(let model, let id, let field, let target, let targetID):
      "\(Self.place(model, field))\(id.map { " of \(model) \($0)" } ?? "") links to "
        + (targetID.map { "\(target) \($0), which does not exist. " }
          ?? "an object of \(target) that the same transaction deleted. ")
        + "\(targetID == "0" ? "0 is `.assigned`: link to what `insert` returns, which has its id. " : "")"
        + "Insert it in the same transaction, or do without the link: of a list, remove the id; an optional link can be "
        + "nil, or be declared with `.onMissingTarget(.nullify)`."
    case .linkedTarget(let model, let id, let linkingModel, let linkingField, let isListed):
      "\(model) \(id) cannot be deleted, because \(Self.place(linkingModel, linkingField, isFirst: false)) links to it"
        + (isListed
          ? ". Delete or change what links to it in the same transaction."
          : ", and \(linkingModel) is not among the models of this store. Add `\(linkingModel).self` where the store "
            + "is opened, and delete or change what links to it in the same transaction. If no program uses "
            + "\(linkingModel) any more, remove it in a migration step: `removeModel(\"\(linkingModel)\")`.")
    case .undecodable(let model, let field, "nil"):
      "\(Self.place(model, field)) is nil here, and the type that it is read as has no nil. Ask for it with `orNil`, or "
        + "with a value in place of nil: `??`."
    case .undecodable(let model, let field, let value):
      "\(Self.place(model, field)) holds \(value), which its Swift type does not know. "
        + "Let it know all that was ever stored, as an enum does by keeping its cases and raw values"
        + "\(Self.conversion(model, field))."
    case .unencodable(let type, let reason):
      "A \(type) could not be stored: \(reason.sentence) Nothing was changed."
    case .valueMismatch(let model, let field, let expected, let found):
      "\(Self.place(model, field)) takes \(expected), and was given \(found). Nothing was changed; give it a value of its type."
    case .valueTooLong(let model, let field, let limit):
      "A value does not fit in \(model).\(field), which takes at most \(limit) bytes. "
        + "Shorten it, or store it in a field without an index."
    case .malformedText(let problem):
      problem.description
    case .branchInvalid(let model, let branch, let reason):
      "A text cannot have \(branch.isEmpty ? "branches of \(model)" : "\(model).\(branch) as a branch"): \(reason.sentence)"
    case .formatInvalid(let option, let reason):
      "The format's `\(option)` cannot be used: \(reason.sentence)"
    case .outOfRange(let place, let count):
      "There is no position \(place) in a list, or a blob, of \(count). Positions begin at 0; ask for its `count` before."
    case .overflow(let model, let field):
      "The sum of \(model).\(field) does not fit in the type of sums. Sum over a narrower query."
    case .overflowInUpdate(let model, let field, let id):
      "The new \(field) of \(model) \(id) does not fit in the field's type. Nothing was changed; "
        + "leave such objects out of the query."
    case .limitExceeded(let limit):
      "This is more than a store can hold. The limit is \(limit)."
    default: nil
    }
  }

  /// The words of an error about models, migrations and queries; nil for another error.
  private var wordsOfModels: String? {
    switch self {
    case .missingKey(let model):
      "The schema of \(model) needs exactly one `Key(\"id\", \\.id)`."
    case .schemaInvalid(let model, let reason):
      "The schema of \(model) cannot be stored: \(reason.sentence)"
    case .fieldOrder(let model, let field, let receives):
      "The schema of \(model) lists its fields in another order than the initializer takes them: "
        + "\"\(field)\" receives the value of \"\(receives)\". List them in the initializer's order."
    case .schemaMismatch(let model, let field, let stored, let declared):
      "\(Self.place(model, field)) is stored as \(stored), but declared as \(declared). The file was left as it is. "
        + (Self.isMissing(stored)
          ? "Give the field a value for what has none, `.default(…)`, or declare it as an optional."
          : "Declare the stored type, or give the new one a new field name.")
    case .nameTaken(let model, let field?):
      "\(model) already has a field with the name \(field). Give one of the two another name."
    case .nameTaken(let model, nil):
      "There already is a model with the name \(model). Give one of the two another name."
    case .migrationRequired(let differences):
      Self.message(of: differences)
    case .migrationFailed(let failure):
      failure.description
    case .versionUnfit(let version, let differences):
      "The version \"\(version)\" has other models: "
        + "\(differences.map(\.description).joined(separator: " ")) "
        + "Read it with the models that it had, or restore it.".visible
    case .planInvalid(let step, let reason):
      "The migration's step \"\(step)\" is wrong: \(reason.sentence)"
    case .unknownModel(let model):
      "\(model) is not among the models of this store. Add `\(model).self` where the store is opened."
    case .queryInvalid(let model, let reason):
      "\(model) cannot be asked this query: \(reason.sentence) Correct the query."
    case .queryUnfit(let text, let reason):
      "This store cannot be asked \(text): \(reason.sentence) Read the text with the store that it is asked of."
    case .queryMalformed(let text, let reason, let offset):
      "The query \(text) cannot be read at byte \(offset): \(reason.sentence)"
    case .unknownField(let model, let property) where property.contains(".id."):
      "The schema of \(model) has no field for \(property): a key is stored whole. Order by the key, ask for its first parts "
        + "by `$0.id.begins(with: …)`, or store the part in a field, too."
    case .unknownField(let model, let property):
      "The schema of \(model) has no field for \(property). "
        + "Add a `Field` for it, or use a property that is stored; behind a link, and to change a part of a value, a closure: "
        + "`{ $0.owner.name }`, `{ $0.scores[\"a\"] = 1 }`."
    case .predicateUnsupported(let node, let reason):
      "A store cannot be asked the predicate because of its \(node): \(reason.sentence)"
    default: nil
    }
  }

  /// The words of an error about what is in the file; nil for another error.
  private var wordsOfContent: String? {
    switch self {
    case .corrupt(let path, let damage):
      "\(path) is damaged (\(damage)). Run `roost verify` to see how much can be read, "
        + "and restore a backup, or save what can be with `roost salvage`."
    case .notARoostFile(let path):
      "\(path) is not a Roost store. Check the path; the file was left as it is."
    case .fileTruncated(let path):
      "\(path) ends before its content does. Was it copied while it was open? Restore a whole copy."
    case .fileIsNewer(let path, _, let steps) where !steps.isEmpty:
      "\(path) was changed by migration steps that this program does not give (\(steps.joined(separator: ", "))). "
        + "Open it with the plan that has them, or update the program; the file was left as it is."
    case .fileIsNewer(let path, let features, _):
      "\(path) was written by a newer Roost and uses \(features.joined(separator: ", ")). "
        + "Update Roost to open it."
    case .fileIsOlder(let path, let format):
      "\(path) has format \(format), which this Roost no longer reads. "
        + "Open it with an older Roost and copy its objects."
    case .unknownVersion(let name):
      "No version is kept under the name \"\(name)\". `Store.versions` and `roost versions` list the names."
    case .versionNameTaken(let name):
      "A version is kept under the name \"\(name)\" already. Drop it first, or take another name."
    case .modelsChanged:
      "The file's models were changed while this store was open: another store of this process has migrated the file, or a "
        + "kept version was restored. Open the store again, with the models that the file has now. Snapshots and rows from "
        + "before stay readable."
    default: nil
    }
  }

  /// The words of an error about access to the file; nil for another error.
  private var wordsOfAccess: String? {
    switch self {
    case .fileNotFound(""): "The path is empty. Give the path of a file, such as app.roost."
    case .fileNotFound(let path):
      "There is no file at \(path). Check the path. Only a store's file is made, where the store is opened for writing."
    case .directoryNotFound(let path):
      "There is no directory \(path) to create the store's file in. \(Self.pathRemedy(path))"
    case .isDirectory(let path):
      "\(path) is a directory. Give the path of a file, such as \(path)/app.roost."
    case .permissionDenied(let operation, let path, _):
      "The system does not allow to \(operation.words) \(path). "
        + "Check who owns the file and its directory, or open the store read-only."
    case .diskFull(let path):
      "The disk that holds \(path) is full. Nothing was changed; free some space and try again."
    case .locked(let path):
      "\(path) is open in another process. Close it there, then try again."
    case .inUse(let path, let holders):
      "\(path) is in use in this process: \(holders.words)"
    case .openInOtherMode(let path, true):
      "\(path) is open read-only in this process. Open it with `isReadOnly`, or close it and release its snapshots and rows."
    case .openInOtherMode(let path, false):
      "\(path) is open for writing in this process. Open it without `isReadOnly`, or close it and release its snapshots "
        + "and rows."
    case .displaced(let path, let displacement):
      "\(path) \(displacement.sentence) Nothing was written, and what was committed before "
        + "can still be read: \(displacement.advice)"
    case .forked(let path):
      "\(path) was opened by the process that forked this one, and two processes must not write to it. "
        + "Open it in the child, when the parent has closed it."
    case .io(let operation, let path, let errno):
      "The system could not \(operation.words) \(path): \(FileError.words(for: errno)) (errno \(errno)). "
        + "Check the device and the limits of the process, and try again."
    default: nil
    }
  }

  /// The words of an error about how a store is used; nil for another error.
  private var wordsOfUse: String? {
    switch self {
    case .closed:
      "The store was closed. Open it again to use it."
    case .transactionEnded:
      "The transaction has ended. Use it only inside of its closure, and return values from there."
    case .transactionOfAnotherThread:
      "A write transaction was used on another thread than its closure runs on. Use it there only, and hand the other "
        + "thread values."
    case .transactionInUse:
      "A write transaction was used while it encodes or decodes an object. Do not use it in what the model's types run "
        + "for that: an initializer, a conversion or an id."
    case .reentrantWrite:
      "`write` was called inside of `write`. Pass the transaction on to the function that writes."
    case .readOnly:
      "The store was opened read-only. Open it without `isReadOnly` to write."
    case .cancelled:
      "The task was cancelled. What it had written was rolled back."
    case .foreignSnapshot(let path):
      "The other snapshot is of another store, \(path). Compare versions of one file."
    case .writesRefused(let path):
      "The store takes no more writes, because an earlier one to \(path) failed. Reads go on; "
        + "close it and open it again to recover."
    default: nil
    }
  }

  /// What to do about a path whose directory does not exist.
  private static func pathRemedy(_ path: String) -> String {
    if path.hasPrefix("file:") {
      return "It is a URL as a text: give the URL itself, or its `path`."
    }
    if path == "~" || path.hasPrefix("~/") {
      return "`~` is not replaced: give the whole path, such as that of `URL.homeDirectory`."
    }
    return "Check the path, or create the directory before."
  }

  /// How a step converts the values of a field that its type no longer knows; empty for what no step changes.
  private static func conversion(_ model: String, _ field: String) -> String {
    guard TableDefinition.valueName(of: model) == nil, !field.contains(" ") else { return "" }
    return
      ", or convert the field in a migration step: `try $0.convert(\"\(field)\", of: \"\(model)\", "
      + "from: <#stored type#>.self, to: <#type#>.self) { <#value of $0#> }`"
  }

  /// A field in words: `Person.name`, or a value under a name.
  ///
  /// - Parameter isFirst: Whether a sentence begins with it.
  private static func place(_ model: String, _ field: String, isFirst: Bool = true) -> String {
    guard let name = TableDefinition.valueName(of: model) else {
      return field.contains(" ") ? "\(field) of \(model)" : "\(model).\(field)"
    }
    return (isFirst ? "The" : "the") + " value \"\(name)\""
      + (field == "value" ? "" : ", in \(field),")
  }

  /// Whether the words for what is stored say that there is nothing.
  private static func isMissing(_ stored: String) -> Bool {
    stored.hasPrefix("nothing") || stored.hasPrefix("optional, and nil")
  }
}
