import Foundation
import Roost
import RoostInterchange
import RoostTestSupport
import Testing

/// Lists of links, by examples; random ones are in `LinksOracleTests`.
@Suite struct LinksTests {
  private static let playlists = Inverse(\Playlist.songs)

  private func store(songs: Int) throws -> Store {
    let store = try Store(.inMemory, models: Playlist.self, Song.self)
    try store.write { transaction in
      try transaction.insert(
        contentsOf: (0..<songs).map { Song(id: "song \($0)", year: 1900 + $0 % 100) })
    }
    return store
  }

  @Test func keepsItsOrderAndMayNameOneTargetSeveralTimes() throws {
    let store = try store(songs: 5)
    let list: Links<Song> = ["song 3", "song 1", "song 3", "song 0"]
    try store.write { try $0.insert(Playlist(id: 1, songs: list)) }
    let found = try store.read { try $0.find(Playlist.self, id: 1) }
    #expect(found.songs == list)
    #expect(try store.read { try $0.fetch(found.songs).map(\.id) } == Array(list))
    let snapshot = store.snapshot()
    #expect(try snapshot.count(Self.playlists, of: "song 3") == 1)
    #expect(try snapshot.fetch(Self.playlists(of: "song 3")).map(\.id) == [1])
    #expect(try snapshot.count(Self.playlists, of: "song 2") == 0)
    #expect(try store.verify().isEmpty)
  }

  @Test func isMadeOfAndAskedForLinks() throws {
    let store = try store(songs: 5)
    let one = Link<Song>(id: "song 1")
    var songs = Links([Link(Song(id: "song 4", year: 1904)), one])
    songs.append(one)
    #expect(Array(songs) == ["song 4", "song 1", "song 1"])
    #expect(songs.contains(one) && !songs.contains(Link(id: "song 3")))
    try store.write { try $0.insert(Playlist(id: 1, songs: songs)) }
    let snapshot = store.snapshot()
    #expect(try snapshot.count(Playlist.where { $0.songs.contains(Link(id: "song 4")) }) == 1)
    #expect(try snapshot.count(Playlist.where { $0.songs.contains(Link(id: "song 3")) }) == 0)
  }

  @Test func isReadBothWaysAndByItsTargets() throws {
    let store = try store(songs: 100)
    try store.write { transaction in
      for id in 0..<40 {
        let songs = (0..<id % 7).map { "song \((id * 3 + $0 * 11) % 100)" }
        try transaction.insert(Playlist(id: id, songs: Links(ids: songs)))
      }
    }
    let snapshot = store.snapshot()
    let all = try snapshot.fetch(Playlist.all)
    for song in ["song 0", "song 3", "song 14", "song 99"] {
      let expected = all.filter { $0.songs.contains(song) }.map(\.id)
      #expect(try snapshot.fetch(Playlist.where { $0.songs.contains(song) }).map(\.id) == expected)
      #expect(try snapshot.count(Self.playlists, of: song) == expected.count)
      let others = Playlist.where { !$0.songs.contains(song) && $0.id < 20 }
      #expect(
        try snapshot.fetch(others).map(\.id)
          == all.filter { !$0.songs.contains(song) && $0.id < 20 }.map(\.id))
    }
    let old = Playlist.where { $0.songs.contains { $0.year < 1910 } }
    let years = Dictionary(
      uniqueKeysWithValues: try snapshot.fetch(Song.all).map { ($0.id, $0.year) })
    #expect(
      try snapshot.fetch(old).map(\.id)
        == all.filter { $0.songs.contains { years[$0] ?? 0 < 1910 } }.map(\.id))
    let both = Playlist.where { $0.songs.contains("song 3") && $0.songs.contains("song 14") }
    #expect(
      try snapshot.fetch(both).map(\.id)
        == all.filter { $0.songs.contains("song 3") && $0.songs.contains("song 14") }.map(\.id))
    #expect(
      try snapshot.count(Playlist.where { $0.songs.isEmpty }) == all.filter(\.songs.isEmpty).count)
    #expect(
      "\(old)".contains("songs contains { year < 1910 }"))
  }

  @Test func isEditedInPlaceAndSeenByItsTransaction() throws {
    let store = try store(songs: 10)
    try store.write { transaction in
      try transaction.insert(Playlist(id: 1, songs: []))
      let songs = try transaction.links(\Playlist.songs, of: 1)
      try songs.append(contentsOf: ["song 1", "song 2", "song 3"])
      try songs.insert("song 0", at: 0)
      try songs.move(from: 0, to: 3)
      #expect(try songs[0..<4] == ["song 1", "song 2", "song 3", "song 0"])
      #expect(try transaction.find(Playlist.self, id: 1).songs == songs.value)
      try songs.move(from: 3, to: 1)
      try songs.replace(at: 2, with: "song 9")
      try songs.remove(at: 3)
      #expect(try transaction.count(Self.playlists, of: "song 2") == 0)
      #expect(try transaction.count(Self.playlists, of: "song 9") == 1)
    }
    #expect(
      try store.read { try $0.find(Playlist.self, id: 1).songs } == ["song 1", "song 0", "song 9"])
    #expect(try store.verify().isEmpty)
  }

  @Test func whatIsNotThereIsAnErrorThatChangesNothing() throws {
    let store = try store(songs: 3)
    try store.write { transaction in
      try transaction.insert(Playlist(id: 1, songs: ["song 1"]))
      let songs = try transaction.links(\Playlist.songs, of: 1)
      #expect(throws: StoreError.outOfRange(place: 2, count: 1)) {
        try songs.insert("song 2", at: 2)
      }
      #expect(throws: StoreError.outOfRange(place: 1, count: 1)) { try songs.remove(at: 1) }
      #expect(throws: StoreError.outOfRange(place: -1, count: 1)) { _ = try songs[-1] }
      #expect(throws: StoreError.outOfRange(place: 4, count: 1)) {
        try songs.removeSubrange(0..<4)
      }
      #expect(throws: StoreError.notFound(model: "Playlist", id: "2")) {
        try transaction.links(\Playlist.songs, of: 2)
      }
      #expect(try songs.value == ["song 1"])
    }
    let dangling = StoreError.danglingLink(
      model: "Playlist", id: "1", field: "songs", target: "Song", targetID: "nobody's")
    #expect(throws: dangling) {
      try store.write { try $0.links(\Playlist.songs, of: 1).append("nobody's") }
    }
    var kept: LinksEditor<Song>?
    try store.write { kept = try $0.links(\Playlist.songs, of: 1) }
    #expect(throws: StoreError.transactionEnded) { try kept?.count }
    try store.write { transaction in
      let songs = try transaction.links(\Playlist.songs, of: 1)
      try transaction.delete(Playlist.self, id: 1)
      #expect(throws: StoreError.notFound(model: "Playlist", id: "1")) {
        try songs.append("song 1")
      }
    }
  }

  @Test func aListOfAMillionIsEditedInPlace() throws {
    let store = try Store(.inMemory, models: Mix.self, Track.self)
    var oracle = (0..<1_000_000).map { $0 * 7 % 1_000 }
    var random = SeededGenerator(seed: 3)
    try store.write { transaction in
      try transaction.insert(contentsOf: (0..<1_000).map { Track(id: $0) })
      try transaction.insert(Mix(id: 1, tracks: Links(ids: oracle)))
      let tracks = try transaction.links(\Mix.tracks, of: 1)
      for _ in 0..<1_000 {
        let track = Int.random(in: 0..<1_000, using: &random)
        let place = Int.random(in: 0...oracle.count, using: &random)
        try tracks.insert(track, at: place)
        oracle.insert(track, at: place)
      }
    }
    try store.write { transaction in
      let tracks = try transaction.links(\Mix.tracks, of: 1)
      for _ in 0..<200 {
        let from = Int.random(in: 0..<oracle.count, using: &random)
        let to = Int.random(in: 0..<oracle.count, using: &random)
        try tracks.move(from: from, to: to)
        oracle.insert(oracle.remove(at: from), at: to)
      }
      try tracks.removeSubrange(300..<900_000)
      oracle.removeSubrange(300..<900_000)
    }
    #expect(try store.read { try $0.find(Mix.self, id: 1).tracks } == Links(ids: oracle))
    #expect(try store.verify().isEmpty)
  }

  @Test func aDeletedTargetLeavesItsListsUnlessTheRuleSaysOtherwise() throws {
    let store = try Store(.inMemory, models: Playlist.self, Song.self, Album.self, Series.self)
    try store.write { transaction in
      try transaction.insert(contentsOf: (0..<300).map { Song(id: "song \($0)", year: $0) })
      let songs = (0..<600).map { "song \($0 % 300)" }
      try transaction.insert(Playlist(id: 1, songs: Links(ids: songs)))
      try transaction.insert(Playlist(id: 2, songs: ["song 7", "song 8"]))
      try transaction.insert(Album(id: 1, songs: ["song 9"]))
      try transaction.insert(Series(id: 1, songs: ["song 10"]))
      try transaction.insert(Series(id: 2, songs: ["song 11"]))
    }
    try store.write { transaction in
      try transaction.delete(Song.self, ids: ["song 7", "song 10", "song 299"])
      #expect(try transaction.find(Playlist.self, id: 2).songs == ["song 8"])
    }
    #expect(
      throws: StoreError.linkedTarget(
        model: "Song", id: "song 9", linkingModel: "Album", linkingField: "songs")
    ) {
      try store.write { try $0.delete(Song.self, id: "song 9") }
    }
    let snapshot = store.snapshot()
    let gone = ["song 7", "song 10", "song 299"]
    #expect(
      try snapshot.find(Playlist.self, id: 1).songs.map { $0 }
        == (0..<600).map { "song \($0 % 300)" }.filter { !gone.contains($0) })
    #expect(try snapshot.fetch(Series.all).map(\.id) == [2])
    #expect(try store.verify().isEmpty)
  }

  @Test func aListThatIsAddedToAModelIsEmpty() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/songs.roost"
      do {
        let store = try Store(.file(path), models: Before.Playlist.self)
        try store.write { try $0.insert(contentsOf: (0..<10).map { Before.Playlist(id: $0) }) }
        store.close()
      }
      let store = try Store(.file(path), models: Playlist.self, Song.self)
      #expect(try store.read { try $0.fetch(Playlist.all).allSatisfy(\.songs.isEmpty) })
      try store.write { transaction in
        try transaction.insert(Song(id: "new", year: 2000))
        try transaction.links(\Playlist.songs, of: 4).append("new")
      }
      #expect(try store.snapshot().fetch(Self.playlists(of: "new")).map(\.id) == [4])
      #expect(try store.verify().isEmpty)
    }
  }

  @Test(arguments: [TextFormat.json, .ndjson, .csv])
  func isAnArrayOfIdsInTexts(format: TextFormat) throws {
    let playlists = (0..<50).map { id in
      Playlist(id: id, songs: Links(ids: (0..<id % 5).map { "song, \"\($0 * 7 % 4)\"" }))
    }
    let mixes = (0..<50).map { Mix(id: $0, tracks: Links(ids: ($0..<$0 + $0 % 4).map { -$0 })) }
    func check<M: Model>(_ objects: [M]) throws {
      var text: [UInt8] = []
      try M.write(objects, to: TextOutput { text += $0 }, as: format)
      #expect(try M.read(from: .bytes(text), as: format) == objects)
    }
    try check(playlists)
    try check(mixes)
    for playlist in playlists {
      #expect(try Playlist(dictionary: playlist.dictionary()) == playlist)
    }
    let tracks = try Mix(id: 1, tracks: [3, -4]).dictionary()["tracks"] as? [any Sendable]
    #expect(tracks?.map { $0 as? Int64 } == [3, -4])
    #expect(throws: StoreError.self) {
      try Playlist.read(from: .bytes(Array(#"[{"id":1,"songs":["a",2]}]"#.utf8)), as: .json)
    }
  }

  @Test func whatNoListCanBeIsRefused() throws {
    #expect(throws: StoreError.self) {
      try Store(.inMemory, models: OptionalList.self, Song.self)
    }
  }
}

private struct Song: Model {
  let id: String
  var year: Int
  static let schema = Schema(Song.init, Key("id", \.id), Field("year", \.year))
}

private struct Playlist: Model {
  let id: Int
  var songs: Links<Song>
  static let schema = Schema(Playlist.init, Key("id", \.id), Field("songs", \.songs))
}

private struct Track: Model {
  let id: Int
  static let schema = Schema(Track.init, Key("id", \.id))
}

private struct Mix: Model {
  let id: Int
  var tracks: Links<Track>
  static let schema = Schema(Mix.init, Key("id", \.id), Field("tracks", \.tracks))
}

private enum Before {
  struct Playlist: Model {
    let id: Int
    static let schema = Schema(Playlist.init, Key("id", \.id))
  }
}

private struct Album: Model {
  let id: Int
  var songs: Links<Song>
  static let schema = Schema(
    Album.init, Key("id", \.id), Field("songs", \.songs, .onTargetDelete(.deny)))
}

private struct Series: Model {
  let id: Int
  var songs: Links<Song>
  static let schema = Schema(
    Series.init, Key("id", \.id), Field("songs", \.songs, .onTargetDelete(.cascade)))
}

private struct OptionalList: Model {
  let id: Int
  var songs: Links<Song>?
  static let schema = Schema(OptionalList.init, Key("id", \.id), Field("songs", \.songs))
}
