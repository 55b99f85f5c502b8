import RoostEngine

/// Everything that a store holds as lines of JSON: one object a line, in the form of Format.md §12.
///
/// Tables come in the order of the catalog, objects in the order of their keys. Memory is bounded: a leaf
/// at a time is read. What is damaged is left out, and said on the standard error.
final class ObjectDump {
  private let snapshot: Snapshot
  private let path: String
  private let output: Output
  private let progress = ProgressLine()
  private var links: [UInt32: LinkTargets] = [:]
  /// What was left out of the table last, and is not reported yet.
  private var gap: Corruption?
  /// How many objects are not in the dump.
  private var missing: UInt64 = 0

  /// A dump of a version of the file at `path`.
  init(_ snapshot: Snapshot, path: String, to output: Output) {
    self.snapshot = snapshot
    self.path = path
    self.output = output
  }

  /// Writes all lines that can be made.
  ///
  /// - Throws: A failure with the code of damage, at the end, where something had to be left out.
  func run() throws(ToolFailure) {
    for table in snapshot.catalog.tables { try dump(table) }
    progress.end()
    try output.flush()
    guard missing == 0 else {
      throw ToolFailure(
        "\(path) is damaged: \(missing) \(missing == 1 ? "object is" : "objects are") not in the"
          + " dump. Restore a copy; `roost verify` lists all damage.", code: .corrupt)
    }
  }

  private func dump(_ table: TableDefinition) throws(ToolFailure) {
    let objects = try working(on: path) { () throws(EngineError) in
      try snapshot.view.objects(table.id)
    }
    var lines = TableLines(start: [], columns: [])
    lines.start.add("{\"table\":")
    lines.start.addString(table.name)
    for field in table.fields { lines.columns.append(try column(of: field)) }
    missing += objects.count
    var first: Int64? = .min
    while let key = first { first = try dump(objects, from: key, of: table, lines) }
    reportGap(in: table)
  }

  /// Dumps the objects from a key on.
  ///
  /// - Returns: Where to go on, when the way to the first of them is damaged.
  private func dump(
    _ objects: ObjectTree, from key: Int64, of table: TableDefinition, _ lines: TableLines
  ) throws(ToolFailure) -> Int64? {
    var cursor: LeafCursor
    switch try read({ () throws(EngineError) in try objects.leaves(in: key...Int64.max) }) {
    case .success(let found): cursor = found
    case .failure(let damage):
      leaveOut(damage, of: table)
      guard let last = damage.keys?.upperBound, last >= key, last < .max else { return nil }
      return last + 1
    }
    while true {
      // After damage the cursor stands behind it.
      switch try read({ () throws(EngineError) in try cursor.next() }) {
      case .success(let leaf?): try dump(leaf, of: table, lines)
      case .success(nil): return nil
      case .failure(let damage): leaveOut(damage, of: table)
      }
      progress.show(table.name, cursor.position, of: objects.count)
    }
  }

  private func dump(
    _ leaf: LeafReference, of table: TableDefinition, _ lines: TableLines
  ) throws(ToolFailure) {
    let found = try read { () throws(EngineError) in
      var chunks: [ColumnChunk] = []
      for field in table.fields {
        chunks.append(field.isObjectKey ? leaf.keys : try leaf.column(field.id))
      }
      return chunks
    }
    let chunks: [ColumnChunk]
    switch found {
    case .success(let columns): chunks = columns
    case .failure(let damage): return leaveOut(damage, of: table)
    }
    for row in 0..<leaf.rowCount {
      let lineStart = output.buffer.count
      let line = try read { () throws(EngineError) in
        output.buffer.append(contentsOf: lines.start)
        for (column, chunk) in zip(lines.columns, chunks) {
          output.buffer.append(contentsOf: column.label)
          try add(column, chunk, leaf, row)
        }
        output.buffer.add("}\n")
      }
      switch line {
      case .success: missing -= 1
      case .failure(var damage):
        output.buffer.removeSubrange(lineStart...)
        damage.keys = leaf.key(row)...leaf.key(row)
        leaveOut(damage, of: table)
      }
      try output.flushIfFull()
    }
    withExtendedLifetime(leaf) {}
  }

  // MARK: Damage

  /// The result, or the damage that kept it from being had.
  private func read<Found>(
    _ body: () throws(EngineError) -> Found
  ) throws(ToolFailure) -> Result<Found, Corruption> {
    do { return .success(try body()) } catch {
      guard case .corrupt(let damage) = error else { throw ToolFailure(error, path: path) }
      return .failure(damage)
    }
  }

  /// Notes that objects are left out; neighbours that one extent's damage hits are one gap.
  private func leaveOut(_ damage: Corruption, of table: TableDefinition) {
    if let last = gap, last.reason == damage.reason, last.unit == damage.unit,
      last.tree == damage.tree, let keys = last.keys, let more = damage.keys
    {
      gap?.keys = min(keys.lowerBound, more.lowerBound)...max(keys.upperBound, more.upperBound)
    } else {
      reportGap(in: table)
      gap = damage
    }
  }

  private func reportGap(in table: TableDefinition) {
    guard let gap else { return }
    progress.end()
    complain("roost: left out of \(table.name): \(gap.summary)")
    self.gap = nil
  }

  // MARK: Cells

  /// What the lines of a table are made of.
  private struct TableLines {
    var start: [UInt8]
    var columns: [Column]
  }

  /// A field, with the text that comes before each of its values.
  private struct Column {
    let field: FieldDefinition
    let label: [UInt8]
    let targets: LinkTargets?
  }

  private func column(of field: FieldDefinition) throws(ToolFailure) -> Column {
    var label: [UInt8] = []
    label.add(",")
    // The first member is called so already.
    let isTable = field.name.drop { $0 == "_" } == "table"
    label.addString(isTable ? "_" + field.name : field.name)
    label.add(":")
    guard field.type.isLink else { return Column(field: field, label: label, targets: nil) }
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
  ) throws(EngineError) {
    guard !chunk.isNull(row) else { return output.buffer.add("null") }
    if let targets = column.targets {
      guard column.field.type == .links else {
        return try targets.add(chunk.integer(row), to: &output.buffer)
      }
      return try add(try leaf.links(row, of: column.field.id), of: targets)
    }
    guard chunk.hasExternals, let reference = chunk.external(row) else {
      return output.buffer.add(column.field, chunk, row)
    }
    let value = try leaf.value(reference, of: column.field.id)
    unsafe value.withUnsafeBytes { bytes in
      output.buffer.add(column.field.type, column.field.parts, unsafe ByteView(bytes))
    }
  }
}

extension ObjectDump {
  /// Adds the identifiers of the objects that a list of links leads to.
  private func add(_ links: [Int64], of targets: LinkTargets) throws(EngineError) {
    output.buffer.add("[")
    for (place, target) in links.enumerated() {
      if place > 0 { output.buffer.add(",") }
      try targets.add(target, to: &output.buffer)
    }
    output.buffer.add("]")
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
    if identifier.isObjectKey { return text.addInteger(key, identifier.type) }
    if let known = known[key] { return text.append(contentsOf: known) }
    guard let target = try objects.find(key) else {
      throw .corrupt(Corruption(.link, tree: objects.root.id, keys: key...key))
    }
    var found: [UInt8] = []
    let column = try target.leaf.column(identifier.id)
    if let reference = column.external(target.row) {
      let value = try target.leaf.value(reference, of: identifier.id)
      unsafe value.withUnsafeBytes { found.add(identifier.type, [], unsafe ByteView($0)) }
    } else {
      found.add(identifier, column, target.row)
    }
    withExtendedLifetime(target) {}
    if known.count >= Self.knownMax { known.removeAll(keepingCapacity: true) }
    known[key] = found
    text.append(contentsOf: found)
  }
}
