/// The first 256 bits of every row's sort keys, packed so that comparing words decides nearly all pairs.
///
/// Integers take only the bits for their range, so that `(age, name)` leaves 31 bytes for the name.
/// If the words of two rows are equal and `isExact` is false, the rest of the keys decides.
struct SortWords {
  /// The position of one key among the bits.
  private struct Part {
    let key: SortColumn
    let type: PhysicalType
    /// The bit that distinguishes values (1) from null (0); nil if there are no nulls.
    let flag: Int?
    /// The first bit of the value.
    let offset: Int
    /// The number of bits of the value; for bytes, all remaining bits.
    let width: Int
    /// The base of integer codes.
    let base: Int64
  }

  private var parts: [Part] = []
  /// Whether the words contain all keys completely.
  private(set) var isExact = true
  /// The words of all rows, row after row.
  private(set) var words: [UInt64] = []
  /// The number of words per row.
  private(set) var wordCount = 1
  /// The number of rows.
  var rowCount: Int { words.count / wordCount }

  private static let bitCount = 256

  /// - Parameter ranges: For each key, what is known of its values.
  init(_ order: [SortColumn], _ ranges: [SortRange]) {
    var end = 0
    for (place, key) in order.enumerated() {
      let type = key.type
      let flag = ranges[place].hasNulls ? end : nil
      let offset = end + (flag == nil ? 0 : 1)
      let width =
        switch type {
        case .integer: ranges[place].bitWidth
        case .double: 64
        case .float: 32
        case .uuid: 128
        // Only 16 bytes of long values are available without reading them.
        case .bytes: min(Self.bitCount - offset, ranges[place].hasExternals ? 128 : .max)
        }
      // A key that does not fit completely is left out, except a text.
      guard width > 0, offset + width <= Self.bitCount else {
        isExact = false
        break
      }
      parts.append(
        Part(
          key: key, type: type, flag: flag, offset: offset, width: width,
          base: ranges[place].minimum))
      end = offset + width
      if type == .bytes {
        // The length of texts varies, so no key can follow one.
        if place + 1 < order.count { isExact = false }
        break
      }
    }
    wordCount = max(1, (end + 63) / 64)
  }

  /// The words of one row, as a value; zeros behind the last word.
  struct Row: Equatable {
    fileprivate let words: SIMD4<UInt64>

    /// The first of the words.
    var first: UInt64 { words[0] }

    /// Whether the row sorts before another by the words alone.
    @inline(__always)
    func precedes(_ other: Row) -> Bool {
      for place in 0..<4 where words[place] != other.words[place] {
        return words[place] < other.words[place]
      }
      return false
    }
  }

  /// The words of a row.
  func row(_ index: Int) -> Row {
    var row = SIMD4<UInt64>(repeating: 0)
    for place in 0..<wordCount { row[place] = words[index * wordCount + place] }
    return Row(words: row)
  }

  /// The first word of a row: a row with a smaller one sorts before.
  func firstWord(_ index: Int) -> UInt64 { words[index * wordCount] }

  /// The greatest of the `rank` smallest first words: no row behind it is among the first `rank` rows.
  func firstWord(ofRank rank: Int) -> UInt64 {
    var heap = BoundedHeap<UInt64>(countMax: rank)
    var last = UInt64.max
    for index in 0..<rowCount {
      let word = firstWord(index)
      if word >= last { continue }
      heap.insert(word, by: <)
      last = heap.last ?? .max
    }
    return last
  }

  /// Removes all rows.
  mutating func removeAll() { words.removeAll(keepingCapacity: true) }

  /// Whether two rows have the same words.
  func areEqual(_ row: Int, _ other: Int) -> Bool {
    (0..<wordCount).allSatisfy { words[row * wordCount + $0] == words[other * wordCount + $0] }
  }

  /// Appends the words of some rows of a leaf.
  mutating func append(_ leaf: inout ScanLeaf, _ rows: [UInt16]) throws(EngineError) {
    let start = words.count
    words += [UInt64](zeros: rows.count * wordCount)
    for part in parts {
      let column = part.key.field == 0 ? leaf.head.keys : try leaf.column(part.key.field)
      guard column.type == part.type else {
        throw .corrupt(Corruption(.directory, unit: leaf.edge.pointer.unit))
      }
      if let flag = part.flag { put(flag: flag, part, column, rows, from: start) }
      fill(part, column, rows, from: start)
    }
  }

  private mutating func fill(
    _ part: Part, _ column: ColumnChunk, _ rows: [UInt16], from start: Int
  ) {
    switch column.type {
    case .integer:
      let base = UInt64(bitPattern: part.base)
      let shift = UInt64(64 - part.width)
      put(part, 0, part.width, column, rows, from: start) {
        (UInt64(bitPattern: column.uncheckedInteger($0)) &- base) &<< shift
      }
    case .double:
      put(part, 0, 64, column, rows, from: start) { column.uncheckedDouble($0).sortBits }
    case .float:
      put(part, 0, 32, column, rows, from: start) {
        UInt64(column.uncheckedFloat($0).sortBits) &<< 32
      }
    case .uuid:
      put(part, 0, 64, column, rows, from: start) { column.uuid($0).high }
      put(part, 64, 64, column, rows, from: start) { column.uuid($0).low }
    case .bytes: fillTexts(part, column, rows, from: start)
    }
  }

  /// Stores texts eight bytes at a time.
  ///
  /// The words contain a whole text if it is short enough, and does not end like the zeros that pad it.
  private mutating func fillTexts(
    _ part: Part, _ column: ColumnChunk, _ rows: [UInt16], from start: Int
  ) {
    let byteCountMax = part.width / 8
    if isExact {
      isExact =
        !column.hasExternals
        && rows.allSatisfy { row in
          let bytes = column.bytes(Int(row))
          return bytes.count <= byteCountMax
            && (bytes.count == 0 || bytes.uint8(at: bytes.count - 1) != 0)
        }
    }
    for bit in stride(from: 0, to: part.width, by: 64) {
      let width = min(64, part.width - bit)
      if column.hasExternals {
        put(part, bit, width, column, rows, from: start) { row in
          guard let reference = column.external(row) else {
            return column.bytes(row).bigEndianPrefix(at: bit / 8)
          }
          return bit == 0 ? reference.prefix.high : reference.prefix.low
        }
      } else {
        put(part, bit, width, column, rows, from: start) {
          column.bytes($0).bigEndianPrefix(at: bit / 8)
        }
      }
    }
  }

  /// Sets a part's bit for values, or for nulls in descending order.
  private mutating func put(
    flag: Int, _ part: Part, _ column: ColumnChunk, _ rows: [UInt16], from start: Int
  ) {
    let bit: UInt64 = 1 &<< UInt64(63 - flag % 64)
    let isDescending = part.key.isDescending
    let wordCount = wordCount
    var words = words.mutableSpan
    for (place, row) in rows.enumerated() where column.isNull(Int(row)) == isDescending {
      words[start &+ place &* wordCount &+ flag / 64] |= bit
    }
  }

  /// Stores up to 64 bits of every row, the highest first, at the part's bit `bit`.
  @inline(__always)
  private mutating func put(
    _ part: Part, _ bit: Int, _ width: Int, _ column: ColumnChunk, _ rows: [UInt16],
    from start: Int, _ value: (Int) -> UInt64
  ) {
    let inversion: UInt64 = part.key.isDescending ? .max : 0
    let mask: UInt64 = .max &<< UInt64(64 - width)
    let hasNulls = column.hasNulls
    let offset = part.offset + bit
    let shift = UInt64(offset % 64)
    // The bits that do not fit the first word go to the next; often there are none.
    let reachesNext = Int(shift) + width > 64
    let first = start + offset / 64
    let wordCount = wordCount
    var words = words.mutableSpan
    for place in 0..<rows.count {
      let row = Int(rows[place])
      let plain = hasNulls && column.isNull(row) ? 0 : value(row)
      let bits = (plain ^ inversion) & mask
      let index = first &+ place &* wordCount
      words[index] |= bits &>> shift
      if reachesNext { words[index &+ 1] |= bits &<< (64 &- shift) }
    }
  }
}

/// The known bounds of a sort key's values before they are read.
struct SortRange {
  /// Whether a value may be null.
  var hasNulls = true
  /// Whether a value may lie outside its leaf.
  var hasExternals = true
  /// The smallest and the largest integer.
  var minimum = Int64.min
  var maximum = Int64.max

  /// The number of bits of an integer's distance from the smallest.
  var bitWidth: Int {
    max(1, 64 - (UInt64(bitPattern: maximum) &- UInt64(bitPattern: minimum)).leadingZeroBitCount)
  }
}
