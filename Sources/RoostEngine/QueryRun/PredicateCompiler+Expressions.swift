/// The columns computed for one query, in order of first use.
struct ComputedColumns {
  private(set) var expressions: [BoundExpression] = []
  /// There are few, so a dictionary is unnecessary.
  private var fields: [(expression: ColumnExpression, column: QueryColumn)] = []

  /// The column of an expression that was already added.
  func known(_ expression: ColumnExpression) -> QueryColumn? {
    fields.first { $0.expression == expression }?.column
  }

  /// The expression of a column; nil if the column is stored.
  subscript(field: FieldID) -> BoundExpression? {
    guard field >= ComputedFields.first else { return nil }
    return expressions[Int(field - ComputedFields.first)]
  }

  /// Adds an expression, and gives it a number.
  mutating func add(_ expression: ColumnExpression, _ bound: BoundExpression) -> QueryColumn {
    let column = add(bound)
    fields.append((expression, column))
    return column
  }

  /// Adds a column without an expression of its own.
  mutating func add(_ bound: BoundExpression) -> QueryColumn {
    expressions.append(bound)
    return QueryColumn(
      field: ComputedFields.first + FieldID(expressions.count - 1), type: bound.type,
      form: bound.form, name: "expression")
  }
}

/// A column that a query reads, stored or computed.
struct QueryColumn {
  let field: FieldID
  let type: PhysicalType
  let form: NumberForm
  /// Its name in errors.
  let name: String
}

extension PredicateCompiler {
  /// The objects, with the columns requested so far.
  func objects() throws(EngineError) -> ObjectTree {
    let tree = try view.objects(table.id)
    guard !computed.expressions.isEmpty else { return tree }
    return tree.computing(ComputedFields(computed.expressions))
  }

  /// The column of an expression.
  func column(_ expression: ColumnExpression) throws(EngineError) -> QueryColumn {
    if case .field(let id) = expression {
      let field = table.field(id)
      return QueryColumn(
        field: id, type: try type(of: id), form: NumberForm(field?.type),
        name: field?.name ?? "object key")
    }
    if let known = computed.known(expression) { return known }
    let bound = try bind(expression)
    return computed.add(expression, bound)
  }

  /// The columns of an order of the objects that meet a predicate; with a nil predicate, only checks the order.
  func columns(
    _ order: [SortKey], of predicate: Predicate?
  ) throws(EngineError) -> [SortColumn] {
    var columns: [SortColumn] = []
    for key in order {
      var column = try column(key.value)
      if let collation = key.collation {
        guard column.type == .bytes else { throw wrongType(of: "collation") }
        if let predicate {
          let objects = ObjectQuery(table: table.id, predicate: predicate)
          let texts = try view.groups(GroupQuery(objects, by: [key.value])).columns[0]
          let bound = BoundExpression(
            .ranked(try bind(key.value), try TextRanks(texts, collation)), .integer)
          column = computed.add(bound)
        }
      }
      columns.append(
        SortColumn(field: column.field, type: column.type, isDescending: key.isDescending))
    }
    return columns
  }

  /// The condition that compares two expressions.
  func compare(
    _ first: ColumnExpression, _ comparison: Comparison, _ second: ColumnExpression
  ) throws(EngineError) -> CompiledPredicate {
    switch (first, second) {
    case (.constant(let value), .constant(let other)):
      return .constant(comparison.holds(value, other))
    case (_, .constant(let value)):
      let column = try column(first)
      return try compare(column.field, column.type, comparison, value)
    case (.constant(let value), _):
      let column = try column(second)
      return try compare(column.field, column.type, comparison.mirrored, value)
    default:
      let column = try column(first)
      let other = try self.column(second)
      guard column.type == other.type else { throw wrongType(of: "comparison") }
      let compared = CompiledPredicate.test(
        column.field, column.type, .compareColumns(comparison, other.field))
      // If the bytes are equal, NaN is in both or in neither.
      guard column.type == .bytes, comparison == .equal || comparison == .notEqual,
        let part = part(of: first) ?? part(of: second), part.mayHaveNaN
      else { return compared }
      let hasNaN = CompiledPredicate.test(column.field, .bytes, .hasNaN(part))
      return comparison == .equal
        ? .all([compared, hasNaN.negated(of: table)]) : .any([compared, hasNaN])
    }
  }

  /// The structure of an expression's values if they are stored values; otherwise nil.
  ///
  /// - Parameter tables: The tables that links lead to, one by one, from the compiler's table.
  private func part(
    of expression: ColumnExpression, behind tables: [UInt32] = []
  ) -> ElementColumn? {
    guard let table = tables.last.map({ view.catalog.table($0) }) ?? table else { return nil }
    switch expression {
    case .field(let id): return table.field(id).map { ElementColumn($0) }
    case .coalescing(let a, let b):
      return part(of: a, behind: tables) ?? part(of: b, behind: tables)
    case .target(let id, let value), .related(.links(let id), _, let value, _):
      return part(of: value, behind: tables + [table.field(id)?.target ?? 0])
    case .related(.inverse(let id, _), _, let value, _):
      return part(of: value, behind: tables + [id])
    case .elements(let id, _, let place, _):
      guard let parts = table.field(id)?.parts, place > 0, place <= parts.count else { return nil }
      return parts[Int(place) - 1]
    case .outside(let value):
      var tables = tables
      return tables.popLast() == nil ? outer?.part(of: value) : part(of: value, behind: tables)
    case .arithmetic(_, .decimal, _, _), .conversion(_, .decimal, _):
      return ElementColumn(name: "", type: .decimal, isOptional: true)
    case .constant, .arithmetic, .conversion, .concatenation, .folded: return nil
    }
  }

  private func wrongType(of what: String) -> EngineError {
    .wrongType(table: table.name, field: what)
  }

  /// Checks the fields and types of an expression, and resolves its references to other tables.
  ///
  /// - Parameter expected: The type of a constant that has none.
  func bind(
    _ expression: ColumnExpression, as expected: PhysicalType = .integer
  ) throws(EngineError) -> BoundExpression {
    switch expression {
    case .constant(let value):
      return BoundExpression(.constant(value), value.type ?? expected)
    case .field(let id):
      return BoundExpression(
        .field(id), try type(of: id), NumberForm(table.field(id)?.type))
    case .arithmetic(let operation, let kind, let a, let b):
      let first = try bind(a, as: kind.physical)
      let second = try bind(b, as: kind.physical)
      guard kind.suits(first, of: a), kind.suits(second, of: b) else {
        throw wrongType(of: "arithmetic")
      }
      return BoundExpression(
        .arithmetic(operation, kind, first, second), kind.physical, kind.form)
    case .conversion(let source, let target, let number):
      let bound = try bind(number, as: source.physical)
      guard source.suits(bound, of: number) else { throw wrongType(of: "conversion") }
      return BoundExpression(
        .conversion(source, target, bound), target.physical, target.form)
    case .concatenation(let a, let b):
      let first = try bind(a, as: .bytes)
      let second = try bind(b, as: .bytes)
      guard first.type == .bytes, second.type == .bytes else {
        throw wrongType(of: "concatenation")
      }
      return BoundExpression(.concatenation(first, second), .bytes)
    case .folded(let folding, let text):
      let bound = try bind(text, as: .bytes)
      guard bound.type == .bytes else { throw wrongType(of: "folding") }
      return BoundExpression(.folded(folding, bound), .bytes)
    case .coalescing(let a, let b):
      let isNull = b == .constant(.null)
      let known = try bind(isNull ? a : b, as: expected)
      let other = try bind(isNull ? b : a, as: known.type)
      let (first, second) = isNull ? (known, other) : (other, known)
      guard first.type == second.type else { throw wrongType(of: "coalescing") }
      return BoundExpression(
        .coalescing(first, second), first.type, first.form == .plain ? second.form : first.form)
    case .target(let link, let value):
      let field = try linkField(link, .link)
      let target = try inside(table: field.target)
      let bound = try target.bind(value, as: expected)
      let content: BoundExpression.Content =
        if target.readsOutside {
          .related(
            try related(.link(link), target, .always(true), .constant(true)), nil, bound)
        } else { .target(link, try view.objects(field.target), bound) }
      return BoundExpression(content, bound.type, bound.form)
    case .elements(let field, let function, let part, let predicate):
      return try bind(field, function, part, predicate)
    case .related(let relation, let function, let value, let predicate):
      return try bind(relation, function, value, predicate)
    case .outside(let value): return try bind(outside: value, as: expected)
    }
  }

  private func bind(
    _ relation: Relation, _ function: AggregateFunction, _ value: ColumnExpression,
    _ predicate: Predicate
  ) throws(EngineError) -> BoundExpression {
    let other: PredicateCompiler
    let source: BoundRelation.Source
    switch relation {
    case .links(let id):
      let field = try linkField(id, .links)
      other = try inside(table: field.target)
      source = .links(id)
    case .inverse(let id, let link):
      other = try inside(table: id)
      source = .inverse(try view.index(try other.fieldLeading(to: table.id, link)))
    }
    let bound = try other.bind(value)
    guard let result = function.result(of: bound.type, bound.form) else {
      throw wrongType(of: "\(function)")
    }
    var objects = try related(
      source, other, predicate, try other.condition(predicate))
    objects.reads = searches?.noteReads(of: other.table)
    return BoundExpression(.related(objects, function, bound), result.type, result.form)
  }
}

extension NumberKind {
  /// Whether an expression gives numbers that are stored as these are.
  fileprivate func suits(_ bound: BoundExpression, of expression: ColumnExpression) -> Bool {
    // Other bytes are no numbers; the bytes of constants have no form.
    bound.type == physical
      && (self != .decimal || bound.form == .decimal || expression.isOfConstants)
  }
}

extension ColumnExpression {
  /// Whether every value is one of the expression's constants.
  fileprivate var isOfConstants: Bool {
    switch self {
    case .constant: true
    case .coalescing(let a, let b): a.isOfConstants && b.isOfConstants
    case .target(_, let value), .outside(let value): value.isOfConstants
    case .related(_, .minimum, let value, _), .related(_, .maximum, let value, _):
      value.isOfConstants
    default: false
    }
  }
}

extension LeafRows {
  /// The rows of a leaf that match.
  init(_ answer: ZoneMapResult, _ selection: Selection, of rowCount: Int) {
    guard answer == .some else {
      self.init(0..<(answer == .all ? rowCount : 0))
      return
    }
    var rows: [UInt16] = []
    selection.forEach { rows.append(UInt16(truncatingIfNeeded: $0)) }
    self.init(rows[...])
  }
}
