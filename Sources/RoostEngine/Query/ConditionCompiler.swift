/// Makes the condition of a predicate: checks fields and types once, folds constants, and looks for the
/// targets of links.
struct ConditionCompiler {
  let view: ReadView
  let table: TableDefinition
  /// Predicates behind links, one in the other, that are looked at.
  private let depth: Int

  /// Links behind links beyond this many are refused.
  private static let depthMax = 32

  init(_ view: ReadView, table id: UInt32, depth: Int = 0) throws(EngineError) {
    guard let table = view.catalog.table(id) else { throw .unknown(name: "table \(id)") }
    guard depth <= Self.depthMax else { throw .limit("\(Self.depthMax) links in a predicate") }
    self.view = view
    self.table = table
    self.depth = depth
  }

  /// How a field's values are stored.
  func type(of id: FieldID) throws(EngineError) -> PhysicalType {
    if id == 0 { return .integer }
    guard let field = table.field(id) else {
      throw .unknown(name: "field \(id) of \(table.name)")
    }
    return field.type.physical
  }

  private func wrongType(_ id: FieldID) -> EngineError {
    .wrongType(table: table.name, field: table.field(id)?.name ?? "object key")
  }

  /// The condition that holds where the predicate does.
  func condition(_ predicate: Predicate) throws(EngineError) -> Condition {
    switch predicate {
    case .always(let holds): return .constant(holds)
    case .isNull(let field): return .test(field, try type(of: field), .isNull)
    case .compare(let field, let comparison, let value):
      return try compare(field, comparison, value)
    case .oneOf(let field, let values): return try oneOf(field, values)
    case .text(let field, let match, let pattern):
      let type = try type(of: field)
      guard type == .bytes else { throw wrongType(field) }
      return .test(field, type, pattern.isEmpty ? .isNotNull : .text(match, pattern))
    case .and(let parts): return .all(try conditions(parts))
    case .or(let parts): return .any(try conditions(parts))
    case .not(let part): return try condition(part).negated
    case .link(let field, let target): return try link(field, target)
    case .links(let field, let target): return try links(field, target)
    }
  }

  private func conditions(_ predicates: [Predicate]) throws(EngineError) -> [Condition] {
    var conditions: [Condition] = []
    conditions.reserveCapacity(predicates.count)
    for predicate in predicates { conditions.append(try condition(predicate)) }
    return conditions
  }

  private func compare(
    _ field: FieldID, _ comparison: Comparison, _ value: Value
  ) throws(EngineError) -> Condition {
    let type = try type(of: field)
    guard let valueType = value.type else {
      switch comparison {
      case .equal: return .test(field, type, .isNull)
      case .notEqual: return .test(field, type, .isNotNull)
      default: return .constant(false)
      }
    }
    guard valueType == type else { throw wrongType(field) }
    guard !value.isNaN else { return .constant(comparison == .notEqual) }
    return .test(field, type, .compare(comparison, value))
  }

  private func oneOf(_ field: FieldID, _ values: [Value]) throws(EngineError) -> Condition {
    let type = try type(of: field)
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
    var parts: [Condition] = []
    if distinct.count == 1 {
      parts.append(.test(field, type, .compare(.equal, distinct[0])))
    } else if !distinct.isEmpty {
      parts.append(.test(field, type, .oneOf(distinct)))
    }
    if hasNull { parts.append(.test(field, type, .isNull)) }
    return .any(parts)
  }

  private func link(_ id: FieldID, _ predicate: Predicate) throws(EngineError) -> Condition {
    let keys = try targets(of: try linkField(id, .link), predicate)
    switch keys.count {
    case 0: return .constant(false)
    case 1: return .test(id, .integer, .compare(.equal, .integer(keys[0])))
    default: return .test(id, .integer, .keys(KeySet(keys)))
    }
  }

  private func links(_ id: FieldID, _ predicate: Predicate) throws(EngineError) -> Condition {
    let field = try linkField(id, .links)
    let targets = try targets(of: field, predicate)
    guard targets.count != 1 else { return .test(id, .bytes, .links(to: targets[0])) }
    var owners: [Int64] = []
    try view.index(field).forEachKey(equalToAny: targets) { owners.append($0) }
    guard !owners.isEmpty else { return .constant(false) }
    owners.sort()
    // An object can have links to several of them.
    var last: Int64?
    owners.removeAll { owner in
      defer { last = owner }
      return owner == last
    }
    guard UInt64(owners.count) * Self.lookedUpShare > (try view.objects(table.id).count) else {
      return .test(0, .integer, .oneOf(owners.map { .integer($0) }))
    }
    return .test(0, .integer, .keys(KeySet(owners)))
  }

  /// Objects are looked up where so many times their number is at most that of all.
  private static let lookedUpShare: UInt64 = 64

  private func linkField(_ id: FieldID, _ type: FieldType) throws(EngineError) -> FieldDefinition {
    guard let field = table.field(id) else {
      throw .unknown(name: "field \(id) of \(table.name)")
    }
    guard field.type == type else { throw wrongType(id) }
    return field
  }

  /// The keys of a link's targets that fulfil a predicate, ascending.
  private func targets(
    of field: FieldDefinition, _ predicate: Predicate
  ) throws(EngineError) -> [Int64] {
    // Of one object it does not matter whether it is there: nothing leads to it where it is not.
    if case .compare(0, .equal, .integer(let key)) = predicate { return [key] }
    let target = try ConditionCompiler(view, table: field.target, depth: depth + 1)
    let condition = try target.condition(predicate)
    if case .constant(false) = condition { return [] }
    return try QueryRun(view, table: target.table, condition).keys()
  }
}
