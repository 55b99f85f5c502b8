package import RoostEngine

/// A table of songs, which are no more than a number each, and one of playlists, which have a list of links to songs.
package struct SongStore {
  package let engine: Engine
  /// The table of the songs.
  package let songs: UInt32
  /// The table of the playlists.
  package let playlists: UInt32
  /// The songs of a playlist.
  package let list: FieldDefinition

  /// Opens the store, with its tables.
  package init(
    _ fileSystem: any FileSystem, path: String, options: EngineOptions = EngineOptions()
  ) throws(EngineError) {
    engine = try Engine.open(path, in: fileSystem, options: options)
    if engine.snapshot().catalog.table(named: "Song") == nil {
      let id = FieldDefinition(name: "id", type: .int, isIdentifier: true)
      try engine.write { (transaction) throws(EngineError) in
        try transaction.addTables([
          TableDraft(name: "Song", fields: [id]),
          TableDraft(
            name: "Playlist", fields: [id, FieldDefinition(name: "songs", type: .links)],
            linkTargets: ["songs": "Song"]),
        ])
      }
    }
    let catalog = engine.snapshot().catalog
    guard let songs = catalog.table(named: "Song"),
      let playlists = catalog.table(named: "Playlist"),
      let list = playlists.field(named: "songs")
    else { throw .unknownTable(name: "Playlist") }
    (self.songs, self.playlists, self.list) = (songs.id, playlists.id, list)
  }

  package func insertSongs(
    _ keys: some Sequence<Int64>, in transaction: EngineTransaction
  ) throws(EngineError) {
    for key in keys {
      _ = try transaction.batch(for: songs)
      try transaction.insertRow(into: songs, key: key)
    }
  }

  package func insertPlaylist(
    _ key: Int64, of songs: some Collection<Int64>, in transaction: EngineTransaction
  ) throws(EngineError) {
    let batch = try transaction.batch(for: playlists)
    batch.columns[0].append(.bytes(LinkList.bytes(songs)))
    try transaction.insertRow(into: playlists, key: key)
  }

  /// The songs of each playlist.
  package func lists() throws(EngineError) -> [Int64: [Int64]] {
    var lists: [Int64: [Int64]] = [:]
    var leaves = try engine.snapshot().view.objects(playlists).leaves()
    while let leaf = try leaves.next() {
      for row in 0..<leaf.rowCount {
        guard case .bytes(let list) = try RowPlace.leaf(leaf, row).value(of: list.id) else {
          continue
        }
        lists[leaf.key(row)] = Array(LinkList.targets(list))
      }
    }
    return lists
  }

  /// The numbers of the songs.
  package func songKeys() throws(EngineError) -> [Int64] {
    var keys: [Int64] = []
    var leaves = try engine.snapshot().view.objects(songs).leaves()
    while let leaf = try leaves.next() {
      for row in 0..<leaf.rowCount { keys.append(leaf.key(row)) }
    }
    return keys
  }
}
