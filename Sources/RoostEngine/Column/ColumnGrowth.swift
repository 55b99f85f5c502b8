/// An encoded column extended by new rows, made from its bytes.
///
/// A commit of one object rewrites the last leaf of a table; decoding and encoding its columns would take much of
/// the commit's time. Numbers and texts without nulls are copied, and the new values appended.
/// A column whose representation has to change is encoded again.
///
/// A class, since leaves hand their columns on, and each copy of what it holds would count ten references.
package final class ColumnGrowth {
  /// The entry of the longer column, without its place.
  package let entry: ColumnEntry
  private let chunk: ColumnChunk
  private let cells: ColumnBuffer
  private let rows: Range<Int>
  /// All rows and their plan, if the column is encoded again; otherwise nil.
  private let anew: (rows: ColumnBuffer, plan: ColumnPlan)?

  /// - Parameters:
  ///   - cells: A buffer of the column's type, with the rows that follow.
  ///   - rows: Those rows, at least one, and with the column's no more than a leaf has.
  package init(_ chunk: ColumnChunk, _ cells: ColumnBuffer, rows: Range<Int>) {
    precondition(chunk.type == cells.type, "The column's type is another.")
    precondition(
      !rows.isEmpty && chunk.rowCount + rows.count <= ColumnLayout.rowCountMax,
      "More rows than a leaf has.")
    self.chunk = chunk
    self.cells = cells
    self.rows = rows
    if let entry = chunk.entry(with: cells, rows) {
      self.entry = entry
      anew = nil
    } else {
      let all = ColumnBuffer(type: chunk.type)
      all.append(chunk, rows: 0..<chunk.rowCount)
      all.append(cells, rows: rows)
      let plan = ColumnEncoder.plan(all, rows: 0..<all.count)
      entry = plan.entry(field: chunk.entry.field, group: 0, offset: 0)
      anew = (all, plan)
    }
  }

  /// The bytes of the longer column.
  package var byteCount: Int { Int(entry.length) }

  /// Writes the longer column to a view of zeros of the same length.
  package func store(in bytes: MutableByteView) {
    if let anew {
      let all = 0..<anew.rows.count
      return ColumnEncoder.encode(anew.rows, rows: all, plan: anew.plan, into: bytes)
    }
    let layout = ColumnLayout(entry, rowCount: chunk.rowCount + rows.count)
    let target = bytes.slice(layout.cells, bytes.count - layout.cells)
    switch entry.encoding {
    case .frameOfReference: storeIntegers(in: target)
    case .raw, .rawUUID: storeRaw(in: target)
    case .plain where entry.width == 16: storeTexts(in: bytes, layout, UInt16.self)
    case .plain: storeTexts(in: bytes, layout, UInt32.self)
    case .dictionary: storeCodes(in: bytes, layout)
    case .allNull, .stride, .scaled: break
    }
  }

  private func storeIntegers(in target: MutableByteView) {
    let known = chunk.rowCount
    let minimum = entry.minimum
    CodePacking.pack(known + rows.count, width: Int(entry.width), into: target) { row in
      let value =
        row < known
        ? chunk.uncheckedInteger(row) : cells.integer(rows.lowerBound &+ row &- known)
      return UInt64(bitPattern: value) &- minimum
    }
  }

  private func storeRaw(in target: MutableByteView) {
    let size = Int(entry.width) / 8
    target.copy(chunk.cells.slice(0, chunk.rowCount * size), at: 0)
    var place = chunk.rowCount * size
    for row in rows {
      switch entry.type {
      case .double: target.store(cells.double(row).bitPattern, at: place)
      case .float: target.store(cells.float(row).bitPattern, at: place)
      default:
        let (high, low) = cells.uuid(row)
        target.store(high.byteSwapped, at: place)
        target.store(low.byteSwapped, at: place + 8)
      }
      place += size
    }
  }

  private func storeTexts<Offset: FixedWidthInteger & BitwiseCopyable>(
    in bytes: MutableByteView, _ layout: ColumnLayout, _ type: Offset.Type
  ) {
    let size = MemoryLayout<Offset>.size
    bytes.copy(chunk.offsets.slice(0, size * (chunk.rowCount + 1)), at: layout.offsets)
    var end = chunk.textRange(chunk.rowCount - 1).upperBound
    bytes.copy(chunk.heap.slice(0, end), at: layout.heap)
    var place = layout.offsets + size * (chunk.rowCount + 1)
    for row in rows {
      let text = cells.bytes(row)
      bytes.copy(text, at: layout.heap + end)
      end += text.count
      bytes.store(Offset(truncatingIfNeeded: end), at: place)
      place += size
    }
  }

  private func storeCodes(in bytes: MutableByteView, _ layout: ColumnLayout) {
    let known = chunk.rowCount
    let target = bytes.slice(layout.cells, bytes.count - layout.cells)
    CodePacking.pack(known + rows.count, width: Int(entry.width), into: target) { row in
      if row < known { return UInt64(truncatingIfNeeded: chunk.code(row)) }
      // Making the entry found the code.
      return UInt64(chunk.code(of: cells.bytes(rows.lowerBound + row - known)) ?? 0)
    }
    bytes.copy(chunk.offsets, at: layout.offsets)
    bytes.copy(chunk.heap, at: layout.heap)
  }
}

extension ColumnChunk {
  /// The entry of the column extended by rows; nil if the column has to be encoded again.
  fileprivate func entry(with cells: ColumnBuffer, _ rows: Range<Int>) -> ColumnEntry? {
    guard present.count == 0, externals.count == 0, entry.flags.contains(.zoneMap),
      cells.nullCount(rows) == 0
    else { return nil }
    var grown: ColumnEntry?
    var heapByteCount = 0
    switch (entry.encoding, type) {
    case (.frameOfReference, .integer), (.stride, .integer):
      grown = entry(integers: cells, rows)
    case (.raw, .double):
      grown = entry(numbers: rows) { cells.double($0) }
    case (.raw, .float):
      grown = entry(numbers: rows) { Double(cells.float($0)) }
    case (.rawUUID, .uuid):
      grown = entry(prefixes: rows) { cells.uuid($0).high }
    case (.plain, .bytes):
      heapByteCount = textRange(rowCount - 1).upperBound
      for row in rows {
        guard cells.external(row) == nil else { return nil }
        heapByteCount += cells.bytes(row).count
      }
      guard entry.width > 16 || heapByteCount <= Int(UInt16.max) else { return nil }
      grown = entry(prefixes: rows) { cells.bytes($0).bigEndianPrefix(at: 0) }
    case (.dictionary, .bytes):
      for row in rows {
        guard cells.external(row) == nil, code(of: cells.bytes(row)) != nil else { return nil }
      }
      heapByteCount = heap.count
      grown = entry
    default:
      return nil
    }
    guard var grown else { return nil }
    let layout = ColumnLayout(grown, rowCount: rowCount + rows.count)
    grown.length = UInt32(layout.heap + CodeWidth.aligned(heapByteCount))
    return grown
  }

  /// The code of a text; nil if it is not in the dictionary.
  fileprivate func code(of text: ByteView) -> Int? {
    let entries = 0..<Int(entry.parameter)
    let code = entries.partitioningIndex { !self.text($0).precedes(text) }
    return code < entries.count && self.text(code).bytesEqual(text) ? code : nil
  }

  /// Chooses as the encoder would, from the values themselves: a stored zone map may be wrong.
  private func entry(integers cells: ColumnBuffer, _ rows: Range<Int>) -> ColumnEntry {
    var minimum = Int64.max
    var maximum = Int64.min
    for row in 0..<rowCount {
      minimum = min(minimum, uncheckedInteger(row))
      maximum = max(maximum, uncheckedInteger(row))
    }
    var last = uncheckedInteger(rowCount - 1)
    var isStride = rowCount == 1 || entry.encoding == .stride
    let step = rowCount == 1 ? cells.integer(rows.lowerBound) &- last : step
    for row in rows {
      let value = cells.integer(row)
      isStride = isStride && value > last && value == last &+ step
      last = value
      minimum = min(minimum, value)
      maximum = max(maximum, value)
    }
    var grown = entry
    grown.minimum = UInt64(bitPattern: minimum)
    grown.maximum = UInt64(bitPattern: maximum)
    grown.encoding = isStride ? .stride : .frameOfReference
    grown.width = isStride ? 0 : UInt8(CodeWidth.fitting(grown.maximum &- grown.minimum))
    return grown
  }

  private func entry(numbers rows: Range<Int>, _ number: (Int) -> Double) -> ColumnEntry? {
    var minimum = Double(bitPattern: entry.minimum)
    var maximum = Double(bitPattern: entry.maximum)
    for row in rows {
      // Adding zero makes −0 a 0.
      let number = number(row) + 0
      guard !number.isNaN else { return nil }
      minimum = min(minimum, number)
      maximum = max(maximum, number)
    }
    var grown = entry
    grown.minimum = minimum.bitPattern
    grown.maximum = maximum.bitPattern
    return grown
  }

  private func entry(prefixes rows: Range<Int>, _ prefix: (Int) -> UInt64) -> ColumnEntry {
    var grown = entry
    for row in rows {
      let prefix = prefix(row)
      grown.minimum = min(grown.minimum, prefix)
      grown.maximum = max(grown.maximum, prefix)
    }
    return grown
  }
}
