/// A new value for one cell of a leaf, to overwrite the old one in a copy of its column's extent.
///
/// A commit that changes a field of one object copies an extent and its path; decoding and encoding the
/// column for it would take most of its time. If the column's form would have to change (its encoding,
/// width or base, or which cells are null), there is no patch, and the column is encoded anew.
struct CellPatch {
  /// The index of the column in the directory.
  let place: Int
  /// The entry of the column with the new value; its offset is the old one.
  let entry: ColumnEntry
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
    switch (column.entry.encoding, column.type) {
    case (.frameOfReference, .integer):
      let value = cells.integer(cell)
      guard let entry = column.entry(withInteger: value, at: row) else { return nil }
      let code = UInt64(bitPattern: value) &- entry.minimum
      // The zone map of a hostile file may exceed the range of the codes.
      guard code <= column.codes.mask else { return nil }
      (self.entry, content) = (entry, .code(code))
    case (.raw, .double):
      guard let entry = column.entry(with: cells.double(cell), at: row) else { return nil }
      (self.entry, content) = (entry, .code(cells.double(cell).bitPattern))
    case (.raw, .float):
      guard let entry = column.entry(with: Double(cells.float(cell)), at: row) else { return nil }
      (self.entry, content) = (entry, .code(UInt64(cells.float(cell).bitPattern)))
    case (.scaled, .double):
      let value = cells.double(cell)
      guard let entry = column.entry(with: value, at: row), column.keepsCodes(entry),
        let whole = Scaling.scaled(value, by: column.power)
      else { return nil }
      let code = UInt64(bitPattern: whole &- column.base)
      guard whole >= column.base, code <= column.codes.mask else { return nil }
      (self.entry, content) = (entry, .code(code))
    case (.rawUUID, .uuid):
      let (high, low) = cells.uuid(cell)
      entry = column.entry(withPrefix: high, at: row) { $0.uuid($1).high }
      content = .uuid(high: high, low: low)
    case (.plain, .bytes):
      guard let entry = column.entry(withText: cells, cell, at: row) else { return nil }
      (self.entry, content) = (entry, .text(cells, cell))
    default: return nil
    }
    self.place = place
    self.column = column
    self.row = row
  }

  /// The number of bytes by which the column grows: a multiple of 8.
  var growth: Int { Int(entry.length) - Int(column.entry.length) }

  /// Whether the entry of the column stays as it is.
  var keepsEntry: Bool { entry == column.entry }

  /// The bytes of the column in the old extent.
  var bytes: Range<Int> {
    let start = Int(column.entry.offset)
    return start..<start + Int(column.entry.length)
  }

  /// Copies the extent up to the end of the column, with the new cell.
  ///
  /// - Parameter source: Where the bytes of the old extent begin that are not copied yet.
  func store(in page: inout PageCopy, from source: inout Int) {
    let old = column.entry
    let layout = ColumnLayout(old, rowCount: column.rowCount)
    let start = Int(old.offset)
    /// Copies up to a place of the column.
    func copy(to end: Int) {
      page.copy(start + end - source, from: source)
      source = start + end
    }
    switch content {
    case .code(let code):
      let width = Int(old.width)
      let byteCount = (width + 7) / 8
      copy(to: layout.cells + row * width / 8)
      CodePacking.replace(row, width: width, in: page.edit(byteCount, from: source), by: code)
      source += byteCount
    case .uuid(let high, let low):
      copy(to: layout.cells + 16 * row)
      page.append(high.byteSwapped)
      page.append(low.byteSwapped)
      source += 16
    case .text(let cells, let cell):
      let range = column.textRange(row)
      let used = column.textRange(column.rowCount - 1).upperBound
      let text = cells.bytes(cell)
      let later = column.rowCount - row
      let width = Int(old.width) / 8
      copy(to: layout.offsets + (row + 1) * width)
      if width == 2 {
        page.add(UInt16(truncatingIfNeeded: text.count - range.count), to: later, from: source)
      } else {
        page.add(UInt32(truncatingIfNeeded: text.count - range.count), to: later, from: source)
      }
      source += later * width
      copy(to: layout.heap + range.lowerBound)
      page.append(text)
      source += range.count
      copy(to: layout.heap + used)
      let newlyUsed = used - range.count + text.count
      let padding = CodeWidth.aligned(newlyUsed) - newlyUsed
      let end = page.append(padding)
      page.target.slice(end, padding).zero()
      source = start + Int(old.length)
    }
  }
}

extension ColumnChunk {
  /// The column's entry with another integer in a row; nil if its codes would change.
  fileprivate func entry(withInteger new: Int64, at row: Int) -> ColumnEntry? {
    let bounds = (Int64(bitPattern: self.entry.minimum), Int64(bitPattern: self.entry.maximum))
    let (least, greatest) = extremes(bounds, of: integer(row), new, at: row) {
      $0.uncheckedInteger($1)
    }
    var entry = self.entry
    entry.minimum = UInt64(bitPattern: least)
    entry.maximum = UInt64(bitPattern: greatest)
    let width = CodeWidth.fitting(entry.maximum &- entry.minimum)
    return least == bounds.0 && width == Int(entry.width) ? entry : nil
  }

  /// The column's entry with another number in a row; nil if it has to be encoded anew.
  fileprivate func entry(with new: Double, at row: Int) -> ColumnEntry? {
    // −0 is left to the encoder. The old value may be the only NaN, and the entry says whether there is one.
    guard !new.isNaN, new != 0 || new.sign == .plus, !number(row).isNaN else { return nil }
    let bounds = (Double(bitPattern: self.entry.minimum), Double(bitPattern: self.entry.maximum))
    let (least, greatest) = extremes(bounds, of: number(row), new, at: row) {
      let number = $0.number($1)
      return number.isNaN ? nil : number
    }
    var entry = self.entry
    entry.minimum = least.bitPattern
    entry.maximum = greatest.bitPattern
    return entry
  }

  /// The number of a row; 0 for −0.
  private func number(_ row: Int) -> Double {
    (type == .float ? Double(uncheckedFloat(row)) : uncheckedDouble(row)) + 0
  }

  /// Whether the encoder would choose the same codes, or narrower ones, for the values of another entry.
  fileprivate func keepsCodes(_ entry: ColumnEntry) -> Bool {
    entry.minimum == self.entry.minimum
      && Double(bitPattern: entry.maximum) >= Double(bitPattern: self.entry.maximum)
  }

  /// The column's entry with another value in a row, of which a prefix is in the zone map.
  fileprivate func entry(
    withPrefix new: UInt64, at row: Int, _ prefix: (ColumnChunk, Int) -> UInt64
  ) -> ColumnEntry {
    var entry = self.entry
    (entry.minimum, entry.maximum) = extremes(
      (entry.minimum, entry.maximum), of: prefix(self, row), new, at: row, prefix)
    return entry
  }

  /// The column's entry with another text in a row; nil if it has to be encoded anew.
  fileprivate func entry(
    withText cells: ColumnBuffer, _ cell: Int, at row: Int
  ) -> ColumnEntry? {
    let new = cells.bytes(cell)
    guard !isExternal(row), cells.external(cell) == nil else { return nil }
    let used = textRange(rowCount - 1).upperBound
    let newlyUsed = used - text(row).count + new.count
    let heap = ColumnLayout(entry, rowCount: rowCount).heap
    guard entry.width > 16 || newlyUsed <= Int(UInt16.max),
      // Not so in a hostile file.
      Int(entry.length) == heap + CodeWidth.aligned(used)
    else { return nil }
    var entry = entry(withPrefix: new.bigEndianPrefix(at: 0), at: row) { column, row in
      // The reference to an external value contains the first bytes.
      column.text(row).bigEndianPrefix(at: column.isExternal(row) ? 32 : 0)
    }
    entry.length = UInt32(heap + CodeWidth.aligned(newlyUsed))
    return entry
  }

  /// The least and the greatest value of the column once a row has another one.
  ///
  /// The other rows are read only where the row had one of the two.
  /// - Parameters:
  ///   - bounds: The least and the greatest value now.
  ///   - value: The value of a row that is not null; nil for one that does not count.
  @inline(__always)
  private func extremes<Value: Comparable>(
    _ bounds: (Value, Value), of old: Value, _ new: Value, at row: Int,
    _ value: (ColumnChunk, Int) -> Value?
  ) -> (Value, Value) {
    var (least, greatest) = (min(bounds.0, new), max(bounds.1, new))
    let loses = (least: old == bounds.0 && new > old, greatest: old == bounds.1 && new < old)
    guard loses.least || loses.greatest else { return (least, greatest) }
    if loses.least { least = new }
    if loses.greatest { greatest = new }
    for other in 0..<rowCount where other != row && !isNull(other) {
      guard let value = value(self, other) else { continue }
      least = min(least, value)
      greatest = max(greatest, value)
    }
    return (least, greatest)
  }
}

extension CodePacking {
  /// Overwrites the bytes of a cell, which other cells may share, with another code.
  fileprivate static func replace(
    _ index: Int, width: Int, in cell: MutableByteView, by code: UInt64
  ) {
    switch width {
    case 0: break
    case 1, 2, 4:
      let shift = UInt8(index * width % 8)
      let mask = UInt8((1 << width) - 1) << shift
      let old = cell.readOnly.uint8(at: 0)
      cell.store(old & ~mask | UInt8(truncatingIfNeeded: code) << shift, at: 0)
    default:
      for byte in 0..<cell.count {
        cell.store(UInt8(truncatingIfNeeded: code >> UInt64(8 * byte)), at: byte)
      }
    }
  }
}
