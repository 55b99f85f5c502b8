/// The first 128 bits of every row's sort keys, packed so that comparing two words decides most pairs.
///
/// Integers take only the bits that their range needs, so that `(age, name)` leaves 15 bytes for the name.
/// Where the words of two rows are alike and `isExact` is false, the rest of the keys decides.
struct SortWords {
  /// Where one key lies among the 128 bits.
  private struct Part {
    let key: SortKey
    let type: PhysicalType
    /// The bit that tells values (1) from null (0); nil where there is no null.
    let flag: Int?
    /// The first bit of the value.
    let offset: Int
    /// How many bits the value takes; of bytes, all the rest.
    let width: Int
    /// What integers count from.
    let base: Int64
  }

  private var parts: [Part] = []
  /// Whether the words hold all keys whole.
  private(set) var isExact = true
  private(set) var first: [UInt64] = []
  private(set) var second: [UInt64] = []

  private static let bitCount = 128

  /// - Parameter ranges: For each key, what is known of its values.
  init(_ order: [SortKey], _ types: [PhysicalType], _ ranges: [SortRange]) {
    var end = 0
    for (place, key) in order.enumerated() {
      let type = types[place]
      let range = ranges[place]
      let flag = range.hasNulls ? end : nil
      end += range.hasNulls ? 1 : 0
      let width: Int
      switch type {
      case .integer: width = range.bitWidth
      case .double: width = 64
      case .float: width = 32
      case .uuid: width = 128
      case .bytes: width = .max
      }
      guard width <= Self.bitCount - end || type == .bytes || type == .uuid else {
        isExact = false
        return
      }
      guard end < Self.bitCount else {
        isExact = false
        return
      }
      parts.append(
        Part(
          key: key, type: type, flag: flag, offset: end,
          width: min(width, Self.bitCount - end), base: range.minimum))
      guard width <= Self.bitCount - end else {
        isExact = false
        return
      }
      end += width
    }
  }

  /// Adds the words of some rows of a leaf.
  mutating func append(_ leaf: inout ScanLeaf, _ rows: [UInt16]) throws(EngineError) {
    let start = first.count
    first.append(contentsOf: repeatElement(0, count: rows.count))
    second.append(contentsOf: repeatElement(0, count: rows.count))
    for part in parts {
      let column = part.key.field == 0 ? leaf.head.keys : try leaf.column(part.key.field)
      fill(part, column, rows, from: start)
    }
  }

  private mutating func fill(
    _ part: Part, _ column: ColumnChunk, _ rows: [UInt16], from start: Int
  ) {
    switch column.type {
    case .integer:
      let base = UInt64(bitPattern: part.base)
      fill(part, column, rows, from: start) {
        let code = UInt64(bitPattern: column.uncheckedInteger($0)) &- base
        return (code &<< UInt64(64 - part.width), 0)
      }
    case .double:
      fill(part, column, rows, from: start) { (column.uncheckedDouble($0).sortBits, 0) }
    case .float:
      fill(part, column, rows, from: start) {
        (UInt64(column.uncheckedFloat($0).sortBits) &<< 32, 0)
      }
    case .uuid:
      fill(part, column, rows, from: start) {
        let halves = column.uuid($0)
        return (halves.high, halves.low)
      }
    case .bytes:
      if column.hasExternals {
        fill(part, column, rows, from: start) {
          if let reference = column.external($0) { return reference.prefix }
          let bytes = column.bytes($0)
          return (bytes.bigEndianPrefix(at: 0), bytes.bigEndianPrefix(at: 8))
        }
      } else {
        fill(part, column, rows, from: start) {
          let bytes = column.bytes($0)
          return (bytes.bigEndianPrefix(at: 0), bytes.bigEndianPrefix(at: 8))
        }
      }
    }
  }

  /// Puts each row's bits, given from the highest on, where the part lies.
  @inline(__always)
  private mutating func fill(
    _ part: Part, _ column: ColumnChunk, _ rows: [UInt16], from start: Int,
    _ bits: (Int) -> (high: UInt64, low: UInt64)
  ) {
    let inversion: UInt64 = part.key.isDescending ? .max : 0
    let offset = part.offset
    // The bits of the part in each word.
    let mask = Self.mask(offset, part.width)
    let shift = UInt64(offset & 63)
    let carry = shift == 0 ? 0 : UInt64.max
    let hasNulls = column.hasNulls
    let flag = part.flag.map { Self.mask($0, 1) } ?? (0, 0)
    unsafe first.withUnsafeMutableBufferPointer { first in
      unsafe second.withUnsafeMutableBufferPointer { second in
        for (place, row) in rows.enumerated() {
          let row = Int(row)
          var (high, low): (UInt64, UInt64) = (0, 0)
          var flags = flag
          if hasNulls, column.isNull(row) {
            flags = (0, 0)
          } else {
            (high, low) = bits(row)
          }
          high ^= inversion
          low ^= inversion
          if part.flag != nil, inversion != 0 { flags = (flag.0 ^ flags.0, flag.1 ^ flags.1) }
          let index = start &+ place
          if offset < 64 {
            unsafe first[index] |= (high &>> shift) & mask.0 | flags.0
            let carried = (high &<< ((64 &- shift) & 63)) & carry
            unsafe second[index] |= (carried | low &>> shift) & mask.1 | flags.1
          } else {
            unsafe first[index] |= flags.0
            unsafe second[index] |= (high &>> shift) & mask.1 | flags.1
          }
        }
      }
    }
  }

  /// The bits from `offset` on, `width` many, in both words.
  private static func mask(_ offset: Int, _ width: Int) -> (UInt64, UInt64) {
    func word(_ from: Int, _ to: Int) -> UInt64 {
      guard from < to else { return 0 }
      let above: UInt64 = from == 0 ? .max : .max &>> UInt64(from)
      let below: UInt64 = to == 64 ? 0 : .max &>> UInt64(to)
      return above & ~below
    }
    let end = min(offset + width, bitCount)
    return (word(min(offset, 64), min(end, 64)), word(max(offset - 64, 0), max(end - 64, 0)))
  }
}

/// What is known of the values of a sort key before they are read.
struct SortRange {
  /// Whether some value may be null.
  var hasNulls = true
  /// The smallest and the largest integer.
  var minimum = Int64.min
  var maximum = Int64.max

  /// How many bits the distance of an integer from the smallest takes.
  var bitWidth: Int {
    max(1, 64 - (UInt64(bitPattern: maximum) &- UInt64(bitPattern: minimum)).leadingZeroBitCount)
  }
}
