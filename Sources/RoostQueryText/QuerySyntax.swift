internal import RoostEngine

/// A node of a query's syntax tree, with unresolved names.
struct QuerySyntax {
  /// The offset of its start in the text.
  let offset: Int
  /// The offset of the name behind its last dot; nil if there is none.
  let nameOffset: Int?
  let form: Form
  /// The height of the node's subtree, including the node.
  let height: Int
  /// How many `BETWEEN` lie in the left sides of others; each doubles the condition.
  let betweens: Int

  indirect enum Form {
    case literal(Literal)
    case name(String)
    /// A field by number.
    case place(UInt32)
    /// The objects of a table whose field links to the current object: `Dog by owner`.
    case inverse(table: String, field: QuerySyntax)
    /// The object outside of braces, or before a link: `outer`.
    case outer
    /// An object of a subquery: `$task`.
    case variable(String)
    /// The value of a dictionary's key: `attributes["kind"]`.
    case element(QuerySyntax, key: QuerySyntax)
    /// The keys or the values of a dictionary: `attributes.@keys`.
    case entries(QuerySyntax, isKeys: Bool)
    /// The number of objects that fulfil a condition, under a name: `SUBQUERY(tasks, $task, $task.priority > 3).@count`.
    case subquery(QuerySyntax, variable: String, QuerySyntax)
    /// A member after a dot, with an optional part in braces.
    case member(QuerySyntax, String, QuerySyntax?)
    /// A calculation on a link's target: `owner.(age + 1)`.
    case behind(QuerySyntax, QuerySyntax)
    /// A value with an explicit type: `Date("2013-01-31T05:00:00Z")`, or a calculation in that type.
    case typed(TypeName, QuerySyntax)
    case conversion(QuerySyntax, TypeName)
    case folded(TextFolding, QuerySyntax)
    /// An aggregate over the objects of a group: `sum(score)`, or `count`, which has no argument.
    case aggregate(AggregateFunction, QuerySyntax?)
    case binary(Sign, QuerySyntax, QuerySyntax)
    /// A text matches a constant text or bytes.
    case match(QuerySyntax, TextPattern.Form, TextFolding, QuerySyntax)
    case between(QuerySyntax, QuerySyntax, QuerySyntax)
    case membership(QuerySyntax, [QuerySyntax])
    /// One of the objects or elements equals a value: `tags contains 3`.
    case holding(QuerySyntax, QuerySyntax)
    /// One of the objects fulfils a condition: `dogs contains { age > 3 }`.
    case some(QuerySyntax, QuerySyntax)
    /// Some, all or none of the objects or elements on a path fulfil a comparison: `ANY tasks.priority > 3`.
    case quantified(Quantifier, QuerySyntax)
    /// A link's target fulfils a condition: `owner { age > 3 }`.
    case target(QuerySyntax, QuerySyntax)
    case and([QuerySyntax])
    case or([QuerySyntax])
    case not(QuerySyntax)
  }

  enum Literal: Equatable {
    case null
    case bool(Bool)
    /// The digits as written, with their sign.
    case number(String)
    case string([UInt8])
    case bytes([UInt8])
    /// A value that is no part of the text.
    case argument(QueryArgument)
  }

  enum Quantifier {
    case any
    case all
    case none
  }

  /// The name of a type, with an optional range of integers.
  struct TypeName {
    let name: String
    let range: ClosedRange<Int64>?
  }

  enum Sign: String {
    case add = "+"
    case subtract = "-"
    case multiply = "*"
    case divide = "/"
    case remainder = "%"
    case coalesce = "??"
    case equal = "=="
    case notEqual = "!="
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="
  }

  /// A constant that replaces another node.
  init(_ other: QuerySyntax, _ literal: Literal) {
    self.init(offset: other.offset, form: .literal(literal))
  }

  init(offset: Int, form: Form, nameOffset: Int? = nil) {
    self.offset = offset
    self.nameOffset = nameOffset
    self.form = form
    let parts = form.parts
    height = 1 + (parts.map(\.height).max() ?? 0)
    let most = parts.map(\.betweens).max() ?? 0
    betweens = if case .between = form { 1 + most } else { most }
  }

  /// Whether it is a field, or a path through links.
  var isPath: Bool {
    switch form {
    case .name, .place, .member, .behind, .inverse, .outer, .variable, .element, .entries: true
    default: false
    }
  }

  /// Whether it is a constant, typed or not.
  var isConstant: Bool {
    if case .typed(_, let inner) = form { inner.literal != nil } else { literal != nil }
  }

  /// Whether its type is known, and not guessed from a constant: that of a field, of a count, or one that is written.
  var hasOwnType: Bool {
    switch form {
    case .literal: false
    case .binary(_, let a, let b): a.literal == nil ? a.hasOwnType : b.hasOwnType
    case .behind(_, let inner), .member(_, _, let inner?): inner.hasOwnType
    default: true
    }
  }

  /// The constant, if it is one without its own type.
  var literal: Literal? { if case .literal(let literal) = form { literal } else { nil } }
}

/// A whole object query, or the groups' part of a group query, whose conditions and order refer to the columns.
struct QuerySentence {
  let offset: Int
  let table: String
  var condition: QuerySyntax?
  var order: [(value: QuerySyntax, locale: String?, isDescending: Bool)] = []
  var limit: Int?
  var objectsLeftOut = 0
}

/// A whole group query.
struct GroupSentence {
  let objects: QuerySentence
  var keys: [QuerySyntax] = []
  var aggregates: [QuerySyntax] = []
  var groups: QuerySentence
}

extension QuerySyntax.Form {
  /// The child nodes.
  fileprivate var parts: [QuerySyntax] {
    switch self {
    case .literal, .name, .place, .outer, .variable: []
    case .inverse(_, let part), .typed(_, let part), .conversion(let part, _), .folded(_, let part),
      .not(let part), .entries(let part, _), .quantified(_, let part):
      [part]
    case .aggregate(_, let part): part.map { [$0] } ?? []
    case .member(let part, _, let argument): [part] + (argument.map { [$0] } ?? [])
    case .behind(let a, let b), .binary(_, let a, let b), .holding(let a, let b),
      .some(let a, let b), .target(let a, let b), .match(let a, _, _, let b),
      .element(let a, key: let b), .subquery(let a, variable: _, let b):
      [a, b]
    case .between(let a, let b, let c): [a, b, c]
    case .membership(let part, let list): [part] + list
    case .and(let parts), .or(let parts): parts
    }
  }
}
