/// The fields that a query reads of an object and of its related objects: a change of one may change the result.
final class QueryDependencies: Sendable {
  /// How an object leads to its related objects.
  enum Step: Sendable {
    /// By a link, or a list of links, of its own.
    case link(FieldID)
    /// By a link, or a list of links, of the related object.
    case inverse(FieldID)
  }

  /// The table of the objects.
  let table: UInt32
  /// The fields of these objects that are read.
  let fields: Set<FieldID>
  /// The related objects that are read.
  let others: [(step: Step, dependencies: QueryDependencies)]

  private init(
    _ table: UInt32, _ fields: Set<FieldID>,
    _ others: [(step: Step, dependencies: QueryDependencies)]
  ) {
    self.table = table
    self.fields = fields
    self.others = others
  }

  /// The fields that decide the query's results and their order, and others that are read of the results.
  convenience init(_ query: ObjectQuery, reading read: [ColumnExpression], in catalog: Catalog) {
    var collector = Collector(query.table, catalog)
    collector.add(query.predicate)
    for value in query.order.map(\.value) + read { collector.add(value) }
    self.init(collector)
  }

  private convenience init(_ collector: Collector) {
    self.init(collector.table, collector.fields, collector.others)
  }

  /// Collects from predicates and expressions.
  private struct Collector {
    let table: UInt32
    let catalog: Catalog
    var fields: Set<FieldID> = []
    var others: [(step: Step, dependencies: QueryDependencies)] = []
    /// What is read of the objects outside.
    private var outside: [ColumnExpression] = []

    init(_ table: UInt32, _ catalog: Catalog) {
      self.table = table
      self.catalog = catalog
    }

    mutating func add(_ predicate: Predicate) {
      switch predicate {
      case .always: break
      case .compare(let field, _, _), .isNull(let field), .oneOf(let field, _),
        .text(let field, _, _):
        fields.insert(field)
      case .and(let parts), .or(let parts): for part in parts { add(part) }
      case .not(let part): add(part)
      case .link(let field, let target), .links(let field, let target):
        add(.links(field), nil, target)
      case .inverse(let table, let field, let source):
        add(.inverse(table: table, field: field), nil, source)
      case .comparison(let a, _, let b):
        add(a)
        add(b)
      case .membership(let value, _), .textMatch(let value, _, _), .matches(let value, _):
        add(value)
      }
    }

    mutating func add(_ expression: ColumnExpression) {
      switch expression {
      case .constant: break
      case .field(let field): fields.insert(field)
      case .elements(let field, _, of: _, where: let predicate):
        fields.insert(field)
        // The elements' columns are not fields, and have no related objects.
        var elements = Collector(0, catalog)
        elements.add(predicate)
        addOutside(of: elements)
      case .outside(let value): outside.append(value)
      case .arithmetic(_, _, let a, let b), .concatenation(let a, let b), .coalescing(let a, let b):
        add(a)
        add(b)
      case .conversion(_, _, let value), .folded(_, let value): add(value)
      case .target(let field, let value): add(.links(field), value, nil)
      case .related(let relation, _, let value, where: let predicate):
        add(relation, value, predicate)
      }
    }

    /// Adds the fields that are read of related objects.
    private mutating func add(
      _ relation: Relation, _ value: ColumnExpression?, _ predicate: Predicate?
    ) {
      let step: Step
      let collected: UInt32?
      switch relation {
      case .links(let field):
        fields.insert(field)
        step = .link(field)
        collected = catalog.table(table)?.field(field)?.target
      case .inverse(let source, let field):
        step = .inverse(field)
        collected = source
      }
      guard let collected else { return }
      var collector = Collector(collected, catalog)
      if case .inverse(let field) = step { collector.fields.insert(field) }
      if let value { collector.add(value) }
      if let predicate { collector.add(predicate) }
      others.append((step, QueryDependencies(collector)))
      addOutside(of: collector)
    }

    private mutating func addOutside(of inner: Collector) {
      for value in inner.outside { add(value) }
    }
  }
}
