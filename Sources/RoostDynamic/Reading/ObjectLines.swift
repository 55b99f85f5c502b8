internal import RoostEngine
internal import RoostInterchange

/// Objects as lines of JSON, in the form of Format.md §12.
final class ObjectLines {
  private let snapshot: EngineSnapshot
  private var targets: [UInt32: LinkTargets] = [:]

  /// The lines of objects of a version.
  init(of snapshot: EngineSnapshot) { self.snapshot = snapshot }

  /// The form of a table's lines.
  struct Form {
    fileprivate var start: [UInt8]
    fileprivate var columns: [Column]
  }

  /// A field, and the text before each of its values.
  fileprivate struct Column {
    let field: FieldDefinition
    let label: [UInt8]
    let targets: LinkTargets?
  }

  /// The form of a table's lines.
  ///
  /// - Parameter isNamed: Whether the first member says which table it is.
  func form(of table: TableDefinition, isNamed: Bool) throws(EngineError) -> Form {
    var form = Form(start: [], columns: [])
    form.start.add("{")
    if isNamed {
      form.start.add("\"table\":")
      form.start.addString(table.name)
    }
    for (place, field) in table.fields.enumerated() {
      form.columns.append(
        try column(of: field, isFirst: place == 0 && !isNamed, isBesideName: isNamed))
    }
    return form
  }

  private func column(
    of field: FieldDefinition, isFirst: Bool, isBesideName: Bool
  ) throws(EngineError) -> Column {
    var label: [UInt8] = []
    if !isFirst { label.add(",") }
    // The first member already has this name.
    let isTable = isBesideName && field.name.drop { $0 == "_" } == "table"
    label.addString(isTable ? "_" + field.name : field.name)
    label.add(":")
    guard field.type.isLink else { return Column(field: field, label: label, targets: nil) }
    let found: LinkTargets
    if let known = targets[field.target] {
      found = known
    } else {
      found = try LinkTargets(of: field, in: snapshot)
      targets[field.target] = found
    }
    return Column(field: field, label: label, targets: found)
  }

  /// The columns of a leaf that its lines need.
  func columns(of leaf: LeafReference, _ form: Form) throws(EngineError) -> [ColumnChunk] {
    var chunks: [ColumnChunk] = []
    for column in form.columns {
      chunks.append(column.field.isObjectKey ? leaf.keys : try leaf.column(column.field.id))
    }
    return chunks
  }

  /// Adds the line of a row.
  func add(
    _ row: Int, of leaf: LeafReference, _ chunks: [ColumnChunk], _ form: Form,
    to text: inout [UInt8]
  ) throws(EngineError) {
    text.append(contentsOf: form.start)
    for (column, chunk) in zip(form.columns, chunks) {
      text.append(contentsOf: column.label)
      try add(column, chunk, leaf, row, to: &text)
    }
    text.add("}\n")
  }

  private func add(
    _ column: Column, _ chunk: ColumnChunk, _ leaf: LeafReference, _ row: Int,
    to text: inout [UInt8]
  ) throws(EngineError) {
    guard !chunk.isNull(row) else { return text.add("null") }
    if let targets = column.targets {
      guard column.field.type == .links else {
        return try targets.add(chunk.integer(row), to: &text)
      }
      text.add("[")
      for (place, target) in try leaf.links(row, of: column.field.id).enumerated() {
        if place > 0 { text.add(",") }
        try targets.add(target, to: &text)
      }
      return text.add("]")
    }
    guard chunk.hasExternals, let reference = chunk.external(row) else {
      return text.add(column.field, chunk, row)
    }
    let value = try leaf.value(reference, of: column.field.id)
    value.withByteView { text.add(column.field.type, column.field.parts, $0) }
  }
}

/// The identifiers of link targets.
final class LinkTargets {
  private let objects: ObjectTree
  private let identifier: FieldDefinition
  /// The texts of known identifiers, discarded when there are too many.
  private var known: [Int64: [UInt8]] = [:]
  private static let knownMax = 1 << 16

  init(of field: FieldDefinition, in snapshot: EngineSnapshot) throws(EngineError) {
    guard let table = snapshot.catalog.table(field.target), let identifier = table.identifier
    else { throw .unknownTable(name: "target of \(field.name)") }
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
      value.withByteView { found.add(identifier.type, [], $0) }
    } else {
      found.add(identifier, column, target.row)
    }
    withExtendedLifetime(target) {}
    if known.count >= Self.knownMax { known.removeAll(keepingCapacity: true) }
    known[key] = found
    text.append(contentsOf: found)
  }
}
