/// The distinct texts of some rows, in order, and each row's code.
struct TextDictionary {
  /// For each row the place of its text among the entries; 0 for null.
  var codes: [UInt16]
  /// Where the distinct texts lie in the buffer's heap, ascending as bytes.
  var entries: [ByteSpan]
}

extension ColumnEncoder {
  /// The rows that are looked at to see whether texts repeat at all.
  private static let sampleCount = 256

  /// Takes the dictionary where it saves an eighth of the plain representation.
  static func planDictionary(_ buffer: ColumnBuffer, _ rows: Range<Int>, _ plan: inout ColumnPlan) {
    guard repeats(buffer, rows), let dictionary = dictionary(buffer, rows) else { return }
    var shorter = plan
    shorter.encoding = .dictionary
    shorter.parameter = dictionary.entries.count
    shorter.width = CodeWidth.fitting(UInt64(dictionary.entries.count - 1))
    shorter.heapByteCount = dictionary.entries.reduce(0) { $0 + Int($1.length) }
    shorter.dictionary = dictionary
    if shorter.byteCount * 8 <= plan.byteCount * 7 { plan = shorter }
  }

  static func encodeDictionary(
    _ buffer: ColumnBuffer, _ plan: ColumnPlan, into bytes: MutableByteView
  ) {
    guard let dictionary = plan.dictionary else { return }
    let layout = plan.layout
    let codes = dictionary.codes.span
    CodePacking.pack(
      plan.rowCount, width: plan.width, into: bytes.slice(layout.cells, bytes.count - layout.cells)
    ) { row in
      UInt64(codes[row])
    }
    let heap = buffer.heapBytes
    var end = 0
    bytes.store(0 as UInt32, at: layout.offsets)
    for (index, entry) in dictionary.entries.enumerated() {
      bytes.copy(heap.slice(entry.offset, Int(entry.length)), at: layout.heap + end)
      end += Int(entry.length)
      bytes.store(UInt32(truncatingIfNeeded: end), at: layout.offsets + (index + 1) * 4)
    }
  }

  /// Whether at least an eighth of the first rows repeat a text.
  private static func repeats(_ buffer: ColumnBuffer, _ rows: Range<Int>) -> Bool {
    let sample = rows.lowerBound..<min(rows.upperBound, rows.lowerBound + sampleCount)
    var table = TextTable(buffer.heapBytes, capacity: sample.count)
    for row in sample where !buffer.isNull(row) { _ = table.insert(buffer.span(row)) }
    return table.texts.count * 8 <= sample.count * 7
  }

  /// The dictionary of all rows.
  private static func dictionary(_ buffer: ColumnBuffer, _ rows: Range<Int>) -> TextDictionary? {
    let heap = buffer.heapBytes
    var table = TextTable(heap, capacity: rows.count)
    var codes: [UInt16] = []
    codes.reserveCapacity(rows.count)
    for row in rows {
      codes.append(buffer.isNull(row) ? .max : UInt16(table.insert(buffer.span(row))))
    }
    let texts = table.texts
    let order = texts.indices.sorted {
      heap.slice(texts[$0].offset, Int(texts[$0].length))
        .precedes(heap.slice(texts[$1].offset, Int(texts[$1].length)))
    }
    var ranks = [UInt16](repeating: 0, count: texts.count)
    for (rank, text) in order.enumerated() { ranks[text] = UInt16(rank) }
    for row in codes.indices { codes[row] = codes[row] == .max ? 0 : ranks[Int(codes[row])] }
    return TextDictionary(codes: codes, entries: order.map { texts[$0] })
  }
}

/// The distinct texts met so far, found by hash; open addressing, at most half full.
private struct TextTable {
  private(set) var texts: [ByteSpan] = []
  private let heap: ByteView
  /// 1 + the index of a text, 0 for a free slot.
  private var slots: [UInt16]

  init(_ heap: ByteView, capacity: Int) {
    self.heap = heap
    var size = 64
    while size < capacity * 2 { size *= 2 }
    slots = [UInt16](repeating: 0, count: size)
  }

  /// The index of an equal text, which is added where there is none.
  mutating func insert(_ span: ByteSpan) -> Int {
    let text = heap.slice(span.offset, Int(span.length))
    let mask = slots.count - 1
    var slot = Int(truncatingIfNeeded: hash(text)) & mask
    while slots[slot] != 0 {
      let index = Int(slots[slot]) - 1
      let known = texts[index]
      if heap.slice(known.offset, Int(known.length)).bytesEqual(text) { return index }
      slot = (slot + 1) & mask
    }
    texts.append(span)
    slots[slot] = UInt16(texts.count)
    return texts.count - 1
  }

  /// Mixes the length and every eighth byte's word; a poor hash costs time and nothing else.
  private func hash(_ text: ByteView) -> UInt64 {
    var hash = UInt64(text.count) &* 0x9E37_79B9_7F4A_7C15
    var offset = 0
    while offset < text.count {
      hash = (hash ^ text.bigEndianPrefix(at: offset)) &* 0x9FB2_1C65_1E98_DF25
      hash ^= hash &>> 32
      offset += 8
    }
    return hash
  }
}
