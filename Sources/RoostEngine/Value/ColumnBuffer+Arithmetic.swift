/// Computing whole columns from others. The results are appended.
extension ColumnBuffer {
  /// Appends the results of an operation on the first rows of two columns of numbers: null if either operand is null.
  ///
  /// - Parameter misfitsAreNull: Whether a result that does not fit is null, too.
  /// - Returns: If misfits are not null, the first row whose result does not fit; the appended rows are then invalid.
  func append(
    _ operation: Arithmetic, _ kind: NumberKind, _ a: ColumnBuffer, _ b: ColumnBuffer, count: Int,
    misfitsAreNull: Bool
  ) -> Int? {
    var failed = false
    switch kind {
    case .integer(let range):
      combine(a, b, count) { (a: Int64, b: Int64) in
        let (result, overflows) = operation.reporting(a, b)
        failed = failed || overflows || result < range.lowerBound || result > range.upperBound
        return result
      }
    case .unsigned(let max):
      combine(a, b, count) { (a: UInt64, b: UInt64) in
        let (result, overflows) = operation.reporting(a ^ FlippedSign.bit, b ^ FlippedSign.bit)
        failed = failed || overflows || result > max
        return result ^ FlippedSign.bit
      }
    case .double:
      combine(a, b, count) { (a: Double, b: Double) in operation.result(a, b) }
    case .float:
      combine(a, b, count) { (a: Float, b: Float) in operation.result(a, b) }
    case .decimal: return append(operation, decimals: a, b, count: count)
    }
    let first = self.count - count
    // Results for null cells, which hold zeros, are ignored.
    if failed {
      for row in 0..<count where isMisfit(operation, kind, a, b, row) {
        guard misfitsAreNull else { return row }
        setNull(first + row)
      }
    }
    if a.nullCount > 0 || b.nullCount > 0 {
      for row in 0..<count where a.isNull(row) || b.isNull(row) { setNull(first + row) }
    }
    return nil
  }

  /// Appends the numbers of a column's first rows, converted to another kind; numbers that do not fit become null.
  ///
  /// - Returns: The first row whose number does not fit, if any.
  func append(
    converting numbers: ColumnBuffer, from source: NumberKind, to target: NumberKind, count: Int
  ) -> Int? {
    var misfit: Int?
    for row in 0..<count {
      guard !numbers.isNull(row) else {
        appendNull()
        continue
      }
      let value =
        switch source {
        case .integer: target.value(exactly: Int128(numbers.integer(row)))
        case .unsigned:
          target.value(exactly: Int128(UInt64(bitPattern: numbers.integer(row)) ^ FlippedSign.bit))
        case .double: target.value(rounding: numbers.double(row))
        case .float:
          target == .decimal
            ? DecimalNumber(shortest: numbers.float(row)).map { .bytes($0.bytes) }
            : target.value(rounding: Double(numbers.float(row)))
        case .decimal: DecimalNumber(stored: numbers.bytes(row)).flatMap { target.value($0) }
        }
      if value == nil { misfit = misfit ?? row }
      append(value ?? .null)
    }
    return misfit
  }

  /// Appends the results of an operation on the first rows of two columns of decimal numbers: null if either operand is
  /// null, or if the result does not fit.
  ///
  /// - Returns: The first row whose result does not fit, if any.
  private func append(
    _ operation: Arithmetic, decimals a: ColumnBuffer, _ b: ColumnBuffer, count: Int
  ) -> Int? {
    var misfit: Int?
    var stored: [UInt8] = []
    for row in 0..<count {
      let isNull = a.isNull(row) || b.isNull(row)
      guard !isNull, let first = DecimalNumber(stored: a.bytes(row)),
        let second = DecimalNumber(stored: b.bytes(row)),
        let result = DecimalNumber.result(operation, first, second)
      else {
        if !isNull { misfit = misfit ?? row }
        appendNull()
        continue
      }
      result.write(to: &stored)
      stored.withByteView { append(bytes: $0) }
    }
    return misfit
  }

  /// Appends the concatenated bytes of two columns' first rows: null if either is null, or if the result is longer
  /// than a cell may be.
  ///
  /// - Returns: The first such row, if any.
  func append(concatenating a: ColumnBuffer, _ b: ColumnBuffer, count: Int) -> Int? {
    var misfit: Int?
    for row in 0..<count {
      guard !a.isNull(row), !b.isNull(row) else {
        appendNull()
        continue
      }
      let (front, back) = (a.bytes(row), b.bytes(row))
      if front.count + back.count <= Self.cellBytesMax {
        appender.append(front, back)
      } else {
        misfit = misfit ?? row
        appendNull()
      }
    }
    return misfit
  }

  /// Appends the folded bytes of another column's cells: null if the result is longer than a cell may be.
  ///
  /// - Returns: The first such row, if any.
  func append(folding texts: ColumnBuffer, _ folding: TextFolding) -> Int? {
    var folder = TextFolder(folding)
    var misfit: Int?
    for row in 0..<texts.count {
      guard !texts.isNull(row) else {
        appendNull()
        continue
      }
      folder.fold(texts.bytes(row))
      guard folder.bytes.count <= Self.cellBytesMax else {
        misfit = misfit ?? row
        appendNull()
        continue
      }
      unsafe folder.bytes.withUnsafeBytes { unsafe append(bytes: $0) }
    }
    return misfit
  }

  /// The most bytes that a cell may have.
  static var cellBytesMax: Int { Int(Int32.max) }

  /// Appends the first rows of one column; a null is replaced by the other column's value.
  func append(coalescing a: ColumnBuffer, _ b: ColumnBuffer, count: Int) {
    guard a.nullCount > 0 else { return append(a, rows: 0..<count) }
    for row in 0..<count { append(a.isNull(row) ? b : a, row: row) }
  }

  private func combine<Cell: BitwiseCopyable>(
    _ a: ColumnBuffer, _ b: ColumnBuffer, _ count: Int, _ body: (Cell, Cell) -> Cell
  ) {
    guard count > 0 else { return }
    precondition(a.type == type && b.type == type, "The column's type is another.")
    precondition(a.count >= count && b.count >= count, "No such rows.")
    let first = unsafe a.cells(from: 0, as: Cell.self)
    let second = unsafe b.cells(from: 0, as: Cell.self)
    let target = unsafe growCells(by: count).assumingMemoryBound(to: Cell.self)
    for row in 0..<count { unsafe target[row] = body(first[row], second[row]) }
  }

  /// Whether the result of a row does not fit.
  private func isMisfit(
    _ operation: Arithmetic, _ kind: NumberKind, _ a: ColumnBuffer, _ b: ColumnBuffer, _ row: Int
  ) -> Bool {
    guard !a.isNull(row), !b.isNull(row) else { return false }
    switch kind {
    case .integer(let range):
      let (result, overflows) = operation.reporting(a.integer(row), b.integer(row))
      return overflows || !range.contains(result)
    case .unsigned(let max):
      let (result, overflows) = operation.reporting(
        UInt64(bitPattern: a.integer(row)) ^ FlippedSign.bit,
        UInt64(bitPattern: b.integer(row)) ^ FlippedSign.bit)
      return overflows || result > max
    case .double, .float, .decimal: return false
    }
  }
}

extension NumberKind {
  /// The stored form of an integer as a number of this kind; nil if it does not fit.
  fileprivate func value(exactly number: Int128) -> Value? {
    switch self {
    case .integer(let range):
      Int64(exactly: number).flatMap { range.contains($0) ? .integer($0) : nil }
    case .unsigned(let max):
      UInt64(exactly: number)
        .flatMap { $0 <= max ? .integer(Int64(bitPattern: $0 ^ FlippedSign.bit)) : nil }
    case .double: .double(Double(number))
    case .float: .float(Float(number))
    case .decimal: DecimalNumber(number).map { .bytes($0.bytes) }
    }
  }

  /// The stored form of a decimal number as a number of this kind, rounded toward zero for integers; nil if it does
  /// not fit.
  fileprivate func value(_ number: DecimalNumber) -> Value? {
    switch self {
    case .integer, .unsigned: number.integer.flatMap(value(exactly:))
    case .double: .double(number.double)
    case .float: .float(number.float)
    case .decimal: .bytes(number.bytes)
    }
  }

  /// The stored form of a floating-point number as a number of this kind; nil if it does not fit.
  fileprivate func value(rounding number: Double) -> Value? {
    switch self {
    case .integer, .unsigned: Int128(exactly: number.rounded(.towardZero)).flatMap(value(exactly:))
    case .double: .double(number)
    case .float: .float(Float(number))
    case .decimal: DecimalNumber(shortest: number).map { .bytes($0.bytes) }
    }
  }
}

/// The stored form of unsigned integers.
private enum FlippedSign {
  static var bit: UInt64 { 1 << 63 }
}

extension Arithmetic {
  @inline(__always)
  fileprivate func reporting<Number: FixedWidthInteger>(
    _ a: Number, _ b: Number
  ) -> (partialValue: Number, overflow: Bool) {
    switch self {
    case .add: a.addingReportingOverflow(b)
    case .subtract: a.subtractingReportingOverflow(b)
    case .multiply: a.multipliedReportingOverflow(by: b)
    case .divide: a.dividedReportingOverflow(by: b)
    case .remainder: a.remainderReportingOverflow(dividingBy: b)
    }
  }

  @inline(__always)
  fileprivate func result<Number: FloatingPoint>(_ a: Number, _ b: Number) -> Number {
    switch self {
    case .add: a + b
    case .subtract: a - b
    case .multiply: a * b
    case .divide: a / b
    case .remainder: a.truncatingRemainder(dividingBy: b)
    }
  }
}

extension ColumnAppender {
  /// Appends the concatenated bytes of two views as one cell.
  fileprivate func append(_ front: ByteView, _ back: ByteView) {
    let offset = unsafe front.withUnsafeBytes { unsafe appendToHeap($0) }
    _ = unsafe back.withUnsafeBytes { unsafe appendToHeap($0) }
    appendCell(
      ByteSpan(
        offset: offset, length: Int32(truncatingIfNeeded: front.count + back.count),
        isExternal: false))
  }
}
