package import RoostEngine

/// What a query's value is made of, without a store.
package enum ExpressionTerm: Hashable, Sendable {
  case path(FieldPath)
  case constant(ExpressionConstant)
  indirect case arithmetic(Arithmetic, NumberKind, ExpressionTerm, ExpressionTerm)
  indirect case conversion(NumberKind, NumberKind, ExpressionTerm)
  indirect case concatenation(ExpressionTerm, ExpressionTerm)
  indirect case coalescing(ExpressionTerm, ExpressionTerm)
  indirect case folded(TextFolding, ExpressionTerm)
  /// What the objects that one has to do with give together, those of them that fulfil a condition.
  indirect case related(RelationPath, ModelName, AggregateFunction, ExpressionTerm, Filter)

  /// A column of an element, inside of a condition on a collection's elements.
  case element(ElementColumnStep)
  /// What the elements of a collection give together, those of them that fulfil a condition; nil for whole elements.
  indirect case elements(ExpressionTerm, AggregateFunction, ElementColumnStep?, Filter)

  /// What the objects of a group give together.
  indirect case grouped(AggregateFunction, ExpressionTerm)

  /// The field, where nothing is calculated.
  package var path: FieldPath? { if case .path(let path) = self { path } else { nil } }

  /// The field of the target that this link leads to.
  func following(to next: FieldStep) -> ExpressionTerm {
    .path(path?.following(to: next) ?? FieldPath(field: next.notThere))
  }

  /// A part of the embedded struct that this is; `place` counts from the struct's first column.
  package func part(at place: Int?, named name: String) -> ExpressionTerm {
    // Nothing but a field or an element is an embedded struct.
    if case .element(let step) = self { return .element(step.part(at: place, named: name)) }
    return path.map { .path($0.part(at: place, named: name)) } ?? self
  }

  /// What a value of this type is compared with: for a link, the key of its target.
  package func comparable(as type: any Storable.Type) -> ExpressionTerm {
    path.map { .path($0.comparable(as: type)) } ?? self
  }
}

/// A term as code of clients hands it on.
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
  /// The place among the columns; nil of what is no column.
  package var place: Int?
  /// The name of a part of an element; empty where it is the element itself.
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

/// The way from a query's model to the objects that one has to do with.
package struct RelationPath: Hashable, Sendable {
  package enum End: Hashable, Sendable {
    /// Those of a list of links.
    case links(FieldStep)
    /// Those whose link, or list of links, leads to the object.
    case inverse(FieldStep)
  }

  /// The links on the way.
  package var links: [FieldStep]
  package var end: End
  /// The number of the object from which it leads.
  package var root: Int
  /// The number of those that it leads to, in what is asked of them.
  package var number = 0

  package init(links: [FieldStep], end: End, root: Int = 0) {
    self.links = links
    self.end = end
    self.root = root
  }
}
