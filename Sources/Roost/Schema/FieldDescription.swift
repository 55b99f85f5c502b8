internal import RoostEngine

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// One column of a schema, without its Swift type.
struct FieldDescription: Sendable {
  /// The name in the file; with points for a part of an embedded struct.
  let name: String
  /// The key path to the property; nil within an optional struct.
  let path: PropertyPath?
  /// Within an optional struct, the key paths that lead to the property one after the other; otherwise empty.
  let steps: [PropertyPath]
  private(set) var type: _FieldType
  /// The property's type in Swift.
  let valueType: ObjectIdentifier
  /// The same type, if it has a single column.
  var storable: (any Storable.Type)?
  /// The offset of a stored property in an object; nil for a computed property.
  let offset: Int?
  /// Whether the property takes no bytes: its type has a single value.
  let isSizeless: Bool
  let isKey: Bool
  /// How the store assigns keys, if this is the key and the store assigns it.
  var assignment: KeyAssignment?
  /// Whether the property itself may be nil, rather than only a struct that contains it.
  var mayBeNil = false
  /// How many bytes of the name are that of ``presence``.
  private var presenceCount: Int?
  var isIndexed = false
  var isUnique = false
  /// Whether it is the date that determines an object's age in a cache.
  var isCacheDate = false
  var becomesNilWithoutTarget = false
  var deleteRule = ReferentialAction.deny
  var defaultValue = Value.null
  var hasDefault = false
  /// What is read in place of stored values that the property's type does not know.
  var fallback: Value?
  /// The field's names in older releases.
  var olderNames: [String] = []
  /// The field whose values' kinds are in this one; nil if it is a property's own.
  var kindOf: KindedField?

  init(
    name: String, path: PropertyPath?, steps: [PropertyPath] = [], type: _FieldType,
    valueType: ObjectIdentifier, offset: Int?, isSizeless: Bool, isKey: Bool
  ) {
    self.name = name
    self.path = path
    self.steps = steps
    self.type = type
    self.valueType = valueType
    self.offset = offset
    self.isSizeless = isSizeless
    self.isKey = isKey
  }
}

/// A field whose values have kinds, which are in a field of their own.
struct KindedField: Sendable {
  let name: String
  /// The type of the values, which is ``CaseNamed``.
  let type: any Storable.Type
}

extension FieldDescription {
  /// This field; where it has kinds, they may be nil.
  var withOptionalKind: FieldDescription {
    var field = self
    guard kindOf != nil else { return field }
    field.type = type.optional
    field.hasDefault = true
    field.defaultValue = .null
    return field
  }

  /// Whether it says that an optional struct is present.
  var isPresence: Bool { valueType == ObjectIdentifier(Presence.self) }

  /// The name of the field that says whether the innermost optional struct that contains this one is present; nil if there is none.
  ///
  /// This one's name begins with it.
  var presence: String? {
    get { presenceCount.map { String(decoding: name.utf8.prefix($0), as: UTF8.self) } }
    set { presenceCount = newValue?.utf8.count }
  }

  /// Whether each present struct that contains it must have a value, which the schema does not give.
  var isRequiredPart: Bool {
    presence != nil && !mayBeNil && !isPresence && kindOf == nil && defaultValue == .null
  }

  /// The type that is declared, without the optional of a struct that contains it.
  var ownType: String {
    let type = "\(type)"
    return presence != nil && !mayBeNil && type.hasSuffix("?") ? String(type.dropLast()) : type
  }

  /// Whether a stored field is this field, under its name or an older name.
  func isStored(as field: FieldDefinition) -> Bool { isCalled(field.name) }

  /// Whether a name is its name or an older name.
  func isCalled(_ other: String) -> Bool { other == name || olderNames.contains(other) }

  /// Whether a struct of an older release may have become one of its values: JSON, or an element.
  var takesStructs: Bool {
    switch type.kind {
    case .json, .list, .set, .dictionary: true
    default: false
    }
  }

  /// Whether a stored field is this field, and its collections' elements have no parts that this field's lack.
  func knows(_ field: FieldDefinition) -> Bool {
    isStored(as: field)
      && DeclaredElement.hold(field.parts.map { DeclaredElement(stored: $0) }, in: type.parts)
  }

  /// The parts that the elements of a stored field's collections have after a program with this field has opened the file
  /// for writing; nil if the parts are incompatible with this field's, or one has an older name there, which only a step follows.
  func mergedParts(in field: FieldDefinition) -> [DeclaredElement]? {
    if field.parts == type.parts { return field.parts.map { DeclaredElement(stored: $0) } }
    guard !hasOlderPart(in: field) else { return nil }
    return type.elements == nil ? nil : DeclaredElement.merged(field.parts, type.declaredElements)
  }

  /// Whether elements of the stored field have a part under an older name of one that they lack.
  private func hasOlderPart(in field: FieldDefinition) -> Bool {
    let stored = field.parts.map(\.name)
    return type.elements?.olderNames.contains { part, older in
      !stored.contains(part) && older.contains(where: stored.contains)
    } ?? false
  }

  /// The field's definition in the file's catalog, except for the table that a link leads to.
  var definition: FieldDefinition {
    FieldDefinition(
      name: name, type: type.kind, isOptional: type.isOptional, isUnique: isUnique || isKey,
      isIndexed: isIndexed, nullifiesMissingTarget: becomesNilWithoutTarget, deleteRule: deleteRule,
      isIdentifier: isKey, defaultValue: defaultValue, parts: type.parts)
  }

  /// The form of the field's values in texts.
  var valueShape: ValueShape {
    if type.kind == .links, let identifier = type.identifier {
      return ValueShape(
        .links, mayBeNil: false, defaultValue: defaultValue,
        links: LinkShape(
          identifier, parts: type.keyShape, isLookedUp: type.isLookedUp))
    }
    if type.kind == .blob {
      return ValueShape(.data, mayBeNil: false, defaultValue: defaultValue)
    }
    let hasOwnDefault = defaultValue != .null && !type.isLookedUp
    return ValueShape(
      type.identifier ?? type.kind, mayBeNil: mayBeNil,
      defaultValue: hasOwnDefault ? defaultValue : unassignedKey, elements: type.elements?.text,
      parts: type.keyShape, isLookedUp: type.isLookedUp, isKind: kindOf != nil,
      isChecked: !type.kind.isLink && !Self.plainTypes.contains(valueType),
      isLink: type.kind.isLink,
      remedy: remedy)
  }

  /// What the schema may declare so that a text may lack the value; nil for a key that the store cannot assign.
  private var remedy: StaticString? {
    guard isKey else { return "`.default(…)` on its field" }
    return [.int, .uint, .uuid].contains(type.kind) ? "`.assigned` on its key" : nil
  }

  /// The types that take every value of their stored type.
  private static let plainTypes: [ObjectIdentifier] = [
    ObjectIdentifier(Bool.self), ObjectIdentifier(Int.self), ObjectIdentifier(UInt64.self),
    ObjectIdentifier(Int64.self), ObjectIdentifier(UInt.self), ObjectIdentifier(Double.self),
    ObjectIdentifier(Float.self), ObjectIdentifier(String.self), ObjectIdentifier(Date.self),
    ObjectIdentifier(Data.self), ObjectIdentifier(UUID.self),
  ]

  /// The placeholder for a key that the store assigns.
  private var unassignedKey: Value? {
    switch assignment {
    case .numbers: .integer(type.kind == .uint ? Int64(bitPattern: FieldType.signBit) : 0)
    case .uuids: .uuid(0, 0)
    case nil: nil
    }
  }
}
