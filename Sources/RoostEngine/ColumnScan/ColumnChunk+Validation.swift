extension ColumnChunk {
  /// Validates the entry and the column's bytes completely, once.
  ///
  /// A checksum does not make a file trusted: for any bytes, either this throws, or reading
  /// any row of the chunk is safe. The zone map's correctness is not checked here; a wrong zone map
  /// gives wrong answers, never an access outside the extent (``ColumnChunk/checkInvariants(unit:)``).
  /// - Parameters:
  ///   - extent: all bytes of the extent that the entry's group says.
  ///   - unit: the extent's first unit, for the error.
  package init(
    validating entry: ColumnEntry, extent: ByteView, rowCount: Int, unit: UInt64
  ) throws(EngineError) {
    func damaged(_ reason: Corruption.Reason) -> EngineError {
      .corrupt(Corruption(reason, unit: unit))
    }
    guard rowCount >= 1, rowCount <= ColumnLayout.rowCountMax, entry.offset % 8 == 0,
      entry.length % 8 == 0, entry.nullCount <= rowCount, entry.isConsistent(rowCount: rowCount),
      let bytes = extent.checkedSlice(Int(entry.offset), Int(entry.length))
    else { throw damaged(.encoding) }

    let layout = ColumnLayout(entry, rowCount: rowCount)
    let hasHeap = entry.encoding == .plain || entry.encoding == .dictionary
    guard hasHeap ? layout.heap <= bytes.count : layout.heap == bytes.count else {
      throw damaged(.column)
    }

    var present = ByteView()
    if entry.encoding == .allNull {
      present = Zeros.view
    } else if entry.flags.contains(.nulls) {
      present = bytes.slice(layout.nulls, Bitmaps.byteCount(rowCount))
      guard Bitmaps.count(present, rowCount) == rowCount - Int(entry.nullCount) else {
        throw damaged(.column)
      }
    }

    var base: Int64 = 0
    var step: Int64 = 0
    var power = 1.0
    var cells = bytes.slice(layout.cells, bytes.count - layout.cells)
    var offsets = ByteView()
    var heap = ByteView()
    switch entry.encoding {
    case .allNull, .raw, .rawUUID:
      break
    case .frameOfReference:
      base = Int64(bitPattern: entry.minimum)
    case .stride:
      base = Int64(bitPattern: entry.minimum)
      step = Int64(bitPattern: (entry.maximum &- entry.minimum) / UInt64(rowCount - 1))
    case .scaled:
      base = bytes.int64(at: layout.base)
      power = Scaling.powersOfTen[Int(entry.parameter)]
    case .plain, .dictionary:
      offsets = bytes.slice(layout.offsets, layout.heap - layout.offsets)
      heap = bytes.slice(layout.heap, bytes.count - layout.heap)
    }
    if cells.count < 8 { cells = Zeros.view }

    var externals = ByteView()
    if entry.flags.contains(.external) {
      externals = bytes.slice(layout.external, Bitmaps.byteCount(rowCount))
    }
    self.init(
      entry: entry, rowCount: rowCount, present: present, externals: externals, cells: cells,
      offsets: offsets, heap: heap, base: base, step: step, power: power)
    if let reason = damageOfCells { throw damaged(reason) }
  }

  /// The damage of the offsets, the codes or the external values; nil if they are valid.
  private var damageOfCells: Corruption.Reason? {
    let isDictionary = entry.encoding == .dictionary
    if isDictionary || entry.encoding == .plain, !hasValidOffsets { return .offsets }
    if isDictionary, !hasValidCodes || !hasAscendingEntries { return .codes }
    return hasExternals && !hasValidExternals ? .externalValue : nil
  }

  /// Whether the offsets ascend from 0 to the heap's length.
  private var hasValidOffsets: Bool {
    let count = textCount
    let end: Int
    if entry.encoding == .plain, entry.width == 16 {
      guard offsets.uint16(at: 0) == 0, ascends(count, as: UInt16.self) else { return false }
      end = Int(offsets.uint16(at: count * 2))
    } else {
      guard offsets.uint32(at: 0) == 0, ascends(count, as: UInt32.self) else { return false }
      end = Int(offsets.uint32(at: count * 4))
    }
    return CodeWidth.aligned(end) == heap.count
  }

  /// Whether `count` + 1 offsets do not descend; without a branch in the loop.
  @inline(__always)
  private func ascends<Offset: FixedWidthInteger & UnsignedInteger & BitwiseCopyable>(
    _ count: Int, as type: Offset.Type
  ) -> Bool {
    let size = MemoryLayout<Offset>.size
    var descents: Offset = 0
    for index in 0..<count {
      let start = offsets.load(at: index &* size, as: Offset.self)
      let end = offsets.load(at: index &* size &+ size, as: Offset.self)
      descents |= end < start ? 1 : 0
    }
    return descents == 0
  }

  /// Whether every code has a dictionary entry.
  private var hasValidCodes: Bool {
    let count = UInt64(entry.parameter)
    guard count <= codes.mask else { return true }
    let scan = CodeScan(cells: cells, reader: codes, rowCount: rowCount)
    return scan.count(CodeRange(lower: 0, upper: count - 1)) == rowCount
  }

  /// Whether the dictionary's entries ascend strictly.
  private var hasAscendingEntries: Bool {
    for index in 1..<max(Int(entry.parameter), 1)
    where !text(index - 1).precedes(text(index)) { return false }
    return true
  }

  /// Whether every external cell is a plausible reference.
  private var hasValidExternals: Bool {
    guard Bitmaps.hasNoBits(externals, from: rowCount) else { return false }
    for row in 0..<rowCount {
      guard externals.uint8(at: row >> 3) &>> UInt8(row & 7) & 1 != 0 else { continue }
      let cell = text(row)
      guard cell.count == ValueReference.byteCount, !isNull(row),
        ValueReference(cell, at: 0).isPlausible
      else { return false }
    }
    return true
  }
}

extension ColumnEntry {
  /// Whether type, encoding, width, parameter, flags and zone map are consistent.
  func isConsistent(rowCount: Int) -> Bool {
    let width = Int(width)
    guard flags.contains(.nulls) || nullCount == 0 || encoding == .allNull,
      encoding == .plain || !flags.contains(.external),
      !flags.contains(.zoneMap) || hasOrderedZoneMap
    else { return false }
    switch encoding {
    case .allNull:
      return nullCount == rowCount && flags.isEmpty && width == 0 && parameter == 0
    case .frameOfReference:
      return type == .integer && flags.contains(.zoneMap) && CodeWidth.isLegal(width)
        && parameter == 0
    case .stride:
      guard type == .integer, flags == .zoneMap, width == 0, parameter == 0, rowCount > 1 else {
        return false
      }
      return (maximum &- minimum) % UInt64(rowCount - 1) == 0
    case .raw:
      return (type == .double && width == 64 || type == .float && width == 32) && parameter == 0
    case .scaled:
      return
        (type == .double && parameter < Scaling.powersOfTen.count
        || type == .float && parameter == 0) && CodeWidth.isLegal(width)
    case .plain:
      return type == .bytes && (width == 16 || width == 32) && parameter == 0
    case .dictionary:
      return type == .bytes && CodeWidth.isLegal(width)
        && 1...ColumnLayout.rowCountMax ~= Int(parameter)
    case .rawUUID:
      return type == .uuid && width == 128 && parameter == 0
    }
  }

  /// Whether the minimum does not exceed the maximum.
  private var hasOrderedZoneMap: Bool {
    switch type {
    case .integer: Int64(bitPattern: minimum) <= Int64(bitPattern: maximum)
    case .double, .float: Double(bitPattern: minimum) <= Double(bitPattern: maximum)
    case .bytes, .uuid: minimum <= maximum
    }
  }
}

extension ValueReference {
  /// Whether the engine could have written the reference.
  fileprivate var isPlausible: Bool {
    guard length > UInt64(Self.inlineByteCountMax), length <= 1 << 48 else { return false }
    switch pointer.kind {
    case .valueBytes, .valueLZ4, .valueList, .valueNode: return true
    default: return false
    }
  }
}

/// Bitmaps in a column's bytes: words of 64 bits, a bit for each row.
enum Bitmaps {
  /// The size of a bitmap in bytes for the given number of rows.
  static func byteCount(_ rowCount: Int) -> Int { (rowCount + 63) / 64 * 8 }

  /// The number of set bits; −1 if a bit beyond the last row is set.
  static func count(_ bitmap: ByteView, _ rowCount: Int) -> Int {
    guard hasNoBits(bitmap, from: rowCount) else { return -1 }
    return stride(from: 0, to: bitmap.count, by: 8).reduce(0) {
      $0 + bitmap.uint64(at: $1).nonzeroBitCount
    }
  }

  /// Whether all bits of the last word beyond the last row are clear.
  static func hasNoBits(_ bitmap: ByteView, from rowCount: Int) -> Bool {
    guard rowCount % 64 != 0 else { return true }
    return bitmap.uint64(at: bitmap.count - 8) & ~Bits.low(rowCount % 64) == 0
  }
}
