internal import RoostEngine

/// One column of a schema, without its Swift type.
struct FieldDescription: Sendable {
  /// The name in the file; with points where it is a part of an embedded struct.
  let name: String
  /// The way to the property, made of paths that are sendable themselves; nil within an optional struct.
  nonisolated(unsafe) let path: AnyKeyPath?
  let type: _FieldType
  /// The property's type in Swift.
  let valueType: ObjectIdentifier
  /// Where a stored property lies in an object; nil for a computed one.
  let offset: Int?
  /// Whether the property takes no byte: its type has one value.
  let isSizeless: Bool
  let isKey: Bool
  /// How the store gives objects their keys, where it does and this is the key.
  var assignment: KeyAssignment?
  var isIndexed = false
  var isUnique = false
  var becomesNilWithoutTarget = false
  var deleteRule = RoostEngine.DeleteRule.deny
  var defaultValue = Value.null
  var hasDefault = false

  init(
    name: String, path: AnyKeyPath?, type: _FieldType, valueType: ObjectIdentifier, offset: Int?,
    isSizeless: Bool, isKey: Bool
  ) {
    self.name = name
    unsafe self.path = path
    self.type = type
    self.valueType = valueType
    self.offset = offset
    self.isSizeless = isSizeless
    self.isKey = isKey
  }
}
