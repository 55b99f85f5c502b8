import RoostEngine
import RoostTestSupport

/// Random expressions over a fixture's items and groups.
extension RandomQuery {
  mutating func anyType() -> FieldType {
    let types: [FieldType] = [
      .int, .int, .int, .double, .double, .float, .string, .string, .string, .uuid, .uint, .uint,
      .date, .decimal, .duration, .compound,
    ]
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
    case 2 where type == .string:
      guard case .bytes(let bytes) = constant(.string, isItem) else { fallthrough }
      return .textMatch(
        first, TextMatch.allCases[Int.random(in: 0..<3, using: &random)], Array(bytes.prefix(2)))
    case 4 where type == .string:
      guard case .bytes(let bytes) = constant(.string, isItem) else { fallthrough }
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
    if random.chance(1, in: 3) {
      part = NaiveFolding.spelled(part, composed: random.chance(1, in: 2))
    }
    return TextPattern(form, part, folding: folding())
  }

  /// The fields of a type: 0 is the object key.
  private func fields(_ type: FieldType, _ isItem: Bool) -> [FieldID] {
    typealias Kind = QueryFixture.Kind
    guard isItem else { return type == .int ? [0, 1] : type == .string ? [2] : [] }
    return switch type {
    case .int: [0, 1, 2, 8, 9, 10]
    case .double: [3, 11]
    case .float: [4]
    case .string: [5, 6, 12, Kind.word]
    case .uuid: [7]
    case .uint: [Kind.serial]
    case .date: [Kind.due]
    case .decimal: [Kind.cost]
    case .duration: [Kind.span]
    case .compound: [Kind.code]
    default: []
    }
  }

  private mutating func field(_ type: FieldType, _ isItem: Bool) -> ColumnExpression {
    let fields = fields(type, isItem)
    guard fields.isEmpty else {
      return .field(fields[Int.random(in: 0..<fields.count, using: &random)])
    }
    switch type {
    // A group has none of these, whose constants are never null.
    case .double, .float, .uuid: return .constant(constant(type, isItem))
    default:
      let function = random.chance(1, in: 2) ? AggregateFunction.minimum : .maximum
      return .related(.links(3), function, field(type, true), where: .always(true))
    }
  }

  mutating func constant(_ type: FieldType, _ isItem: Bool) -> Value {
    switch type {
    case .int where random.chance(1, in: 2):
      return .integer(Int64.random(in: -5...60, using: &random))
    case .double where !isItem: return .double(Double(Int.random(in: -2...4, using: &random)) / 4)
    case .float where !isItem: return .float(0.25)
    case .uuid where !isItem: return .uuid(1, 7)
    default:
      let isOfItem = fields(type, isItem).isEmpty || isItem
      let fields = fields(type, isOfItem)
      return constant(fields[Int.random(in: 0..<fields.count, using: &random)], isOfItem)
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

  mutating func expression(
    _ type: FieldType, depth: Int, isItem: Bool
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
        case .int: [.count, .sum, .minimum, .maximum]
        case .uint: [.sum, .minimum, .maximum]
        case .double, .decimal: [.average, .minimum, .maximum, .sum]
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
      // A constant by itself is no number.
      if type == .decimal, function == .average || function == .sum {
        let two = DecimalBytes.bytes("2").map { Value.bytes($0) } ?? .null
        value = .arithmetic(.multiply, .decimal, value, .constant(two))
      }
      return .related(relation, function, value, where: predicate)
    default:
      let operations: [Arithmetic] = [.add, .subtract, .multiply, .divide, .remainder]
      let operation = operations[Int.random(in: 0..<operations.count, using: &random)]
      switch type {
      case .int:
        if random.chance(1, in: 5) { return toInteger(depth, isItem) }
        if isItem, random.chance(1, in: 12) {
          return .conversion(.decimal, .integer(-1000...1000), .field(QueryFixture.Kind.cost))
        }
        let range = random.chance(1, in: 3) ? -100...1000 : Int64.min...Int64.max
        return .arithmetic(operation, .integer(range), part(&self), part(&self))
      case .uint:
        let max: UInt64 = random.chance(1, in: 3) ? 1000 : .max
        if random.chance(1, in: 4) {
          return .conversion(
            .integer(.min ... .max), .unsigned(max: max),
            expression(.int, depth: depth - 1, isItem: isItem))
        }
        return .arithmetic(operation, .unsigned(max: max), part(&self), part(&self))
      case .double:
        if isItem, random.chance(1, in: 12) {
          return .conversion(.decimal, .double, .field(QueryFixture.Kind.cost))
        }
        if random.chance(1, in: 4) {
          return .conversion(
            .integer(.min ... .max), .double,
            expression(.int, depth: depth - 1, isItem: isItem))
        }
        return .arithmetic(operation, .double, part(&self), part(&self))
      case .float: return .arithmetic(operation, .float, part(&self), part(&self))
      case .decimal:
        if random.chance(1, in: 4) { return toDecimal(depth, isItem) }
        return .arithmetic(operation, .decimal, part(&self), part(&self))
      case .string:
        guard random.chance(1, in: 3) else { return .concatenation(part(&self), part(&self)) }
        return .folded(folding(), part(&self))
      default: return field(type, isItem)
      }
    }
  }

  private mutating func toDecimal(_ depth: Int, _ isItem: Bool) -> ColumnExpression {
    if isItem, random.chance(1, in: 3) {
      return .conversion(.unsigned(max: .max), .decimal, .field(QueryFixture.Kind.serial))
    }
    switch Int.random(in: 0..<3, using: &random) {
    case 0:
      return .conversion(
        .integer(.min ... .max), .decimal, expression(.int, depth: depth - 1, isItem: isItem))
    case 1:
      return .conversion(.double, .decimal, expression(.double, depth: depth - 1, isItem: isItem))
    default:
      return .conversion(.float, .decimal, expression(.float, depth: depth - 1, isItem: isItem))
    }
  }

  private mutating func toInteger(_ depth: Int, _ isItem: Bool) -> ColumnExpression {
    // What is not written as an unsigned integer is read as a signed one.
    if isItem, random.chance(1, in: 3) {
      let range = random.chance(1, in: 2) ? 0...1000 : Int64.min...Int64.max
      return .conversion(
        .unsigned(max: .max), .integer(range), .field(QueryFixture.Kind.serial))
    }
    return .conversion(
      .double, .integer(-100...1000), expression(.double, depth: depth - 1, isItem: isItem))
  }
}
