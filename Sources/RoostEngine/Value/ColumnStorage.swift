#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#endif

/// The position of a text cell's bytes in its buffer's heap.
@usableFromInline
@frozen
struct ByteSpan: BitwiseCopyable {
  @usableFromInline var offset: Int
  @usableFromInline var length: Int32
  /// The bytes are a stored ``ValueReference``.
  @usableFromInline var isExternal: Bool

  @inlinable init(offset: Int, length: Int32, isExternal: Bool) {
    self.offset = offset
    self.length = length
    self.isExternal = isExternal
  }

  @inlinable var end: Int { offset &+ Int(length) }
}

/// The memory behind a ``ColumnBuffer``.
///
/// A struct behind a pointer instead of the buffer's own properties: an append is then a compare and two
/// stores, without the exclusivity checks of class properties.
@usableFromInline
@unsafe
struct ColumnStorage {
  @usableFromInline var count = 0
  @usableFromInline var capacity = 0
  /// `capacity` cells, each `cellStride` bytes.
  @usableFromInline var cells: UnsafeMutableRawPointer?
  /// A bit for each of `capacity` cells, set for a null; nil until there is a null.
  ///
  /// Bits at and above `count` are clear, so that appending a value need not touch them.
  @usableFromInline var nulls: UnsafeMutablePointer<UInt64>?
  @usableFromInline var nullCount = 0
  /// The bytes of a text column.
  @usableFromInline var heap: UnsafeMutableRawPointer?
  @usableFromInline var heapCount = 0
  @usableFromInline var heapCapacity = 0
  @usableFromInline var externalCount = 0
  /// The result of prefetching texts: stored, so that the compiler keeps the reads.
  @usableFromInline var touched: UInt8 = 0
  /// The spans follow one another in the heap without gaps.
  @usableFromInline var isSequential = true
  /// Spans may share bytes of the heap, which must then not be overwritten.
  @usableFromInline var sharesTexts = false

  @inlinable init() {}

  /// Reserves memory for a total of `needed` cells.
  mutating func reserve(_ needed: Int, stride: Int) {
    guard unsafe needed > capacity else { return }
    let doubled = unsafe max(needed, capacity * 2, 64)
    let grown = (doubled + 63) & ~63
    unsafe cells = reallocated(cells, grown * stride)
    if let old = unsafe nulls {
      unsafe nulls = grownNulls(old, from: capacity, to: grown)
    }
    unsafe capacity = grown
  }

  /// Reserves memory for a total of `needed` bytes of text.
  mutating func reserveHeap(_ needed: Int) {
    guard unsafe needed > heapCapacity else { return }
    let grown = unsafe max(needed, heapCapacity * 2, 1024)
    unsafe heap = reallocated(heap, grown)
    unsafe heapCapacity = grown
  }

  /// Sets or clears the null bit of a row, and updates the count.
  mutating func setNull(_ row: Int, _ isNull: Bool) {
    if unsafe nulls == nil {
      guard isNull else { return }
      unsafe nulls = grownNulls(nil, from: 0, to: capacity)
    }
    guard let nulls = unsafe nulls else { return }
    let bit = 1 as UInt64 &<< UInt64(truncatingIfNeeded: row & 63)
    let word = unsafe nulls[row >> 6]
    guard (word & bit != 0) != isNull else { return }
    unsafe nulls[row >> 6] = word ^ bit
    unsafe nullCount += isNull ? 1 : -1
  }

  /// Removes all cells.
  mutating func removeAll() {
    if let nulls = unsafe nulls {
      unsafe nulls.update(repeating: 0, count: (count + 63) >> 6)
    }
    unsafe count = 0
    unsafe nullCount = 0
    unsafe heapCount = 0
    unsafe externalCount = 0
    unsafe isSequential = true
    unsafe sharesTexts = false
  }

  /// Frees the memory.
  mutating func deallocate() {
    unsafe free(cells)
    unsafe free(nulls)
    unsafe free(heap)
    unsafe self = ColumnStorage()
  }

  private func grownNulls(
    _ old: UnsafeMutablePointer<UInt64>?, from: Int, to: Int
  ) -> UnsafeMutablePointer<UInt64> {
    let grown = unsafe reallocated(old, to >> 3).assumingMemoryBound(to: UInt64.self)
    unsafe (grown + (from >> 6)).initialize(repeating: 0, count: (to - from) >> 6)
    return unsafe grown
  }
}
