internal import Roost
internal import RoostEngine

/// A table of a store, with its fields: the objects of a model, or a named value.
public struct DynamicTable: Hashable, Sendable {
  /// The name.
  public var name: String
  /// The fields, in storage order; exactly one of them is the key.
  public var fields: [DynamicField]
  /// The indexes of several fields or of some objects; single fields have their own.
  public var indexes: [DynamicIndex]
  /// Whether the table holds a named value, of the program or of the store itself, and not a model's objects.
  public internal(set) var holdsNamedValue = false

  /// A new table to add: see ``DynamicTransaction/add(_:)``.
  public init(_ name: String, fields: [DynamicField], indexes: [DynamicIndex] = []) {
    self.name = name
    self.fields = fields
    self.indexes = indexes
  }

  /// The field that identifies an object.
  public var key: DynamicField? { fields.first(where: \.isKey) }

  /// The field with a name; nil if the table has none.
  public func field(_ name: String) -> DynamicField? { fields.first { $0.name == name } }
}

/// A field of a table.
public struct DynamicField: Hashable, Sendable {
  /// The effect on a link when its target is deleted.
  public enum DeleteRule: Hashable, Sendable {
    /// The transaction fails, unless the link is gone by its end.
    case deny
    /// The link becomes null, or is removed from its list.
    case nullify
    /// The object that has the link is deleted too.
    case cascade
  }

  /// The name; parts of embedded structs have dotted names, such as `address.city`.
  public var name: String
  /// The type of its values.
  public var type: DynamicType
  /// Whether the value can be null.
  public var isOptional: Bool
  /// Whether it identifies an object.
  public var isKey: Bool
  /// Whether values must be unique; a key's always are.
  public var isUnique: Bool
  /// Whether an index was requested. A key, a unique field and a link always have one.
  public var isIndexed: Bool
  /// The effect on a link when its target is deleted.
  public var deleteRule: DeleteRule
  /// Whether a link whose target is missing at the end of a transaction becomes null, instead of an error.
  public var nullifiesMissingTarget: Bool
  /// The value for objects that existed before the field; null if there is none.
  public var defaultValue: DynamicValue

  /// A new field to add: see ``DynamicTransaction/add(_:to:)``.
  public init(
    _ name: String, _ type: DynamicType, isOptional: Bool = false, isKey: Bool = false,
    isUnique: Bool = false, isIndexed: Bool = false, deleteRule: DeleteRule = .deny,
    nullifiesMissingTarget: Bool = false, defaultValue: DynamicValue = .null
  ) {
    self.name = name
    self.type = type
    self.isOptional = isOptional
    self.isKey = isKey
    self.isUnique = isUnique
    self.isIndexed = isIndexed
    self.deleteRule = deleteRule
    self.nullifiesMissingTarget = nullifiesMissingTarget
    self.defaultValue = defaultValue
  }
}

/// An index of several fields, or of some objects.
public struct DynamicIndex: Hashable, Sendable {
  /// The names of the indexed fields, the most significant first.
  public let fields: [String]
  /// Whether the combined values of its objects must be unique.
  public let isUnique: Bool
  /// The name: its fields, and the condition on its objects.
  public let name: String
  /// Whether it has a condition.
  let isPartial: Bool

  /// A new index of all objects, to add with its table: see ``DynamicTransaction/add(_:)``.
  public init(_ fields: [String], isUnique: Bool = false) {
    self.fields = fields
    self.isUnique = isUnique
    name = fields.joined(separator: ", ")
    isPartial = false
  }

  init(_ index: TableIndex, of table: TableDefinition) {
    fields = index.fields.map { table.field($0)?.name ?? "\($0)" }
    isUnique = index.isUnique
    name = table.name(of: index)
    isPartial = !index.condition.isEmpty
  }
}

extension DynamicTable {
  init(_ table: TableDefinition, in catalog: Catalog) {
    self.init(
      table.name,
      fields: table.fields.map { DynamicField($0, target: catalog.table($0.target)?.name ?? "") })
    holdsNamedValue = table.holdsNamedValue
    indexes = table.indexes.map { DynamicIndex($0, of: table) }
  }
}

extension DynamicField {
  init(_ field: FieldDefinition, target: String) {
    self.init(
      field.name, DynamicType(field.type, field.parts, target: target),
      isOptional: field.isOptional, isKey: field.isIdentifier, isUnique: field.isUnique,
      isIndexed: field.isIndexed, deleteRule: DeleteRule(field.deleteRule),
      nullifiesMissingTarget: field.nullifiesMissingTarget,
      defaultValue: DynamicValue(stored: field.defaultValue, field.type, field.parts))
  }
}

extension DynamicField.DeleteRule {
  init(_ rule: ReferentialAction) {
    self =
      switch rule {
      case .deny: .deny
      case .nullify: .nullify
      case .cascade: .cascade
      }
  }
}

extension ReferentialAction {
  init(_ rule: DynamicField.DeleteRule) {
    self =
      switch rule {
      case .deny: .deny
      case .nullify: .nullify
      case .cascade: .cascade
      }
  }
}
