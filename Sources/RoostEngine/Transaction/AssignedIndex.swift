/// The changes to a table's index while fields that it uses get new values (``EngineTransaction/update(_:_:)``).
final class AssignedIndex {
  private let state: TableIndexState
  private var oldKey = IndexKey()
  /// New entries of a unique index that are not checked yet.
  private let gathered = ColumnBuffer(type: .bytes)
  /// Whether there were more than are gathered.
  private var hasForgotten = false

  private static let gatheredBytesMax = 64 << 20

  init(_ state: TableIndexState) { self.state = state }

  /// Notes the entry changes for some rows of a leaf, whose new values the table has noted.
  func note(
    _ leaf: LeafReference, _ rows: LeafRows, in table: TableState, _ scratch: inout IndexKey
  ) throws(EngineError) {
    for place in 0..<rows.count {
      let row = rows[place]
      let object = leaf.key(row)
      let old = try state.keys.set(&oldKey, leaf, row: row)
      let new = try table.set(&scratch, of: object, at: .leaf(leaf, row), in: state)
      if old == new, old == .none || oldKey.bytes == scratch.bytes { continue }
      if old != .none { state.remove(oldKey, object) }
      guard new != .none else { continue }
      state.add(scratch, object)
      guard state.index.isUnique else { continue }
      guard !scratch.isTruncated else { throw table.definition.tooLong(state.index) }
      if new == .ofValues { gather(scratch) }
    }
  }

  private func gather(_ key: IndexKey) {
    if gathered.byteCount > Self.gatheredBytesMax {
      hasForgotten = true
      gathered.removeAll(keepingCapacity: false)
    }
    if !hasForgotten { key.withView { gathered.append(bytes: $0) } }
  }

  /// Throws if two objects share a new entry. Call it when all entries are noted.
  ///
  /// - Parameter text: Makes that of a value, for the error.
  func checkUnique(
    in table: TableState, _ writer: PageWriter, _ text: (Value, FieldDefinition) -> String
  ) throws(EngineError) {
    guard state.index.isUnique else { return }
    try state.apply(writer)
    guard let entry = try entryOfTwo(table.definition) else { return }
    throw .duplicate(
      table: table.name, field: table.definition.fieldNames(of: state.index),
      value: table.definition.text(ofEntry: entry, of: state.index, text))
  }

  private func entryOfTwo(_ table: TableDefinition) throws(EngineError) -> [UInt8]? {
    guard !hasForgotten else { return try state.tree.entryOfTwo(state.index, in: table) }
    for row in 0..<gathered.count where try state.tree.count(equal: gathered.bytes(row)) > 1 {
      return gathered.bytes(row).array
    }
    return nil
  }
}

extension IndexTree {
  /// An entry without nulls that two objects share, if any. Scans the whole index.
  func entryOfTwo(
    _ index: TableIndex, in table: TableDefinition
  ) throws(EngineError) -> [UInt8]? {
    var twice: [UInt8]?
    var previous: [UInt8] = []
    try scan { (value, keys) throws(EngineError) in
      let bytes = value.array
      // Entries with the same value may continue in the next leaf.
      if keys.count > 1 || bytes == previous, !table.hasNull(value, of: index) { twice = bytes }
      previous = bytes
      return twice == nil
    }
    return twice
  }
}
