extension ColumnEncoder {
  static func planIntegers(_ buffer: ColumnBuffer, _ rows: Range<Int>, _ plan: inout ColumnPlan) {
    let values = unsafe buffer.cells(from: rows.lowerBound, as: Int64.self)
    var minimum = Int64.max
    var maximum = Int64.min
    if plan.nullCount == 0 {
      for row in 0..<rows.count {
        unsafe minimum = min(minimum, values[row])
        unsafe maximum = max(maximum, values[row])
      }
    } else {
      for row in 0..<rows.count where !buffer.isNull(rows.lowerBound + row) {
        unsafe minimum = min(minimum, values[row])
        unsafe maximum = max(maximum, values[row])
      }
    }
    plan.flags.insert(.zoneMap)
    plan.minimum = UInt64(bitPattern: minimum)
    plan.maximum = UInt64(bitPattern: maximum)
    let distance = plan.maximum &- plan.minimum
    if plan.nullCount == 0, distance > 0,
      unsafe isStride(values, rows.count, from: plan.minimum, distance: distance)
    {
      plan.encoding = .stride
    } else {
      plan.encoding = .frameOfReference
      plan.width = CodeWidth.fitting(distance)
    }
  }

  /// Whether value i is the first one and i equal steps.
  private static func isStride(
    _ values: UnsafePointer<Int64>, _ count: Int, from minimum: UInt64, distance: UInt64
  ) -> Bool {
    let (step, rest) = distance.quotientAndRemainder(dividingBy: UInt64(count - 1))
    guard rest == 0 else { return false }
    var expected = minimum
    for row in 0..<count {
      guard unsafe UInt64(bitPattern: values[row]) == expected else { return false }
      expected &+= step
    }
    return true
  }

  static func encodeIntegers(
    _ buffer: ColumnBuffer, _ rows: Range<Int>, _ plan: ColumnPlan, into cells: MutableByteView
  ) {
    let values = unsafe buffer.cells(from: rows.lowerBound, as: UInt64.self)
    let minimum = plan.minimum
    if plan.nullCount == 0 {
      CodePacking.pack(rows.count, width: plan.width, into: cells) { row in
        unsafe values[row] &- minimum
      }
    } else {
      CodePacking.pack(rows.count, width: plan.width, into: cells) { row in
        buffer.isNull(rows.lowerBound &+ row) ? 0 : unsafe values[row] &- minimum
      }
    }
  }
}
