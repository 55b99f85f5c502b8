/// The encoded operations that make an extent's bytes from those of another (Format.md §7).
package struct DeltaOps: Equatable, Sendable {
  /// The operations, one after the other.
  package private(set) var bytes: [UInt8] = []

  /// No operations.
  package init() {
    // Most pages need fewer.
    bytes.reserveCapacity(224)
  }

  /// The kinds of operations, in the low three bits of the number that each begins with.
  enum Kind: UInt8 {
    case copy = 0
    case copyShifted = 1
    case literal = 2
    case zeros = 3
    case add16 = 4
    case add32 = 5
    case add64 = 6
  }

  /// The bytes of the words that a constant is added to.
  package enum Word: Int, Sendable {
    case two = 2
    case four = 4
    case eight = 8

    fileprivate var kind: Kind {
      switch self {
      case .two: .add16
      case .four: .add32
      case .eight: .add64
      }
    }
  }

  /// Copies bytes of the base from the same place, plus the shift so far.
  package mutating func copy(_ count: Int) { begin(.copy, count) }

  /// Copies bytes of the base, or none, after changing the shift by some bytes.
  package mutating func copy(_ count: Int, shiftingBy change: Int) {
    begin(.copyShifted, count)
    append(signed: Int64(change))
  }

  /// Adds bytes.
  package mutating func literal(_ content: ByteView) {
    begin(.literal, content.count)
    bytes.append(content)
  }

  /// Adds zeros.
  package mutating func zeros(_ count: Int) { begin(.zeros, count) }

  /// Copies words of the base, from where a copy would read, and adds a constant to each.
  package mutating func add(_ constant: Int64, to count: Int, _ word: Word) {
    begin(word.kind, count)
    append(signed: constant)
  }

  /// The operations that make some bytes without a base: literals, and zeros where there are eight or more in a row.
  package init(literals page: ByteView) {
    self.init()
    let word = MemoryLayout<UInt64>.size
    var start = 0
    var place = 0
    while place + word <= page.count {
      guard page.uint64(at: place) == 0 else {
        place += word
        continue
      }
      var end = place + word
      while end + word <= page.count, page.uint64(at: end) == 0 { end += word }
      if start < place { literal(page.slice(start, place - start)) }
      zeros(end - place)
      start = end
      place = end
    }
    if start < page.count { literal(page.slice(start, page.count - start)) }
  }

  private mutating func begin(_ kind: Kind, _ count: Int) {
    append(UInt64(count) << 3 | UInt64(kind.rawValue))
  }

  private mutating func append(signed value: Int64) {
    append(UInt64(bitPattern: value << 1 ^ value >> 63))
  }

  private mutating func append(_ value: UInt64) {
    var rest = value
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }
}
