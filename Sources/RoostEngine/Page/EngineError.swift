/// The errors of the engine.
///
/// Indirect, so that a thrown error is one word in each call that passes it on.
package indirect enum EngineError: Error, Equatable, Sendable {
  /// The system refused a file operation.
  case file(FileError)
  /// The file violates the format.
  case corrupt(Corruption)
  /// The file does not begin like a Roost file.
  case notARoostFile(path: String)
  /// The file ends before the end of its header and slots.
  case truncated(path: String)
  /// The file uses features that this library does not know.
  case fileIsNewer(features: [String])
  /// The file has a format number that this library no longer reads.
  case fileIsOlder(format: UInt32)
  /// Another process has the file open.
  case locked(path: String)
  /// This process has the file open, where it must not be open.
  case inUse(path: String, FileUse)
  /// This process has the file open in the other mode.
  case openInOtherMode(path: String, isReadOnly: Bool)
  /// The file was removed, moved, replaced or shortened while it was open.
  case displaced(path: String, FileDisplacement)
  /// The store or the file was opened for reading only.
  case readOnly
  /// The store was closed.
  case closed
  /// The transaction has ended.
  case transactionEnded
  /// Another thread began the transaction; only that thread may use it.
  case foreignThread
  /// A write began inside another write of the same thread.
  case nestedWrite
  /// A sync failed earlier: writes are refused until the file is opened again.
  case writesRefused
  /// No version has this name, or a version has it already.
  case version(named: String, VersionNameFault)
  /// The same key was inserted twice, or a unique value already exists.
  case duplicate(table: String, field: String, value: String)
  /// No object has this key.
  case missing(table: String, key: String)
  /// A link of the object with the key points to a missing object.
  case danglingLink(table: String, key: String, field: String, target: String, value: String?)
  /// An object cannot be deleted because a link points to it.
  case linkedTarget(table: String, key: String, from: String, field: String)
  /// No table has this name or number.
  case unknownTable(name: String)
  /// A table has no field of this name or number, or no such field of the requested type.
  case unknownField(table: String, field: String)
  /// The rows of a tree have no field of this number; the tree is nil for a row outside any tree.
  case unknownColumn(tree: UInt32?, field: FieldID)
  /// No index has this tree.
  case unknownIndex(tree: UInt32)
  /// Another table, or another field of the table, already has the name.
  case nameTaken(table: String, field: String?)
  /// A table would have no identifier, or several.
  case identifierCount(table: String)
  /// A query uses something where it is unavailable.
  case malformedQuery(table: String, QueryFault)
  /// A value does not have the field's type, or is null where the field is not optional.
  case wrongType(table: String, field: String)
  /// A value is longer than a key or an index can hold.
  case tooLong(table: String, field: String, limit: Int)
  /// A limit of the format or of a query's execution is exceeded.
  case limit(EngineLimit)
  /// An integer sum does not fit 64 bits.
  case overflow(table: String, field: String)
  /// The result of an expression does not fit in the field.
  case overflowInUpdate(table: String, field: String, key: String)
  /// The task was cancelled.
  case cancelled
}

extension EngineError {
  /// Whether the error concerns the name of a version.
  package var isOfVersionName: Bool {
    switch self {
    case .version: true
    case .limit(let limit): limit.kind == .namedVersions || limit.kind == .versionNameBytes
    default: false
    }
  }
}

/// The reason why the name of a version cannot be used.
package enum VersionNameFault: Hashable, Sendable {
  /// No version has it.
  case unknown
  /// A version already has it.
  case taken
}

/// An unsupported use in a query.
package enum QueryFault: String, Hashable, Sendable {
  /// A reference to an outer object in the outermost query.
  case outsideOfOutermost = "it reads an object outside of the outermost query"
  /// A calculation on an element.
  case calculatedElement = "it asks for more of an element than its parts"
  /// A column that the groups lack.
  case groupColumn = "its groups have no such column"
  /// A condition that applies only to objects.
  case groupCondition = "it asks of groups what can be asked of objects only"
  /// A comparison of values of two types.
  case groupComparison = "it compares a column of its groups with a value of another type"
}

/// Damage in a file, with its place.
package struct Corruption: Error, Equatable, Sendable {
  /// The kinds of damage.
  package enum Reason: String, Hashable, Sendable {
    case header
    case noValidSlot
    case confirmedVersionLost
    case slotField
    case confirmMark
    case checksum
    case extentBeyondFile
    case pointerKind
    case pointerOutsideFile
    case birthAfterParent
    case nodeTag
    case nodeLevel
    case nodeTree
    case nodeCount
    case nodeOrder
    case keyRange
    case objectCount
    case directory
    case column
    case fieldValue
    case encoding
    case offsets
    case codes
    case externalValue
    case lz4
    case freeLog
    case namedVersions
    /// The ring ends before a record that is known durable.
    case ringCut
    /// A record of the ring violates the format.
    case ringRecord
    case roots
    case catalog
    case overlap
    case leak
    case indexEntry
    case link
  }

  /// The kind of damage.
  package var reason: Reason
  /// The first unit of the damaged extent.
  package var unit: UInt64?
  /// The damaged tree.
  package var tree: UInt32?
  /// The affected object keys.
  package var keys: ClosedRange<Int64>?

  /// Damage of one kind at one place.
  package init(
    _ reason: Reason, unit: UInt64? = nil, tree: UInt32? = nil, keys: ClosedRange<Int64>? = nil
  ) {
    self.reason = reason
    self.unit = unit
    self.tree = tree
    self.keys = keys
  }
}

extension EngineError {
  /// The same error; damage without a tree gets this tree and these keys.
  @inline(never)
  func located(in tree: UInt32, keys: ClosedRange<Int64>? = nil) -> EngineError {
    guard case .corrupt(var corruption) = self, corruption.tree == nil else { return self }
    corruption.tree = tree
    corruption.keys = keys
    return .corrupt(corruption)
  }
}
