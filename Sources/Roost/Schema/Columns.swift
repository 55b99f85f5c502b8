internal import RoostEngine

/// The columns that store a model's properties, added by ``PropertyValue``'s hooks.
///
/// Programs that use Roost have no need of it.
public struct _Columns: Sendable {
  /// The columns so far.
  private(set) var fields: [FieldDescription] = []
  /// The embedded structs among them.
  private(set) var groups: [FieldGroup] = []
  /// The reason why the schema cannot be stored.
  private(set) var refusal: String?
  /// The same, without a name, where the columns are those of a struct that contains itself.
  private(set) var endlessness: String?
  /// The mistake in the order of an embedded struct's parts; nil for none.
  private(set) var orderError: StoreError?

  private var path: PropertyPath?
  /// Within an optional struct, the key paths to what is being described, one after the other.
  private var steps: [PropertyPath] = []
  private var name = ""
  /// The names of the properties so far, those of embedded structs among them.
  private var names: Set<String> = []
  /// The offset in an object of the property that is being described.
  private var offset: Int?
  private var isOptional = false
  /// The name of the field that says whether the innermost optional struct is present.
  private var presence: String?
  private var options = Options()
  /// The names that the property, and the structs that contain it, had in older releases.
  private var olderNames: [String] = []
  private var openGroups: [FieldGroup] = []

  private struct Options: Sendable {
    var isKey = false
    var assignment: KeyAssignment?
    var isIndexed = false
    var isUnique = false
    var becomesNilWithoutTarget = false
    var isCacheDate = false
    var deleteRule: ReferentialAction?
  }

  init() {}

  /// The types whose columns are being made on this thread, each for the one before it.
  @TaskLocal private static var owners: [ObjectIdentifier] = []

  /// The columns of a type, made by a closure.
  static func made(for type: Any.Type, _ describe: (inout _Columns) -> Void) -> _Columns {
    $owners.withValue(owners + [ObjectIdentifier(type)]) {
      var columns = _Columns()
      describe(&columns)
      return columns
    }
  }

  /// Whether a struct may be described here; false, and refused, where it is within a list of its own: its columns would never
  /// end.
  mutating func admits<Value: Embedded>(_ type: Value.Type) -> Bool {
    guard Self.owners.contains(ObjectIdentifier(type)) else { return true }
    let reason = "has a list of \(type) within \(type), without end: make it a model, with links"
    endlessness = reason
    refuse(reason)
    return false
  }

  /// Describes a property of the type that is being described.
  ///
  /// - Parameter value: What the property is in the default of what it belongs to.
  mutating func enter<Root, Value>(_ property: Property<Root, Value>, default value: Value?) {
    let outer = (
      path: path, steps: steps, name: name, offset: offset, options: options, olderNames: olderNames
    )
    defer {
      (path, steps, name, offset, options, olderNames) =
        (outer.path, outer.steps, outer.name, outer.offset, outer.options, outer.olderNames)
    }
    let isNested = !openGroups.isEmpty
    path = isNested ? path?.appending(property.path) : PropertyPath(property.path)
    if !steps.isEmpty { steps.append(PropertyPath(property.path)) }
    let start = isNested ? offset : 0
    let place = MemoryLayout<Root>.offset(of: property.path)
    offset = start.flatMap { start in place.map { start + $0 } }
    name = isNested ? "\(outer.name).\(property.name)" : property.name
    if !names.insert(name).inserted, refusal == nil {
      refusal = "two fields are called \"\(name)\"."
    }
    if property.name.contains(".") {
      refuse("has a point in its name, which stands between the names of embedded parts")
    }
    // Combines each older name of the containing struct with each older name of the property.
    var parts = [property.name]
    options = Options()
    options.isKey = property.isKey
    options.assignment = property.assignment
    var value = value
    for option in property.options {
      switch option.kind {
      case .indexed: options.isIndexed = true
      case .unique: options.isUnique = true
      case .onTargetDelete(let rule): options.deleteRule = rule
      case .nullifiedWithoutTarget: options.becomesNilWithoutTarget = true
      case .cacheDate: options.isCacheDate = true
      case .defaulted(let given): value = value ?? given
      case .was(let older): parts.append(older)
      }
    }
    let outerNames = isNested ? [outer.name] + outer.olderNames : []
    olderNames =
      (isNested ? outerNames.flatMap { outer in parts.map { "\(outer).\($0)" } } : parts)
      .filter { $0 != name }
    Value._describe(&self, default: value)
  }

  /// Adds the columns of a value that is described on its own.
  mutating func addParts<Root>(_ properties: [PropertyLayout<Root>]) {
    for property in properties { property.describe(&self, nil) }
  }

  /// Describes the elements of a collection.
  mutating func enterElements<Value: PropertyValue>(_ type: Value.Type, named name: String) {
    self.name = name
    Value._describe(&self, default: nil)
  }

  /// Adds a column.
  @_semantics("optimize.sil.specialize.generic.never")
  mutating func add<Value: Storable>(_ type: Value.Type, default value: Value?) {
    add(
      Value._fieldType, type, isSizeless: MemoryLayout<Value>.size == 0,
      default: value.map { $0._constant.value }, Value._fallback?.constant.value)
  }

  private mutating func add(
    _ type: _FieldType, _ valueType: any Storable.Type, isSizeless: Bool, default value: Value?,
    _ fallback: Value?
  ) {
    var field = FieldDescription(
      name: name, path: path, steps: steps, type: isOptional ? type.optional : type,
      valueType: ObjectIdentifier(valueType), offset: offset, isSizeless: isSizeless,
      isKey: options.isKey)
    field.storable = valueType
    field.assignment = options.assignment
    field.mayBeNil = type.isOptional
    field.presence = presence
    field.isIndexed = options.isIndexed
    field.isUnique = options.isUnique
    field.isCacheDate = options.isCacheDate
    if let refusal = field.type.refusal { refuse(refusal) }
    field.becomesNilWithoutTarget = options.becomesNilWithoutTarget
    field.deleteRule = options.deleteRule ?? .deny
    field.defaultValue = value ?? .null
    field.hasDefault = value != nil || field.type.isOptional
    field.olderNames = olderNames
    field.fallback = fallback
    fields.append(field)
  }

  /// Adds the column of a value, and behind it the column of its kind.
  mutating func add<Value: Storable, Kind: Storable>(
    _ type: Value.Type, kind: any KeyPath<Value, Kind> & Sendable, default value: Value?
  ) {
    if options.isKey { refuse("has kinds, which a key cannot have") }
    beginGroup(type)
    let outer = (
      path: path, steps: steps, name: name, offset: offset, options: options, olderNames: olderNames
    )
    // The key path to the value leads to both columns.
    path = nil
    add(type, default: value)
    (path, offset, options) = (outer.path?.appending(kind), nil, Options())
    if !steps.isEmpty { steps.append(PropertyPath(kind)) }
    name = FieldDefinition.kindName(of: name)
    olderNames = olderNames.map(FieldDefinition.kindName)
    add(Kind.self, default: value.map { $0[keyPath: kind] })
    fields[fields.count - 1].kindOf = KindedField(name: outer.name, type: Value._Unwrapped.self)
    (path, steps, name, offset, options, olderNames) =
      (outer.path, outer.steps, outer.name, outer.offset, outer.options, outer.olderNames)
    endGroup()
  }

  /// Adds the column of a list of links. It is empty in objects stored before.
  mutating func addLinks<Target: Model, List>(to target: Target.Type, of type: List.Type) {
    if options.isKey { refuse("is a list of links, which is no key") }
    var field = FieldDescription(
      name: name, path: path, type: _FieldType(linksTo: target), valueType: ObjectIdentifier(type),
      offset: offset, isSizeless: false, isKey: false)
    field.deleteRule = options.deleteRule ?? .nullify
    field.defaultValue = .bytes([])
    field.hasDefault = true
    field.olderNames = olderNames
    fields.append(field)
  }

  /// Adds the column of a blob. Objects stored before have an empty blob, or the default.
  mutating func addBlob(default value: Blob?) {
    if options.isKey { refuse("is a blob, which is no key") }
    if isOptional { refuse("is a blob in a struct that may be missing") }
    var field = FieldDescription(
      name: name, path: path, type: _FieldType(.blob), valueType: ObjectIdentifier(Blob.self),
      offset: offset, isSizeless: false, isKey: false)
    field.defaultValue = .bytes(value?.bytes ?? [])
    field.hasDefault = true
    field.olderNames = olderNames
    fields.append(field)
  }

  /// Adds the column that says whether an optional struct is present.
  mutating func addPresence(_ value: Bool?) {
    var field = FieldDescription(
      name: name, path: nil, type: isOptional ? _FieldType(.bool).optional : _FieldType(.bool),
      valueType: ObjectIdentifier(Presence.self), offset: nil, isSizeless: false, isKey: false)
    field.defaultValue = isOptional && value == nil ? .null : .integer(value == true ? 1 : 0)
    field.hasDefault = true
    field.olderNames = olderNames
    field.presence = presence
    fields.append(field)
  }

  /// Describes an optional, whose presence was added.
  mutating func describingOptional(_ body: (inout _Columns) -> Void) {
    let outer = (
      isOptional: isOptional, presence: presence, offset: offset, path: path, steps: steps
    )
    (isOptional, presence) = (true, name)
    // The compiler decides where the value of an optional lies.
    offset = nil
    if let path { steps = [path] }
    path = nil
    body(&self)
    (isOptional, presence, offset, path, steps) =
      (outer.isOptional, outer.presence, outer.offset, outer.path, outer.steps)
  }

  mutating func beginGroup<Value>(_ type: Value.Type) {
    if options.isKey { refuse("is an embedded struct, which is no key") }
    openGroups.append(
      FieldGroup(
        path: path, offset: offset, valueType: ObjectIdentifier(type), first: fields.count))
  }

  mutating func endGroup() {
    guard var group = openGroups.popLast() else { return }
    group.count = fields.count - group.first
    groups.append(group)
  }

  /// Notes that the described property cannot be stored.
  mutating func refuse(_ reason: String) {
    if refusal == nil { refusal = "\"\(name)\" \(reason)." }
  }

  /// Notes the error if the parts of an embedded struct are in another order than in its initializer.
  mutating func checkOrder<Value: Embedded>(of layout: RecordLayout<Value>) {
    // The trial of a struct without end would have none.
    if orderError == nil, refusal == nil { orderError = layout.fieldOrderError }
  }
}

/// The type of the column that says whether an optional struct is present.
enum Presence {}

/// An embedded struct among the columns of a model.
struct FieldGroup: Sendable {
  /// The key path to it.
  let path: PropertyPath?
  let offset: Int?
  /// The type of the struct, or of its optional.
  let valueType: ObjectIdentifier
  /// The position of its first column.
  let first: Int
  var count = 0

  init(path: PropertyPath?, offset: Int?, valueType: ObjectIdentifier, first: Int) {
    self.path = path
    self.offset = offset
    self.valueType = valueType
    self.first = first
  }

  /// The positions of its columns.
  var columns: Range<Int> { first..<first + count }
}
