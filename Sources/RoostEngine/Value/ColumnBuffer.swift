/// A column in memory that grows by appending; it collects rows before they are encoded.
///
/// Cells are decoded and of fixed size, so that any cell is read or replaced in O(1). Texts lie in one
/// heap that only grows: replacing a text appends it and moves no other row's bytes. Appending a value
/// takes a few machine instructions; a value of a type other than the column's is a caller's mistake.
/// Not thread safe.
@safe
@usableFromInline
package final class ColumnBuffer {
  /// The physical type of every cell.
  @usableFromInline package let type: PhysicalType
  @usableFromInline let storage: UnsafeMutablePointer<ColumnStorage>

  /// An empty column.
  package init(type: PhysicalType) {
    self.type = type
    unsafe storage = .allocate(capacity: 1)
    unsafe storage.initialize(to: ColumnStorage())
  }

  deinit {
    unsafe storage.pointee.deallocate()
    unsafe storage.deallocate()
  }

  /// The number of rows.
  @inlinable package var count: Int { unsafe storage.pointee.count }
  /// The number of rows that are null.
  @inlinable package var nullCount: Int { unsafe storage.pointee.nullCount }
  /// The number of rows whose text is a ``ValueReference``.
  @inlinable package var externalCount: Int { unsafe storage.pointee.externalCount }
  /// The memory that the cells take, in bytes.
  package var byteCount: Int {
    unsafe count * type.cellStride + storage.pointee.heapCount + (count + 7) / 8
  }

  /// Reserves memory for a total of `rows` rows.
  package func reserveCapacity(_ rows: Int) {
    unsafe storage.pointee.reserve(rows, stride: type.cellStride)
  }

  /// Removes all rows.
  package func removeAll(keepingCapacity: Bool) {
    if keepingCapacity {
      unsafe storage.pointee.removeAll()
    } else {
      unsafe storage.pointee.deallocate()
    }
  }

  // MARK: Appending

  /// The buffer's end, for loops that append many cells; valid while the buffer is held.
  @inlinable @inline(__always)
  package var appender: ColumnAppender { unsafe ColumnAppender(storage: storage, type: type) }

  /// Appends a row without a value.
  @inlinable @inline(__always)
  package func appendNull() { appender.appendNull() }

  /// Appends an integer.
  @inlinable @inline(__always)
  package func append(_ value: Int64) { appender.append(value) }

  /// Appends a double.
  @inlinable @inline(__always)
  package func append(_ value: Double) { appender.append(value) }

  /// Appends a float.
  @inlinable @inline(__always)
  package func append(_ value: Float) { appender.append(value) }

  /// Appends a UUID, given as its two big-endian halves.
  @inlinable @inline(__always)
  package func append(uuid high: UInt64, _ low: UInt64) { appender.append(uuid: high, low) }

  /// Appends the bytes of a text or of data.
  @inlinable @inline(__always)
  package func append(bytes: UnsafeRawBufferPointer) { unsafe appender.append(bytes: bytes) }

  /// Appends the bytes of a text or of data.
  @inlinable @inline(__always)
  package func append(bytes: ByteView) { appender.append(bytes: bytes) }

  /// Appends a string's UTF-8.
  @inlinable @inline(__always)
  package func append(_ string: String) { appender.append(string) }

  /// Appends a reference to a value that lies outside its leaf.
  package func append(external reference: ValueReference) { appender.append(external: reference) }

  /// Appends a value of the column's type, or null.
  package func append(_ value: Value) { appender.append(value) }
}
