import Foundation

/// A note in an app: what most objects of most apps look like.
struct Note: Identifiable, Hashable, Sendable {
  let id: UUID
  var title: String
  var text: String
  var folder: Int
  var stars: Int
  var isDone: Bool
  var date: Date
}

/// Ten thousand notes in fifty folders, in the order in which an app inserts them.
struct Notes {
  static let count = 10_000
  static let folderCount = 50
  static let starsMax = 5

  let all: [Note]

  init(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    all = (0..<Self.count).map { number in Self.note(number, using: &random) }
  }

  /// A note whose id is drawn like all else; dates are in no order, and differ.
  static func note(_ number: Int, using random: inout SplitMix64) -> Note {
    Note(
      id: id(using: &random), title: "Note \(number) about \(words(2, using: &random))",
      text: words(8, using: &random), folder: random.below(folderCount),
      stars: random.below(starsMax + 1), isDone: random.below(3) == 0,
      date: Date(
        timeIntervalSinceReferenceDate: Double(700_000_000 + random.below(1 << 40)) / 1024))
  }

  private static func id(using random: inout SplitMix64) -> UUID {
    let (high, low) = (random.next(), random.next())
    func byte(_ word: UInt64, _ place: Int) -> UInt8 {
      UInt8(truncatingIfNeeded: word >> (8 * place))
    }
    return UUID(
      uuid: (
        byte(high, 0), byte(high, 1), byte(high, 2), byte(high, 3), byte(high, 4), byte(high, 5),
        byte(high, 6), byte(high, 7), byte(low, 0), byte(low, 1), byte(low, 2), byte(low, 3),
        byte(low, 4), byte(low, 5), byte(low, 6), byte(low, 7)
      ))
  }

  private static let vocabulary = [
    "bread", "rent", "garden", "train", "letter", "doctor", "paint", "music", "winter", "school",
  ]

  private static func words(_ count: Int, using random: inout SplitMix64) -> String {
    (0..<count).map { _ in vocabulary[random.below(vocabulary.count)] }.joined(separator: " ")
  }
}

extension Checksum {
  /// Adds every value of a note.
  mutating func add(_ note: Note) {
    add(note.id.hashableInteger)
    add(note.title.utf8)
    add(note.text.utf8)
    add(note.folder)
    add(note.stars)
    add(note.isDone ? 1 : 0)
    add(Int(note.date.timeIntervalSinceReferenceDate))
  }
}

extension UUID {
  /// Eight of its bytes.
  fileprivate var hashableInteger: Int {
    withUnsafeBytes(of: uuid) { Int(truncatingIfNeeded: $0.loadUnaligned(as: Int64.self)) }
  }
}
