import RoostEngine

/// Everything that a store holds as lines of JSON: one object a line, in the form of Format.md §11.
///
/// Tables come in the order of the catalog, objects in the order of their keys. Memory is bounded: a leaf
/// at a time is read.
final class ObjectDump {
  private let snapshot: Snapshot
  private let path: String
  private let output: Output
  private let progress = ProgressLine()
  private var links: [UInt32: LinkTargets] = [:]

  /// A dump of a version of the file at `path`.
  init(_ snapshot: Snapshot, path: String, to output: Output) {
    self.snapshot = snapshot
    self.path = path
    self.output = output
  }

  /// Writes all lines.
  func run() throws(ToolFailure) {
    for table in snapshot.catalog.tables { try dump(table) }
    progress.end()
    try output.flush()
  }

  private func dump(_ table: TableDefinition) throws(ToolFailure) {
    let objects = try working(on: path) { () throws(EngineError) in
      try snapshot.view.objects(table.id)
    }
    var columns: [Column] = []
    for field in table.fields { columns.append(try column(of: field)) }
    var start: [UInt8] = []
    start.add("{\"table\":")
    start.addString(table.name)
    var cursor = try working(on: path) { () throws(EngineError) in try objects.leaves() }
    while let leaf = try working(on: path, { () throws(EngineError) in try cursor.next() }) {
      let chunks = try working(on: path) { () throws(EngineError) in
        var chunks: [ColumnChunk] = []
        for field in table.fields {
          chunks.append(field.isObjectKey ? leaf.keys : try leaf.column(field.id))
        }
        return chunks
      }
      for row in 0..<leaf.rowCount {
        output.buffer.append(contentsOf: start)
        for (column, chunk) in zip(columns, chunks) {
          output.buffer.append(contentsOf: column.label)
          try add(column, chunk, leaf, row)
        }
        output.buffer.add("}\n")
        try output.flushIfFull()
      }
      progress.show(table.name, cursor.position, of: objects.count)
      withExtendedLifetime(leaf) {}
    }
  }

  // MARK: Cells

  /// A field, with the text that comes before each of its values.
  private struct Column {
    let field: FieldDefinition
    let label: [UInt8]
    let targets: LinkTargets?
  }

  private func column(of field: FieldDefinition) throws(ToolFailure) -> Column {
    var label: [UInt8] = []
    label.add(",")
    label.addString(field.name)
    label.add(":")
    guard field.type == .link else { return Column(field: field, label: label, targets: nil) }
    let targets: LinkTargets
    if let known = links[field.target] {
      targets = known
    } else {
      targets = try working(on: path) { () throws(EngineError) in
        try LinkTargets(of: field, in: snapshot)
      }
      links[field.target] = targets
    }
    return Column(field: field, label: label, targets: targets)
  }

  private func add(
    _ column: Column, _ chunk: ColumnChunk, _ leaf: LeafReference, _ row: Int
  ) throws(ToolFailure) {
    guard !chunk.isNull(row) else { return output.buffer.add("null") }
    if let targets = column.targets {
      return try working(on: path) { () throws(EngineError) in
        try targets.add(chunk.integer(row), to: &output.buffer)
      }
    }
    guard chunk.hasExternals, let reference = chunk.external(row) else {
      return output.buffer.add(column.field.type, chunk, row)
    }
    let value = try working(on: path) { () throws(EngineError) in
      try leaf.value(reference, of: column.field.id)
    }
    unsafe value.withUnsafeBytes { bytes in
      output.buffer.add(column.field.type, unsafe ByteView(bytes))
    }
  }
}

/// The identifiers of the objects that links lead to.
final class LinkTargets {
  private let objects: ObjectTree
  private let identifier: FieldDefinition
  /// The texts of identifiers that were looked up, forgotten when they become many.
  private var known: [Int64: [UInt8]] = [:]
  private static let knownMax = 1 << 16

  init(of field: FieldDefinition, in snapshot: Snapshot) throws(EngineError) {
    guard let table = snapshot.catalog.table(field.target), let identifier = table.identifier
    else { throw .unknown(name: "target of \(field.name)") }
    self.identifier = identifier
    objects = try snapshot.view.objects(table.id)
  }

  /// Adds the identifier of the object with this key.
  func add(_ key: Int64, to text: inout [UInt8]) throws(EngineError) {
    if identifier.isObjectKey { return text.addNumber(key) }
    if let known = known[key] { return text.append(contentsOf: known) }
    guard let target = try objects.find(key) else {
      throw .corrupt(Corruption(.link, tree: objects.root.id, keys: key...key))
    }
    var found: [UInt8] = []
    let column = try target.leaf.column(identifier.id)
    if let reference = column.external(target.row) {
      let value = try target.leaf.value(reference, of: identifier.id)
      unsafe value.withUnsafeBytes { found.add(identifier.type, unsafe ByteView($0)) }
    } else {
      found.add(identifier.type, column, target.row)
    }
    withExtendedLifetime(target) {}
    if known.count >= Self.knownMax { known.removeAll(keepingCapacity: true) }
    known[key] = found
    text.append(contentsOf: found)
  }
}

extension [UInt8] {
  /// Adds a cell that is not null and lies in its leaf.
  fileprivate mutating func add(_ type: FieldType, _ chunk: ColumnChunk, _ row: Int) {
    switch type {
    case .bool:
      if chunk.integer(row) != 0 { add("true") } else { add("false") }
    case .int, .link: addNumber(chunk.integer(row))
    case .double, .date: addNumber(chunk.double(row))
    case .float: addNumber(chunk.float(row))
    case .uuid:
      let halves = chunk.uuid(row)
      addUUID(halves.high, halves.low)
    case .string, .data: add(type, chunk.bytes(row))
    }
  }

  /// Adds the bytes of a string or of data.
  fileprivate mutating func add(_ type: FieldType, _ bytes: ByteView) {
    if type == .string { addString(bytes) } else { addBase64(bytes) }
  }
}
