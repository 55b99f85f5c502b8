extension ColumnBuffer {
  /// Whether a row has no value.
  @inlinable @inline(__always)
  package func isNull(_ row: Int) -> Bool {
    guard let nulls = unsafe storage.pointee.nulls else { return false }
    check(row)
    return unsafe nulls[row >> 6] &>> UInt64(truncatingIfNeeded: row & 63) & 1 != 0
  }

  /// The integer of a row, 0 for null.
  @inlinable @inline(__always)
  package func integer(_ row: Int) -> Int64 {
    precondition(type == .integer, "The column's type is another.")
    return cell(row)
  }

  /// The double of a row, 0 for null.
  @inlinable @inline(__always)
  package func double(_ row: Int) -> Double {
    precondition(type == .double, "The column's type is another.")
    return cell(row)
  }

  /// The float of a row, 0 for null.
  @inlinable @inline(__always)
  package func float(_ row: Int) -> Float {
    precondition(type == .float, "The column's type is another.")
    return cell(row)
  }

  /// The UUID of a row as two big-endian halves, zeros for null.
  @inlinable @inline(__always)
  package func uuid(_ row: Int) -> (high: UInt64, low: UInt64) {
    precondition(type == .uuid, "The column's type is another.")
    let halves: SIMD2<UInt64> = cell(row)
    return (UInt64(bigEndian: halves.x), UInt64(bigEndian: halves.y))
  }

  /// The bytes of a row, empty for null; for an external cell, those of the stored reference.
  ///
  /// The view is valid until the buffer changes.
  @inlinable @inline(__always)
  package func bytes(_ row: Int) -> ByteView {
    let span = span(row)
    guard span.length > 0, let heap = unsafe storage.pointee.heap else { return ByteView() }
    return unsafe ByteView(base: heap + span.offset, count: Int(span.length))
  }

  /// The reference of a row whose value lies outside its leaf; nil for every other row.
  package func external(_ row: Int) -> ValueReference? {
    guard type == .bytes, span(row).isExternal else { return nil }
    return ValueReference(bytes(row), at: 0)
  }

  /// A copy of a row's value.
  ///
  /// An external cell returns the bytes of its reference: call ``external(_:)`` first.
  package func value(_ row: Int) -> Value {
    guard !isNull(row) else { return .null }
    switch type {
    case .integer: return .integer(integer(row))
    case .double: return .double(double(row))
    case .float: return .float(float(row))
    case .bytes: return .bytes(bytes(row).array)
    case .uuid:
      let halves = uuid(row)
      return .uuid(halves.high, halves.low)
    }
  }

  @inlinable @inline(__always)
  func check(_ row: Int) {
    precondition(
      unsafe UInt(bitPattern: row) < UInt(bitPattern: storage.pointee.count), "No such row.")
  }

  @inlinable @inline(__always)
  func cell<Cell: BitwiseCopyable>(_ row: Int) -> Cell {
    check(row)
    // A row exists, so cells exist; each has the stride of the column's type.
    return unsafe storage.pointee.cells.unsafelyUnwrapped
      .loadUnaligned(fromByteOffset: row &* MemoryLayout<Cell>.stride, as: Cell.self)
  }

  @inlinable @inline(__always)
  func span(_ row: Int) -> ByteSpan {
    precondition(type == .bytes, "The column's type is another.")
    return cell(row)
  }
}
