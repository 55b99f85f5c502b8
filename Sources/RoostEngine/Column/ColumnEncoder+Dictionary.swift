extension ColumnEncoder {
  /// The number of rows sampled to find out whether texts repeat at all.
  private static let sampleCount = 128

  /// Chooses a dictionary if it saves an eighth of the plain representation.
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

  /// Whether at least a tenth of the first rows repeat a text, as far as hashes tell.
  ///
  /// A set of 4096 bits replaces a table: a few false repeats do no harm.
  private static func repeats(_ buffer: ColumnBuffer, _ rows: Range<Int>) -> Bool {
    let sample = rows.lowerBound..<min(rows.upperBound, rows.lowerBound + sampleCount)
    let heap = buffer.heapBytes
    let spans = unsafe buffer.cells(from: sample.lowerBound, as: ByteSpan.self)
    let distinct = unsafe withUnsafeTemporaryAllocation(of: UInt64.self, capacity: 64) { met in
      unsafe met.initialize(repeating: 0)
      var distinct = 0
      for index in 0..<sample.count {
        let hash = unsafe heap.hash(of: spans[index])
        let bit = 1 as UInt64 &<< (hash & 63)
        let word = Int(truncatingIfNeeded: hash &>> 6 & 63)
        distinct &+= unsafe met[word] & bit == 0 ? 1 : 0
        unsafe met[word] |= bit
      }
      return distinct
    }
    return distinct * 10 <= sample.count * 9
  }

  /// The dictionary of all rows.
  private static func dictionary(_ buffer: ColumnBuffer, _ rows: Range<Int>) -> TextDictionary? {
    let heap = buffer.heapBytes
    var table = TextHashTable(heap, capacity: rows.count)
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

/// A hash table of the distinct texts so far; open addressing, at most half full.
private struct TextHashTable {
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

  /// The index of an equal text; the text is added if there is none.
  mutating func insert(_ span: ByteSpan) -> Int {
    let text = heap.slice(span.offset, Int(span.length))
    let mask = slots.count - 1
    var slot = Int(truncatingIfNeeded: heap.hash(of: span)) & mask
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
}

extension ByteView {
  /// A hash of the length and all bytes of a text; collisions cost time and nothing else.
  @inline(__always)
  fileprivate func hash(of span: ByteSpan) -> UInt64 {
    let start = span.offset
    let end = span.end
    var hash = UInt64(truncatingIfNeeded: end &- start) &* 0x9E37_79B9_7F4A_7C15
    hash = mixed(hash ^ bigEndianPrefix(start..<end))
    if end &- start > 8 {
      var place = start &+ 8
      while place &+ 8 < end {
        hash = mixed(hash ^ uint64(at: place))
        place &+= 8
      }
      // The last 8 bytes; some of them may be hashed a second time.
      hash = mixed(hash ^ uint64(at: end &- 8))
    }
    return hash
  }

  /// Combines both halves of a product, so that the highest bits affect the lowest too.
  @inline(__always)
  private func mixed(_ hash: UInt64) -> UInt64 {
    let product = hash.multipliedFullWidth(by: 0x9FB2_1C65_1E98_DF25)
    return product.high ^ product.low
  }
}
