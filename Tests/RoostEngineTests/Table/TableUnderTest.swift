import RoostEngine
import RoostTestSupport
import Testing

/// A tree over a file in memory, beside a dictionary that says what must be in it.
final class TableUnderTest {
  let shape: TableShape
  let pager: StandalonePager
  let file: any StorageFile
  var root: TreeRoot
  var rows: [Int64: [Value]] = [:]
  /// The versions whose extents must stay.
  var protected: [UInt64] = []

  init(_ shape: TableShape, cacheBytes: Int = 64 << 20) throws {
    self.shape = shape
    file = try MemoryFileSystem().open("table", .create)
    pager = StandalonePager(file: file, cacheBytes: cacheBytes)
    root = TreeRoot(empty: 7, kind: .objects)
  }

  /// The same tree, read with another shape.
  init(_ shape: TableShape, sharing other: TableUnderTest) throws {
    self.shape = shape
    pager = other.pager
    file = other.file
    root = other.root
  }

  var tree: ObjectTree { ObjectTree(root: root, shape: shape, reader: pager.reader) }
  var sortedKeys: [Int64] { rows.keys.sorted() }

  /// Applies changes to the tree, and to the dictionary.
  func apply(
    insert: [(Int64, [Value])] = [], delete: [Int64] = [],
    update: [(field: FieldID, key: Int64, value: Value)] = []
  ) throws {
    let batch = RecordBatch(shape: shape)
    for (key, values) in insert { batch.append(key: key, values) }
    var updates: [TableChanges.FieldUpdates] = []
    for field in shape.fields {
      let list = update.filter { $0.field == field.id }.sorted { $0.key < $1.key }
      guard !list.isEmpty else { continue }
      let values = ColumnBuffer(type: field.type)
      for change in list { values.append(change.value) }
      updates.append(
        TableChanges.FieldUpdates(field: field.id, keys: list.map(\.key), values: values))
    }
    try applyOnly(
      TableChanges(inserts: batch, deletes: delete.sorted(), updates: updates))
    for key in delete { rows[key] = nil }
    for (key, values) in insert { rows[key] = values }
    for (field, key, value) in update {
      let place = try #require(shape.index(of: field))
      rows[key]?[place] = value
    }
  }

  /// Applies changes to the tree alone.
  func applyOnly(_ changes: TableChanges) throws {
    let tree = tree
    root = try pager.write(protected: protected) { writer throws(EngineError) in
      try tree.apply(changes, writer: writer)
    }
  }

  /// Applies updates to the tree alone.
  func applyOnly(update: [(field: FieldID, key: Int64, value: Value)]) throws {
    let rows = self.rows
    try apply(update: update)
    self.rows = rows
  }

  /// Expects the tree to hold what the dictionary says, and to be in order.
  func check(_ sourceLocation: SourceLocation = #_sourceLocation) throws {
    try tree.checkInvariants()
    try Self.expect(tree, toHold: rows, sourceLocation)
  }

  /// Expects a tree to hold these rows and no others.
  static func expect(
    _ tree: ObjectTree, toHold rows: [Int64: [Value]],
    _ sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    #expect(tree.count == UInt64(rows.count), sourceLocation: sourceLocation)
    var cursor = try tree.leaves()
    var keys: [Int64] = []
    while let leaf = try cursor.next() {
      for row in 0..<leaf.rowCount {
        let key = leaf.key(row)
        keys.append(key)
        let values = try leaf.values(row)
        if rows[key] != values {
          Issue.record(
            "Key \(key) has \(values), not \(String(describing: rows[key])).",
            sourceLocation: sourceLocation)
          return
        }
      }
    }
    #expect(keys == rows.keys.sorted(), sourceLocation: sourceLocation)
  }
}

extension LeafReference {
  /// The values of a row in the order of the shape, long ones read whole.
  func values(_ row: Int) throws -> [Value] {
    try shape.fields.map { field in
      let column = try column(field.id)
      if let reference = column.external(row) {
        return .bytes(try value(reference, of: field.id))
      }
      return column.value(row)
    }
  }
}

extension Value {
  /// A random value of a type, sometimes null.
  static func random(
    _ type: PhysicalType, longest: Int, using generator: inout SeededGenerator
  ) -> Value {
    if generator.chance(1, in: 12) { return .null }
    switch type {
    case .integer:
      return .integer(
        generator.chance(1, in: 50)
          ? Int64.random(in: .min ... .max, using: &generator)
          : Int64.random(in: 0...99, using: &generator))
    case .double: return .double(Double.random(in: -1...1, using: &generator))
    case .float: return .float(Float(Int.random(in: 0...50, using: &generator)))
    case .bytes:
      let length =
        generator.chance(1, in: 200)
        ? Int.random(in: 0...longest, using: &generator)
        : Int.random(in: 0...30, using: &generator)
      return .bytes(generator.bytes(length))
    case .uuid: return .uuid(generator.next(), generator.next())
    }
  }
}
