import Roost
import RoostTestSupport
import Testing

/// Random edits of blobs, with savepoints, rollbacks, reopened files and snapshots that are held, against plain arrays.
@Suite struct BlobOracleTests {
  @Test(arguments: 0..<8)
  func aBlobIsWhatTheEditsMakeOfIt(seed: Int) throws {
    var run = try BlobRun(seed: UInt64(seed))
    for round in 0..<scaled(15) {
      try run.transact()
      if round % 7 == 3 { try run.reopen() }
      try run.compare(holding: round % 3 == 0)
    }
    try run.finish()
  }
}

private struct BlobRun {
  /// What an object must be.
  private struct Expected {
    var title: String
    var pictures: [UInt8]
    var left: [UInt8]
    var speed: Int?
  }

  private struct Undone: Error {}

  private let disk = SimulatedDisk()
  private var store: Store
  private var random: SeededGenerator
  private var films: [Int: Expected] = [:]
  private var held: [(snapshot: Snapshot, films: [Int: Expected])] = []
  /// Objects as they were fetched once.
  private var fetched: [Film] = []

  init(seed: UInt64) throws {
    store = try Self.open(disk)
    random = SeededGenerator(seed: seed)
  }

  private static func open(_ disk: SimulatedDisk) throws -> Store {
    var configuration = Configuration()
    configuration.fileSystem = disk
    configuration.cacheBytesMax = 1 << 20
    return try Store(.file("films"), models: Film.self, configuration: configuration)
  }

  mutating func reopen() throws {
    held = []
    fetched = []
    store.close()
    store = try Self.open(disk)
  }

  mutating func transact() throws {
    if held.count > 3 { held.removeFirst() }
    if random.chance(1, in: 3) { held.append((store.snapshot(), films)) }
    var next = films
    var random = random
    do {
      try store.write { transaction in
        for _ in 0..<Int.random(in: 1...6, using: &random) {
          guard random.chance(1, in: 6) else {
            try operate(transaction, &next, &random)
            continue
          }
          let before = next
          do {
            try transaction.savepoint {
              for _ in 0..<3 { try operate(transaction, &next, &random) }
              if random.chance(1, in: 2) { throw Undone() }
            }
          } catch is Undone { next = before }
        }
        if random.chance(1, in: 6) { throw Undone() }
      }
      films = next
    } catch is Undone {}
    self.random = random
    if let film = try store.snapshot().fetch(Film.all).randomElement(using: &self.random) {
      fetched.append(film)
      if fetched.count > 5 { fetched.removeFirst() }
    }
  }

  /// Some bytes, of which some repeat themselves.
  private static func bytes(_ random: inout SeededGenerator) -> [UInt8] {
    let most = [20, 900, 1100, 5000, 70_000, 200_000][Int.random(in: 0..<6, using: &random)]
    let count = Int.random(in: 0...most, using: &random)
    guard random.chance(1, in: 2) else { return random.bytes(count) }
    let word = random.bytes(7)
    return (0..<count).map { word[$0 % 7] }
  }

  private func operate(
    _ transaction: WriteTransaction, _ films: inout [Int: Expected],
    _ random: inout SeededGenerator
  ) throws {
    let id = Int.random(in: 1...6, using: &random)
    let title = "film \(Int.random(in: 0..<100, using: &random))"
    guard var film = films[id] else {
      let made = Expected(title: title, pictures: Self.bytes(&random), left: [], speed: nil)
      try transaction.insert(Film(id: id, title: title, pictures: Blob(made.pictures)))
      films[id] = made
      return
    }
    switch Int.random(in: 0..<14, using: &random) {
    case 0:
      #expect(try transaction.delete(Film.self, id: id))
      films[id] = nil
      return
    case 1:
      film.title = title
      let updated = try transaction.update(Film.self, id: id) { $0.title = title }
      #expect(updated.pictures.count == film.pictures.count)
    case 2:
      // An object of old, whose blobs say "as it is stored".
      if let old = fetched.first(where: { $0.id == id }) {
        film.title = old.title
        film.speed = old.sound.speed
        try transaction.update(old)
      }
    case 3:
      film.left = Self.bytes(&random)
      film.speed = 25
      try transaction.update(
        Film(id: id, title: film.title, sound: Sound(left: Blob(film.left), speed: 25)))
    case 4:
      film.pictures = Self.bytes(&random)
      try transaction.update(Film.self, id: id, set: \.pictures, to: Blob(film.pictures))
    case 5:
      film.speed = Int.random(in: 0..<9, using: &random)
      try transaction.update(Film.self, id: id, set: \.sound.speed, to: film.speed)
      // With the new speed beside blobs that are not read.
      let found = try transaction.find(Film.self, id: id)
      #expect(found.sound.speed == film.speed)
      #expect(found.pictures.count == film.pictures.count)
    case 6..<9: try edit(try transaction.blob(\Film.sound.left, of: id), &film.left, &random)
    default: try edit(try transaction.blob(\Film.pictures, of: id), &film.pictures, &random)
    }
    films[id] = film
  }

  private func edit(
    _ editor: BlobEditor, _ bytes: inout [UInt8], _ random: inout SeededGenerator
  ) throws {
    for _ in 0..<Int.random(in: 1...8, using: &random) {
      let new = Self.bytes(&random)
      let place = Int.random(in: 0...bytes.count, using: &random)
      let end = min(bytes.count, place + Int.random(in: 0...100_000, using: &random))
      switch Int.random(in: 0..<7, using: &random) {
      case 0:
        try editor.insert(new, at: place)
        bytes.insert(contentsOf: new, at: place)
      case 1:
        try editor.removeSubrange(place..<end)
        bytes.removeSubrange(place..<end)
      case 2:
        try editor.write(new, at: place)
        bytes.replaceSubrange(place..<min(bytes.count, place + new.count), with: new)
      case 3 where bytes.count > 300_000 || random.chance(1, in: 4):
        try editor.truncate(to: place)
        bytes.removeSubrange(place...)
      case 4: #expect(try editor.read(place..<end) == Array(bytes[place..<end]))
      default:
        try editor.append(new.lazy.map { $0 })
        bytes += new
      }
      #expect(try editor.count == bytes.count)
    }
  }

  // MARK: Comparing

  /// - Parameter holding: Whether snapshots that are held are looked at too.
  mutating func compare(holding: Bool) throws {
    try Self.compare(store.snapshot(), films, &random)
    for version in held where holding { try Self.compare(version.snapshot, version.films, &random) }
  }

  private static func compare(
    _ snapshot: Snapshot, _ films: [Int: Expected], _ random: inout SeededGenerator
  ) throws {
    let found = try snapshot.fetch(Film.all)
    #expect(found.map(\.id) == films.keys.sorted())
    for film in found {
      guard let expected = films[film.id] else { continue }
      #expect(film.title == expected.title)
      #expect(film.sound.speed == expected.speed)
      #expect(film.pictures.count == expected.pictures.count)
      #expect(film.sound.left.isEmpty == expected.left.isEmpty)
      try compare(
        try snapshot.blob(\Film.pictures, of: film.id), expected.pictures, &random)
      try compare(try snapshot.blob(\Film.sound.left, of: film.id), expected.left, &random)
    }
    #expect(
      try snapshot.count(Film.where { $0.pictures.isEmpty })
        == films.values.count { $0.pictures.isEmpty })
  }

  private static func compare(
    _ reader: BlobReader, _ bytes: [UInt8], _ random: inout SeededGenerator
  ) throws {
    #expect(reader.count == bytes.count)
    let lower = Int.random(in: 0...bytes.count, using: &random)
    let upper = Int.random(in: lower...bytes.count, using: &random)
    #expect(try reader.read(lower..<upper) == Array(bytes[lower..<upper]))
    guard random.chance(1, in: 3) else { return }
    var all: [UInt8] = []
    try unsafe reader.forEachChunk { unsafe all.append(contentsOf: $0) }
    #expect(all == bytes)
  }

  /// Looks at the whole file, and at a compacted copy of it.
  mutating func finish() throws {
    #expect(try store.verify() == [])
    try reopen()
    try compare(holding: true)
    #expect(try store.verify() == [])
  }
}
