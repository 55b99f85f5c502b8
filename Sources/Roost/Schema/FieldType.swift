package import RoostEngine

/// The type of a field's values: a kind of value, whether it may be nil, and for a link the target model.
///
/// Part of the hooks of ``Storable``; programs that use Roost have no need of it.
public struct _FieldType: Hashable, Sendable {
  var kind: FieldType
  var isOptional = false
  /// The target model of a link.
  var target: ModelName?
  /// The elements of a collection.
  var elements: CollectionShape?
  /// The parts of a compound key, or of a link's target's; empty for another type.
  private(set) var keyParts: [ElementColumn] = []
  /// The reason why a compound key cannot be stored.
  private var compoundRefusal: String?
  /// The type of the target's identifier, for a link.
  var identifier: FieldType?
  /// Whether a link's value is found through its target: the target's id is not its key in the file.
  var isLookedUp = false

  init(_ kind: FieldType) { self.kind = kind }

  /// A collection whose elements have these columns.
  init(_ kind: FieldType, of shape: CollectionShape) {
    self.kind = kind
    elements = shape
  }

  /// A compound key of these parts.
  init(compounding parts: [ElementColumn], refusal: String?) {
    kind = .compound
    keyParts = parts
    compoundRefusal = refusal
  }

  /// The type of the constants that values of the type are compared as: of a link, its target's key.
  package var comparedKind: FieldType { kind == .link ? identifier ?? kind : kind }
  /// The columns of a collection's elements, or the parts of a compound key.
  var parts: [ElementColumn] { elements?.parts ?? (kind == .compound ? keyParts : []) }
  /// The columns of a collection's elements, with the values for elements stored without them; otherwise empty.
  var declaredElements: [DeclaredElement] { elements?.declared ?? [] }
  /// The reason why a collection or a compound key cannot be stored.
  var refusal: String? { elements.map(\.refusal) ?? compoundRefusal }

  /// A link to a model.
  init<Target: Model>(linkTo target: Target.Type) {
    self.init(.link, to: target)
  }

  /// A list of links to a model.
  init<Target: Model>(linksTo target: Target.Type) {
    self.init(.links, to: target)
  }

  private init<Target: Model>(_ kind: FieldType, to target: Target.Type) {
    self.kind = kind
    self.target = ModelName(target)
    let key = Target.ID._fieldType
    identifier = key.kind
    keyParts = key.keyParts
    isLookedUp = !key.kind.canBeObjectKey
  }

  /// The form of a key's parts in texts; nil unless it is compound.
  var keyShape: ElementShape? {
    ElementShape(
      keyParts.map { ("element.\($0.name)", ValueShape($0.type, mayBeNil: $0.isOptional)) },
      packedAs: keyParts.map(\.shape))
  }

  /// The optional of this type.
  var optional: _FieldType {
    var type = self
    type.isOptional = true
    return type
  }
}

extension _FieldType: CustomStringConvertible {
  /// The type as Swift writes it.
  public var description: String {
    Self.describe(kind, isOptional: isOptional, target: target?.name, parts)
  }

  /// A stored type as Swift writes it.
  static func describe(
    _ kind: FieldType, isOptional: Bool, target: String?, _ parts: [ElementColumn]
  ) -> String {
    let name =
      switch kind {
      case .link: "Link<\(target ?? "?")>"
      case .links: "Links<\(target ?? "?")>"
      case .list: "[\(describe(parts))]"
      case .set: "Set<\(describe(parts))>"
      case .dictionary:
        "[\(describe(Array(parts.prefix(1)))): \(describe(Array(parts.dropFirst())))]"
      case .compound: "(\(parts.map { "\($0.name): \($0.type.name)" }.joined(separator: ", ")))"
      default: kind.name
      }
    return isOptional ? name + "?" : name
  }

  private static func describe(_ parts: [ElementColumn]) -> String {
    let types = parts.map { part in
      let type = describe(part.type, isOptional: part.isOptional, target: nil, part.parts)
      let path = part.name.split(separator: ".").dropFirst().joined(separator: ".")
      return path.isEmpty ? type : "\(path): \(type)"
    }
    return types.count == 1 ? types[0] : "(\(types.joined(separator: ", ")))"
  }
}

/// A model's type and stored name; the name is made when it is first needed.
package struct ModelName: Hashable, Sendable {
  package let model: any Model.Type
  /// A name that is not made from the type.
  private let givenName: String?

  /// - Parameter name: The name under which the model is stored; nil for its type's.
  package init<M: Model>(_ model: M.Type, storedAs name: String? = nil) {
    self.model = model
    givenName = name
  }

  var type: ObjectIdentifier { ObjectIdentifier(model) }
  package var name: String { givenName ?? Self.name(of: model) }

  /// The name of the type with the module and the types that contain it, for errors about two types of one name.
  var qualifiedName: String { String(reflecting: model) }

  /// The name of a type, without the types that contain it.
  ///
  /// Does not use `String(describing:)`, which first searches all conformances of the program: half of the
  /// time that a new process takes to open a store.
  static func name(of type: Any.Type) -> String { "\(type)" }

  /// The stored name of the field at a position of the schema.
  func fieldName(at position: Int) -> String {
    func name<M: Model>(_ model: M.Type) -> String { M.schema.fields[position].name }
    return name(model)
  }

  /// The target models of its links.
  var linkTargets: [ModelName] {
    func targets<M: Model>(_ model: M.Type) -> [ModelName] {
      M.schema.fields.compactMap(\.type.target)
    }
    return targets(model)
  }

  package static func == (a: ModelName, b: ModelName) -> Bool { a.type == b.type }

  package func hash(into hasher: inout Hasher) { hasher.combine(type) }
}
