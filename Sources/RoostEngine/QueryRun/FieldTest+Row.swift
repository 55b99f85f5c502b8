/// Testing a condition on single rows: for the few candidates that an index or cheaper conditions left.
extension FieldTest {
  /// Whether the row of a leaf meets the condition.
  func holds(_ leaf: inout ScanLeaf, row: Int) throws(EngineError) -> Bool {
    if case .compareColumns(let comparison, let other) = kind {
      return comparison.holds(
        try leaf.value(of: field, row: row), try leaf.value(of: other, row: row))
    }
    if field == 0 { return holds(integer: leaf.head.key(row)) }
    if let value = try leaf.computedValue(field, row: row) { return holds(value) }
    let column = try leaf.column(field)
    return try holds(column, row: row, in: leaf)
  }

  /// Whether the row of a column meets the condition.
  func holds(
    _ column: ColumnChunk, row: Int, in leaf: borrowing ScanLeaf
  ) throws(EngineError) -> Bool {
    if let reference = column.external(row) { return try holds(reference, in: leaf) }
    return holds(column, row: row)
  }

  /// Whether the row of a column, whose value lies in the leaf, meets the condition.
  func holds(_ column: ColumnChunk, row: Int) -> Bool {
    guard !column.isNull(row) else { return holdsForNull }
    switch column.type {
    case .integer: return holds(integer: column.integer(row))
    case .double: return holds(number: column.double(row))
    case .float: return holds(number: column.float(row))
    case .uuid:
      let halves = column.uuid(row)
      return holds(uuid: halves.high, halves.low)
    case .bytes: return holds(bytes: column.bytes(row))
    }
  }

  /// Whether a value meets the condition.
  func holds(_ value: Value) -> Bool {
    switch value {
    case .null: holdsForNull
    case .integer(let number): holds(integer: number)
    case .double(let number): holds(number: number)
    case .float(let number): holds(number: number)
    case .uuid(let high, let low): holds(uuid: high, low)
    case .bytes(let bytes):
      bytes.withByteView { holds(bytes: $0) }
    }
  }

  /// Whether a value outside its leaf meets the condition.
  func holds(
    _ reference: ValueReference, in leaf: borrowing ScanLeaf
  ) throws(EngineError) -> Bool {
    let value = try leaf.value(reference, of: field)
    return value.withByteView { holds(bytes: $0) }
  }

  /// Whether null meets the condition.
  var holdsForNull: Bool {
    switch kind {
    case .isNull, .compare(.notEqual, _): true
    // It may: for equality if the other field is null too, for inequality if it is not.
    case .compareColumns(let comparison, _): comparison == .equal || comparison == .notEqual
    default: false
    }
  }

  /// Whether an integer meets the condition.
  func holds(integer: Int64) -> Bool {
    switch kind {
    case .compare(let comparison, .integer(let constant)): comparison.holds(integer, constant)
    case .oneOf(let values): values.contains(.integer(integer))
    case .keys(let keys): keys.contains(integer)
    case .isNotNull: true
    default: false
    }
  }

  /// Whether a double meets the condition.
  func holds(number: Double) -> Bool {
    holds(number: number) { if case .double(let number) = $0 { number } else { nil } }
  }

  /// Whether a float meets the condition.
  func holds(number: Float) -> Bool {
    holds(number: number) { if case .float(let number) = $0 { number } else { nil } }
  }

  private func holds<Number: BinaryFloatingPoint>(
    number: Number, _ constant: (Value) -> Number?
  ) -> Bool {
    switch kind {
    case .compare(let comparison, let value):
      constant(value).map { comparison.holds(number, $0) } ?? false
    case .oneOf(let values): values.contains { constant($0) == number }
    case .isNotNull: true
    default: false
    }
  }

  /// Whether a UUID meets the condition.
  func holds(uuid high: UInt64, _ low: UInt64) -> Bool {
    switch kind {
    case .compare(let comparison, .uuid(let otherHigh, let otherLow)):
      comparison.holds(
        order: high != otherHigh
          ? (high < otherHigh ? -1 : 1) : low == otherLow ? 0 : low < otherLow ? -1 : 1)
    case .oneOf(let values): values.contains(.uuid(high, low))
    case .isNotNull: true
    default: false
    }
  }

  /// Whether bytes meet the condition.
  func holds(bytes: ByteView) -> Bool {
    switch kind {
    case .compare(let comparison, .bytes(let constant)):
      return comparison.holds(order: bytes.compare(constant))
    case .oneOf(let values):
      return values.contains { value in
        if case .bytes(let constant) = value { bytes.compare(constant) == 0 } else { false }
      }
    case .text(let match, let pattern): return bytes.matches(match, pattern)
    case .pattern(let matcher):
      var folder = TextFolder(matcher.folding)
      return matcher.matches(bytes, &folder)
    case .links(let target): return bytes.hasLink(to: target)
    case .hasNaN(let part): return part.hasNaN(bytes)
    case .isNotNull: return true
    default: return false
    }
  }
}

extension CompiledPredicate {
  /// Whether the row of a leaf meets the condition.
  func holds(_ leaf: inout ScanLeaf, row: Int) throws(EngineError) -> Bool {
    switch self {
    case .constant(let holds): return holds
    case .field(let test): return try test.holds(&leaf, row: row)
    case .and(let parts):
      for part in parts { guard try part.holds(&leaf, row: row) else { return false } }
      return true
    case .or(let parts):
      for part in parts { if try part.holds(&leaf, row: row) { return true } }
      return false
    case .not(let part): return try !part.holds(&leaf, row: row)
    }
  }
}

extension ByteView {
  /// Whether a list of links has a link to the object with a key.
  func hasLink(to target: Int64) -> Bool {
    (0..<count / 8).contains { uint64(at: 8 * $0) == UInt64(bitPattern: target) }
  }

  /// Negative, zero or positive as the bytes sort before, with or after an array's.
  fileprivate func compare(_ other: [UInt8]) -> Int {
    other.withByteView { compare($0) }
  }

  /// Whether the bytes begin with, end with or contain a pattern.
  fileprivate func matches(_ match: TextMatch, _ pattern: [UInt8]) -> Bool {
    guard count >= pattern.count else { return false }
    return pattern.withByteView { pattern in
      switch match {
      case .prefix: return slice(0, pattern.count).bytesEqual(pattern)
      case .suffix: return slice(count - pattern.count, pattern.count).bytesEqual(pattern)
      case .contains:
        return (0...count - pattern.count).contains {
          slice($0, pattern.count).bytesEqual(pattern)
        }
      }
    }
  }
}
