/// Compiles a predicate to a condition: checks fields and types once, folds constants, and finds the
/// targets of links.
final class PredicateCompiler {
  let view: ReadView
  let table: TableDefinition
  /// The columns computed for the query.
  var computed = ComputedColumns()
  /// The number of nested predicates and expressions behind links.
  let depth: Int
  /// The compiler of the outer objects that lead to this table; nil for the outermost table.
  let outer: PredicateCompiler?
  /// The expressions read from the outer objects.
  var outside = ComputedColumns()
  /// Takes note of the searches for related objects; nil where nobody asks.
  let searches: RelatedSearches?

  /// Deeper nesting of links is refused.
  private static let depthMax = 32

  init(
    _ view: ReadView, _ table: TableDefinition, depth: Int, outer: PredicateCompiler?,
    notingIn searches: RelatedSearches? = nil
  ) {
    self.view = view
    self.table = table
    self.depth = depth
    self.outer = outer
    self.searches = searches ?? outer?.searches
  }

  convenience init(
    _ view: ReadView, table id: UInt32, outer: PredicateCompiler? = nil,
    notingIn searches: RelatedSearches? = nil
  ) throws(EngineError) {
    let depth = outer.map { $0.depth + 1 } ?? 0
    guard let table = view.catalog.table(id) else { throw .unknownTable(name: "\(id)") }
    guard depth <= Self.depthMax else {
      throw .limit(EngineLimit(.predicateLinks, Self.depthMax))
    }
    self.init(view, table, depth: depth, outer: outer, notingIn: searches)
  }

  /// A compiler for related objects in another table.
  func inside(table id: UInt32) throws(EngineError) -> PredicateCompiler {
    try PredicateCompiler(view, table: id, outer: self)
  }

  /// The storage type of a field's values.
  func type(of id: FieldID) throws(EngineError) -> PhysicalType {
    if id == 0 { return .integer }
    guard let field = table.field(id) else {
      throw .unknownField(table: table.name, field: "\(id)")
    }
    return field.type.physical
  }

  func wrongType(_ id: FieldID) -> EngineError {
    .wrongType(table: table.name, field: table.field(id)?.name ?? "object key")
  }

  /// The condition that holds exactly when the predicate does.
  func condition(_ predicate: Predicate) throws(EngineError) -> CompiledPredicate {
    switch predicate {
    case .always(let holds): return .constant(holds)
    case .isNull(let field): return .test(field, try type(of: field), .isNull)
    case .compare(let field, let comparison, let value):
      return try compare(field, try type(of: field), comparison, value)
    case .oneOf(let field, let values): return try oneOf(field, try type(of: field), values)
    case .text(let field, let match, let pattern):
      return try text(field, try type(of: field), match, pattern)
    case .comparison(let first, let comparison, let second):
      return try compare(first, comparison, second)
    case .membership(let expression, let values):
      let column = try column(expression)
      return try oneOf(column.field, column.type, values)
    case .textMatch(let expression, let match, let pattern):
      let column = try column(expression)
      return try text(column.field, column.type, match, pattern)
    case .matches(let expression, let pattern):
      let column = try column(expression)
      guard column.type == .bytes else { throw wrongType(column.field) }
      return .test(column.field, .bytes, .pattern(TextMatcher(pattern)))
    case .and(let parts): return .all(try conditions(parts))
    case .or(let parts): return .any(try conditions(parts))
    case .not(let part): return try condition(part).negated(of: table)
    case .link(let field, let target): return try link(field, target)
    case .links(let field, let target): return try links(field, target)
    case .inverse(let table, let field, let source): return try inverse(table, field, source)
    }
  }

  private func conditions(_ predicates: [Predicate]) throws(EngineError) -> [CompiledPredicate] {
    var conditions: [CompiledPredicate] = []
    conditions.reserveCapacity(predicates.count)
    for predicate in predicates { conditions.append(try condition(predicate)) }
    return conditions
  }

  func compare(
    _ field: FieldID, _ type: PhysicalType, _ comparison: Comparison, _ value: Value
  ) throws(EngineError) -> CompiledPredicate {
    guard let valueType = value.type else {
      switch comparison {
      case .equal: return .test(field, type, .isNull)
      case .notEqual: return .test(field, type, .isNotNull)
      default: return .constant(false)
      }
    }
    guard valueType == type else { throw wrongType(field) }
    guard !value.isNaN else { return .constant(comparison == .notEqual) }
    return .test(
      field, type,
      comparison == .notEqual
        ? table.inequality(of: field, value) : .compare(comparison, value))
  }

  private func text(
    _ field: FieldID, _ type: PhysicalType, _ match: TextMatch, _ pattern: [UInt8]
  ) throws(EngineError) -> CompiledPredicate {
    guard type == .bytes else { throw wrongType(field) }
    return .test(field, type, pattern.isEmpty ? .isNotNull : .text(match, pattern))
  }

  private func oneOf(
    _ field: FieldID, _ type: PhysicalType, _ values: [Value]
  ) throws(EngineError) -> CompiledPredicate {
    var distinct: [Value] = []
    var seen: Set<Value> = []
    var hasNull = false
    for value in values {
      guard let valueType = value.type else {
        hasNull = true
        continue
      }
      guard valueType == type else { throw wrongType(field) }
      if !value.isNaN, seen.insert(value).inserted { distinct.append(value) }
    }
    var parts: [CompiledPredicate] = []
    if distinct.count == 1 {
      parts.append(.test(field, type, .compare(.equal, distinct[0])))
    } else if !distinct.isEmpty {
      parts.append(.test(field, type, .oneOf(distinct)))
    }
    if hasNull { parts.append(.test(field, type, .isNull)) }
    return .any(parts)
  }

  private func link(_ id: FieldID, _ predicate: Predicate) throws(EngineError) -> CompiledPredicate
  {
    let keys: [Int64]
    switch try targets(of: try linkField(id, .link), .link(id), predicate) {
    case .found(let found): keys = found
    case .told(let condition): return condition
    }
    switch keys.count {
    case 0: return .constant(false)
    case 1: return .test(id, .integer, .compare(.equal, .integer(keys[0])))
    default: return .test(id, .integer, .keys(KeySet(ascending: keys)))
    }
  }

  private func links(_ id: FieldID, _ predicate: Predicate) throws(EngineError) -> CompiledPredicate
  {
    let field = try linkField(id, .links)
    let targets: [Int64]
    switch try self.targets(of: field, .links(id), predicate) {
    case .found(let found): targets = found
    case .told(let condition): return condition
    }
    guard targets.count != 1 else { return .test(id, .bytes, .links(to: targets[0])) }
    return try objects(withKeys: view.index(field).keys(equalToAny: targets))
  }

  /// The condition that the object has one of the given keys, in any order.
  private func objects(withKeys unsorted: [Int64]) throws(EngineError) -> CompiledPredicate {
    var keys = unsorted.ascending()
    // An object can have links to several targets.
    var last: Int64?
    keys.removeAll { key in
      defer { last = key }
      return key == last
    }
    guard !keys.isEmpty else { return .constant(false) }
    guard UInt64(keys.count) * Self.lookedUpShare > (try view.objects(table.id).count) else {
      return .test(0, .integer, .oneOf(keys.map { .integer($0) }))
    }
    return .test(0, .integer, .keys(KeySet(ascending: keys)))
  }

  private func inverse(
    _ id: UInt32, _ field: FieldID, _ predicate: Predicate
  ) throws(EngineError) -> CompiledPredicate {
    let source = try inside(table: id)
    let definition = try source.fieldLeading(to: table.id, field)
    let condition = try source.condition(predicate)
    if source.readsOutside {
      return try exists(.inverse(view.index(definition)), source, predicate, condition)
    }
    if case .constant(false) = condition { return .constant(false) }
    let column = ColumnBuffer(type: definition.type.physical)
    try source.search(predicate, condition) { (run, statistics) throws(EngineError) in
      try run.forEachLeaf(&statistics) { (leaf, answer, selection) throws(EngineError) in
        try column.append(field, of: &leaf, LeafRows(answer, selection, of: leaf.rowCount))
        return true
      }
      statistics.rowsMatched = column.count
    }
    var keys: [Int64] = []
    for row in 0..<column.count where !column.isNull(row) {
      if definition.type == .link {
        keys.append(column.integer(row))
      } else {
        let list = column.bytes(row)
        for link in 0..<list.count / 8 { keys.append(Int64(bitPattern: list.uint64(at: link * 8))) }
      }
    }
    return try objects(withKeys: keys)
  }

  /// Objects are looked up if this many times their number is at most the number of all objects.
  private static let lookedUpShare: UInt64 = 64

  func linkField(_ id: FieldID, _ type: FieldType) throws(EngineError) -> FieldDefinition {
    guard let field = table.field(id) else {
      throw .unknownField(table: table.name, field: "\(id)")
    }
    guard field.type == type else { throw wrongType(id) }
    return field
  }

  /// The targets of a link that meet a predicate.
  private enum Targets {
    /// Their keys, ascending.
    case found([Int64])
    /// The target depends on the object with the link: the condition that a matching target exists.
    case told(CompiledPredicate)
  }

  private func targets(
    of field: FieldDefinition, _ source: BoundRelation.Source, _ predicate: Predicate
  ) throws(EngineError) -> Targets {
    // An object key needs no check for existence: no link leads to a missing object.
    if case .compare(0, .equal, .integer(let key)) = predicate { return .found([key]) }
    let target = try inside(table: field.target)
    let condition = try target.condition(predicate)
    if target.readsOutside { return .told(try exists(source, target, predicate, condition)) }
    return .found(try target.keys(predicate, condition))
  }

  /// The keys of the objects that meet a predicate, which was compiled to a condition, ascending.
  func keys(
    _ predicate: Predicate, _ condition: CompiledPredicate
  ) throws(EngineError) -> [Int64] {
    if case .constant(false) = condition { return [] }
    return try search(predicate, condition) { (run, statistics) throws(EngineError) in
      try run.keys(&statistics)
    }
  }

  /// Searches for the objects that meet a predicate, and notes how.
  private func search<Result>(
    _ predicate: Predicate, _ condition: CompiledPredicate,
    _ search: (QueryRun, inout ScanStatistics) throws(EngineError) -> Result
  ) throws(EngineError) -> Result {
    var statistics = ScanStatistics()
    let result = try search(try QueryRun(self, condition), &statistics)
    searches?.list.append(RelatedSearch(table: table, predicate: predicate, statistics: statistics))
    return result
  }

  /// A field of this table that is a link, or a list of links, to objects of another table.
  func fieldLeading(to target: UInt32, _ id: FieldID) throws(EngineError) -> FieldDefinition {
    guard let field = table.field(id) else {
      throw .unknownField(table: table.name, field: "\(id)")
    }
    guard field.type == .link || field.type == .links, field.target == target else {
      throw wrongType(id)
    }
    return field
  }
}
