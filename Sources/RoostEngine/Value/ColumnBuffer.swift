/// A column in memory that grows by appending: what rows are collected in before they are encoded.
///
/// Cells are kept decoded, each at its own place, so that any of them is read or replaced in O(1). Text
/// lies in one heap that only grows: replacing a text appends it and moves no other row's bytes.
/// Appending is a few machine instructions when its type is the column's, and a caller's mistake
/// otherwise. Not thread safe.
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
  /// The bytes of memory that the cells take.
  package var byteCount: Int {
    unsafe count * type.cellStride + storage.pointee.heapCount + (count + 7) / 8
  }

  /// Makes room for that many rows in all.
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

  /// The buffer's end, for loops that append many cells; good while the buffer is held.
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

  /// Appends a value, whose type is the column's or null.
  package func append(_ value: Value) { appender.append(value) }
}
