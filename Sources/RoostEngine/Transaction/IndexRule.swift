/// The entries that an index must have for each object: an index of a field, or of a table.
enum IndexRule {
  case field(FieldDefinition)
  case table(TableIndexKeys, TableDefinition)

  /// The index's tree.
  var tree: UInt32 {
    switch self {
    case .field(let field): field.indexTree
    case .table(let keys, _): keys.index.tree
    }
  }

  /// Whether no two objects may share a value, unless it is null or contains a null.
  var isUnique: Bool {
    switch self {
    case .field(let field): field.isUnique
    case .table(let keys, _): keys.index.isUnique
    }
  }

  /// Whether the value of an entry is null, or contains a null.
  func hasNull(_ value: ByteView) -> Bool {
    switch self {
    // An empty text has one byte, too.
    case .field: value.count == 1 && value.uint8(at: 0) == 0
    case .table(let keys, let table): table.hasNull(value, of: keys.index)
    }
  }

  /// Whether entries depend on a field, which has this place among those of the table.
  func uses(_ field: FieldID, at position: Int) -> Bool {
    switch self {
    case .field(let own): own.id == field
    case .table(let keys, _): keys.uses(position)
    }
  }

  /// Calls `body` with the value of each entry of a row of a leaf.
  ///
  /// - Parameter key: A key to be used for it.
  func forEachKey(
    _ leaf: LeafReference, row: Int, _ key: inout IndexKey,
    _ body: (IndexKey) throws(EngineError) -> Void
  ) throws(EngineError) {
    switch self {
    case .field(let field): try field.forEachIndexKey(leaf, row: row, &key, body)
    case .table(let keys, _):
      if try keys.set(&key, leaf, row: row) != .none { try body(key) }
    }
  }
}

extension TableDefinition {
  /// The rules of all indexes of the table: those of fields, then those of the table.
  func indexRules(of shape: TableShape) -> [IndexRule] {
    fields.filter { $0.indexTree != 0 }.map(IndexRule.field)
      + indexes.compactMap { TableIndexKeys($0, of: shape).map { .table($0, self) } }
  }
}
