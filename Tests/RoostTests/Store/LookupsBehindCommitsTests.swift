import Foundation
import Roost
import RoostEngine
import RoostTestSupport
import Testing

/// A letter of a box: a key that is no integer, and values that lie in a leaf, in parts and in extents of their own.
private struct Letter: Model, Equatable {
  struct Stamp: Embedded, Equatable {
    var value: Int
    var country: String?
    static let fields = Fields(
      Stamp.init, Part("value", \.value), Part("country", \.country))
  }

  let id: UUID
  var title: String
  var text: String?
  var weight: Double
  var stamp: Stamp
  var tags: [String]
  var answer: Link<Letter>?
  static let schema = Schema(
    Letter.init, Key("id", \.id), Field("title", \.title, .indexed), Field("text", \.text),
    Field("weight", \.weight), Field("stamp", \.stamp), Field("tags", \.tags),
    Field("answer", \.answer, .onTargetDelete(.nullify), .onMissingTarget(.nullify)))

  init(
    id: UUID, title: String, text: String?, weight: Double, stamp: Stamp, tags: [String],
    answer: Link<Letter>?
  ) {
    self.id = id
    self.title = title
    self.text = text
    self.weight = weight
    self.stamp = stamp
    self.tags = tags
    self.answer = answer
  }

  init(_ number: Int, _ random: inout SeededGenerator) {
    let isLong = random.chance(1, in: 3)
    self.init(
      id: Self.id(number), title: "Letter \(number)",
      text: random.chance(1, in: 4) ? nil : String(repeating: "ä", count: isLong ? 3000 : 7),
      weight: Double(number) / 4, stamp: Stamp(value: number, country: nil),
      tags: ["a", "\(number)"], answer: nil)
  }

  static func id(_ number: Int) -> UUID {
    UUID(uuid: (7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, UInt8(truncatingIfNeeded: number)))
  }

  mutating func change(_ random: inout SeededGenerator) {
    switch Int.random(in: 0..<6, using: &random) {
    case 0: title += "!"
    case 1: text = text == nil ? "again" : nil
    case 2: weight += 1
    case 3: stamp.country = stamp.country == nil ? "Delft" : nil
    case 4: tags.append("b")
    default: text = String(repeating: "ü", count: Int.random(in: 0..<2000, using: &random))
    }
  }
}

/// Reads of single objects behind small commits that nobody has read, whose changes wait outside the trees.
@Suite struct LookupsBehindCommitsTests {
  @Test(arguments: 1...12 as ClosedRange<UInt64>)
  func objectsAreLookedUpBehindUnreadCommitsAsTheyWereWritten(seed: UInt64) throws {
    var configuration = Configuration()
    configuration.fileSystem = SimulatedDisk(seed: seed)
    let store = try Store(.file("letters.roost"), models: Letter.self, configuration: configuration)
    var random = SeededGenerator(seed: seed)
    var letters: [Int: Letter] = [:]
    var behind = 0
    for _ in 0..<6 {
      // Behind 16 commits that nobody reads, no tree changes any more.
      for _ in 0..<Int.random(in: 20..<60, using: &random) {
        try step(store, &letters, &random)
      }
      // A deletion that may concern links changes them.
      for _ in 0..<3 { try step(store, &letters, &random, onlyValues: true) }
      let snapshot = store.snapshot()
      // A text too long for a record changes the trees, too.
      let isBehind = try snapshot.content.unappliedCommits > 0
      behind += isBehind ? 1 : 0
      try check(snapshot, letters)
      #expect(try (snapshot.content.version.knownTrees == nil) == isBehind)
      // Who asks more has the trees made.
      for _ in 0..<2 { try check(snapshot, letters) }
      #expect(try snapshot.content.version.knownTrees != nil)
      #expect(try snapshot.fetch(Letter.all).count == letters.count)
    }
    #expect(behind > 1)
    #expect(try store.verify().isEmpty)
  }

  private func step(
    _ store: Store, _ letters: inout [Int: Letter], _ random: inout SeededGenerator,
    onlyValues: Bool = false
  ) throws {
    let number = Int.random(in: 0..<24, using: &random)
    let id = Letter.id(number)
    try store.write { tx -> Void in
      guard var letter = letters[number] else {
        let new = Letter(number, &random)
        letters[number] = new
        _ = try tx.insert(new)
        return
      }
      if !onlyValues, random.chance(1, in: 6) {
        letters[number] = nil
        for other in letters.keys where letters[other]?.answer?.id == id {
          letters[other]?.answer = nil
        }
        _ = try tx.delete(Letter.self, id: id)
        return
      }
      if !onlyValues, random.chance(1, in: 5), let target = letters.keys.sorted().first {
        letter.answer = Link(id: Letter.id(target))
      } else {
        letter.change(&random)
      }
      letters[number] = letter
      _ = try tx.update(letter)
    }
  }

  private func check(_ snapshot: Snapshot, _ letters: [Int: Letter]) throws {
    for number in 0..<24 {
      let id = Letter.id(number)
      let letter = letters[number]
      #expect(try snapshot.fetch(Letter.self, id: id) == letter)
      let row = try snapshot.row(Letter.self, id: id)
      #expect(try row?.value == letter)
      #expect(try row?.text == letter?.text)
      #expect(try row?.stamp == letter?.stamp)
      #expect(try row?.weight == letter?.weight)
      let title = try unsafe row?.withBytes(\.title) { unsafe String(decoding: $0, as: UTF8.self) }
      #expect(title == letter?.title)
    }
  }
}
