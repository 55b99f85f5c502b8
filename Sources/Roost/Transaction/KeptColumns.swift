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
