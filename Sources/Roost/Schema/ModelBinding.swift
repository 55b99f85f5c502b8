internal import RoostEngine

/// How a model is stored in an open file: its table, and the number of each of its fields.
///
/// A class, so that a reader of rows retains one reference instead of a dozen.
final class ModelBinding: Sendable {
  let name: ModelName
  let table: TableDefinition
  let tableID: UInt32
  /// The fields' numbers, in the order of the schema.
  let fields: [FieldID]
  /// The stored type of each field.
  let types: [PhysicalType]
  /// Whether each field may be nil.
  let isOptional: [Bool]
  let fieldNames: [String]
  /// For each field, the columns of its collections' elements; empty if it has no collections.
  let elements: [[DeclaredElement]]
  /// The fields that have collections.
  let collections: [Int]
  /// Whether each field has the kinds of the values in the field before.
  let isKind: [Bool]
  /// The fields whose types may write a value in another form than they have read it.
  let rewritten: [RewrittenField]
  /// The fields that say whether an optional struct is there.
  let presences: [Int]
  /// The target models of its links.
  let linkTargets: [ModelName]
  /// The position of the key in the schema.
  let keyPosition: Int
  /// The key's type in the file.
  let keyType: FieldType
  /// How the store assigns keys; nil if it does not.
  let assignment: KeyAssignment?

  /// The offsets of the stored properties. The memory is immutable.
  let places: PropertyPlaces
  /// The Swift types of the properties.
  private let valueTypes: [ObjectIdentifier]

  /// The offsets of the stored properties that take no bytes.
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
    isKind = model.fields.map { $0.kindOf != nil }
    elements = model.fields.map(\.type.declaredElements)
    collections = model.fields.indices.filter { !model.fields[$0].type.declaredElements.isEmpty }
    presences = model.fields.indices.filter { model.fields[$0].isPresence }
    rewritten = model.fields.enumerated().compactMap(RewrittenField.init)
    valueTypes = model.fields.map(\.valueType)
    sizeless = model.fields.indices.filter {
      model.fields[$0].isSizeless && model.fields[$0].offset != nil
    }
    var fields: [FieldID] = []
    for name in fieldNames {
      guard let known = table.field(named: name) else {
        throw .unknownField(model: model.name.name, property: name)
      }
      fields.append(known.id)
    }
    self.fields = fields
    hasIntegerKey = fields[keyPosition] == 0
    // Last, because an initializer that throws before leaves no object to free it.
    places = PropertyPlaces(model.fields)
  }

  deinit { places.deallocate() }

  /// Whether an object's id is its key in the file; otherwise the file numbers the objects.
  let hasIntegerKey: Bool

  /// Converts a field's collections from the table's form to the model's; nil if both are the same.
  func conversion(
    _ position: Int, in table: @autoclosure () -> TableDefinition
  ) -> ElementConversion? {
    guard !elements[position].isEmpty, let field = table().field(fields[position]),
      field.parts != elements[position].map(\.column)
    else { return nil }
    return ElementConversion(of: field.type, from: field.parts, to: elements[position])
  }

  /// Converts a field's collections from the model's form to the table's; nil if both are the same.
  func merge(_ position: Int, in table: TableDefinition) -> ElementMerge? {
    guard !elements[position].isEmpty, let field = table.field(fields[position]),
      field.parts != elements[position].map(\.column)
    else { return nil }
    return ElementMerge(of: field.type, elements[position], in: field.parts)
  }

  /// The positions in the file of the columns of a collection's elements; empty if they are as the model declares.
  ///
  /// A store opened later may append columns, and moves none.
  func elementPlaces(_ position: Int) -> [Int?] {
    guard collections.contains(position), let field = table.field(fields[position]),
      field.parts != elements[position].map(\.column)
    else { return [] }
    return elements[position].map { declared in
      field.parts.firstIndex { $0.name == declared.column.name }
    }
  }

  /// Whether the model's fields are the same in a catalog as in its table, except for what stores with other declarations
  /// may do without a step: make a field optional that they do not know, and add parts of elements.
  func isIn(_ catalog: Catalog) -> Bool {
    guard let other = catalog.table(tableID), other.name == table.name else { return false }
    return zip(fields, elements).allSatisfy { id, elements in
      guard let known = table.field(id), let field = other.field(id) else { return false }
      let hasParts =
        elements.isEmpty ? field.parts == known.parts : known.parts.areKept(in: field.parts)
      return field.name == known.name && field.type == known.type && field.target == known.target
        && (field.isOptional || !known.isOptional) && hasParts
        && field.isIdentifier == known.isIdentifier
    }
  }

  /// Whether this binds the same Swift type to the same columns, as another store of the file does.
  ///
  /// Another type's properties have other offsets, even if the columns are the same.
  func hasColumns(of other: ModelBinding) -> Bool {
    name == other.name && table.id == other.table.id && fields == other.fields
      && types == other.types
      && isOptional == other.isOptional
      && elements.map { $0.map(\.column) } == other.elements.map { $0.map(\.column) }
  }

  /// Whether an object has no value, where it is not as in the trees, for a field that requires one.
  func lacksValue(at place: RowPlace) -> Bool {
    fields.indices.contains { position in
      guard !isOptional[position] else { return false }
      switch place {
      case .leaf: return false
      case .batch(let batch, let row): return batch.column(fields[position])?.isNull(row) == true
      case .patched(let patched): return patched.value(of: fields[position]) == .null
      }
    }
  }

  /// The position of a property without a size, whose offset others may share: all values of its type are equal.
  func positionOfSizeless(_ type: ObjectIdentifier) -> Int? {
    sizeless.first { valueTypes[$0] == type }
  }
}

/// A field whose type may write a value in another form than it has read it: an enum with a fallback, which reads all unknown
/// values as one, and an opaque type, which may have fewer properties than another release's.
struct RewrittenField: Sendable {
  let position: Int
  private let type: any Storable.Type
  private let fallback: Value?

  fileprivate init?(_ position: Int, _ field: FieldDescription) {
    guard !field.isKey, let type = field.storable,
      field.fallback != nil || field.type.kind == .json
    else { return nil }
    self.position = position
    self.type = type
    fallback = field.fallback
  }

  /// Whether a value may be the other form of one that is stored.
  func mayRewrite(_ value: Value) -> Bool { fallback.map { $0 == value } ?? (value != .null) }

  /// Whether a value is the other form of what is in a cell.
  func isRewritten(_ value: Value, from cell: borrowing _Cell) -> Bool {
    (try? type.rewritten(cell)) == value
  }
}

extension Storable {
  /// What is in a cell, in the form in which this type writes it.
  fileprivate static func rewritten(_ cell: borrowing _Cell) throws(StoreError) -> Value {
    try _read(cell)._constant.value
  }
}
