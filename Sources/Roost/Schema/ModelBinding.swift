internal import RoostEngine

/// How a model lies in an open file: its table, and the number of each of its fields.
///
/// A class, so that what reads a row takes one reference and not a dozen.
@safe
final class ModelBinding: Sendable {
  let name: ModelName
  let table: TableDefinition
  let tableID: UInt32
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
  /// What the key is in the file.
  let keyType: FieldType
  /// How the store gives objects their keys, where it does.
  let assignment: KeyAssignment?

  /// Where the stored properties lie. Memory that is not changed until the end.
  nonisolated(unsafe) let places: PropertyPlaces
  /// The Swift types of the properties.
  private let valueTypes: [ObjectIdentifier]

  /// The places of the stored properties that take no byte.
  private let sizeless: [Int]

  /// Finds a model's fields in its table, which has all of them.
  init(_ model: ModelDescription, in table: TableDefinition) throws(StoreError) {
    name = model.name
    self.table = table
    tableID = table.id
    keyPosition = model.keyPosition
    keyType = model.fields[model.keyPosition].type.kind
    assignment = model.fields[model.keyPosition].assignment
    fieldNames = model.fields.map(\.name)
    linkTargets = model.fields.compactMap(\.type.target)
    types = model.fields.map(\.type.kind.physical)
    isOptional = model.fields.map(\.type.isOptional)
    valueTypes = model.fields.map(\.valueType)
    sizeless = model.fields.indices.filter {
      model.fields[$0].isSizeless && model.fields[$0].offset != nil
    }
    var fields: [FieldID] = []
    for field in model.fields {
      guard let known = table.field(named: field.name) else {
        throw .unknownField(model: model.name.name, property: field.name)
      }
      fields.append(known.id)
    }
    self.fields = fields
    hasIntegerKey = fields[keyPosition] == 0
    // Last, for what throws before leaves no object to free it.
    unsafe places = PropertyPlaces(model.fields)
  }

  deinit { unsafe places.deallocate() }

  /// Whether an object's id is its key in the file; otherwise the file counts objects up.
  let hasIntegerKey: Bool

  /// Whether this binds the same Swift type to the same columns, as another store of the file does.
  ///
  /// Another type's properties lie elsewhere in its objects, even where the columns are the same.
  func hasColumns(of other: ModelBinding) -> Bool {
    name == other.name && table.id == other.table.id && fields == other.fields
      && types == other.types
      && isOptional == other.isOptional
  }

  /// The place of a property without a size, which may lie where others do: all of one type are equal.
  func positionOfSizeless(_ type: ObjectIdentifier) -> Int? {
    sizeless.first { valueTypes[$0] == type }
  }
}
