package import RoostEngine

/// A condition on objects, built by the query operators over key paths, without a store.
///
/// A store that runs the query lowers it once to the engine's `Predicate`, over field ids.
package indirect enum Filter: Hashable, Sendable {
  case always(Bool)
  case compare(ExpressionTerm, Comparison, Value)
  case comparison(ExpressionTerm, Comparison, ExpressionTerm)
  case isNull(ExpressionTerm)
  case oneOf(ExpressionTerm, [Value])
  case text(ExpressionTerm, TextMatch, String)
  case matches(ExpressionTerm, TextPattern)
  /// A related object fulfils a condition on its model.
  case related(RelationPath, ModelName, Filter)
  /// Whether a compound key begins with these bytes; nil where they are not of its first parts' types.
  case beginning(ExpressionTerm, [UInt8]?)
  case and([Filter])
  case or([Filter])
  case not(Filter)
  /// In place of a condition that has too many levels to be gone through.
  case tooDeep

  /// Both conditions; chains become a flat list, so that parentheses make no difference.
  package static func both(_ a: Filter, _ b: Filter) -> Filter {
    switch (a, b) {
    case (.and(let first), .and(let second)): .and(first + second)
    case (.and(let first), _): .and(first + [b.asPart])
    case (_, .and(let second)): .and([a.asPart] + second)
    default: .and([a.asPart, b.asPart])
    }
  }

  /// Either condition.
  package static func either(_ a: Filter, _ b: Filter) -> Filter {
    switch (a, b) {
    case (.or(let first), .or(let second)): .or(first + second)
    case (.or(let first), _): .or(first + [b.asPart])
    case (_, .or(let second)): .or([a.asPart] + second)
    default: .or([a.asPart, b.asPart])
    }
  }
}

/// The path from a query's model to a field: through links, then to the field itself.
@usableFromInline
package struct FieldPath: Hashable, Sendable {
  /// The links on the path, each a field of the model before.
  package var links: [FieldStep] = []
  package var field: FieldStep
  /// The number of the object that the path begins at: 0 for the query's own object.
  package var root: Int

  package init(links: [FieldStep] = [], field: FieldStep, root: Int = 0) {
    self.links = links
    self.field = field
    self.root = root
  }

  /// The field of the target of the link at the end of this path.
  func following(to next: FieldStep) -> FieldPath {
    FieldPath(links: links + [field], field: next, root: root)
  }

  /// A part of the embedded struct at the end of this path; `place` counts from the struct's first column.
  func part(at place: Int?, named name: String) -> FieldPath {
    FieldPath(links: links, field: field.part(at: place, named: name), root: root)
  }
}

/// A field of a model.
@usableFromInline
package struct FieldStep: Hashable, Sendable {
  private enum Place: Hashable, Sendable {
    /// The position in the schema.
    case listed(Int)
    /// A property that the schema does not list.
    case unlisted(String)
  }

  package let model: ModelName
  private let place: Place

  @usableFromInline
  package init<M: Model, Value>(_ model: M.Type, _ path: KeyPath<M, Value>) {
    self.model = ModelName(model)
    let schema = M.schema
    if let position = schema.position(ofStored: path) ?? schema.position(of: path) {
      place = .listed(position)
    } else {
      place = .unlisted(schema.nameOfUnknown(path))
    }
  }

  /// The stored property of a type at an offset in an object; nil if the schema lists none.
  @usableFromInline
  init?<M: Model>(_ model: M.Type, atOffset offset: Int, of type: ObjectIdentifier) {
    guard let position = M.schema.position(atOffset: offset, of: type) else { return nil }
    self.model = ModelName(model)
    place = .listed(position)
  }

  private init(_ model: ModelName, _ place: Place) {
    self.model = model
    self.place = place
  }

  /// A part of the embedded struct that begins at this field.
  func part(at part: Int?, named name: String) -> FieldStep {
    guard case .listed(let first) = place, let part else {
      return FieldStep(model, .unlisted("\(self.name).\(name)"))
    }
    return FieldStep(model, .listed(first + part))
  }

  /// A field that no schema lists, for invalid property accesses.
  var notThere: FieldStep { FieldStep(model, .unlisted(name)) }

  /// The key of a model.
  package init(keyOf name: ModelName) {
    func schemaKey<M: Model>(_ model: M.Type) -> Int? {
      M.schema.fields.firstIndex { $0.isKey }
    }
    model = name
    place = schemaKey(name.model).map(Place.listed) ?? .unlisted("id")
  }

  /// The field's position in its schema; nil for a property that the schema does not list.
  package var position: Int? { if case .listed(let position) = place { position } else { nil } }

  /// The field's stored name, or the name of the requested property.
  package var name: String {
    switch place {
    case .listed(let position): model.fieldName(at: position)
    case .unlisted(let property): property
    }
  }
}

/// An expression of a query, without a store.
package enum ExpressionTerm: Hashable, Sendable {
  case path(FieldPath)
  case constant(ExpressionConstant)
  indirect case arithmetic(Arithmetic, NumberKind, ExpressionTerm, ExpressionTerm)
  indirect case conversion(NumberKind, NumberKind, ExpressionTerm)
  indirect case concatenation(ExpressionTerm, ExpressionTerm)
  indirect case coalescing(ExpressionTerm, ExpressionTerm)
  indirect case folded(TextFolding, ExpressionTerm)
  /// An aggregate over the related objects that fulfil a condition.
  indirect case related(RelationPath, ModelName, AggregateFunction, ExpressionTerm, Filter)

  /// A column of an element, in a condition on a collection's elements.
  case element(ElementColumnStep)
  /// An aggregate over the elements of a collection that fulfil a condition; nil for whole elements.
  indirect case elements(ExpressionTerm, AggregateFunction, ElementColumnStep?, Filter)

  /// An aggregate over the objects of a group.
  indirect case grouped(AggregateFunction, ExpressionTerm)
  /// In place of a value that has too many levels to be gone through.
  case tooDeep

  /// The field, if nothing is computed.
  package var path: FieldPath? { if case .path(let path) = self { path } else { nil } }

  /// The field of the target of this link.
  func following(to next: FieldStep) -> ExpressionTerm {
    .path(path?.following(to: next) ?? FieldPath(field: next.notThere))
  }

  /// A part of this embedded struct; `place` counts from the struct's first column.
  package func part(at place: Int?, named name: String) -> ExpressionTerm {
    // Only a field or an element can be an embedded struct.
    if case .element(let step) = self { return .element(step.part(at: place, named: name)) }
    return path.map { .path($0.part(at: place, named: name)) } ?? self
  }

  /// The value that a value of this type is compared with: for a link, the key of its target.
  package func comparable(as type: any Storable.Type) -> ExpressionTerm {
    path.map { .path($0.comparable(as: type)) } ?? self
  }
}

/// A term in the form that clients' code uses.
@usableFromInline
struct QueryTerm: Sendable {
  let term: ExpressionTerm

  init(_ term: ExpressionTerm) { self.term = term }
}

/// A value of any type that a field can have.
package struct ExpressionConstant: Hashable, Sendable {
  package let value: any Storable

  package init(value: any Storable) { self.value = value }

  package static func == (a: ExpressionConstant, b: ExpressionConstant) -> Bool {
    AnyHashable(a.value) == AnyHashable(b.value)
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(AnyHashable(value)) }
}

/// A column of a collection's elements.
package struct ElementColumnStep: Hashable, Sendable {
  /// The position among the columns; nil if it is not a column.
  package var place: Int?
  /// The name of a part of an element; empty for the element itself.
  package var name = ""

  package init(place: Int? = nil, name: String = "") {
    self.place = place
    self.name = name
  }

  /// A part of the embedded struct that begins at this column; `path` is its key path, spelled out.
  func part(at part: Int?, named path: String) -> ElementColumnStep {
    let partName = path.drop { $0 != "." }.dropFirst()
    return ElementColumnStep(
      place: place.flatMap { place in part.map { place + $0 } },
      name: name.isEmpty ? String(partName) : "\(name).\(partName)")
  }
}

/// The path from a query's model to related objects.
package struct RelationPath: Hashable, Sendable {
  package enum End: Hashable, Sendable {
    /// The targets of a list of links.
    case links(FieldStep)
    /// The objects whose link, or list of links, leads to the object.
    case inverse(FieldStep)
  }

  /// The links on the path.
  package var links: [FieldStep]
  package var end: End
  /// The number of the object that the path begins at.
  package var root: Int
  /// The number of the related objects, in conditions on them.
  package var number = 0

  package init(links: [FieldStep], end: End, root: Int = 0) {
    self.links = links
    self.end = end
    self.root = root
  }
}
