import RoostEngine
import RoostTestSupport

/// Random expressions over a fixture's items and groups.
extension RandomQuery {
  mutating func anyType() -> PhysicalType {
    let types: [PhysicalType] = [.integer, .integer, .double, .float, .bytes, .uuid]
    return types[Int.random(in: 0..<types.count, using: &random)]
  }

  /// A condition on something computed.
  mutating func computed(depth: Int, _ isItem: Bool) -> Predicate {
    let type = anyType()
    let first = expression(type, depth: min(depth, 2), isItem: isItem)
    let comparison = Comparison.allCases[Int.random(in: 0..<6, using: &random)]
    switch Int.random(in: 0..<6, using: &random) {
    case 0: return .comparison(first, comparison, expression(type, depth: 1, isItem: isItem))
    case 1:
      let constants = (0..<Int.random(in: 0...4, using: &random)).map { _ in
        constant(type, isItem)
      }
      return .membership(first, constants)
    case 2 where type == .bytes:
      guard case .bytes(let bytes) = constant(.bytes, isItem) else { fallthrough }
      return .textMatch(
        first, TextMatch.allCases[Int.random(in: 0..<3, using: &random)], Array(bytes.prefix(2)))
    case 4 where type == .bytes:
      guard case .bytes(let bytes) = constant(.bytes, isItem) else { fallthrough }
      return .matches(first, pattern(bytes))
    case 3: return .comparison(.constant(constant(type, isItem)), comparison, first)
    default: return .comparison(first, comparison, .constant(constant(type, isItem)))
    }
  }

  mutating func folding() -> TextFolding {
    TextFolding(rawValue: UInt8.random(in: 0...3, using: &random))
  }

  /// A pattern that matches a text, or would if something in it did not count.
  mutating func pattern(_ text: [UInt8]) -> TextPattern {
    let form = TextPattern.Form.allCases[Int.random(in: 0..<5, using: &random)]
    var part = Array(text.prefix(24))
    switch form {
    case .equal: break
    case .prefix: part.removeLast(Int.random(in: 0...part.count, using: &random))
    case .suffix: part.removeFirst(Int.random(in: 0...part.count, using: &random))
    case .contains:
      part.removeFirst(Int.random(in: 0...part.count, using: &random))
      part.removeLast(Int.random(in: 0...part.count, using: &random))
    case .wildcards:
      for _ in 0..<Int.random(in: 0...3, using: &random) where !part.isEmpty {
        let start = Int.random(in: 0..<part.count, using: &random)
        if random.chance(1, in: 3) {
          part[start] = UInt8(ascii: "?")
        } else {
          let end = Int.random(in: start...part.count, using: &random)
          part.replaceSubrange(start..<end, with: [UInt8(ascii: "*")])
        }
      }
    }
    if random.chance(1, in: 3) {
      part = part.map { (65...90).contains($0) || (97...122).contains($0) ? $0 ^ 32 : $0 }
    }
    return TextPattern(form, part, folding: folding())
  }

  /// The fields of a type: 0 is the object key.
  private func fields(_ type: PhysicalType, _ isItem: Bool) -> [FieldID] {
    switch type {
    case .integer: isItem ? [0, 1, 2, 8, 9, 10] : [0, 1]
    case .double: isItem ? [3, 11] : []
    case .float: isItem ? [4] : []
    case .bytes: isItem ? [5, 6, 12] : [2]
    case .uuid: isItem ? [7] : []
    }
  }

  private mutating func field(_ type: PhysicalType, _ isItem: Bool) -> ColumnExpression {
    let fields = fields(type, isItem)
    // A group has none of some types, whose constants are never null.
    guard !fields.isEmpty else { return .constant(constant(type, isItem)) }
    return .field(fields[Int.random(in: 0..<fields.count, using: &random)])
  }

  private mutating func constant(_ type: PhysicalType, _ isItem: Bool) -> Value {
    switch type {
    case .integer where random.chance(1, in: 2):
      return .integer(Int64.random(in: -5...60, using: &random))
    case .double where !isItem: return .double(Double(Int.random(in: -2...4, using: &random)) / 4)
    case .float where !isItem: return .float(0.25)
    case .uuid where !isItem: return .uuid(1, 7)
    default:
      let fields = fields(type, isItem)
      return constant(fields[Int.random(in: 0..<fields.count, using: &random)], isItem)
    }
  }

  /// The objects that an item or a group has to do with, and their table.
  mutating func relation(_ isItem: Bool) -> (Relation, table: UInt32) {
    if isItem {
      return random.chance(1, in: 2)
        ? (.inverse(table: fixture.items, field: 10), fixture.items)
        : (.inverse(table: fixture.groups, field: 3), fixture.groups)
    }
    return random.chance(1, in: 2)
      ? (.links(3), fixture.items) : (.inverse(table: fixture.items, field: 9), fixture.items)
  }

  /// What the marks of an item give together.
  private mutating func elements(_ type: PhysicalType) -> ColumnExpression? {
    let condition =
      random.chance(1, in: 3)
      ? Predicate.always(true) : elementCondition(Int.random(in: 0...2, using: &random))
    let functions: [(AggregateFunction, FieldID)]
    switch type {
    case .integer:
      functions = [(.count, 0), (.count, 0), (.count, 1), (.sum, 1), (.minimum, 1), (.maximum, 1)]
    case .double: functions = [(.average, 1)]
    case .bytes: functions = [(.minimum, 2), (.maximum, 2)]
    case .float, .uuid: return nil
    }
    let (function, part) = functions[Int.random(in: 0..<functions.count, using: &random)]
    return .elements(QueryFixture.marks, function, of: part, where: condition)
  }

  /// A condition on a mark.
  mutating func elementCondition(_ depth: Int) -> Predicate {
    func part(_ random: inout RandomQuery) -> Predicate { random.elementCondition(depth - 1) }
    if depth > 0 {
      switch Int.random(in: 0..<5, using: &random) {
      case 0: return .and([part(&self), part(&self)])
      case 1: return .or([part(&self), part(&self)])
      case 2: return .not(part(&self))
      default: break
      }
    }
    let comparison = Comparison.allCases[Int.random(in: 0..<6, using: &random)]
    let number = Value.integer(Int64.random(in: -3...9, using: &random))
    guard case .bytes(let word) = QueryFixture.text(&random, long: false) else { return .isNull(1) }
    switch Int.random(in: 0..<8, using: &random) {
    case 0: return .isNull(1)
    case 1: return .oneOf(1, [number, random.chance(1, in: 3) ? .null : .integer(2)])
    case 2, 3: return .compare(1, comparison, number)
    case 4: return .compare(2, comparison, .bytes(word))
    case 5: return .oneOf(2, [.bytes(word), .bytes(Array("an".utf8))])
    case 6: return .text(2, TextMatch.allCases[Int.random(in: 0..<3, using: &random)], word)
    default: return .matches(.field(2), pattern(word))
    }
  }

  mutating func expression(
    _ type: PhysicalType, depth: Int, isItem: Bool
  ) -> ColumnExpression {
    guard depth > 0, random.chance(5, in: 6) else {
      guard random.chance(1, in: 6) else { return field(type, isItem) }
      // A null by itself has no type.
      let constant = constant(type, isItem)
      return constant == .null ? field(type, isItem) : .constant(constant)
    }
    func part(_ random: inout RandomQuery) -> ColumnExpression {
      random.expression(type, depth: depth - 1, isItem: isItem)
    }
    if isItem, random.chance(1, in: 8), let elements = elements(type) { return elements }
    switch Int.random(in: 0..<8, using: &random) {
    case 0: return .coalescing(part(&self), part(&self))
    case 1, 2:
      if isItem {
        return random.chance(1, in: 2)
          ? .target(9, expression(type, depth: depth - 1, isItem: false))
          : .target(10, expression(type, depth: depth - 1, isItem: true))
      }
      fallthrough
    case 3, 4:
      let (relation, other) = relation(isItem)
      let predicate =
        random.chance(1, in: 2) ? Predicate.always(true) : leaf(other == fixture.items)
      let functions: [AggregateFunction] =
        switch type {
        case .integer: [.count, .sum, .minimum, .maximum]
        case .double: [.average, .minimum, .maximum, .sum]
        default: [.minimum, .maximum]
        }
      let function = functions[Int.random(in: 0..<functions.count, using: &random)]
      let isOfItems = other == fixture.items
      var value = expression(type, depth: depth - 1, isItem: isOfItems)
      if function == .count, random.chance(1, in: 2) { value = .field(0) }
      // Their sums are exact in any order.
      if type == .double, function == .average || function == .sum {
        value = isOfItems ? .field(11) : .constant(.double(0.25))
      }
      return .related(relation, function, value, where: predicate)
    default:
      let operations: [Arithmetic] = [.add, .subtract, .multiply, .divide, .remainder]
      let operation = operations[Int.random(in: 0..<operations.count, using: &random)]
      switch type {
      case .integer:
        if random.chance(1, in: 5) {
          return .conversion(
            .double, .integer(-100...1000), expression(.double, depth: depth - 1, isItem: isItem))
        }
        let range = random.chance(1, in: 3) ? -100...1000 : Int64.min...Int64.max
        return .arithmetic(operation, .integer(range), part(&self), part(&self))
      case .double:
        if random.chance(1, in: 4) {
          return .conversion(
            .integer(.min ... .max), .double,
            expression(.integer, depth: depth - 1, isItem: isItem))
        }
        return .arithmetic(operation, .double, part(&self), part(&self))
      case .float: return .arithmetic(operation, .float, part(&self), part(&self))
      case .bytes:
        guard random.chance(1, in: 3) else { return .concatenation(part(&self), part(&self)) }
        return .folded(folding(), part(&self))
      case .uuid: return field(type, isItem)
      }
    }
  }
}
