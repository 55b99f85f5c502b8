package import RoostEngine

/// A store's file, in the form that errors use.
package struct StoreFile: Sendable {
  /// The path by which it was opened.
  let path: String
  /// The names of its trees, if they are known.
  let names: TreeNames
  /// The names of the models that the program lists; nil if it works without models.
  let models: Set<String>?

  /// - Parameter catalog: The tables; of a file that is not open yet, none.
  package init(path: String, catalog: Catalog = Catalog()) {
    self.init(path: path, names: TreeNames(catalog), models: nil)
  }

  private init(path: String, names: TreeNames, models: Set<String>?) {
    self.path = path
    self.names = names
    self.models = models
  }

  /// The same file, opened by a program with models of these names.
  func opened(with models: [String]) -> StoreFile {
    StoreFile(path: path, names: names, models: Set(models))
  }
}

extension StoreFile {
  /// The model whose objects, or whose index, a tree stores.
  fileprivate func model(ofTree tree: UInt32?) -> String {
    tree.flatMap { names[$0]?.table } ?? "an unknown model"
  }

  /// Whether the program can change the objects of a table: those of its models, and values under names.
  fileprivate func lists(_ table: String) -> Bool {
    models?.contains(table) ?? true || TableDefinition.valueName(of: table) != nil
  }
}

extension StoreError {
  /// Converts the engine's error for users of the store.
  package init(_ error: EngineError, in file: StoreFile) {
    let path = file.path
    self =
      switch error {
      case .file(let error): Self(error)
      case .corrupt(let corruption):
        .corrupt(path: path, damage: StoreDamage(corruption, names: file.names))
      case .notARoostFile(let path): .notARoostFile(path: path)
      case .truncated(let path): .fileTruncated(path: path)
      case .fileIsNewer(let features): .fileIsNewer(path: path, features: features)
      case .fileIsOlder(let format): .fileIsOlder(path: path, format: Int(format))
      case .locked(let path): .locked(path: path)
      case .inUse(let path, let use): .inUse(path: path, by: FileHolders(use))
      case .openInOtherMode(let path, let isReadOnly):
        .openInOtherMode(path: path, isReadOnly: isReadOnly)
      case .displaced(let path, let displacement):
        .displaced(path: path, Displacement(displacement))
      case .readOnly: .readOnly
      case .closed: .closed
      case .transactionEnded: .transactionEnded
      case .foreignThread: .transactionOfAnotherThread
      case .nestedWrite: .reentrantWrite
      case .writesRefused: .writesRefused(path: path)
      case .version(let name, .unknown): .unknownVersion(name: name)
      case .version(let name, .taken): .versionNameTaken(name: name)
      case .duplicate(let table, let field, let value):
        .duplicateKey(model: table, field: field, value: value)
      case .missing(let table, let key): .notFound(model: table, id: key)
      case .danglingLink(let table, let key, let field, let target, let value):
        .danglingLink(
          model: table, id: TableDefinition.valueName(of: table) == nil ? key : nil, field: field,
          target: target, targetID: value)
      case .linkedTarget(let table, let key, let from, let field):
        .linkedTarget(
          model: table, id: key, linkingModel: from, linkingField: field,
          isListed: file.lists(from))
      case .unknownTable(let name): .unknownModel(model: name)
      case .unknownField(let table, let field): .unknownField(model: table, property: field)
      case .unknownColumn(let tree, _):
        .unknownField(
          model: file.model(ofTree: tree), property: "a field that this version of the file lacks")
      case .unknownIndex(let tree):
        .unknownField(
          model: file.model(ofTree: tree),
          property: "the index of \(file.names[tree]?.field ?? "its key")")
      case .nameTaken(let table, let field): .nameTaken(model: table, field: field)
      case .identifierCount(let table): .missingKey(model: table)
      case .malformedQuery(let table, let fault):
        .queryInvalid(model: table, reason: fault.rawValue)
      case .wrongType(let table, let field):
        .undecodable(model: table, field: field, value: "a value of another type")
      case .tooLong(let table, let field, let limit):
        .valueTooLong(model: table, field: field, limit: limit)
      case .limit(let limit): .limitExceeded(StoreLimit(limit))
      case .overflow(let table, let field): .overflow(model: table, field: field)
      case .overflowInUpdate(let table, let field, let key):
        .overflowInUpdate(model: table, field: field, id: key)
      case .cancelled: .cancelled
      }
  }

  /// Converts the system's error.
  package init(_ error: FileError) {
    let path = error.path
    self =
      switch error.meaning {
      case .outOfSpace: .diskFull(path: path)
      case .directory: .isDirectory(path: path)
      case .missingFile where error.operation == .open: .fileNotFound(path: path)
      case .forked: .forked(path: path)
      case .forbidden:
        .permissionDenied(
          operation: FileOperation(error.operation), path: path, errno: error.code)
      case .tooLarge, .missingFile, .existingFile, .stale, .busy, .notOpen, .invalid, .outOfMemory,
        .other:
        .io(operation: FileOperation(error.operation), path: path, errno: error.code)
      }
  }
}

/// Runs an operation of the engine on a store's file, and converts its error.
@inline(__always)
func working<R>(
  on file: @autoclosure () -> StoreFile, _ operation: () throws(EngineError) -> R
) throws(StoreError) -> R {
  do { return try operation() } catch { throw StoreError(error, in: file()) }
}
