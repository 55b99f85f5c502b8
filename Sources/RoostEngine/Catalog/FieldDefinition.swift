/// The rule for a link when its target is deleted.
package enum ReferentialAction: Hashable, Sendable, CaseIterable {
  /// The transaction fails, unless the link is gone at its end.
  case deny
  /// The link becomes null, or leaves its list.
  case nullify
  /// The object that contains the link is deleted too.
  case cascade
}

/// One field of a table.
package struct FieldDefinition: Equatable, Sendable {
  /// The number that leaves store for the field; 0 is the object key itself.
  package var id: FieldID
  /// The name, unique in its table.
  package var name: String
  /// The type of the values.
  package var type: FieldType
  /// Whether values may be null.
  package var isOptional: Bool
  /// Whether two objects may not have the same value.
  package var isUnique: Bool
  /// Whether an index was requested.
  package var isIndexed: Bool
  /// Whether a link whose target is missing at the commit becomes null (otherwise it is an error). For the kind of a value,
  /// see ``lacksKinds``.
  package var nullifiesMissingTarget: Bool
  /// The rule for a link when its target is deleted.
  package var deleteRule: ReferentialAction
  /// Whether the field is the model's identifier.
  package var isIdentifier: Bool
  /// The table that a link points into; otherwise 0.
  package var target: UInt32
  /// The tree of the field's index; otherwise 0. A link or a list of links always has an index: its inverse.
  package var indexTree: UInt32
  /// The value of rows that were written before the field was added.
  package var defaultValue: Value
  /// The columns of a collection's elements, or the parts of a compound value.
  package var parts: [ElementColumn]

  /// A field; the catalog assigns `id` and `indexTree` when it adds the field.
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

  /// A stored value of the field, for display.
  package func text(_ value: Value) -> String {
    guard type == .compound, case .bytes(let bytes) = value else { return type.text(value) }
    let columns = bytes.withByteView {
      CompoundBytes.columns($0, as: parts.map(\.shape))
    }
    guard let columns else { return type.text(value) }
    let texts = zip(parts, columns).map { part, column in part.type.text(column.value(0)) }
    return "(\(texts.joined(separator: ", ")))"
  }

  /// The name of the field with the date of an object's last write. No model field can have this name, because at least
  /// one character precedes a point.
  package static let writeTimeName = ".written"
  /// Whether the field stores the date of an object's last write.
  package var isWriteTime: Bool { name == Self.writeTimeName }

  /// The name of the field with the kinds of a field's values (Format.md §6).
  package static func kindName(of name: String) -> String { name + ".kind" }
  /// Whether some kinds of values are unknown, and therefore null: a program wrote the values that does not know the kinds.
  package var lacksKinds: Bool { nullifiesMissingTarget && !type.isLink }

  /// Whether the field is the object key itself.
  package var isObjectKey: Bool { id == 0 }
  /// Whether the field needs an index: by request, for uniqueness, or as a link's inverse.
  package var needsIndex: Bool { !isObjectKey && (isIndexed || isUnique || type.isLink) }
  /// Whether the definition is consistent: only links have delete rules; only optional links or lists nullify; lists of
  /// links and blobs are neither optional nor unique; a blob has no index.
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
/// It also describes a part of a compound value, by the part's name.
///
/// A collection of plain values has one column, `element`. A collection of structs has one for each part, as `element.city`,
/// preceded by `element` if a struct may be missing. A dictionary has `key`, followed by the columns of its values, named
/// `value`.
package struct ElementColumn: Hashable, Sendable {
  /// The name.
  package var name: String
  /// The type of the values; never a link, a list of links, or a blob.
  package var type: FieldType
  /// Whether values may be null.
  package var isOptional: Bool
  /// The columns of the elements, if each value is itself a collection.
  package var parts: [ElementColumn]

  /// A column.
  package init(name: String, type: FieldType, isOptional: Bool, parts: [ElementColumn] = []) {
    self.name = name
    self.type = type
    self.isOptional = isOptional
    self.parts = parts
  }

  /// The packed shape of the column.
  package var shape: PackedColumns.Shape {
    PackedColumns.Shape(type.physical, isOptional: isOptional)
  }

  /// The most levels of nested collections.
  static let depthMax = 8
}

extension [ElementColumn] {
  /// Whether another store of the file has left these columns where they are, and at most appended others.
  ///
  /// It makes a column optional that it does not know.
  package func areKept(in later: [ElementColumn]) -> Bool {
    count <= later.count
      && zip(self, later).allSatisfy { known, column in
        known.name == column.name && known.type == column.type
          && (known.type.isCollection
            ? known.parts.areKept(in: column.parts) : known.parts == column.parts)
      }
  }
}

/// One table: the objects of one model.
package struct TableDefinition: Equatable, Sendable {
  /// The table's number, from 1.
  package var id: UInt32
  /// The name, unique in the store.
  package var name: String
  /// The object tree.
  package var tree: UInt32
  /// The number of the next new field.
  package var nextField: FieldID
  /// The fields, including the identifier.
  package var fields: [FieldDefinition]
  /// The table indexes: those that do not belong to a single field.
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
  /// The field with the kinds of a field's values, if there is one.
  package func kind(of field: FieldDefinition) -> FieldDefinition? {
    field.type == .json ? self.field(named: FieldDefinition.kindName(of: field.name)) : nil
  }
  /// The field with the date of an object's last write, if there is one.
  package var writeTimeField: FieldDefinition? { fields.first { $0.isWriteTime } }
  /// The field that identifies an object.
  package var identifier: FieldDefinition? { fields.first { $0.isIdentifier } }
  /// Whether the identifier is the object key; otherwise objects get surrogate keys.
  package var hasIntegerKey: Bool { identifier?.isObjectKey ?? true }

  /// An object key for display: the identifier, if the identifier is the key.
  package func text(ofKey key: Int64) -> String {
    guard let identifier, identifier.isObjectKey else { return "\(key)" }
    return identifier.type.text(.integer(key))
  }
}
