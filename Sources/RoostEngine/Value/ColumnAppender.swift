/// The end of a ``ColumnBuffer``, which appends cells without counting references to the buffer.
///
/// A number costs a compare and two stores; inserting a million objects does this eight million times.
/// Invariant: like a ``ByteView``, an appender is used only while its buffer is held. Appending a value of a type
/// other than the column's is a caller's mistake.
@safe
@frozen
@usableFromInline
package struct ColumnAppender {
  @usableFromInline let storage: UnsafeMutablePointer<ColumnStorage>
  /// The physical type of every cell.
  @usableFromInline package let type: PhysicalType

  @inlinable @_transparent
  init(storage: UnsafeMutablePointer<ColumnStorage>, type: PhysicalType) {
    unsafe self.storage = storage
    self.type = type
  }

  /// Appends a row without a value.
  @usableFromInline
  package func appendNull() {
    let row = unsafe storage.pointee.count
    switch type {
    case .integer, .double: appendCell(0 as UInt64)
    case .float: appendCell(0 as UInt32)
    case .bytes:
      appendCell(unsafe ByteSpan(offset: storage.pointee.heapCount, length: 0, isExternal: false))
    case .uuid: appendCell(SIMD2<UInt64>(0, 0))
    }
    unsafe storage.pointee.setNull(row, true)
  }

  /// Appends an integer.
  @inlinable @_transparent
  package func append(_ value: Int64) {
    precondition(type == .integer, "The column's type is another.")
    appendCell(value)
  }

  /// Appends a double.
  @inlinable @_transparent
  package func append(_ value: Double) {
    precondition(type == .double, "The column's type is another.")
    appendCell(value)
  }

  /// Appends a float.
  @inlinable @_transparent
  package func append(_ value: Float) {
    precondition(type == .float, "The column's type is another.")
    appendCell(value)
  }

  /// Appends a UUID, given as its two big-endian halves.
  @inlinable @_transparent
  package func append(uuid high: UInt64, _ low: UInt64) {
    precondition(type == .uuid, "The column's type is another.")
    appendCell(SIMD2<UInt64>(high.bigEndian, low.bigEndian))
  }

  /// Appends the bytes of a text or of data.
  @inlinable @_transparent
  package func append(bytes: UnsafeRawBufferPointer) {
    unsafe appendSpan(bytes, isExternal: false)
  }

  /// Appends the bytes of a text or of data.
  @inlinable
  package func append(bytes: ByteView) {
    unsafe bytes.withUnsafeBytes { unsafe appendSpan($0, isExternal: false) }
  }

  /// Appends a string's UTF-8.
  @inlinable
  package func append(_ string: String) {
    let appended: Void? = unsafe string.utf8.withContiguousStorageIfAvailable {
      unsafe appendSpan(UnsafeRawBufferPointer($0), isExternal: false)
    }
    if appended == nil { appendBridged(string) }
  }

  /// Appends a reference to a value that lies outside its leaf.
  package func append(external reference: ValueReference) {
    unsafe withUnsafeTemporaryAllocation(byteCount: ValueReference.byteCount, alignment: 8) {
      buffer in
      guard let base = buffer.baseAddress else { return }
      unsafe reference.store(in: MutableByteView(base: base, count: buffer.count), at: 0)
      unsafe appendSpan(UnsafeRawBufferPointer(buffer), isExternal: true)
    }
    unsafe storage.pointee.externalCount += 1
  }

  /// Appends a value of the column's type, or null.
  package func append(_ value: Value) {
    switch value {
    case .null: appendNull()
    case .integer(let integer): append(integer)
    case .double(let double): append(double)
    case .float(let float): append(float)
    case .bytes(let bytes): unsafe bytes.withUnsafeBytes { unsafe append(bytes: $0) }
    case .uuid(let high, let low): append(uuid: high, low)
    }
  }

  /// Appends a string that the platform does not store as UTF-8.
  @usableFromInline @inline(never)
  func appendBridged(_ string: String) {
    var copy = string
    copy.withUTF8 { unsafe append(bytes: UnsafeRawBufferPointer($0)) }
  }

  @inlinable @_transparent
  func appendCell<Cell: BitwiseCopyable>(_ cell: Cell) {
    let row = unsafe storage.pointee.count
    if unsafe row == storage.pointee.capacity { grow() }
    // The growth above reserved memory for one more cell of this type's stride.
    unsafe storage.pointee.cells.unsafelyUnwrapped
      .storeBytes(of: cell, toByteOffset: row &* MemoryLayout<Cell>.stride, as: Cell.self)
    unsafe storage.pointee.count = row &+ 1
  }

  @inlinable @_transparent
  func appendSpan(_ bytes: UnsafeRawBufferPointer, isExternal: Bool) {
    let offset = unsafe appendToHeap(bytes)
    appendCell(
      ByteSpan(
        offset: offset, length: Int32(truncatingIfNeeded: bytes.count), isExternal: isExternal))
  }

  /// Copies bytes to the heap's end and returns their offset.
  @inlinable @_transparent
  func appendToHeap(_ bytes: UnsafeRawBufferPointer) -> Int {
    precondition(type == .bytes && bytes.count <= Int32.max, "The column's type is another.")
    let offset = unsafe storage.pointee.heapCount
    if unsafe bytes.count > storage.pointee.heapCapacity &- offset { growHeap(bytes.count) }
    if unsafe !bytes.isEmpty, let source = bytes.baseAddress {
      unsafe (storage.pointee.heap.unsafelyUnwrapped + offset)
        .copyMemory(from: source, byteCount: bytes.count)
    }
    unsafe storage.pointee.heapCount = offset &+ bytes.count
    return offset
  }

  @usableFromInline @inline(never)
  func grow() {
    unsafe storage.pointee.reserve(storage.pointee.count + 1, stride: type.cellStride)
  }

  @usableFromInline @inline(never)
  func growHeap(_ byteCount: Int) {
    unsafe storage.pointee.reserveHeap(storage.pointee.heapCount + byteCount)
  }
}
