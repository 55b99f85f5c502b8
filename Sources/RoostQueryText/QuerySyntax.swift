internal import RoostEngine

/// A part of a query's text, before anybody knows what its names are.
struct QuerySyntax {
  /// Where it begins.
  let offset: Int
  let form: Form
  /// How many parts lie within each other.
  let height: Int

  indirect enum Form {
    case literal(Literal)
    case name(String)
    /// A field by its number.
    case place(UInt32)
    /// The objects of a table that link to one by a field: `Dog by owner`.
    case inverse(table: String, field: QuerySyntax)
    /// The object outside of braces, or of what follows a link: `outer`.
    case outer
    /// What follows a dot, with what is in braces behind it.
    case member(QuerySyntax, String, QuerySyntax?)
    /// What is calculated behind a link: `owner.(age + 1)`.
    case behind(QuerySyntax, QuerySyntax)
    /// A value of a type that is named: `Date("2013-01-31T05:00:00Z")`, or a calculation in it.
    case typed(TypeName, QuerySyntax)
    case conversion(QuerySyntax, TypeName)
    case folded(TextFolding, QuerySyntax)
    /// What the objects of a group give together: `sum(score)`, or `count`, which is of nothing.
    case aggregate(AggregateFunction, QuerySyntax?)
    case binary(Sign, QuerySyntax, QuerySyntax)
    case match(QuerySyntax, TextPattern.Form, TextFolding, [UInt8])
    case membership(QuerySyntax, [QuerySyntax])
    /// One of the objects, or of the elements, is this: `tags contains 3`.
    case holding(QuerySyntax, QuerySyntax)
    /// One of the objects fulfils a condition: `dogs contains { age > 3 }`.
    case some(QuerySyntax, QuerySyntax)
    /// What a link leads to fulfils a condition: `owner { age > 3 }`.
    case target(QuerySyntax, QuerySyntax)
    case and([QuerySyntax])
    case or([QuerySyntax])
    case not(QuerySyntax)
  }

  enum Literal: Equatable {
    case null
    case bool(Bool)
    /// As it is written, with its sign.
    case number(String)
    case string([UInt8])
    case bytes([UInt8])
  }

  /// A type's name, with the range of integers.
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

  /// A constant in the place of another part.
  init(_ other: QuerySyntax, _ literal: Literal) {
    self.init(offset: other.offset, form: .literal(literal))
  }

  init(offset: Int, form: Form) {
    self.offset = offset
    self.form = form
    height = 1 + (form.parts.map(\.height).max() ?? 0)
  }

  /// Whether it names a field, or what lies behind links.
  var isPath: Bool {
    switch form {
    case .name, .place, .member, .behind, .inverse, .outer: true
    default: false
    }
  }

  /// Whether it is a constant, with its type or without.
  var isConstant: Bool {
    if case .typed(_, let inner) = form { inner.literal != nil } else { literal != nil }
  }

  /// The constant that it is, of a type that something else tells.
  var literal: Literal? { if case .literal(let literal) = form { literal } else { nil } }
}

/// A whole query's text, or that of which groups, whose conditions and order are asked of their columns.
struct QuerySentence {
  let offset: Int
  let table: String
  var condition: QuerySyntax?
  var order: [(value: QuerySyntax, locale: String?, isDescending: Bool)] = []
  var limit: Int?
  var objectsLeftOut = 0
}

/// The whole text of a question for groups.
struct GroupSentence {
  let objects: QuerySentence
  var keys: [QuerySyntax] = []
  var aggregates: [QuerySyntax] = []
  var groups: QuerySentence
}

extension QuerySyntax.Form {
  /// What it is made of.
  fileprivate var parts: [QuerySyntax] {
    switch self {
    case .literal, .name, .place, .outer: []
    case .inverse(_, let part), .typed(_, let part), .conversion(let part, _), .folded(_, let part),
      .match(let part, _, _, _), .not(let part):
      [part]
    case .aggregate(_, let part): part.map { [$0] } ?? []
    case .member(let part, _, let argument): [part] + (argument.map { [$0] } ?? [])
    case .behind(let a, let b), .binary(_, let a, let b), .holding(let a, let b),
      .some(let a, let b),
      .target(let a, let b):
      [a, b]
    case .membership(let part, let list): [part] + list
    case .and(let parts), .or(let parts): parts
    }
  }
}
