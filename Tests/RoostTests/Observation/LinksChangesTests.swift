import Roost
import RoostTestSupport
import Testing

private struct Track: Model {
  let id: String
  var year: Int
  static let schema = Schema(Track.init, Key("id", \.id), Field("year", \.year))
}

private struct Mixtape: Model {
  let id: Int
  var songs: Links<Track> = []
  static let schema = Schema(Mixtape.init, Key("id", \.id), Field("songs", \.songs))
}

/// Lists of links that are observed.
@Suite struct LinksChangesTests {
  private func makeStore(songs: Int) throws -> Store {
    let store = try Store(.inMemory, models: Mixtape.self, Track.self)
    try store.write { tx in
      try tx.insert(contentsOf: (0..<songs).map { Track(id: "song \($0)", year: 1900 + $0) })
      try tx.insert(Mixtape(id: 1, songs: ["song 3", "song 1", "song 3", "song 0"]))
    }
    return store
  }

  @Test func aListAndItsObjectsAreFollowed() async throws {
    let store = try makeStore(songs: 10)
    var changes = store.changes(of: \Mixtape.songs, of: 1).makeAsyncIterator()
    let first = try #require(try await changes.next())
    #expect(first.isInitial)
    #expect(try first.results.map { try $0.id } == ["song 3", "song 1", "song 3", "song 0"])

    try await store.write { tx in
      let songs = try tx.links(\Mixtape.songs, of: 1)
      try songs.remove(at: 0)
      try songs.insert("song 5", at: 1)
      try tx.update(Track.self, id: "song 3", set: \.year, to: 2000)
      try tx.update(Track.self, id: "song 7", set: \.year, to: 2000)
    }
    let second = try #require(try await changes.next())
    #expect(try second.results.map { try $0.id } == ["song 1", "song 5", "song 3", "song 0"])
    #expect(second.insertions.map(\.id) == ["song 5"])
    #expect(second.deletions.map(\.id) == ["song 3"])
    #expect(second.modifications.map(\.id) == ["song 3"])
    #expect(second.modifications.map(\.fields) == [["year"]])
    var years = try first.results.map { try $0.year }
    try second.apply(to: &years) { try $0.year }
    #expect(try years == second.results.map { try $0.year })

    try await store.write { try $0.delete(Track.self, id: "song 1") }
    #expect(try await changes.next()?.deletions.map(\.index) == [0])
    try await store.write { try $0.delete(Mixtape.self, id: 1) }
    #expect(try await changes.next()?.results.isEmpty == true)
    try await store.write { try $0.insert(Mixtape(id: 1, songs: ["song 9"])) }
    #expect(try await changes.next()?.insertions.map(\.id) == ["song 9"])
  }

  @Test func whatBecomesOfOtherListsAndObjectsIsNotTold() async throws {
    let store = try makeStore(songs: 10)
    let changes = store.changes(of: \Mixtape.songs, of: 1)
    var iterator = changes.makeAsyncIterator()
    _ = try await iterator.next()
    let next = Task { [iterator] in
      var iterator = iterator
      return try await iterator.next()
    }
    for year in 0..<20 {
      try await store.write { tx in
        try tx.upsert(Mixtape(id: 2, songs: ["song \(year % 10)"]))
        try tx.update(Track.self, id: "song 8", set: \.year, to: year)
      }
    }
    try await store.write { try $0.update(Track.self, id: "song 0", set: \.year, to: 2001) }
    let change = try #require(try await next.value)
    #expect(change.modifications.map(\.id) == ["song 0"])
    #expect(change.modifications.map(\.to) == [3])
  }

  @Test(arguments: 0..<8)
  func eachChangeMakesOfAListWhatThereIsInIt(seed: Int) async throws {
    var random = SeededGenerator(seed: UInt64(seed))
    let store = try makeStore(songs: 40)
    var changes = store.changes(of: \Mixtape.songs, of: 1).makeAsyncIterator()
    var shown: [String] = []
    for step in 0..<100 {
      // Told in any case.
      try await store.write { tx in
        try tx.links(\Mixtape.songs, of: 1).append("song 0")
        try tx.update(Track.self, id: "song 0", set: \.year, to: step)
      }
      let change = try #require(try await changes.next())
      try change.apply(to: &shown) { "\(try $0.id) of \(try $0.year)" }
      let list = try #require(try change.snapshot.fetch(Mixtape.self, id: 1)).songs
      let expected = try change.snapshot.fetch(list).map { "\($0.id) of \($0.year)" }
      try #require(shown == expected, "seed \(seed), step \(step)")
      for _ in 0..<Int.random(in: 0...3, using: &random) {
        try await store.write { [random] tx in
          var random = random
          try Self.change(tx, step, &random)
        }
        _ = random.next()
      }
    }
  }

  private static func change(
    _ tx: WriteTransaction, _ step: Int, _ random: inout SeededGenerator
  ) throws {
    let songs = try tx.links(\Mixtape.songs, of: 1)
    let count = try songs.count
    let song = "song \(Int.random(in: 0..<40, using: &random))"
    guard try tx.contains(Track.self, id: song) else { return }
    switch Int.random(in: 0..<6, using: &random) {
    case 0, 1: try songs.insert(song, at: Int.random(in: 0...count, using: &random))
    case 2 where count > 2: try songs.remove(at: Int.random(in: 0..<count, using: &random))
    case 3 where count > 2:
      let (from, to) = (
        Int.random(in: 0..<count, using: &random), Int.random(in: 0..<count, using: &random)
      )
      try songs.move(from: from, to: to)
    case 4 where song != "song 0":
      // Gone from the list, and there again as another object of the same name.
      try tx.delete(Track.self, id: song)
      if Bool.random(using: &random) { try tx.insert(Track(id: song, year: step)) }
    default: try tx.update(Track.self, id: song, set: \.year, to: step)
    }
  }
}
