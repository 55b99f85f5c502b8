import Roost

/// One list of many links in Roost.
final class RoostLists {
  private let store: Store

  init(creating path: String) throws {
    store = try Store(.file(path), models: Track.self, Playlist.self)
  }

  func close() { store.close() }

  private struct Track: Model {
    let id: Int

    static let schema = Schema(Track.init, Key("id", \.id))
  }

  private struct Playlist: Model {
    let id: Int
    var tracks: Links<Track>

    static let schema = Schema(Playlist.init, Key("id", \.id), Field("tracks", \.tracks))
  }

  /// Makes the list, of links to as many objects.
  func fill(links count: Int) throws {
    try store.write { transaction in
      try transaction.insert(contentsOf: (0..<count).lazy.map { Track(id: $0) })
      try transaction.insert(Playlist(id: 1, tracks: Links(ids: 0..<count)))
    }
  }

  /// Inserts links at random places, in one durable transaction.
  func insert(_ count: Int) throws {
    try store.write { transaction in
      let tracks = try transaction.links(\Playlist.tracks, of: 1)
      var random = SplitMix64(seed: 7)
      let length = try tracks.count
      for number in 0..<count {
        let place = Int(random.next() % UInt64(length + number))
        try tracks.insert(number * 31 % length, at: place)
      }
    }
  }

  /// How many links the list has.
  func count() throws -> Int {
    try store.read { try $0.find(Playlist.self, id: 1).tracks.count }
  }

  /// A sum over the places and the targets, so that another order is another answer.
  func sum() throws -> Int {
    try store.read { snapshot in
      try snapshot.find(Playlist.self, id: 1).tracks.enumerated()
        .reduce(0) { $0 &+ ($1.offset &+ 1) &* $1.element }
    }
  }
}
