/// The answer of a zone map to a filter: no row passes, all rows pass, or the rows must be read.
package enum ZoneMapResult: Hashable, Sendable {
  case none
  case some
  case all

  /// The answer to the negated filter.
  @inlinable package var negated: ZoneMapResult {
    switch self {
    case .none: .all
    case .some: .some
    case .all: .none
    }
  }
}

/// Answers from the directory alone, without the column's bytes.
///
/// Each answer is as correct as the zone map; `none` and `all` hold for external cells too.
extension ColumnEntry {
  /// The answer for a comparison with a constant.
  package func answer(_ comparison: Comparison, _ constant: Value, rowCount: Int) -> ZoneMapResult {
    if constant == .null { return answerToNull(comparison, rowCount: rowCount) }
    guard comparison != .notEqual else {
      return answer(.equal, constant, rowCount: rowCount).negated
    }
    switch (type, constant) {
    case (.integer, .integer(let number)):
      return answer(NumberTest(comparison, .integer(number)), rowCount: rowCount)
    case (.double, _), (.float, _):
      guard let number = constant.asDouble else { return .none }
      return answer(NumberTest(comparison, .double(number)), rowCount: rowCount)
    default: break
    }
    guard nullCount < rowCount else { return .none }
    let answer: ZoneMapResult
    switch (type, constant) {
    case (.bytes, .bytes(let bytes)):
      let prefix = unsafe bytes.withUnsafeBytes { unsafe ByteView($0).bigEndianPrefix(at: 0) }
      answer = answerForPrefix(comparison, prefix)
    case (.uuid, .uuid(let high, _)):
      answer = answerForPrefix(comparison, high)
    default:
      // A constant of another type equals no value of this column and has no order.
      return .none
    }
    // Nulls pass none of these.
    return answer == .all && nullCount > 0 ? .some : answer
  }

  /// The answer for a comparison with a number of the column's kind; not for `notEqual`.
  @inline(__always)
  func answer(_ test: NumberTest, rowCount: Int) -> ZoneMapResult {
    guard nullCount < rowCount else { return .none }
    let answer: ZoneMapResult
    switch test.constant {
    case .integer(let number):
      guard flags.contains(.zoneMap) else { return .some }
      answer = ZoneMapResult(
        test.comparison, number, Int64(bitPattern: minimum), Int64(bitPattern: maximum))
    case .double(let number):
      guard !number.isNaN else { return .none }
      guard flags.contains(.zoneMap) else { return .some }
      answer = ZoneMapResult(
        test.comparison, number, Double(bitPattern: minimum), Double(bitPattern: maximum))
    }
    // Nulls and NaN pass none of these.
    return answer == .all && (nullCount > 0 || flags.contains(.nan)) ? .some : answer
  }

  /// The answer for null cells.
  package func answerIsNull(rowCount: Int) -> ZoneMapResult {
    nullCount == 0 ? .none : nullCount == rowCount ? .all : .some
  }

  /// The answer for a list of constants in any order.
  package func answer(oneOf constants: [Value], rowCount: Int) -> ZoneMapResult {
    var answer = ZoneMapResult.none
    for constant in constants {
      switch self.answer(.equal, constant, rowCount: rowCount) {
      case .none: continue
      case .some: answer = .some
      case .all: return .all
      }
    }
    return answer
  }

  /// The answer for a pattern.
  package func answer(_ match: TextMatch, _ pattern: [UInt8], rowCount: Int) -> ZoneMapResult {
    guard type == .bytes, nullCount < rowCount else { return .none }
    guard !pattern.isEmpty else { return nullCount == 0 ? .all : .some }
    guard match == .prefix, flags.contains(.zoneMap) else { return .some }
    let lowest = unsafe pattern.withUnsafeBytes { unsafe ByteView($0).bigEndianPrefix(at: 0) }
    let highest = lowest | (pattern.count < 8 ? ~0 &>> UInt64(pattern.count * 8) : 0)
    if maximum < lowest || minimum > highest { return .none }
    // The zeros that pad a short prefix are indistinguishable from a pattern's own zeros.
    let isWhole = pattern.count <= 8 && pattern.last != 0 && nullCount == 0
    return isWhole && minimum >= lowest && maximum <= highest ? .all : .some
  }

  private func answerToNull(_ comparison: Comparison, rowCount: Int) -> ZoneMapResult {
    switch comparison {
    case .equal: answerIsNull(rowCount: rowCount)
    case .notEqual: answerIsNull(rowCount: rowCount).negated
    default: .none
    }
  }

  /// The answer if only the first 8 bytes of the smallest and largest value are known.
  private func answerForPrefix(_ comparison: Comparison, _ prefix: UInt64) -> ZoneMapResult {
    guard flags.contains(.zoneMap), prefix < minimum || prefix > maximum else { return .some }
    return ZoneMapResult(comparison, prefix, minimum, maximum)
  }
}

extension ZoneMapResult {
  /// The answer for values of a total order between a minimum and a maximum.
  @inline(__always)
  fileprivate init<T: Comparable>(
    _ comparison: Comparison, _ constant: T, _ minimum: T, _ maximum: T
  ) {
    let holdsForAll: Bool
    let holdsForSome: Bool
    switch comparison {
    case .equal:
      holdsForSome = minimum <= constant && constant <= maximum
      holdsForAll = minimum == constant && constant == maximum
    case .notEqual:
      holdsForSome = minimum != constant || constant != maximum
      holdsForAll = constant < minimum || maximum < constant
    case .less:
      holdsForSome = minimum < constant
      holdsForAll = maximum < constant
    case .lessOrEqual:
      holdsForSome = minimum <= constant
      holdsForAll = maximum <= constant
    case .greater:
      holdsForSome = maximum > constant
      holdsForAll = minimum > constant
    case .greaterOrEqual:
      holdsForSome = maximum >= constant
      holdsForAll = minimum >= constant
    }
    self = holdsForAll ? .all : holdsForSome ? .some : .none
  }
}

extension Value {
  /// The number of a double or a float.
  var asDouble: Double? {
    switch self {
    case .double(let number): number
    case .float(let number): Double(number)
    default: nil
    }
  }
}
