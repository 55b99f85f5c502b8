/// Writes a query as text that parses to the same query.
package struct QueryPrinter {
  let catalog: Catalog

  package init(catalog: Catalog) { self.catalog = catalog }

  func text(_ query: ObjectQuery) -> String {
    guard let table = catalog.table(query.table) else { return "table\(query.table)" }
    let scope = QueryScope.table(table)
    var text = name(table.name)
    if query.predicate.canonical != .always(true) {
      text += " where " + predicate(query.predicate, scope)
    }
    if !query.order.isEmpty {
      let order = query.order.map { key in
        value(key.value, scope, nil)
          + (key.collation.map { " locale \(string(Array($0.name.utf8)))" } ?? "")
          + (key.isDescending ? " desc" : "")
      }
      text += " sort " + order.joined(separator: ", ")
    }
    if let limit = query.limit { text += " limit \(max(limit, 0))" }
    if query.offset > 0 { text += " offset \(query.offset)" }
    return text
  }

  // MARK: Conditions

  package func predicate(_ predicate: Predicate, _ scope: QueryScope) -> String {
    let predicate = predicate.canonical
    switch predicate {
    case .always(let holds): return "\(holds)"
    case .compare(let field, let comparison, let constant):
      return words(field, scope, comparison, constant)
    case .isNull(let field): return "\(words(field, scope)) == nil"
    case .oneOf(let field, let constants):
      return words(field, scope) + list(constants, scope.type(field, in: catalog))
    case .text(let field, let match, let text):
      return "\(words(field, scope)) \(match.form.word) \(string(text))"
    case .comparison(let a, let comparison, let b):
      if comparison == .greater, b == .constant(.integer(0)), let text = existence(a, scope) {
        return text
      }
      if b == .constant(.integer(1)), !parts(ofStruct: a, scope).isEmpty,
        let sign = presenceSign(comparison)
      {
        return "\(value(a, scope, nil)) \(sign) nil"
      }
      let (first, second) = operands(a, b, scope, nil)
      return "\(first) \(comparison.sign) \(second)"
    case .membership(let expression, let constants):
      return value(expression, scope, nil)
        + list(constants, type(expression, scope))
    case .textMatch(let expression, let match, let text):
      return "\(value(expression, scope, .string)) \(match.form.word) \(string(text))"
    case .matches(let expression, let pattern):
      return "\(value(expression, scope, .string)) \(pattern.form.word)\(pattern.folding.words) "
        + string(pattern.text)
    case .and(let parts): return joined(parts, " && ", "true", scope)
    case .or(let parts): return joined(parts, " || ", "false", scope)
    case .not(let part):
      if case .isNull(let field) = part { return "\(words(field, scope)) != nil" }
      return negatedPath(part, scope) ?? "!(\(self.predicate(part, scope)))"
    case .link(let field, let part):
      guard let target = target(field, scope) else { return "false" }
      return path(predicate, scope)
        ?? "\(words(field, scope)) { \(self.predicate(part, .table(target, outside: scope))) }"
    case .links(let field, let part):
      guard let target = target(field, scope) else { return "false" }
      return
        "\(words(field, scope)) contains { \(self.predicate(part, .table(target, outside: scope))) }"
    case .inverse(let table, let field, let part):
      guard let source = catalog.table(table) else { return "false" }
      return
        "\(inverse(source, field)) contains { \(self.predicate(part, .table(source, outside: scope))) }"
    }
  }

  /// A test for elements that meet a condition; nil if something else is counted.
  private func existence(_ count: ColumnExpression, _ scope: QueryScope) -> String? {
    switch count {
    case .target(let link, let inner):
      guard let target = target(link, scope) else { return nil }
      return existence(inner, .table(target, outside: scope)).map { "\(words(link, scope)).\($0)" }
    case .elements(let field, .count, of: 0, where: let condition):
      guard case .table(let table, _) = scope, let definition = table.field(field),
        condition != .always(true)
      else { return nil }
      return words(field, scope)
        + " contains { \(predicate(condition, .elements(definition.parts, outside: scope))) }"
    default: return nil
    }
  }

  private func joined(
    _ parts: [Predicate], _ separator: String, _ none: String, _ scope: QueryScope
  ) -> String {
    guard !parts.isEmpty else { return none }
    return parts.map { part in
      let text = predicate(part, scope)
      switch part.canonical {
      case .and(let parts) where !parts.isEmpty, .or(let parts) where !parts.isEmpty:
        return "(\(text))"
      default: return text
      }
    }.joined(separator: separator)
  }

  private func words(
    _ field: FieldID, _ scope: QueryScope, _ comparison: Comparison, _ constant: Value
  ) -> String {
    if constant == .integer(1), let sign = presenceSign(comparison),
      !scope.parts(ofStruct: field).isEmpty
    {
      return "\(words(field, scope)) \(sign) nil"
    }
    return
      "\(words(field, scope)) \(comparison.sign) \(literal(constant, scope.type(field, in: catalog)))"
  }

  /// How a struct is compared with nil, by the comparison of the field that marks whether it is there with true.
  private func presenceSign(_ comparison: Comparison) -> String? {
    switch comparison {
    case .equal: Comparison.notEqual.sign
    case .notEqual: Comparison.equal.sign
    default: nil
    }
  }

  /// The names of the parts of an optional struct, by a path to the field that marks whether it is there.
  ///
  /// Empty for other values.
  package func parts(ofStruct value: ColumnExpression, _ scope: QueryScope) -> [String] {
    switch value {
    case .field(let field): scope.parts(ofStruct: field)
    case .target(let link, let inner):
      target(link, scope).map { parts(ofStruct: inner, .table($0, outside: scope)) } ?? []
    case .outside(let inner): scope.outside.map { parts(ofStruct: inner, $0) } ?? []
    default: []
    }
  }

  private func list(_ constants: [Value], _ type: FieldType?) -> String {
    " in [" + constants.map { literal($0, type) }.joined(separator: ", ") + "]"
  }

  /// A condition behind links on one field that is false for nil, as a condition on a path.
  private func path(_ predicate: Predicate, _ scope: QueryScope) -> String? {
    switch predicate.canonical {
    case .link(let field, let part):
      guard let target = target(field, scope) else { return nil }
      return path(part, .table(target)).map { "\(words(field, scope)).\($0)" }
    case .compare(_, let comparison, let constant)
    where comparison != .notEqual && constant != .null && constant.type != nil:
      return self.predicate(predicate, scope)
    case .oneOf(_, let constants) where !constants.contains(.null):
      return self.predicate(predicate, scope)
    case .text, .not(.isNull): return self.predicate(predicate, scope)
    case .matches(.field, _): return self.predicate(predicate, scope)
    default: return nil
    }
  }

  /// The negation of a condition behind links that is true for nil, as a condition on a path.
  private func negatedPath(_ predicate: Predicate, _ scope: QueryScope) -> String? {
    guard case .link(let field, let condition) = predicate.canonical,
      let target = target(field, scope)
    else { return nil }
    let inner = QueryScope.table(target)
    let start = words(field, scope) + "."
    let part = condition.canonical
    switch part {
    case .link: return negatedPath(part, inner).map { start + $0 }
    case .compare(let last, .equal, let constant) where constant.type != nil:
      return start + words(last, inner, .notEqual, constant)
    case .not(.isNull(let last)): return start + "\(words(last, inner)) == nil"
    default: return nil
    }
  }

  // MARK: Values

  package func value(_ value: ColumnExpression, _ scope: QueryScope, _ beside: FieldType?) -> String
  {
    func operand(_ part: ColumnExpression, _ beside: FieldType?) -> String {
      self.value(part, scope, beside)
    }
    switch value {
    case .constant(let constant): return literal(constant, beside)
    case .field(let field): return words(field, scope)
    case .arithmetic(let operation, let kind, let a, let b):
      let natural = firstType(a, b, scope, beside) ?? .int
      let isNatural = natural.number == kind
      let (first, second) = operands(a, b, scope, isNatural ? beside : kind.type)
      return (isNatural ? "" : kind.words) + "(\(first) \(operation.sign) \(second))"
    case .conversion(_, let kind, let number): return "(\(operand(number, nil)) as \(kind.words))"
    case .concatenation(let a, let b):
      let (first, second) = operands(a, b, scope, beside)
      return "(\(first) + \(second))"
    case .coalescing(let a, let b):
      let (first, second) = operands(a, b, scope, beside)
      return "(\(first) ?? \(second))"
    case .folded(let folding, let text):
      return "folded\(folding.words)(\(operand(text, .string)))"
    case .target(let link, let inner):
      guard let target = target(link, scope) else { return "nil" }
      let text = self.value(inner, .table(target, outside: scope), nil)
      return switch inner {
      case .related(.inverse, _, _, _): "\(words(link, scope)).(\(text))"
      case .field, .target, .related, .elements: "\(words(link, scope)).\(text)"
      default: "\(words(link, scope)).(\(text))"
      }
    case .related(let relation, let function, let value, let filter):
      guard let (path, table) = words(relation, scope) else { return "nil" }
      let words = if case .inverse = relation { "(\(path))" } else { path }
      let inner = QueryScope.table(table, outside: scope)
      return words + condition(filter, inner)
        + (function == .count && value == .field(0)
          ? ".count" : ".\(function.word) { \(self.value(value, inner, nil)) }")
    case .elements(let field, let function, let part, let filter):
      guard case .table(let table, _) = scope, let definition = table.field(field) else {
        return "nil"
      }
      if let key = key(function, part, of: definition, filter) {
        return "\(words(field, scope))[\(key)]"
      }
      let inner = QueryScope.elements(definition.parts, outside: scope)
      return words(field, scope) + condition(filter, inner)
        + (part == 0 ? ".count" : ".\(function.word) { \(words(part, inner)) }")
    case .outside(let value):
      guard let outside = scope.outside else { return "nil" }
      let text = self.value(value, outside, nil)
      return switch value {
      case .field, .target, .related(.links, _, _, _), .elements: "outer.\(text)"
      default: "outer.(\(text))"
      }
    }
  }

  /// The key in the text of a dictionary's value, `names["nl"]`; nil if something else is asked.
  private func key(
    _ function: AggregateFunction, _ part: FieldID, of definition: FieldDefinition,
    _ filter: Predicate
  ) -> String? {
    guard function == .minimum, part == 2, definition.parts.count == 2,
      definition.parts[0].name == "key",
      case .compare(1, .equal, let key) = filter.canonical, key != .null
    else { return nil }
    return literal(key, definition.parts[0].type)
  }

  /// Two adjacent values, as the binder reads them: a constant takes the type of the other value.
  private func operands(
    _ a: ColumnExpression, _ b: ColumnExpression, _ scope: QueryScope, _ expected: FieldType?
  ) -> (String, String) {
    let isFirst = a.isConstant && !b.isConstant
    let isSecond = b.isConstant && !a.isConstant
    return (
      value(a, scope, isFirst ? type(b, scope, beside: expected) ?? expected : expected),
      value(b, scope, isSecond ? type(a, scope, beside: expected) ?? expected : expected)
    )
  }

  private func condition(_ filter: Predicate, _ scope: QueryScope) -> String {
    filter == .always(true) ? "" : ".where { \(predicate(filter, scope)) }"
  }

  /// A value's type, as the binder determines it.
  ///
  /// - Parameter expected: The type of constants that stand beside no value; with nil, they are of their own.
  package func type(
    _ value: ColumnExpression, _ scope: QueryScope, beside expected: FieldType? = nil
  ) -> FieldType? {
    switch value {
    case .constant(let constant): expected ?? type(ofLiteral: constant)
    case .field(let field): scope.type(field, in: catalog)
    case .arithmetic(_, let kind, _, _), .conversion(_, let kind, _): kind.type
    case .folded: .string
    case .coalescing(let a, let b), .concatenation(let a, let b): firstType(a, b, scope, expected)
    case .target(let link, let inner):
      target(link, scope).flatMap {
        type(inner, .table($0, outside: scope))
      }
    case .related(let relation, let function, let value, _):
      words(relation, scope).flatMap {
        function.type(of: type(value, .table($0.table, outside: scope)))
      }
    case .elements(let field, let function, let part, _):
      elementType(field, part, scope).flatMap { function.type(of: $0) }
    case .outside(let value): scope.outside.flatMap { type(value, $0) }
    }
  }

  /// The type of the first of two adjacent values, or else of the second; constants come last.
  private func firstType(
    _ a: ColumnExpression, _ b: ColumnExpression, _ scope: QueryScope, _ expected: FieldType?
  ) -> FieldType? {
    let (first, second) = a.isConstant && !b.isConstant ? (b, a) : (a, b)
    return type(first, scope, beside: expected) ?? type(second, scope, beside: expected)
  }

  /// The type of a constant's literal without an adjacent value.
  private func type(ofLiteral constant: Value) -> FieldType? {
    switch constant {
    case .null: nil
    case .integer: .int
    case .double: .double
    case .float: .float
    case .bytes(let bytes): String(validating: bytes, as: UTF8.self) == nil ? .data : .string
    case .uuid: .uuid
    }
  }

  private func elementType(_ field: FieldID, _ part: FieldID, _ scope: QueryScope) -> FieldType? {
    guard case .table(let table, _) = scope, let definition = table.field(field) else { return nil }
    return part == 0 ? .int : QueryScope.elements(definition.parts).type(part, in: catalog)
  }

  // MARK: Names

  private func target(_ link: FieldID, _ scope: QueryScope) -> TableDefinition? {
    guard case .table(let table, _) = scope else { return nil }
    return table.field(link).flatMap { catalog.table($0.target) }
  }

  private func words(_ relation: Relation, _ scope: QueryScope) -> (
    text: String, table: TableDefinition
  )? {
    switch relation {
    case .links(let field): target(field, scope).map { (words(field, scope), $0) }
    case .inverse(let table, let field): catalog.table(table).map { (inverse($0, field), $0) }
    }
  }

  /// The objects of a table whose field links to an object.
  package func words(of field: FieldID, linkingFrom source: TableDefinition) -> String {
    inverse(source, field)
  }

  private func inverse(_ source: TableDefinition, _ field: FieldID) -> String {
    // A name with dots would be parsed as a path.
    let link = source.field(field)?.name ?? ""
    return "\(name(source.name)) by "
      + (link.utf8.contains(UInt8(ascii: ".")) ? quoted(link) : words(field, .table(source)))
  }

  private func words(_ field: FieldID, _ scope: QueryScope) -> String {
    guard let known = scope.name(field), scope.field(known) == field else { return "$\(field)" }
    // Each component of a struct part's name is a name.
    let parts = known.split(separator: ".", omittingEmptySubsequences: false)
    return parts.allSatisfy { QueryWord.isName(String($0)) } ? known : quoted(known)
  }

  private func name(_ name: String) -> String { QueryWord.isName(name) ? name : quoted(name) }

  private func quoted(_ name: String) -> String {
    // By bytes: a backquote with a combining mark is another character.
    var bytes = [UInt8(ascii: "`")]
    for byte in name.utf8 {
      if byte == UInt8(ascii: "`") { bytes.append(byte) }
      bytes.append(byte)
    }
    return String(decoding: bytes + [UInt8(ascii: "`")], as: UTF8.self)
  }

  // MARK: Constants

  /// A constant next to a value of a type; written with its own type if that is ambiguous.
  private func literal(_ constant: Value, _ beside: FieldType?) -> String {
    switch constant {
    case .null: return "nil"
    case .integer(let number):
      switch beside {
      case .bool? where number == 0 || number == 1: return "\(number == 1)"
      case .uint?: return "\(UInt64(bitPattern: number) ^ FieldType.signBit)"
      case .int?, .link?, nil: return "\(number)"
      default: return "Int(\(number))"
      }
    case .double(let number):
      // The sign of a NaN has no meaning.
      let written = number.isNaN ? "nan" : "\(number)"
      if beside == .date {
        guard let text = TimeText.text(number) else { return written }
        return "\"\(String(decoding: text, as: UTF8.self))\""
      }
      return beside == .double || beside == nil ? written : "Double(\(written))"
    case .float(let number):
      let written = number.isNaN ? "nan" : "\(number)"
      return beside == .float ? written : "Float(\(written))"
    case .bytes(let bytes):
      switch beside {
      case .decimal?:
        let text = bytes.withByteView { DecimalBytes.text($0) }
        guard let text else { return self.bytes(bytes) }
        return text == "NaN" ? "nan" : text
      case .string?, .json?, nil: return string(bytes)
      default: return self.bytes(bytes)
      }
    case .uuid(let high, let low):
      if beside == .duration { return FieldType.seconds(high, low) }
      return beside == .uuid ? "\"\(constant)\"" : "UUID(\"\(constant)\")"
    }
  }

  /// A text in quotation marks; invalid UTF-8 is written as bytes.
  private func string(_ text: [UInt8]) -> String {
    guard let string = String(validating: text, as: UTF8.self) else { return bytes(text) }
    var words = "\""
    for scalar in string.unicodeScalars {
      switch scalar {
      case "\"", "\\": words += "\\\(scalar)"
      case "\n": words += "\\n"
      case "\r": words += "\\r"
      case "\t": words += "\\t"
      case _ where scalar.value < 32 || scalar.value == 127:
        words += "\\u{\(String(scalar.value, radix: 16))}"
      default: words.unicodeScalars.append(scalar)
      }
    }
    return words + "\""
  }

  private func bytes(_ bytes: [UInt8]) -> String {
    var text: [UInt8] = []
    bytes.withByteView { text.addBase64($0) }
    return "b\(String(decoding: text, as: UTF8.self))"
  }
}

extension ColumnExpression {
  fileprivate var isConstant: Bool { if case .constant = self { true } else { false } }
}
