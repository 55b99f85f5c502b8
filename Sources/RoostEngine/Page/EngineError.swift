/// Everything the engine throws.
///
/// Indirect, so that what is thrown is one word at each of the calls that it goes through.
package indirect enum EngineError: Error, Equatable, Sendable {
  /// The system refused a file operation.
  case file(FileError)
  /// Something in the file is not as the format demands.
  case corrupt(Corruption)
  /// The file does not begin as a Roost file does.
  case notARoostFile(path: String)
  /// The file ends before its header and slots do.
  case truncated(path: String)
  /// The file uses features that this library does not know.
  case fileIsNewer(features: [String])
  /// The file has a format number that this library no longer reads.
  case fileIsOlder(format: UInt32)
  /// Another process has the file open.
  case locked(path: String)
  /// Somebody has taken the file from its place while it was open, or cut it off.
  case displaced(path: String, FileDisplacement)
  /// The store or the file was opened for reading only.
  case readOnly
  /// The store was closed.
  case closed
  /// The transaction has ended.
  case transactionEnded
  /// The transaction was begun by another thread, which alone may use it.
  case foreignThread
  /// A write was begun inside a write of the same thread.
  case nestedWrite
  /// A sync failed earlier: nothing more is written until the file is opened again.
  case writesRefused
  /// No version has this name, or a version has it already.
  case version(named: String, VersionNameFault)
  /// The same key was inserted twice, or a unique value is already there.
  case duplicate(table: String, field: String, value: String)
  /// No object has this key.
  case missing(table: String, key: String)
  /// A link points at an object that is not there.
  case danglingLink(table: String, field: String, target: String, value: String)
  /// An object cannot be deleted because a link points at it.
  case linkedTarget(table: String, key: String, from: String, field: String)
  /// No table has this name, or this number.
  case unknownTable(name: String)
  /// A table has no field of this name or number, or none of the type that was asked for.
  case unknownField(table: String, field: String)
  /// The rows of a table's tree have no field of this number; nil for a row that is in no tree.
  case unknownColumn(tree: UInt32?, field: FieldID)
  /// No index has this tree.
  case unknownIndex(tree: UInt32)
  /// Another table, or another field of the table, has the name.
  case nameTaken(table: String, field: String?)
  /// A table would have no identifier, or several.
  case identifierCount(table: String)
  /// A query uses something where it is not to be had.
  case malformedQuery(table: String, QueryFault)
  /// A value does not have the field's type, or is null where the field is not optional.
  case wrongType(table: String, field: String)
  /// A value is longer than a key or an index can hold.
  case tooLong(table: String, field: String, limit: Int)
  /// More of something than the format allows, and how much it does.
  case limit(EngineLimit)
  /// An integer sum does not fit 64 bits.
  case overflow(table: String, field: String)
  /// What an expression makes of an object does not fit in the field.
  case overflowInUpdate(table: String, field: String, key: String)
  /// The task was cancelled.
  case cancelled
}

extension EngineError {
  /// Whether it says that a version cannot have a name.
  package var isOfVersionName: Bool {
    switch self {
    case .version: true
    case .limit(let limit): limit.kind == .namedVersions || limit.kind == .versionNameBytes
    default: false
    }
  }
}

/// Why the name of a version cannot be used.
package enum VersionNameFault: Hashable, Sendable {
  /// No version has it.
  case unknown
  /// A version has it already.
  case taken
}

/// An unsupported use in a query.
package enum QueryFault: String, Hashable, Sendable {
  /// The object outside, where there is none.
  case outsideOfOutermost = "it reads an object outside of the outermost query"
  /// Something that has to be calculated of an element.
  case calculatedElement = "it asks for more of an element than its parts"
  /// A column that groups do not have.
  case groupColumn = "its groups have no such column"
  /// Something that can be asked of objects only.
  case groupCondition = "it asks of groups what can be asked of objects only"
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
    case roots
    case catalog
    case overlap
    case leak
    case indexEntry
    case link
  }

  /// The kind of damage.
  package var reason: Reason
  /// The first unit of the extent where it was found.
  package var unit: UInt64?
  /// The tree that it belongs to.
  package var tree: UInt32?
  /// The object keys that are hit.
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
  /// The same error, with the tree and the keys that the damage takes along where it does not say them.
  func located(in tree: UInt32, keys: ClosedRange<Int64>? = nil) -> EngineError {
    guard case .corrupt(var corruption) = self, corruption.tree == nil else { return self }
    corruption.tree = tree
    corruption.keys = keys
    return .corrupt(corruption)
  }
}
