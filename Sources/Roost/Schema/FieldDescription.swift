internal import RoostEngine

/// One field of a schema, without its Swift type.
struct FieldDescription: Sendable {
  let name: String
  let path: any AnyKeyPath & Sendable
  let type: _FieldType
  /// The property's type in Swift.
  let valueType: ObjectIdentifier
  /// Where a stored property lies in an object; nil for a computed one.
  let offset: Int?
  /// Whether the property takes no byte: its type has one value.
  let isSizeless: Bool
  let isKey: Bool
  var isIndexed = false
  var isUnique = false
  var becomesNilWithoutTarget = false
  var deleteRule = RoostEngine.DeleteRule.deny
  var defaultValue = Value.null
  var hasDefault = false

  init<M, V>(_ property: Property<M, V>) {
    name = property.name
    path = property.path
    type = V._fieldType
    valueType = ObjectIdentifier(V.self)
    offset = MemoryLayout<M>.offset(of: property.path)
    isSizeless = MemoryLayout<V>.size == 0
    isKey = property.isKey
    hasDefault = type.isOptional
    for option in property.options {
      switch option.kind {
      case .indexed: isIndexed = true
      case .unique: isUnique = true
      case .nullifiedWithoutTarget: becomesNilWithoutTarget = true
      case .onTargetDelete(let rule): deleteRule = rule.engine
      case .defaulted(let value):
        defaultValue = value._constant.value
        hasDefault = true
      }
    }
  }
}
