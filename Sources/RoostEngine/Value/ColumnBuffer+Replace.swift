/// Replacing the value of a row. A text's new bytes go to the end of the heap.
extension ColumnBuffer {
  /// Makes a row null.
  package func setNull(_ row: Int) {
    switch type {
    case .integer, .double: setCell(row, 0 as UInt64)
    case .float: setCell(row, 0 as UInt32)
    case .bytes:
      let old = span(row)
      setSpan(row, ByteSpan(offset: old.offset, length: 0, isExternal: false))
    case .uuid: setCell(row, SIMD2<UInt64>(0, 0))
    }
    unsafe storage.pointee.setNull(row, true)
  }

  /// Replaces the value of a row by an integer.
  package func set(_ row: Int, _ value: Int64) {
    precondition(type == .integer, "The column's type is another.")
    setCell(row, value)
  }

  /// Replaces the value of a row by a double.
  package func set(_ row: Int, _ value: Double) {
    precondition(type == .double, "The column's type is another.")
    setCell(row, value)
  }

  /// Replaces the value of a row by a float.
  package func set(_ row: Int, _ value: Float) {
    precondition(type == .float, "The column's type is another.")
    setCell(row, value)
  }

  /// Replaces the value of a row by a UUID, given as its two big-endian halves.
  package func set(_ row: Int, uuid high: UInt64, _ low: UInt64) {
    precondition(type == .uuid, "The column's type is another.")
    setCell(row, SIMD2<UInt64>(high.bigEndian, low.bigEndian))
  }

  /// Replaces the value of a row by bytes, which must not lie in this buffer.
  package func set(_ row: Int, bytes: UnsafeRawBufferPointer) {
    unsafe replaceSpan(row, bytes, isExternal: false)
  }

  /// Replaces the value of a row by bytes, which must not lie in this buffer.
  package func set(_ row: Int, bytes: ByteView) {
    unsafe bytes.withUnsafeBytes { unsafe replaceSpan(row, $0, isExternal: false) }
  }

  /// Replaces the value of a row by a string's UTF-8.
  package func set(_ row: Int, _ string: String) {
    var copy = string
    copy.withUTF8 { unsafe replaceSpan(row, UnsafeRawBufferPointer($0), isExternal: false) }
  }

  /// Replaces the value of a row by a reference to a value that lies outside its leaf.
  package func set(_ row: Int, external reference: ValueReference) {
    unsafe withUnsafeTemporaryAllocation(byteCount: ValueReference.byteCount, alignment: 8) {
      buffer in
      guard let base = buffer.baseAddress else { return }
      unsafe reference.store(in: MutableByteView(base: base, count: buffer.count), at: 0)
      unsafe replaceSpan(row, UnsafeRawBufferPointer(buffer), isExternal: true)
    }
  }

  /// Replaces the value of a row by a value of the column's type, or null.
  package func set(_ row: Int, _ value: Value) {
    switch value {
    case .null: setNull(row)
    case .integer(let integer): set(row, integer)
    case .double(let double): set(row, double)
    case .float(let float): set(row, float)
    case .bytes(let bytes): unsafe bytes.withUnsafeBytes { unsafe set(row, bytes: $0) }
    case .uuid(let high, let low): set(row, uuid: high, low)
    }
  }

  private func setCell<Cell: BitwiseCopyable>(_ row: Int, _ cell: Cell) {
    check(row)
    // A row exists, so cells exist; each has the stride of the column's type.
    unsafe storage.pointee.cells.unsafelyUnwrapped
      .storeBytes(of: cell, toByteOffset: row &* MemoryLayout<Cell>.stride, as: Cell.self)
    unsafe storage.pointee.setNull(row, false)
  }

  private func replaceSpan(_ row: Int, _ bytes: UnsafeRawBufferPointer, isExternal: Bool) {
    let old = span(row)
    let offset: Int
    if unsafe bytes.count == Int(old.length) && !storage.pointee.sharesTexts,
      let heap = unsafe storage.pointee.heap
    {
      offset = old.offset
      if let source = bytes.baseAddress {
        unsafe (heap + offset).copyMemory(from: source, byteCount: bytes.count)
      }
    } else {
      offset = unsafe appender.appendToHeap(bytes)
    }
    setSpan(
      row,
      ByteSpan(
        offset: offset, length: Int32(truncatingIfNeeded: bytes.count), isExternal: isExternal))
  }

  private func setSpan(_ row: Int, _ new: ByteSpan) {
    let old = span(row)
    if old.offset != new.offset || old.length != new.length {
      unsafe storage.pointee.isSequential = false
    }
    unsafe storage.pointee.externalCount +=
      (new.isExternal ? 1 : 0) - (old.isExternal ? 1 : 0)
    setCell(row, new)
  }
}
