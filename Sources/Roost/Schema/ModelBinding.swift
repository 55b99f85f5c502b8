internal import RoostEngine

/// How a model lies in an open file: its table, and the number of each of its fields.
///
/// A class, so that a window or a row takes one reference and not a dozen.
final class ModelBinding: Sendable {
  let name: ModelName
  let table: TableDefinition
  /// The fields' numbers, in the order of the schema.
  let fields: [FieldID]
  /// How each of them is stored.
  let types: [PhysicalType]
  /// Which of them may be nil.
  let isOptional: [Bool]
  let fieldNames: [String]
  /// The models that its links lead to.
  let linkTargets: [ModelName]
  /// The place of the key in the schema.
  let keyPosition: Int

  /// Finds a model's fields in its table, which has all of them.
  init(_ model: ModelDescription, in table: TableDefinition) throws(StoreError) {
    name = model.name
    self.table = table
    keyPosition = model.keyPosition
    fieldNames = model.fields.map(\.name)
    linkTargets = model.fields.compactMap(\.type.target)
    types = model.fields.map(\.type.kind.physical)
    isOptional = model.fields.map(\.type.isOptional)
    var fields: [FieldID] = []
    for field in model.fields {
      guard let known = table.field(named: field.name) else {
        throw .unknownField(model: model.name.name, property: field.name)
      }
      fields.append(known.id)
    }
    self.fields = fields
  }

  /// Whether an object's id is its key in the file; otherwise the file counts objects up.
  var hasIntegerKey: Bool { fields[keyPosition] == 0 }
}
