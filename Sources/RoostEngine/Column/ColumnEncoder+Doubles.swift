extension ColumnEncoder {
  static func planDoubles(_ buffer: ColumnBuffer, _ rows: Range<Int>, _ plan: inout ColumnPlan) {
    let values = unsafe buffer.cells(from: rows.lowerBound, as: Double.self)
    planNumbers(buffer, rows, exponents: 0...6, rawWidth: 64, &plan) { unsafe values[$0] }
  }

  static func planFloats(_ buffer: ColumnBuffer, _ rows: Range<Int>, _ plan: inout ColumnPlan) {
    let values = unsafe buffer.cells(from: rows.lowerBound, as: Float.self)
    planNumbers(buffer, rows, exponents: 0...0, rawWidth: 32, &plan) { unsafe Double(values[$0]) }
  }

  @inline(__always)
  private static func planNumbers(
    _ buffer: ColumnBuffer, _ rows: Range<Int>, exponents: ClosedRange<Int>, rawWidth: Int,
    _ plan: inout ColumnPlan, _ value: (Int) -> Double
  ) {
    var minimum = Double.infinity
    var maximum = -Double.infinity
    var orderedCount = 0
    for row in 0..<rows.count {
      // A null counts as NaN here: neither is part of the zone map.
      let number = value(row)
      let isOrdered =
        number == number && (plan.nullCount == 0 || !buffer.isNull(rows.lowerBound &+ row))
      minimum = isOrdered && number < minimum ? number : minimum
      maximum = isOrdered && number > maximum ? number : maximum
      orderedCount &+= isOrdered ? 1 : 0
    }
    if orderedCount > 0 {
      plan.flags.insert(.zoneMap)
      // Adding zero makes −0 a 0.
      plan.minimum = (minimum + 0).bitPattern
      plan.maximum = (maximum + 0).bitPattern
    }
    plan.encoding = .raw
    plan.width = rawWidth
    guard orderedCount == rows.count - plan.nullCount else {
      plan.flags.insert(.nan)
      return
    }
    for exponent in exponents {
      guard
        let range = scaledRange(buffer, rows, plan.nullCount, Scaling.powersOfTen[exponent], value)
      else { continue }
      let distance = UInt64(bitPattern: range.upperBound &- range.lowerBound)
      let width = CodeWidth.fitting(distance)
      // Raw values are scanned faster, so scaling has to save a quarter.
      guard width * 4 <= rawWidth * 3 else { return }
      plan.encoding = .scaled
      plan.width = width
      plan.parameter = exponent
      plan.base = range.lowerBound
      return
    }
  }

  /// The range of the scaled values; nil if a value does not scale. Stops at the first value that does not.
  @inline(__always)
  private static func scaledRange(
    _ buffer: ColumnBuffer, _ rows: Range<Int>, _ nullCount: Int, _ power: Double,
    _ value: (Int) -> Double
  ) -> ClosedRange<Int64>? {
    var minimum = Int64.max
    var maximum = Int64.min
    for row in 0..<rows.count {
      if nullCount > 0, buffer.isNull(rows.lowerBound &+ row) { continue }
      guard let whole = Scaling.scaled(value(row), by: power) else { return nil }
      minimum = min(minimum, whole)
      maximum = max(maximum, whole)
    }
    return minimum...maximum
  }

  static func encodeScaled(
    _ buffer: ColumnBuffer, _ rows: Range<Int>, _ plan: ColumnPlan, into cells: MutableByteView
  ) {
    let power = Scaling.powersOfTen[plan.parameter]
    let base = plan.base
    @inline(__always) func code(_ row: Int, _ value: Double) -> UInt64 {
      if plan.nullCount > 0, buffer.isNull(rows.lowerBound &+ row) { return 0 }
      // The plan has found that these values scale.
      return UInt64(bitPattern: Scaling.knownToScale(value, by: power) &- base)
    }
    if buffer.type == .float {
      let values = unsafe buffer.cells(from: rows.lowerBound, as: Float.self)
      CodePacking.pack(rows.count, width: plan.width, into: cells) { row in
        unsafe code(row, Double(values[row]))
      }
    } else {
      let values = unsafe buffer.cells(from: rows.lowerBound, as: Double.self)
      CodePacking.pack(rows.count, width: plan.width, into: cells) { row in
        unsafe code(row, values[row])
      }
    }
  }
}
