internal import RoostEngine

/// A path of names, resolved to fields.
struct QueryPath {
  /// The end of a path.
  enum End {
    case value(ColumnExpression, FieldType?)
    /// A link, which is also the last of the path's `links`.
    case link(FieldID, TableDefinition)
    case objects(Relation, TableDefinition)
    case collection(FieldID, [ElementColumn])
  }

  /// How many scopes further out the path begins.
  let hops: Int
  /// The links along the path.
  var links: [FieldID] = []
  var end: End
  /// The owner of the end; of a link, its target.
  var owner: QueryScope
  /// What follows objects or a collection.
  var rest: ArraySlice<QueryPathStep> = []

  /// A value at the end, seen from the path's beginning.
  func value(_ value: ColumnExpression, behind links: [FieldID]) -> ColumnExpression {
    let value = links.reversed().reduce(value) { .target($1, $0) }
    return (0..<hops).reduce(value) { value, _ in .outside(value) }
  }

  /// A value at the end, seen from the path's beginning.
  func value(_ value: ColumnExpression) -> ColumnExpression { self.value(value, behind: links) }
}

/// A part of a path.
enum QueryPathStep {
  case name(String, QuerySyntax?)
  case inner(QuerySyntax)
  case key(QuerySyntax)
  case entries(isKeys: Bool)
}

/// The objects that link to another, under a name of their own.
struct NamedInverse: Hashable, Sendable {
  /// The model that has the inverse, and its name there.
  let target: String
  let name: String
  /// The model and the field that link.
  let source: String
  let link: String
}

extension QuerySyntax {
  /// The base of a path, and the steps after it.
  var unwound: (base: QuerySyntax, steps: [QueryPathStep]) {
    var steps: [QueryPathStep] = []
    var base = self
    while true {
      switch base.form {
      case .member(let before, let name, let argument):
        steps.append(.name(name, argument))
        base = before
      case .behind(let before, let inner):
        steps.append(.inner(inner))
        base = before
      case .element(let before, let key):
        steps.append(.key(key))
        base = before
      case .entries(let before, let isKeys):
        steps.append(.entries(isKeys: isKeys))
        base = before
      default: return (base, steps.reversed())
      }
    }
  }

  /// The offset where the last `count` steps of a path begin.
  func offset(ofLast count: Int) -> Int {
    var path = self
    for _ in 1..<max(count, 1) {
      switch path.form {
      case .member(let before, _, _), .behind(let before, _), .element(let before, _),
        .entries(let before, _):
        path = before
      default: break
      }
    }
    return path.nameOffset ?? path.offset
  }

  /// A path of further steps.
  func followed(by step: QueryPathStep) -> QuerySyntax {
    let form: Form =
      switch step {
      case .name(let name, let argument): .member(self, name, argument)
      case .inner(let inner): .behind(self, inner)
      case .key(let key): .element(self, key: key)
      case .entries(let isKeys): .entries(self, isKeys: isKeys)
      }
    return QuerySyntax(offset: offset, form: form)
  }

  /// Whether it is a path of names alone, which is resolved without reading conditions or calculations.
  var isPlainPath: Bool {
    let (base, steps) = unwound
    switch base.form {
    case .name, .variable, .place, .inverse: break
    default: return false
    }
    return steps.allSatisfy { step in
      switch step {
      case .name(_, nil), .key, .entries: true
      case .name, .inner: false
      }
    }
  }
}

extension QueryScope {
  /// How many scopes are around it.
  var depth: Int {
    var depth = 0
    var scope = self
    while let outside = scope.outside {
      depth += 1
      scope = outside
    }
    return depth
  }

  /// The scope that is so many further out; nil if there are not so many.
  func outside(_ hops: Int) -> QueryScope? {
    var scope: QueryScope? = self
    for _ in 0..<max(hops, 0) { scope = scope?.outside }
    return scope
  }
}

extension [ElementColumn] {
  /// Whether they are those of a dictionary.
  var haveKeys: Bool { count > 1 && first?.name == "key" }

  /// The column of the keys, or of the values of a dictionary or the elements of a list; nil if there are several.
  func column(isKeys: Bool) -> FieldID? {
    if isKeys { return haveKeys ? 1 : nil }
    return haveKeys ? (count == 2 ? 2 : nil) : (count == 1 ? 1 : nil)
  }
}
