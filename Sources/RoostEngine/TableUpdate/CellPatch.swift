/// A new value for one cell of a leaf, to overwrite the old one in a copy of its column's extent.
///
/// A commit that changes a field of one object copies an extent and its path; decoding and encoding the
/// column for it would take most of its time. If the column's form would have to change (its encoding,
/// width or zone map, or which cells are null), there is no patch, and the column is encoded anew.
struct CellPatch {
  /// The index of the column in the directory.
  let place: Int
  /// The number of bytes by which the column grows: a multiple of 8.
  let growth: Int
  private let column: ColumnChunk
  private let row: Int
  private let content: Content

  private enum Content {
    /// Bits of a code, or of a raw number.
    case code(UInt64)
    /// A UUID as two big-endian halves.
    case uuid(high: UInt64, low: UInt64)
    /// A text, as a cell of a buffer.
    case text(ColumnBuffer, Int)
  }

  /// - Parameter place: The column's place in the leaf's directory.
  /// - Returns: nil if the column has to be encoded anew.
  init?(_ column: ColumnChunk, place: Int, row: Int, to cells: ColumnBuffer, _ cell: Int) {
    guard column.type == cells.type, !column.isNull(row), !cells.isNull(cell),
      column.entry.flags.contains(.zoneMap)
    else { return nil }
    var growth = 0
    switch (column.entry.encoding, column.type) {
    case (.frameOfReference, .integer):
      let value = cells.integer(cell)
      let entry = column.entry
      guard value >= Int64(bitPattern: entry.minimum), value <= Int64(bitPattern: entry.maximum),
        column.keepsExtremes(
          without: row, UInt64(bitPattern: column.integer(row)),
          { UInt64(bitPattern: $0.uncheckedInteger($1)) })
      else { return nil }
      let code = UInt64(bitPattern: value) &- entry.minimum
      // The zone map of a hostile file may exceed the range of the codes.
      guard code <= column.codes.mask else { return nil }
      content = .code(code)
    case (.raw, .double):
      guard column.admits(cells.double(cell), at: row) else { return nil }
      content = .code(cells.double(cell).bitPattern)
    case (.raw, .float):
      guard column.admits(Double(cells.float(cell)), at: row) else { return nil }
      content = .code(UInt64(cells.float(cell).bitPattern))
    case (.scaled, .double):
      let value = cells.double(cell)
      guard column.admits(value, at: row), let whole = Scaling.scaled(value, by: column.power)
      else { return nil }
      let code = UInt64(bitPattern: whole &- column.base)
      guard whole >= column.base, code <= column.codes.mask else { return nil }
      content = .code(code)
    case (.rawUUID, .uuid):
      let (high, low) = cells.uuid(cell)
      guard high >= column.entry.minimum, high <= column.entry.maximum,
        column.keepsExtremes(without: row, column.uuid(row).high, { $0.uuid($1).high })
      else { return nil }
      content = .uuid(high: high, low: low)
    case (.plain, .bytes):
      guard let change = column.growth(at: row, to: cells, cell) else { return nil }
      growth = change
      content = .text(cells, cell)
    default: return nil
    }
    self.place = place
    self.column = column
    self.row = row
    self.growth = growth
  }

  /// The bytes of the extent that change; nil where other columns may, too.
  func changedBytes(_ entries: [ColumnEntry]) -> Range<Int>? {
    let entry = entries[place]
    let cells = Int(entry.offset) + ColumnLayout(entry, rowCount: column.rowCount).cells
    switch content {
    case .code:
      let width = Int(entry.width)
      let start = cells + row * width / 8
      return start..<start + (width + 7) / 8
    case .uuid: return cells + 16 * row..<cells + 16 * (row + 1)
    case .text: return nil
    }
  }

  /// Writes the cell into a copy of its extent; all columns behind this one move to make room.
  ///
  /// - Parameters:
  ///   - entries: The directory of the leaf; offsets and lengths are changed where the column grows.
  ///   - end: Where the last column of the extent ends.
  func store(
    in extent: MutableByteView, _ entries: inout [ColumnEntry], end: inout Int
  ) {
    let entry = entries[place]
    let layout = ColumnLayout(entry, rowCount: column.rowCount)
    let start = Int(entry.offset)
    switch content {
    case .code(let code):
      CodePacking.replace(
        row, width: Int(entry.width), in: extent.slice(start, Int(entry.length)),
        from: layout.cells, by: code)
    case .uuid(let high, let low):
      extent.store(high.byteSwapped, at: start + layout.cells + 16 * row)
      extent.store(low.byteSwapped, at: start + layout.cells + 16 * row + 8)
    case .text(let cells, let cell):
      let columnEnd = start + Int(entry.length)
      extent.copy(
        extent.readOnly.slice(columnEnd, max(end - columnEnd, 0)), at: columnEnd + growth)
      if growth < 0 { extent.slice(end + growth, -growth).zero() }
      end += growth
      for other in entries.indices
      where entries[other].group == entry.group && Int(entries[other].offset) >= columnEnd {
        entries[other].offset = UInt32(Int(entries[other].offset) + growth)
      }
      entries[place].length = UInt32(Int(entry.length) + growth)
      let target = extent.slice(start, Int(entry.length) + growth)
      if entry.width == 16 {
        storeText(cells.bytes(cell), in: target, layout, UInt16.self)
      } else {
        storeText(cells.bytes(cell), in: target, layout, UInt32.self)
      }
    }
  }

  /// Writes the column's offsets and heap from the row onward.
  ///
  /// They are taken from the old column, which was validated: the copy may not be valid, if columns of
  /// a hostile file overlap.
  private func storeText<Offset: FixedWidthInteger & UnsignedInteger & BitwiseCopyable>(
    _ text: ByteView, in target: MutableByteView, _ layout: ColumnLayout, _ type: Offset.Type
  ) {
    let old = column.textRange(row)
    let used = column.textRange(column.rowCount - 1).upperBound
    let rest = column.heap.slice(old.upperBound, used - old.upperBound)
    target.copy(text, at: layout.heap + old.lowerBound)
    target.copy(rest, at: layout.heap + old.lowerBound + text.count)
    let end = layout.heap + old.lowerBound + text.count + rest.count
    target.slice(end, target.count - end).zero()
    let shift = text.count - old.count
    guard shift != 0 else { return }
    let addend = Offset(truncatingIfNeeded: shift)
    for index in row + 1...column.rowCount {
      let place = MemoryLayout<Offset>.size &* index
      target.store(
        column.offsets.load(at: place, as: Offset.self) &+ addend, at: layout.offsets &+ place)
    }
  }
}

extension ColumnChunk {
  /// Whether a number may replace a row's value without a change of the zone map.
  fileprivate func admits(_ value: Double, at row: Int) -> Bool {
    let minimum = Double(bitPattern: entry.minimum)
    let maximum = Double(bitPattern: entry.maximum)
    // −0 among zeros is left to the encoder; NaN fails both comparisons.
    guard value >= minimum, value <= maximum, value != 0 || value.sign == .plus else {
      return false
    }
    let isFloat = type == .float
    // The old value may be the only NaN, and the zone map records whether there is one.
    guard !number(at: row, isFloat).isNaN else { return false }
    return keepsExtremes(without: row, (number(at: row, isFloat) + 0).bitPattern) {
      ($0.number(at: $1, isFloat) + 0).bitPattern
    }
  }

  private func number(at row: Int, _ isFloat: Bool) -> Double {
    isFloat ? Double(uncheckedFloat(row)) : uncheckedDouble(row)
  }

  /// Whether minimum and maximum stay the same without a row: if it has one of them, another row
  /// must have it too.
  ///
  /// - Parameter value: The zone map's value of a row, which may be null.
  @inline(__always)
  fileprivate func keepsExtremes(
    without row: Int, _ old: UInt64, _ value: (ColumnChunk, Int) -> UInt64
  ) -> Bool {
    guard old == entry.minimum || old == entry.maximum else { return true }
    for other in 0..<rowCount where other != row && value(self, other) == old && !isNull(other) {
      return true
    }
    return false
  }
}

extension CodePacking {
  /// Overwrites an old code.
  fileprivate static func replace(
    _ index: Int, width: Int, in column: MutableByteView, from start: Int, by code: UInt64
  ) {
    switch width {
    case 0: break
    case 1, 2, 4:
      let bit = index * width
      let place = start + bit / 8
      let shift = UInt8(bit % 8)
      let mask = UInt8((1 << width) - 1) << shift
      let old = column.readOnly.uint8(at: place)
      column.store(old & ~mask | UInt8(truncatingIfNeeded: code) << shift, at: place)
    default:
      for byte in 0..<width / 8 {
        column.store(
          UInt8(truncatingIfNeeded: code >> UInt64(8 * byte)), at: start + index * width / 8 + byte)
      }
    }
  }
}

extension ColumnChunk {
  /// The number of bytes by which the column grows when a row gets another text; nil if it has to be encoded anew.
  fileprivate func growth(at row: Int, to cells: ColumnBuffer, _ cell: Int) -> Int? {
    let new = cells.bytes(cell)
    let prefix = new.bigEndianPrefix(at: 0)
    guard !isExternal(row), cells.external(cell) == nil,
      prefix >= entry.minimum, prefix <= entry.maximum,
      keepsExtremes(
        without: row, text(row).bigEndianPrefix(at: 0),
        { column, row in
          // The reference to an external value contains the first bytes.
          column.text(row).bigEndianPrefix(at: column.isExternal(row) ? 32 : 0)
        })
    else { return nil }
    let used = textRange(rowCount - 1).upperBound
    let newlyUsed = used - text(row).count + new.count
    guard entry.width > 16 || newlyUsed <= Int(UInt16.max) else { return nil }
    return CodeWidth.aligned(newlyUsed) - CodeWidth.aligned(used)
  }
}
