/// What happens to a link when its target is deleted.
package enum ReferentialAction: Hashable, Sendable, CaseIterable {
  /// The transaction fails, unless the link is gone at its end.
  case deny
  /// The link becomes null, or leaves its list.
  case nullify
  /// The object that has the link is deleted too.
  case cascade
}

/// One field of a table.
package struct FieldDefinition: Equatable, Sendable {
  /// The number by which leaves know the field; 0 is the object key itself.
  package var id: FieldID
  /// The name, unique in its table.
  package var name: String
  /// The type of the values.
  package var type: FieldType
  /// Whether null is a value.
  package var isOptional: Bool
  /// Whether two objects may not have the same value.
  package var isUnique: Bool
  /// Whether an index was asked for.
  package var isIndexed: Bool
  /// Whether a link whose target is missing at the commit becomes null (otherwise it is an error).
  package var nullifiesMissingTarget: Bool
  /// What happens to a link when its target is deleted.
  package var deleteRule: ReferentialAction
  /// Whether the field is the model's identifier.
  package var isIdentifier: Bool
  /// The table that a link points into, else 0.
  package var target: UInt32
  /// The tree of the field's index, else 0. A link, or a list of them, always has one: its inverse.
  package var indexTree: UInt32
  /// The value of rows that were written before the field was added.
  package var defaultValue: Value
  /// The columns of a collection's elements, or the parts of a compound value.
  package var parts: [ElementColumn]

  /// A field; the catalog assigns `id` and `indexTree` when the table is made.
  package init(
    name: String, type: FieldType, isOptional: Bool = false, isUnique: Bool = false,
    isIndexed: Bool = false, nullifiesMissingTarget: Bool = false,
    deleteRule: ReferentialAction = .deny,
    isIdentifier: Bool = false, target: UInt32 = 0, defaultValue: Value = .null,
    parts: [ElementColumn] = []
  ) {
    id = 0
    self.name = name
    self.type = type
    self.isOptional = isOptional
    self.isUnique = isUnique
    self.isIndexed = isIndexed
    self.nullifiesMissingTarget = nullifiesMissingTarget
    self.deleteRule = deleteRule
    self.isIdentifier = isIdentifier
    self.target = target
    indexTree = 0
    self.defaultValue = defaultValue
    self.parts = parts
  }

  /// A stored value of the field as a person reads it.
  package func text(_ value: Value) -> String {
    guard type == .compound, case .bytes(let bytes) = value else { return type.text(value) }
    let columns = unsafe bytes.withUnsafeBytes {
      CompoundBytes.columns(unsafe ByteView($0), as: parts.map(\.shape))
    }
    guard let columns else { return type.text(value) }
    let texts = zip(parts, columns).map { part, column in part.type.text(column.value(0)) }
    return "(\(texts.joined(separator: ", ")))"
  }

  /// The name of the field that notes when an object was written last, a date: no field of a model is called so, because
  /// the part before a point has at least one character.
  package static let writeTimeName = ".written"
  /// Whether the field notes when an object was written last.
  package var isWriteTime: Bool { name == Self.writeTimeName }

  /// Whether the field is the object key itself.
  package var isObjectKey: Bool { id == 0 }
  /// Whether an index of the field is kept: asked for, needed for uniqueness, or a link's inverse.
  package var needsIndex: Bool { !isObjectKey && (isIndexed || isUnique || type.isLink) }
  /// Whether the field can be as it says: links have rules, only an optional one or a list can lose a link, and a list
  /// or a blob is neither null nor unique, and a blob has no index.
  package var isSound: Bool {
    if type == .links || type == .blob {
      guard !isOptional, !isUnique, !isIdentifier else { return false }
    }
    guard type != .blob || !isIndexed else { return false }
    return switch deleteRule {
    case .deny: true
    case .nullify: type == .links || type == .link && isOptional
    case .cascade: type.isLink
    }
  }
}

/// A column of the elements of a collection (Format.md §6).
///
/// The same describes a part of a compound value, by its own name.
///
/// A collection of plain values has one, called `element`; one of structs has one for each part, called `element.city`,
/// and before them one called `element` where a struct may be missing. A dictionary has one called `key`, and then those of
/// its values, called `value`.
package struct ElementColumn: Hashable, Sendable {
  /// The name.
  package var name: String
  /// The type of the values; never a link, a list of links, or a blob.
  package var type: FieldType
  /// Whether null is a value.
  package var isOptional: Bool
  /// The columns of the elements, where each value is a collection itself.
  package var parts: [ElementColumn]

  /// A column.
  package init(name: String, type: FieldType, isOptional: Bool, parts: [ElementColumn] = []) {
    self.name = name
    self.type = type
    self.isOptional = isOptional
    self.parts = parts
  }

  /// How the column is packed.
  package var shape: PackedColumns.Shape {
    PackedColumns.Shape(type.physical, isOptional: isOptional)
  }

  /// How many collections may lie within each other.
  static let depthMax = 8
}

/// One table: the objects of one model.
package struct TableDefinition: Equatable, Sendable {
  /// The table's number, from 1.
  package var id: UInt32
  /// The name, unique in the store.
  package var name: String
  /// The object tree.
  package var tree: UInt32
  /// The number that the next new field gets.
  package var nextField: FieldID
  /// The fields, the identifier among them.
  package var fields: [FieldDefinition]
  /// The indexes that are not those of fields.
  package internal(set) var indexes: [TableIndex] = []

  /// The field of this name.
  package func field(named name: String) -> FieldDefinition? { fields.first { $0.name == name } }
  /// The field with this number.
  package func field(_ id: FieldID) -> FieldDefinition? {
    // Numbers are mostly 0, 1, 2 … or 1, 2, 3 …
    for guess in [Int(id), Int(id) - 1] where fields.indices.contains(guess) {
      if fields[guess].id == id { return fields[guess] }
    }
    return fields.first { $0.id == id }
  }
  /// The field that notes when an object was written last, where there is one.
  package var writeTimeField: FieldDefinition? { fields.first { $0.isWriteTime } }
  /// The field that identifies an object.
  package var identifier: FieldDefinition? { fields.first { $0.isIdentifier } }
  /// Whether the identifier is the object key; otherwise objects get surrogate keys.
  package var hasIntegerKey: Bool { identifier?.isObjectKey ?? true }

  /// An object key as a person reads it: the identifier, where that is the key.
  package func text(ofKey key: Int64) -> String {
    guard let identifier, identifier.isObjectKey else { return "\(key)" }
    return identifier.type.text(.integer(key))
  }
}
