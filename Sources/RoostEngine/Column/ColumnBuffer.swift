/// A column in memory that grows by appending: what rows are collected in before they are encoded.
///
/// Cells are kept decoded, each at its own place, so that any of them is read or replaced in O(1). Text
/// lies in one heap that only grows: replacing a text appends it and moves no other row's bytes.
/// Appending is a few machine instructions when its type is the column's, and a caller's mistake
/// otherwise. Not thread safe.
@safe
public final class ColumnBuffer {
  /// The physical type of every cell.
  public let type: PhysicalType
  @usableFromInline let storage: UnsafeMutablePointer<ColumnStorage>

  /// An empty column.
  public init(type: PhysicalType) {
    self.type = type
    unsafe storage = .allocate(capacity: 1)
    unsafe storage.initialize(to: ColumnStorage())
  }

  deinit {
    unsafe storage.pointee.deallocate()
    unsafe storage.deallocate()
  }

  /// The number of rows.
  @inlinable public var count: Int { unsafe storage.pointee.count }
  /// The number of rows that are null.
  @inlinable public var nullCount: Int { unsafe storage.pointee.nullCount }
  /// The number of rows whose text is a ``ValueReference``.
  @inlinable public var externalCount: Int { unsafe storage.pointee.externalCount }
  /// The bytes of memory that the cells take.
  public var byteCount: Int {
    unsafe count * type.cellStride + storage.pointee.heapCount + (count + 7) / 8
  }

  /// Makes room for that many rows in all.
  public func reserveCapacity(_ rows: Int) {
    unsafe storage.pointee.reserve(rows, stride: type.cellStride)
  }

  /// Removes all rows.
  public func removeAll(keepingCapacity: Bool) {
    if keepingCapacity {
      unsafe storage.pointee.removeAll()
    } else {
      unsafe storage.pointee.deallocate()
    }
  }

  // MARK: Appending

  /// Appends a row without a value.
  public func appendNull() {
    let row = count
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
  @inlinable @inline(__always)
  public func append(_ value: Int64) {
    precondition(type == .integer, "The column's type is another.")
    appendCell(value)
  }

  /// Appends a double.
  @inlinable @inline(__always)
  public func append(_ value: Double) {
    precondition(type == .double, "The column's type is another.")
    appendCell(value)
  }

  /// Appends a float.
  @inlinable @inline(__always)
  public func append(_ value: Float) {
    precondition(type == .float, "The column's type is another.")
    appendCell(value)
  }

  /// Appends a UUID, given as its two big-endian halves.
  @inlinable @inline(__always)
  public func append(uuid high: UInt64, _ low: UInt64) {
    precondition(type == .uuid, "The column's type is another.")
    appendCell(SIMD2<UInt64>(high.bigEndian, low.bigEndian))
  }

  /// Appends the bytes of a text or of data.
  @inlinable @inline(__always)
  public func append(bytes: UnsafeRawBufferPointer) {
    unsafe appendSpan(bytes, isExternal: false)
  }

  /// Appends the bytes of a text or of data.
  @inlinable
  public func append(bytes: ByteView) {
    unsafe bytes.withUnsafeBytes { unsafe appendSpan($0, isExternal: false) }
  }

  /// Appends a string's UTF-8.
  @inlinable
  public func append(_ string: String) {
    let appended: Void? = unsafe string.utf8.withContiguousStorageIfAvailable {
      unsafe appendSpan(UnsafeRawBufferPointer($0), isExternal: false)
    }
    if appended == nil { appendBridged(string) }
  }

  /// Appends a reference to a value that lies outside its leaf.
  public func append(external reference: ValueReference) {
    unsafe withUnsafeTemporaryAllocation(byteCount: ValueReference.byteCount, alignment: 8) {
      buffer in
      guard let base = buffer.baseAddress else { return }
      unsafe reference.store(in: MutableByteView(base: base, count: buffer.count), at: 0)
      unsafe appendSpan(UnsafeRawBufferPointer(buffer), isExternal: true)
    }
    unsafe storage.pointee.externalCount += 1
  }

  /// Appends a value, whose type is the column's or null.
  public func append(_ value: Value) {
    switch value {
    case .null: appendNull()
    case .integer(let integer): append(integer)
    case .double(let double): append(double)
    case .float(let float): append(float)
    case .bytes(let bytes): unsafe bytes.withUnsafeBytes { unsafe append(bytes: $0) }
    case .uuid(let high, let low): append(uuid: high, low)
    }
  }

  /// A string that some platform keeps in another form than UTF-8.
  @usableFromInline @inline(never)
  func appendBridged(_ string: String) {
    var copy = string
    copy.withUTF8 { unsafe append(bytes: UnsafeRawBufferPointer($0)) }
  }

  @inlinable @inline(__always)
  func appendCell<Cell: BitwiseCopyable>(_ cell: Cell) {
    let row = unsafe storage.pointee.count
    if unsafe row == storage.pointee.capacity { grow() }
    // The growth above made room for one more cell of this type's stride.
    unsafe storage.pointee.cells.unsafelyUnwrapped
      .storeBytes(of: cell, toByteOffset: row &* MemoryLayout<Cell>.stride, as: Cell.self)
    unsafe storage.pointee.count = row &+ 1
  }

  @inlinable @inline(__always)
  func appendSpan(_ bytes: UnsafeRawBufferPointer, isExternal: Bool) {
    let offset = unsafe appendToHeap(bytes)
    appendCell(
      ByteSpan(
        offset: offset, length: Int32(truncatingIfNeeded: bytes.count), isExternal: isExternal))
  }

  /// Copies bytes to the heap's end and returns where they begin.
  @inlinable @inline(__always)
  func appendToHeap(_ bytes: UnsafeRawBufferPointer) -> Int {
    precondition(type == .bytes && bytes.count <= Int32.max, "The column's type is another.")
    let offset = unsafe storage.pointee.heapCount
    if unsafe bytes.count > storage.pointee.heapCapacity &- offset { growHeap(bytes.count) }
    if bytes.count > 0, let source = bytes.baseAddress {
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
