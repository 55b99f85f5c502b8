import RoostTestSupport

/// The names of the benchmark's persons: 320 first names by 320 last names, of 12 to 24 bytes.
enum PersonNames {
  private static let syllables = [
    "ba", "ka", "li", "mo", "ra", "ne", "to", "vi", "sa", "jo", "ber", "dan", "el", "fi", "gus",
    "hen", "in", "kar", "lo", "mar", "nor", "os", "per", "qui", "ro", "sten", "tor", "ul", "ver",
    "wil", "xan", "yor", "zel", "ma", "ri",
  ]

  /// All 102,400 names as the bytes of index keys.
  static func all() -> [[UInt8]] {
    let first = words(320, 5...9, seed: 11)
    let last = words(320, 6...14, seed: 22)
    return first.flatMap { first in
      last.map { last in [1] + (first.prefix(1).uppercased() + first.dropFirst() + " " + last).utf8
      }
    }
  }

  /// Gathers the entries of a million persons with random names; keys are 2, 4, 6 and so on.
  static func gather(_ body: (_ name: [UInt8], _ key: Int64) -> Void) {
    let names = all()
    var generator = SeededGenerator(seed: 42)
    for person in 0..<1_000_000 {
      body(names[Int(generator.next() % UInt64(names.count))], Int64(person * 2 + 2))
    }
  }

  private static func words(_ count: Int, _ lengths: ClosedRange<Int>, seed: UInt64) -> [String] {
    var generator = SeededGenerator(seed: seed)
    var seen: Set<String> = []
    var words: [String] = []
    while words.count < count {
      let length = Int.random(in: lengths, using: &generator)
      var word = ""
      while word.utf8.count < length {
        word += syllables[Int.random(in: 0..<syllables.count, using: &generator)]
      }
      word = String(word.prefix(length))
      if seen.insert(word).inserted { words.append(word) }
    }
    return words
  }
}
