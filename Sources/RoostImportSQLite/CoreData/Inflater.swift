/// Expands data that was compressed by DEFLATE (RFC 1951), without a header.
struct Inflater {
  private let bytes: [UInt8]
  private let bytesMax: Int
  private var place = 0
  private var bits: UInt32 = 0
  private var bitCount = 0
  private var output: [UInt8] = []

  /// What makes compressed data unreadable.
  struct Damage: Error {}

  /// The expanded bytes; nil if the data is damaged, or expands to more than `bytesMax` bytes.
  static func expand(_ bytes: [UInt8], bytesMax: Int) -> [UInt8]? {
    var inflater = Inflater(bytes: bytes, bytesMax: bytesMax)
    do { try inflater.run() } catch { return nil }
    return inflater.output
  }

  private init(bytes: [UInt8], bytesMax: Int) {
    self.bytes = bytes
    self.bytesMax = bytesMax
  }

  private mutating func run() throws(Damage) {
    var isLast = false
    while !isLast {
      isLast = try take(1) == 1
      switch try take(2) {
      case 0: try copyStored()
      case 1: try expand(Self.fixedLiterals, Self.fixedDistances)
      case 2:
        let (literals, distances) = try readCodes()
        try expand(literals, distances)
      default: throw Damage()
      }
    }
  }

  /// The next bits, the first of which is the lowest.
  private mutating func take(_ count: Int) throws(Damage) -> Int {
    while bitCount < count {
      guard place < bytes.count else { throw Damage() }
      bits |= UInt32(bytes[place]) << UInt32(bitCount)
      place += 1
      bitCount += 8
    }
    let taken = bits & (1 << UInt32(count) - 1)
    bits >>= UInt32(count)
    bitCount -= count
    return Int(taken)
  }

  private mutating func copyStored() throws(Damage) {
    // The rest of the byte is unused; never more than that was read ahead.
    (bits, bitCount) = (0, 0)
    guard bytes.count - place >= 4 else { throw Damage() }
    let count = Int(bytes[place]) | Int(bytes[place + 1]) << 8
    let check = Int(bytes[place + 2]) | Int(bytes[place + 3]) << 8
    place += 4
    guard count ^ check == 0xffff, bytes.count - place >= count, bytesMax - output.count >= count
    else { throw Damage() }
    output += bytes[place..<place + count]
    place += count
  }

  private mutating func expand(_ literals: Code, _ distances: Code) throws(Damage) {
    while true {
      let symbol = try next(literals)
      if symbol == 256 { return }
      if symbol < 256 {
        guard output.count < bytesMax else { throw Damage() }
        output.append(UInt8(truncatingIfNeeded: symbol))
        continue
      }
      guard symbol - 257 < Self.lengths.count else { throw Damage() }
      let (length, lengthBits) = Self.lengths[symbol - 257]
      let count = length + (try take(lengthBits))
      let distanceSymbol = try next(distances)
      guard distanceSymbol < Self.distances.count else { throw Damage() }
      let (base, distanceBits) = Self.distances[distanceSymbol]
      let distance = base + (try take(distanceBits))
      guard distance <= output.count, bytesMax - output.count >= count else { throw Damage() }
      // A match may overlap the bytes that it writes.
      for _ in 0..<count { output.append(output[output.count - distance]) }
    }
  }

  /// The next symbol of a code, whose words come with their highest bit first.
  private mutating func next(_ code: Code) throws(Damage) -> Int {
    var word = 0
    var first = 0
    var index = 0
    for count in code.counts.dropFirst() {
      word |= try take(1)
      if word - first < count { return code.symbols[index + word - first] }
      index += count
      first = (first + count) << 1
      word <<= 1
    }
    throw Damage()
  }

  private mutating func readCodes() throws(Damage) -> (literals: Code, distances: Code) {
    let literalCount = try take(5) + 257
    let distanceCount = try take(5) + 1
    let orderCount = try take(4) + 4
    var lengths = [Int](repeating: 0, count: Self.order.count)
    for place in Self.order.prefix(orderCount) { lengths[place] = try take(3) }
    let code = try Code(lengths)
    lengths = []
    while lengths.count < literalCount + distanceCount {
      switch try next(code) {
      case 16:
        guard let last = lengths.last else { throw Damage() }
        lengths += [Int](repeating: last, count: try take(2) + 3)
      case 17: lengths += [Int](repeating: 0, count: try take(3) + 3)
      case 18: lengths += [Int](repeating: 0, count: try take(7) + 11)
      case let length: lengths.append(length)
      }
    }
    guard lengths.count == literalCount + distanceCount else { throw Damage() }
    return (
      try Code(Array(lengths.prefix(literalCount))),
      try Code(Array(lengths.dropFirst(literalCount)))
    )
  }
}

extension Inflater {
  /// A canonical Huffman code.
  private struct Code {
    /// How many symbols have a word of each length.
    var counts = [Int](repeating: 0, count: 16)
    /// The symbols, in the order of their words.
    var symbols: [Int] = []

    /// - Parameter lengths: The length of each symbol's word; 0 for one that does not occur.
    init(_ lengths: [Int]) throws(Damage) {
      for length in lengths where length > 0 { counts[length] += 1 }
      // Too many words for these lengths are damage. Too few are allowed: the code of a single distance has one word.
      var left = 1
      for count in counts.dropFirst() {
        left = left << 1 - count
        guard left >= 0 else { throw Damage() }
      }
      for length in 1..<counts.count {
        for (symbol, own) in lengths.enumerated() where own == length { symbols.append(symbol) }
      }
    }

    /// A code of the blocks with fixed codes.
    init(fixed: [(length: Int, count: Int)]) {
      var start = 0
      var ranges: [(length: Int, symbols: Range<Int>)] = []
      for (length, count) in fixed {
        ranges.append((length, start..<start + count))
        counts[length] += count
        start += count
      }
      for length in 1..<counts.count {
        for range in ranges where range.length == length { symbols += range.symbols }
      }
    }
  }

  private static let fixedLiterals = Code(fixed: [(8, 144), (9, 112), (7, 24), (8, 8)])
  private static let fixedDistances = Code(fixed: [(5, 30)])

  /// The order of the symbols whose lengths begin a block with codes of its own.
  private static let order = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]

  /// The shortest match of each symbol from 257, and how many extra bits are added to it.
  private static let lengths: [(Int, Int)] =
    (0..<28).map { symbol in
      guard symbol >= 8 else { return (symbol + 3, 0) }
      let bits = symbol / 4 - 1
      return ((4 + symbol % 4) << bits + 3, bits)
    } + [(258, 0)]

  /// The shortest distance of each symbol, and how many extra bits are added to it.
  private static let distances: [(Int, Int)] = (0..<30).map { symbol in
    guard symbol >= 4 else { return (symbol + 1, 0) }
    let bits = symbol / 2 - 1
    return ((2 + symbol % 2) << bits + 1, bits)
  }
}
