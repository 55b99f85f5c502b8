import Roost

/// The objects every database stores: people in a thousand groups.
struct Person: Model {
  let id: Int
  var name: String
  var email: String
  var age: Int
  var score: Double
  /// Milliseconds since 1970.
  var createdAt: Int
  var isActive: Bool
  var group: Link<Group>

  static let schema = Schema(
    Person.init, Key("id", \.id), Field("name", \.name, .indexed), Field("email", \.email),
    Field("age", \.age), Field("score", \.score), Field("createdAt", \.createdAt),
    Field("isActive", \.isActive), Field("group", \.group, .indexed))
}

struct Group: Model {
  let id: Int
  var name: String

  static let people = Inverse(\Person.group)
  static let schema = Schema(Group.init, Key("id", \.id), Field("name", \.name))
}

/// People and groups from a fixed seed: names of 12–24 bytes, e-mails of 27–30.
struct People: Sendable {
  let groups: [Group]
  /// Ids ascend by two from 2, so that odd ids are missing keys.
  let people: [Person]
  /// More of the same, to insert one by one.
  let newcomers: [Person]

  static let groupCount = 1000

  init(count: Int, newcomerCount: Int) {
    groups = Self.allGroups
    let all = Array(PersonSequence().prefix(count + newcomerCount))
    people = Array(all[..<count])
    newcomers = Array(all[count...])
  }

  static var allGroups: [Group] {
    (0..<groupCount).map { number in
      let department = number % 2 == 1 ? "engineering" : "marketing"
      return Group(id: number, name: "group-\(padded(number, 4))-\(department)")
    }
  }

  /// Ids of people, drawn at random, some more than once.
  func randomIDs(_ count: Int, using random: inout SplitMix64) -> [Int] {
    (0..<count).map { _ in people[random.below(people.count)].id }
  }

  /// Ids of people, drawn at random, none more than once, in the order they were drawn.
  func distinctIDs(_ count: Int, using random: inout SplitMix64) -> [Int] {
    var indexes = Array(people.indices)
    for place in 0..<min(count, indexes.count) {
      indexes.swapAt(place, place + random.below(indexes.count - place))
    }
    return indexes.prefix(count).map { people[$0].id }
  }
}

/// People without end, always the same ones.
struct PersonSequence: Sequence, IteratorProtocol {
  private let firstNames: [String]
  private let names: [String]
  private var random = SplitMix64(seed: 42)
  private var index = 0

  init() {
    firstNames = words(320, lengths: 5...9, seed: 11, someHoldAnn: true)
    let lastNames = words(320, lengths: 6...14, seed: 22, someHoldAnn: false)
    names = firstNames.flatMap { first in
      lastNames.map { last in "\(first.capitalized) \(last.capitalized)" }
    }
  }

  mutating func next() -> Person? {
    defer { index += 1 }
    let name = names[random.below(names.count)]
    let start = firstNames[random.below(320)].prefix(4)
    var email = "\(start)\(padded(index, 7))@mail\(padded(random.below(100), 2)).example.com"
    if random.below(2) == 1 { email = String(email.dropFirst(1 + random.below(3))) }
    return Person(
      id: index * 2 + 2, name: name, email: email, age: random.below(100), score: random.unit(),
      createdAt: 1_600_000_000_000 + random.below(150_000_000_000),
      isActive: random.below(3) != 0, group: Link(id: random.below(People.groupCount)))
  }
}

/// Distinct invented words; with `someHoldAnn`, about 3 % of them contain "ann".
private func words(
  _ count: Int, lengths: ClosedRange<Int>, seed: UInt64, someHoldAnn: Bool
) -> [String] {
  let syllables = [
    "ba", "ka", "li", "mo", "ra", "ne", "to", "vi", "sa", "jo", "ber", "dan", "el", "fi", "gus",
    "hen", "in", "kar", "lo", "mar", "nor", "os", "per", "qui", "ro", "sten", "tor", "ul", "ver",
    "wil", "xan", "yor", "zel", "ma", "ri",
  ]
  var random = SplitMix64(seed: seed)
  var seen: Set<String> = []
  var words: [String] = []
  while words.count < count {
    let length = lengths.lowerBound + random.below(lengths.count)
    var word = ""
    while word.utf8.count < length { word += syllables[random.below(syllables.count)] }
    word = String(word.prefix(length))
    if someHoldAnn, words.count % 33 == 7 { word = "joann" + word.prefix(2) }
    if seen.insert(word).inserted { words.append(word) }
  }
  return words
}

extension String {
  fileprivate var capitalized: String { prefix(1).uppercased() + dropFirst() }
}

private func padded(_ number: Int, _ width: Int) -> String {
  let digits = String(number)
  return String(repeating: "0", count: max(0, width - digits.count)) + digits
}
