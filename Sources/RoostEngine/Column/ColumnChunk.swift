/// The column of one leaf, read in place: every cell in O(1).
///
/// The initializer validates the entry and the bytes, whatever they contain; afterwards access to a row of
/// the chunk cannot fail. Does not retain the extent; the leaf's frames do.
@safe
@usableFromInline
package struct ColumnChunk: Sendable, BitwiseCopyable {
  /// The column's entry in the leaf's directory, including its zone map.
  @usableFromInline package let entry: ColumnEntry
  /// The number of rows.
  @usableFromInline package let rowCount: Int

  // The properties that reading a number needs come first, so that they are adjacent in memory.

  /// Codes or raw values.
  @usableFromInline let cells: ByteView
  /// Extracts a code from ``cells``.
  @usableFromInline let codes: CodeReader
  /// The base of codes: the value of an integer is base + row × step + code.
  @usableFromInline let base: Int64
  @usableFromInline let step: Int64
  /// The divisor of scaled values: a double is its scaled value divided by this.
  @usableFromInline let power: Double
  /// The bitmap of rows that have a value; empty if all rows have a value.
  @usableFromInline let present: ByteView
  /// The bitmap of external cells; empty if there are none.
  @usableFromInline let externals: ByteView
  /// The start and end offsets of texts in the heap.
  @usableFromInline let offsets: ByteView
  /// The bytes of texts.
  @usableFromInline let heap: ByteView

  /// A chunk of parts that ``init(validating:extent:rowCount:unit:)`` has checked.
  init(
    entry: ColumnEntry, rowCount: Int, present: ByteView, externals: ByteView, cells: ByteView,
    offsets: ByteView, heap: ByteView, base: Int64, step: Int64, power: Double
  ) {
    self.entry = entry
    self.rowCount = rowCount
    self.present = present
    self.externals = externals
    self.cells = cells
    self.offsets = offsets
    self.heap = heap
    self.codes = CodeReader(width: Int(entry.width))
    self.base = base
    self.step = step
    self.power = power
  }

  /// The type of the cells.
  @inlinable package var type: PhysicalType { entry.type }
  /// Whether some row is null.
  @inlinable package var hasNulls: Bool { entry.nullCount > 0 }
  /// Whether some cell is a reference to a value outside the leaf.
  @inlinable package var hasExternals: Bool { externals.count > 0 }

  @inlinable @inline(__always)
  func check(_ row: Int) {
    precondition(UInt(bitPattern: row) < UInt(bitPattern: rowCount), "No such row.")
  }

  // MARK: Cells

  /// Whether a row has no value.
  @inlinable @inline(__always)
  package func isNull(_ row: Int) -> Bool {
    check(row)
    return present.count > 0 && present.uint8(at: row >> 3) &>> UInt8(row & 7) & 1 == 0
  }

  /// The integer of a row; an arbitrary number for a null.
  @inlinable @inline(__always)
  package func integer(_ row: Int) -> Int64 {
    check(row)
    precondition(entry.type == .integer, "The column's type is another.")
    // The row was checked.
    return unsafe integer(row, codes.uncheckedCode(row, in: cells))
  }

  /// The double of a row; an arbitrary number for a null.
  @inlinable @inline(__always)
  package func double(_ row: Int) -> Double {
    check(row)
    precondition(entry.type == .double, "The column's type is another.")
    return uncheckedDouble(row)
  }

  /// The float of a row; an arbitrary number for a null.
  @inlinable
  package func float(_ row: Int) -> Float {
    check(row)
    precondition(entry.type == .float, "The column's type is another.")
    return uncheckedFloat(row)
  }

  /// The UUID of a row as two big-endian halves; zeros for a column of nulls.
  @inlinable
  package func uuid(_ row: Int) -> (high: UInt64, low: UInt64) {
    check(row)
    precondition(entry.type == .uuid, "The column's type is another.")
    guard entry.encoding == .rawUUID else { return (0, 0) }
    return (cells.uint64(at: row &* 16).byteSwapped, cells.uint64(at: row &* 16 &+ 8).byteSwapped)
  }

  /// The bytes of a row in place; for an external cell, those of the stored reference.
  @inlinable @inline(__always)
  package func bytes(_ row: Int) -> ByteView {
    check(row)
    precondition(entry.type == .bytes, "The column's type is another.")
    switch entry.encoding {
    case .plain: return text(row)
    case .dictionary: return text(code(row))
    default: return ByteView()
    }
  }

  /// Whether the value of a row lies outside the leaf.
  @inlinable @inline(__always)
  package func isExternal(_ row: Int) -> Bool {
    check(row)
    return hasExternals && externals.uint8(at: row >> 3) &>> UInt8(row & 7) & 1 != 0
  }

  /// The reference of a row whose value lies outside the leaf; nil for every other row.
  package func external(_ row: Int) -> ValueReference? {
    isExternal(row) ? ValueReference(text(row), at: 0) : nil
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

  // MARK: Rows that were checked

  @inlinable @inline(__always)
  func code(_ row: Int) -> Int { Int(truncatingIfNeeded: codes.code(row, in: cells)) }

  @inlinable @inline(__always)
  func uncheckedInteger(_ row: Int) -> Int64 {
    integer(row, codes.code(row, in: cells))
  }

  @inlinable @inline(__always)
  func integer(_ row: Int, _ code: UInt64) -> Int64 {
    base &+ step &* Int64(truncatingIfNeeded: row) &+ Int64(bitPattern: code)
  }

  @inlinable @inline(__always)
  func uncheckedDouble(_ row: Int) -> Double {
    switch entry.encoding {
    case .raw: Double(bitPattern: cells.uint64(at: row &* 8))
    case .scaled: Double(uncheckedInteger(row)) / power
    default: 0
    }
  }

  @inlinable @inline(__always)
  func uncheckedFloat(_ row: Int) -> Float {
    switch entry.encoding {
    case .raw: Float(bitPattern: cells.uint32(at: row &* 4))
    case .scaled: Float(Double(uncheckedInteger(row)))
    default: 0
    }
  }

  /// The bytes of an entry of the heap.
  @inlinable @inline(__always)
  func text(_ index: Int) -> ByteView {
    let range = textRange(index)
    return heap.slice(range.lowerBound, range.upperBound &- range.lowerBound)
  }

  /// The number of entries in the heap of a column of bytes.
  var textCount: Int { entry.encoding == .plain ? rowCount : Int(entry.parameter) }

  /// The range of an entry's bytes in the heap.
  @inlinable @inline(__always)
  func textRange(_ index: Int) -> Range<Int> {
    // One load reads both adjacent offsets; they were validated to ascend.
    if entry.encoding == .plain, entry.width == 16 {
      return Self.textRange(UInt64(offsets.uint32(at: index &* 2)), bits: 16)
    }
    return Self.textRange(offsets.uint64(at: index &* 4), bits: 32)
  }

  /// As ``textRange(_:)``, without a check of the offsets' bounds.
  ///
  /// - Parameter index: An entry of the heap, which is why its offsets were validated: say beside the call why it is.
  @unsafe
  @inline(__always)
  func uncheckedTextRange(_ index: Int) -> Range<Int> {
    if entry.encoding == .plain, entry.width == 16 {
      let pair = unsafe offsets.uncheckedLoad(at: index &* 2, as: UInt32.self)
      return Self.textRange(UInt64(pair), bits: 16)
    }
    return unsafe Self.textRange(offsets.uncheckedLoad(at: index &* 4, as: UInt64.self), bits: 32)
  }

  /// The range between two adjacent offsets of `bits` bits each, which are loaded as one integer.
  @inlinable @inline(__always)
  static func textRange(_ both: UInt64, bits: UInt64) -> Range<Int> {
    let low = both & (1 &<< bits &- 1)
    return unsafe Range(
      uncheckedBounds: (Int(truncatingIfNeeded: low), Int(truncatingIfNeeded: both &>> bits)))
  }
}
