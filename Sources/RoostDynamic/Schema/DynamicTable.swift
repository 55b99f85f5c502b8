internal import Roost
internal import RoostEngine

/// A table of a store, with its fields: the objects of a model, or a value that is kept under a name.
public struct DynamicTable: Hashable, Sendable {
  /// The name.
  public var name: String
  /// The fields, in the order in which they are stored; exactly one of them is the key.
  public var fields: [DynamicField]
  /// The indexes that are not just those of fields.
  public internal(set) var indexes: [DynamicIndex] = []
  /// Whether the table keeps a value under a name, of the program's or the store's own, and no model's objects.
  public internal(set) var holdsNamedValue = false

  /// A table to be added: see ``DynamicTransaction/add(_:)``.
  public init(_ name: String, fields: [DynamicField]) {
    self.name = name
    self.fields = fields
  }

  /// The field that identifies an object.
  public var key: DynamicField? { fields.first(where: \.isKey) }

  /// The field of a name; nil where the table has none.
  public func field(_ name: String) -> DynamicField? { fields.first { $0.name == name } }

}

/// A field of a table.
public struct DynamicField: Hashable, Sendable {
  /// What becomes of a link when the object that it leads to is deleted.
  public enum DeleteRule: Hashable, Sendable {
    /// The transaction fails, unless the link is gone at its end.
    case deny
    /// The link becomes null, or leaves its list.
    case nullify
    /// The object that has the link is deleted too.
    case cascade
  }

  /// The name; a part of an embedded struct has one with points, `address.city`.
  public var name: String
  /// What it stores.
  public var type: DynamicType
  /// Whether null is a value.
  public var isOptional: Bool
  /// Whether it identifies an object.
  public var isKey: Bool
  /// Whether two objects may not have the same value; a key's always are.
  public var isUnique: Bool
  /// Whether an index was asked for. A key, a unique field and a link have one in any case.
  public var isIndexed: Bool
  /// What becomes of a link when its target is deleted.
  public var deleteRule: DeleteRule
  /// Whether a link whose target is missing at the end of a transaction becomes null, and is no error.
  public var nullifiesMissingTarget: Bool
  /// What objects have that were there before the field; null where there is none.
  public var defaultValue: DynamicValue

  /// A field to be added: see ``DynamicTransaction/add(_:to:)``.
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
  /// The names of the fields whose values are ordered, the most significant one first.
  public let fields: [String]
  /// Whether two objects of the index may not have the same values.
  public let isUnique: Bool
  /// What it is called: its fields, and the condition that its objects fulfil.
  public let name: String
}

extension DynamicTable {
  init(_ table: TableDefinition, in catalog: Catalog) {
    self.init(
      table.name,
      fields: table.fields.map { DynamicField($0, target: catalog.table($0.target)?.name ?? "") })
    holdsNamedValue = table.holdsNamedValue
    indexes = table.indexes.map { index in
      DynamicIndex(
        fields: index.fields.map { table.field($0)?.name ?? "\($0)" }, isUnique: index.isUnique,
        name: table.name(of: index))
    }
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
