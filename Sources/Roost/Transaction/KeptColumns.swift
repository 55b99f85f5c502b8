internal import RoostEngine

/// The columns of fields that the model lacks: other versions of the program have them.
struct KeptColumns {
  private var columns: [(field: FieldID, column: ColumnBuffer, value: Value)] = []
  /// The fields that have no value for a new object and are not nullable yet.
  private(set) var lacking: [FieldID] = []

  /// - Parameter kinds: The kinds of values that the model has without them.
  init(
    of batch: RecordBatch, in table: TableDefinition?, without model: ModelBinding,
    _ kinds: UnknownKinds
  ) {
    // Usually there are none: then the model has as many fields as the batch, and its key.
    guard let table, table.fields.count > model.fields.count else { return }
    for field in table.fields where !model.fields.contains(field.id) {
      guard let column = batch.column(field.id) else { continue }
      // A unique value cannot be the default of all objects, and a default is the kind of another value.
      let isNull = field.isUnique || kinds.values[field.id] != nil
      let value = isNull ? .null : field.defaultValue
      columns.append((field.id, column, value))
      if value == .null, !field.isOptional { lacking.append(field.id) }
    }
  }

  var isEmpty: Bool { columns.isEmpty }

  /// Appends the values of new objects.
  func fill(count: Int) {
    for (_, column, value) in columns {
      for _ in 0..<count { column.append(value) }
    }
  }

  /// Appends null to the columns of some of the fields.
  func appendNull(to fields: [FieldID]) {
    for (field, column, _) in columns where fields.contains(field) { column.appendNull() }
  }

  /// Makes the last values in the columns of some of the fields null.
  func makeLastNull(of fields: [FieldID]) {
    for (field, column, _) in columns where fields.contains(field) {
      column.removeRows(from: column.count - 1)
      column.appendNull()
    }
  }
}

/// The kinds in the file of values that a program writes without knowing kinds: it declares their type as ``Opaque`` only.
///
/// It makes the kinds null with each value that it changes, and notes that. A program that knows them finds them when it
/// opens the file.
struct UnknownKinds {
  /// For each field with kinds, the field with the values.
  private(set) var values: [FieldID: FieldID] = [:]

  init(of model: ModelBinding, in table: TableDefinition?) {
    guard let table, table.fields.count > model.fields.count else { return }
    for id in model.fields {
      guard let field = table.field(id), let kind = table.kind(of: field),
        !model.fields.contains(kind.id)
      else { continue }
      values[kind.id] = id
    }
  }

  /// The fields with the kinds of some fields' values.
  func kinds(of fields: some Sequence<FieldID>) -> [FieldID] {
    guard !values.isEmpty else { return [] }
    let written = Set(fields)
    return values.keys.filter { kind in values[kind].map(written.contains) ?? false }
      .ascending(by: { Int($0) })
  }
}

/// The parts in the file of a model's optional structs that the program does not know.
///
/// They become null with a struct that becomes nil, so that another one that comes later does not have them.
struct UnknownParts {
  private var structs: [(presence: Int, parts: [FieldID])] = []

  init(of model: ModelBinding, in table: TableDefinition?) {
    guard let table, table.fields.count > model.fields.count else { return }
    for presence in model.presences {
      let parts = table.fields.filter { field in
        field.isOptional && field.name.hasPrefix(model.fieldNames[presence] + ".")
          && !model.fields.contains(field.id)
      }
      if !parts.isEmpty { structs.append((presence, parts.map(\.id))) }
    }
  }

  /// The parts of the structs that are nil in a row.
  ///
  /// - Parameters:
  ///   - positions: The columns that the row has.
  ///   - value: The value in a column.
  func ofNil(in positions: Range<Int>, _ value: (_ position: Int) -> Value) -> [FieldID] {
    structs.filter { positions.contains($0.presence) && value($0.presence) == .integer(0) }
      .flatMap(\.parts)
  }
}
