/// The Unicode properties of scalars: read from ``FoldingData`` when a text is folded for the first time.
final class FoldingTable: Sendable {
  static let shared = FoldingTable()

  private let decompositions = ScalarMap(FoldingData.decompositions)
  private let foldings = ScalarMap(FoldingData.foldings)
  /// For each run its first scalar, its length, and twice its combining class, plus one for nonspacing marks.
  private let runs: [(first: UInt32, count: UInt32, kind: UInt16)]
  /// Two scalars and their composition, sorted by the second and then the first.
  private let compositions: [(first: UInt32, second: UInt32, whole: UInt32)]

  private init() {
    var digits = FoldingDigits(FoldingData.marks)
    var runs: [(UInt32, UInt32, UInt16)] = []
    var end: UInt32 = 0
    while let gap = digits.next(), let count = digits.next(), let kind = digits.next() {
      runs.append((end + gap, count, UInt16(truncatingIfNeeded: kind)))
      end += gap + count
    }
    self.runs = runs

    var pairs = FoldingDigits(FoldingData.compositions)
    var compositions: [(UInt32, UInt32, UInt32)] = []
    var second: UInt32 = 0
    var first: UInt32 = 0
    while let gap = pairs.next() {
      second += gap
      first = pairs.next(from: first)
      compositions.append((first, second, pairs.next(from: first)))
    }
    self.compositions = compositions
  }

  /// The composition of two scalars, the second of which is not a nonspacing mark; nil if they are two characters.
  func composition(_ first: UInt32, _ second: UInt32) -> UInt32? {
    guard second >= Hangul.vowel else {
      return second < 0x900 ? nil : listedComposition(first, second)
    }
    if Hangul.vowels.contains(second), Hangul.leadings.contains(first) {
      let syllable = (first - Hangul.leading) * 21 + (second - Hangul.vowel)
      return Hangul.syllables.lowerBound + syllable * 28
    }
    if Hangul.trailings.contains(second), Hangul.syllables.contains(first),
      (first - Hangul.syllables.lowerBound) % 28 == 0
    {
      return first + second - Hangul.trailing
    }
    return listedComposition(first, second)
  }

  private func listedComposition(_ first: UInt32, _ second: UInt32) -> UInt32? {
    let place = compositions.partitioningIndex {
      ($0.second, $0.first) >= (second, first)
    }
    guard place < compositions.count, compositions[place].first == first,
      compositions[place].second == second
    else { return nil }
    return compositions[place].whole
  }

  /// Appends the canonical decomposition of a scalar.
  func decompose(_ scalar: UInt32, into scalars: inout [UInt32]) {
    if Hangul.syllables.contains(scalar) {
      let index = scalar - Hangul.syllables.lowerBound
      scalars.append(Hangul.leading + index / (21 * 28))
      scalars.append(Hangul.vowel + index / 28 % 21)
      if index % 28 > 0 { scalars.append(Hangul.trailing + index % 28) }
    } else {
      decompositions.append(scalar, into: &scalars)
    }
  }

  /// Appends the full case folding of a decomposed scalar, decomposed.
  func fold(_ scalar: UInt32, into scalars: inout [UInt32]) {
    if let byte = UInt8(exactly: scalar), byte < 0x80 {
      scalars.append(UInt32(byte.lowercasedASCII))
    } else {
      foldings.append(scalar, into: &scalars)
    }
  }

  /// The canonical combining class; 0 for scalars that begin a character.
  func combiningClass(_ scalar: UInt32) -> UInt16 { kind(scalar) >> 1 }

  /// Whether the scalar's general category is nonspacing mark.
  func isMark(_ scalar: UInt32) -> Bool { kind(scalar) & 1 != 0 }

  private func kind(_ scalar: UInt32) -> UInt16 {
    guard scalar >= 0x300 else { return 0 }
    let after = runs.partitioningIndex { $0.first > scalar }
    guard after > 0, scalar - runs[after - 1].first < runs[after - 1].count else { return 0 }
    return runs[after - 1].kind
  }
}

/// The arithmetic decomposition of Hangul syllables (The Unicode Standard, 3.12).
private enum Hangul {
  static let syllables: Range<UInt32> = 0xAC00..<0xD7A4
  static let leading: UInt32 = 0x1100
  static let vowel: UInt32 = 0x1161
  /// One before the first: a syllable may have none.
  static let trailing: UInt32 = 0x11A7
  static let leadings = leading..<leading + 19
  static let vowels = vowel..<vowel + 21
  static let trailings = trailing + 1..<trailing + 28
}

/// A map from scalars to their replacements.
private struct ScalarMap: Sendable {
  private var sources: [UInt32] = []
  /// The start of each source's replacement, and the end of the last.
  private var starts: [Int] = [0]
  private var targets: [UInt32] = []

  init(_ line: StaticString) {
    var digits = FoldingDigits(line)
    var source: UInt32 = 0
    var first: UInt32 = 0
    while let head = digits.next() {
      source += head >> 2
      sources.append(source)
      first = digits.next(from: first)
      targets.append(first)
      for _ in 0..<head & 3 { targets.append(digits.next(from: 0x300)) }
      starts.append(targets.count)
    }
  }

  /// Appends the replacement of a scalar, or the scalar itself if it has none.
  func append(_ scalar: UInt32, into scalars: inout [UInt32]) {
    let place = sources.partitioningIndex { $0 >= scalar }
    if place < sources.count, sources[place] == scalar {
      scalars.append(contentsOf: targets[starts[place]..<starts[place + 1]])
    } else {
      scalars.append(scalar)
    }
  }
}

/// Reads the numbers of ``FoldingData``.
private struct FoldingDigits {
  /// The bytes of a literal, which is never freed.
  private let bytes: ByteView
  private var place = 0

  init(_ line: StaticString) {
    bytes = ByteView(line)
  }

  /// The next number; nil at the end.
  mutating func next() -> UInt32? {
    var number: UInt32 = 0
    var shift: UInt32 = 0
    while place < bytes.count {
      let byte = UInt32(bytes.uint8(at: place))
      place += 1
      // Line ends.
      guard byte >= 48 else { continue }
      number |= ((byte - 48) & 31) &<< shift
      guard byte - 48 >= 32 else { return number }
      shift += 5
    }
    return nil
  }

  /// The next number, which is signed and relative to another.
  mutating func next(from base: UInt32) -> UInt32 {
    let number = next() ?? 0
    return number & 1 == 0 ? base &+ number >> 1 : base &- number >> 1 &- 1
  }
}
