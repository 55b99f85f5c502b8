/// How one page differs from another (Format.md §7).
extension DeltaOps {
  /// The operations that make a page of another one that is much like it.
  ///
  /// Greedy, from the front to the back: bytes that are the same are copied; where they differ, the page may go on at the same
  /// place behind a few other bytes, as words that all grew by one number, or anywhere else in the base. That is how rows,
  /// entries and positions change in pages; what is found nowhere is written out.
  /// - Parameter moves: Where parts of the base may go on in the page, by their places in the page; without them they are looked
  ///   for.
  /// - Complexity: One pass; where much is written out, one more over the base.
  package init(from base: ByteView, to page: ByteView, moves: [PageMove] = []) {
    var difference = PageDifference(base: base, page: page, moves: moves)
    while difference.step() {}
    self = difference.ops
  }
}

/// A part of a page that was made of a part of another one, up to where they differ.
package struct PageMove {
  /// Where it begins in the page.
  let place: Int
  /// Where it begins in the other one.
  let source: Int

  package init(place: Int, source: Int) {
    self.place = place
    self.source = source
  }
}

/// The search for the operations.
private struct PageDifference {
  let base: ByteView
  let page: ByteView
  private(set) var ops = DeltaOps()
  /// The bytes of the page that have operations, or are among the literal ones.
  private var place = 0
  /// Where the bytes begin that are to be written out.
  private var literalStart = 0
  /// How much further on the base is read.
  private var shift = 0
  private var index = WordIndex()
  private let moves: [PageMove]
  /// The first move that lies behind the place.
  private var nextMove = 0

  /// An operation costs two bytes or three: shorter runs are written out with what is around them.
  private static let runMin = 8
  /// As many equal bytes at another place are no accident.
  private static let movedMin = 16
  /// As many bytes may have changed without moving those behind them.
  private static let changedMax = 24
  /// As many words in a row that grew by one number are no accident.
  private static let wordsMin = 6

  init(base: ByteView, page: ByteView, moves: [PageMove]) {
    self.base = base
    self.page = page
    self.moves = moves
  }

  /// - Returns: Whether there is more to do.
  mutating func step() -> Bool {
    guard place < page.count else {
      flush()
      return false
    }
    if followsMove() { return true }
    let run = equalBytes(at: place, shift)
    if run >= Self.runMin || (run > 0 && place + run == page.count) {
      flush()
      ops.copy(run)
      pass(run)
    } else if !passZeros() {
      // Behind a removed entry, too. Where the moves are known, rows were appended, and nothing grew by one number.
      if !moves.isEmpty || literalStart < place || run > 0
        || !(passWords() || passWords(0, shiftedTo: shift + 2, .two, UInt16.self))
      {
        place += max(run, 1)
        passLiterals()
      }
    }
    return true
  }

  /// Goes on as the last move says that begins here or before.
  private mutating func followsMove() -> Bool {
    var target: Int?
    while nextMove < moves.count, moves[nextMove].place <= place {
      target = moves[nextMove].source - moves[nextMove].place
      nextMove += 1
    }
    guard let target, target != shift else { return false }
    return moves(0, to: target, atLeast: Self.runMin)
  }

  private mutating func pass(_ count: Int) {
    place += count
    literalStart = place
  }

  /// Adds what is to be written out.
  private mutating func flush() {
    if literalStart < place {
      ops.literal(page.slice(literalStart, place - literalStart))
      literalStart = place
    }
  }

  @inline(never)
  private mutating func passZeros() -> Bool {
    guard page.uint8(at: place) == 0 else { return false }
    var count = 0
    while let word = page.word(at: place + count), word == 0 { count += 8 }
    while place + count < page.count, page.uint8(at: place + count) == 0 { count += 1 }
    guard count >= Self.runMin else { return false }
    flush()
    ops.zeros(count)
    pass(count)
    return true
  }

  /// Passes bytes that are written out, up to where the page goes on as zeros, or as the base does somewhere.
  private mutating func passLiterals() {
    let last = min(page.count, base.count - shift) - MemoryLayout<UInt64>.size
    let changedEnd = literalStart + Self.changedMax
    let end = nextMove < moves.count ? moves[nextMove].place : page.count
    // The last stride may lead past the end.
    defer { place = min(place, end) }
    while place >= -shift, place <= last {
      guard place < end else { return }
      // Both places lie inside with all of the word's bytes, as the condition says.
      let word = unsafe page.uncheckedLoad(at: place, as: UInt64.self)
      let same = unsafe base.uncheckedLoad(at: place + shift, as: UInt64.self)
      if word == same || word == 0 { return }
      if place >= changedEnd, findsOn(word) { return }
      place += stride
    }
    // The base ends before.
    while place < end, let word = page.word(at: place) {
      if word == 0 || findsOn(word) { return }
      place += stride
    }
    // The last ones may still be the same.
    while place < end, equalBytes(at: place, shift) < page.count - place { place += 1 }
  }

  /// How far the next word to look at is: further, the longer nothing was found. Odd, so that it meets the places in every part
  /// of the base that ``WordIndex`` has.
  private var stride: Int { min(1 + 2 * ((place - literalStart) >> 7), 15) }

  /// Goes on where the base has the word, or words that all differ from those in it by the same number.
  private mutating func findsOn(_ word: UInt64) -> Bool {
    guard moves.isEmpty, let source = index.place(of: word, in: base) else { return false }
    if base.uint64(at: source) == word {
      // The first bytes of them may lie before.
      var back = 0
      while literalStart < place - back, back < source,
        page.uint8(at: place - back - 1) == base.uint8(at: source - back - 1)
      { back += 1 }
      return moves(back, to: source - place)
    }
    var back = 0
    let growth = self.growth(at: 0, source - place, UInt16.self)
    while literalStart <= place - back - 2, back + 2 <= source,
      self.growth(at: -back / 2 - 1, source - place, UInt16.self) == growth
    { back += 2 }
    return passWords(back, shiftedTo: source - place, .two, UInt16.self)
  }

  /// Goes on at another place of the base, if the bytes there are those of the page.
  ///
  /// - Parameter back: How many bytes before the place it begins.
  private mutating func moves(_ back: Int, to target: Int, atLeast count: Int = movedMin) -> Bool {
    let run = equalBytes(at: place - back, target)
    guard run >= count else { return false }
    place -= back
    flush()
    ops.copy(run, shiftingBy: target - shift)
    shift = target
    pass(run)
    return true
  }

  private mutating func passWords() -> Bool {
    passWords(0, shiftedTo: shift, .two, UInt16.self)
      || passWords(0, shiftedTo: shift, .four, UInt32.self)
      || passWords(0, shiftedTo: shift, .eight, UInt64.self)
  }

  /// Words that all grew by the same number: positions behind an inserted entry, or a removed one.
  ///
  /// - Parameter back: How many bytes before the place they begin.
  private mutating func passWords<Word: FixedWidthInteger & BitwiseCopyable>(
    _ back: Int, shiftedTo target: Int, _ word: DeltaOps.Word, _ type: Word.Type
  ) -> Bool {
    let size = MemoryLayout<Word>.size
    let start = place - back
    let most = min(page.count - start, base.count - start - target) / size
    guard start + target >= 0, most >= Self.wordsMin else { return false }
    let first = -back / size
    let growth = self.growth(at: first, target, type)
    var count = 1
    while count < most, self.growth(at: first + count, target, type) == growth { count += 1 }
    guard count >= Self.wordsMin else { return false }
    place = start
    flush()
    if target != shift { ops.copy(0, shiftingBy: target - shift) }
    shift = target
    ops.add(Int64(truncatingIfNeeded: growth).signed(bits: Word.bitWidth), to: count, word)
    pass(count * size)
    return true
  }

  /// How much a word of the page is greater than that of the base.
  private func growth<Word: FixedWidthInteger & BitwiseCopyable>(
    at index: Int, _ shift: Int, _ type: Word.Type
  ) -> Word {
    let offset = place + index * MemoryLayout<Word>.size
    return page.load(at: offset, as: type) &- base.load(at: offset + shift, as: type)
  }

  /// How many bytes are the same, from a place of the page on.
  private func equalBytes(at place: Int, _ shift: Int) -> Int {
    let source = place + shift
    guard source >= 0, source < base.count, place < page.count else { return 0 }
    return page.equalBytes(at: place, base, at: source)
  }
}

/// Where words of a base lie, every sixteenth byte, by what stays the same when a number is added to each of the four short
/// words in one.
private struct WordIndex {
  /// The words' numbers, plus one; 0 where there is none. Made when it is first asked for.
  private var words: [UInt16] = []

  /// A place of a word that may be this one, but for a number that was added to its parts.
  mutating func place(of word: UInt64, in base: ByteView) -> Int? {
    let differences = word.partDifferences
    guard differences != 0 else { return nil }
    if words.isEmpty { fill(from: base) }
    let found = (Int(words[Self.slot(of: differences, words.count - 1)]) - 1) * Self.stride
    return found >= 0 && base.uint64(at: found).partDifferences == differences ? found : nil
  }

  /// Twice as many would cost a tenth more of the time and save a fiftieth of the bytes.
  private static let stride = 16

  @inline(__always)
  private static func slot(of differences: UInt64, _ mask: Int) -> Int {
    Int(truncatingIfNeeded: (differences &* 0x9E37_79B9_7F4A_7C15) >> 40) & mask
  }

  private mutating func fill(from base: ByteView) {
    // Of more only the first are found.
    let wordCount = min(base.count / Self.stride, Int(UInt16.max) - 1)
    var count = 64
    while count < 2 * wordCount { count *= 2 }
    words = [UInt16](repeating: 0, count: count)
    let mask = count - 1
    unsafe words.withUnsafeMutableBufferPointer { words in
      for word in 0..<wordCount {
        // The base has so many, and the mask keeps the slot inside.
        let content = unsafe base.uncheckedLoad(at: word * Self.stride, as: UInt64.self)
        let differences = content.partDifferences
        let slot = Self.slot(of: differences, mask)
        // Of evenly growing positions the first have most behind them.
        if differences != 0, unsafe words[slot] == 0 {
          unsafe words[slot] = UInt16(truncatingIfNeeded: word &+ 1)
        }
      }
    }
  }
}

extension UInt64 {
  /// The differences between the four short words in it, each modulo 2^16.
  @inline(__always)
  fileprivate var partDifferences: UInt64 {
    let high: UInt64 = 0x8000_8000_8000
    let others = self & 0xFFFF_FFFF_FFFF
    let next = self >> 16
    return ((next | high) &- (others & ~high)) ^ ((next ^ ~others) & high)
  }
}

extension Int64 {
  /// The number whose lowest bits these are.
  fileprivate func signed(bits: Int) -> Int64 { (self << (64 - bits)) >> (64 - bits) }
}

extension ByteView {
  /// The word at a place; nil unless it lies inside.
  @inline(__always)
  fileprivate func word(at place: Int) -> UInt64? {
    place >= 0 && place <= count - MemoryLayout<UInt64>.size ? uint64(at: place) : nil
  }

  /// How many bytes from a place on are those of another view from a place of it on.
  ///
  /// - Precondition: Both places lie inside.
  fileprivate func equalBytes(at place: Int, _ other: ByteView, at source: Int) -> Int {
    let room = min(count - place, other.count - source)
    var equal = 0
    while equal + 8 <= room {
      let different = uint64(at: place + equal) ^ other.uint64(at: source + equal)
      guard different == 0 else { return equal + different.trailingZeroBitCount / 8 }
      equal += 8
      // Longer runs are compared as blocks.
      if equal == 64 {
        while equal + 1024 <= room, hasSame(1024, at: place + equal, other, at: source + equal) {
          equal += 1024
        }
        while equal + 128 <= room, hasSame(128, at: place + equal, other, at: source + equal) {
          equal += 128
        }
      }
    }
    while equal < room, uint8(at: place + equal) == other.uint8(at: source + equal) { equal += 1 }
    return equal
  }

  private func hasSame(_ count: Int, at place: Int, _ other: ByteView, at source: Int) -> Bool {
    slice(place, count).bytesEqual(other.slice(source, count))
  }
}
