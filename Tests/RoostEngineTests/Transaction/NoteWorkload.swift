import RoostEngine
import RoostTestSupport

/// What a store of notes must hold: the oracle of the tests of transactions.
struct Note: Hashable {
  var title: String
  var rank: Int64
  var score: Double?
}

typealias Notes = [Int64: Note]

/// A table of notes with an index on `rank`, and random transactions on it.
struct NoteStore {
  static let path = "notes.roost"

  let engine: Engine
  let table: UInt32

  /// Opens the store on a disk, with its table.
  ///
  /// - Parameters:
  ///   - ringUnits: The units of its ring; 0 for none, nil for as many as fit the file.
  ///   - waitingBytesMax: The most bytes that wait in memory; nil for the default.
  ///   - smallCommits: What the records of small commits say; nil for what they say by default.
  init(
    _ fileSystem: any FileSystem, path: String = NoteStore.path, cacheBytes: Int = 4 << 20,
    ringUnits: Int? = nil, waitingBytesMax: Int? = nil, smallCommits: SmallCommits? = .extents
  ) throws(EngineError) {
    var options = EngineOptions(cacheBytes: cacheBytes)
    options.ringUnits = ringUnits
    smallCommits?.set(&options.leaving)
    if let waitingBytesMax { options.waitingBytesMax = waitingBytesMax }
    engine = try Engine.open(path, in: fileSystem, options: options)
    if let table = engine.snapshot().catalog.table(named: "Note") {
      self.table = table.id
      return
    }
    try engine.write { (transaction) throws(EngineError) in
      try transaction.addTables([
        TableDraft(
          name: "Note",
          fields: [
            FieldDefinition(name: "id", type: .int, isIdentifier: true),
            FieldDefinition(name: "title", type: .string),
            FieldDefinition(name: "rank", type: .int, isIndexed: true),
            FieldDefinition(name: "score", type: .double, isOptional: true),
          ])
      ])
    }
    table = engine.snapshot().catalog.table(named: "Note")?.id ?? 0
  }

  /// A store that is open.
  init(_ engine: Engine) {
    self.engine = engine
    table = engine.snapshot().catalog.table(named: "Note")?.id ?? 0
  }

  /// All notes of a snapshot, read object by object and checked against the index.
  func notes(in snapshot: EngineSnapshot? = nil) throws(EngineError) -> Notes {
    let view = try (snapshot ?? engine.snapshot()).view
    var notes: Notes = [:]
    var leaves = try view.objects(table).leaves()
    while let leaf = try leaves.next() {
      for row in 0..<leaf.rowCount {
        notes[leaf.key(row)] = try note(at: .leaf(leaf, row))
      }
    }
    guard notes.count == Int(try view.objects(table).count) else {
      throw .unknownTable(name: "count")
    }
    try check(view, agreesWith: notes)
    return notes
  }

  /// A note as a lookup finds it, if there is one; without the trees where that is possible.
  func note(_ key: Int64, in snapshot: EngineSnapshot) throws(EngineError) -> Note? {
    guard let place = try snapshot.version.find(key, in: table) else { return nil }
    return try note(at: place)
  }

  private func note(at place: RowPlace) throws(EngineError) -> Note {
    guard case .bytes(let title) = try place.value(of: 1),
      case .integer(let rank) = try place.value(of: 2)
    else { throw .unknownTable(name: "note") }
    var score: Double?
    if case .double(let value) = try place.value(of: 3) { score = value }
    return Note(title: String(decoding: title, as: UTF8.self), rank: rank, score: score)
  }

  private func check(_ view: ReadView, agreesWith notes: Notes) throws(EngineError) {
    guard let field = view.catalog.table(table)?.field(named: "rank") else { return }
    var expected: [Int64: [Int64]] = [:]
    for key in notes.keys.sorted() {
      if let note = notes[key] { expected[note.rank, default: []].append(key) }
    }
    var entries = 0
    for rank in expected.keys.sorted() {
      var found: [Int64] = []
      var key = IndexKey()
      key.set(rank)
      try key.withView { (value) throws(EngineError) in
        try view.index(field).keys(equal: value, into: &found)
      }
      guard found == expected[rank] else { throw .unknownTable(name: "index of rank \(rank)") }
      entries += found.count
    }
    guard try UInt64(entries) == view.index(field).count else {
      throw .unknownTable(name: "entries of the index")
    }
  }

  /// Runs random operations in one transaction and changes the oracle alike, also when the commit
  /// then fails.
  func run(
    _ notes: inout Notes, _ random: inout SeededGenerator, operations: Int, keys: Int64 = 3000,
    _ durability: SyncPolicy = .full
  ) throws(EngineError) {
    var changed = notes
    try engine.write(durability) { (transaction) throws(EngineError) in
      for _ in 0..<operations {
        try step(transaction, &changed, &random, keys: keys)
      }
      notes = changed
    }
  }

  /// Runs random operations in savepoints within savepoints, some of which are gone back to, and changes the oracle
  /// alike.
  func runSavepoints(
    _ transaction: EngineTransaction, _ notes: inout Notes, _ random: inout SeededGenerator,
    operations: Int, keys: Int64, depth: Int = 0
  ) throws(EngineError) {
    for _ in 0..<Int.random(in: 1...3, using: &random) {
      for _ in 0..<Int.random(in: 0..<operations, using: &random) {
        try step(transaction, &notes, &random, keys: keys)
      }
      guard depth < 4, random.chance(2, in: 3) else { continue }
      let before = notes
      let savepoint = try transaction.savepoint()
      try runSavepoints(
        transaction, &notes, &random, operations: operations, keys: keys, depth: depth + 1)
      if random.chance(1, in: 2) {
        try transaction.rollback(to: savepoint)
        notes = before
      } else {
        transaction.release(savepoint)
      }
      if random.chance(1, in: 4) {
        guard try transaction.view().objects(table).count == notes.count else {
          throw .unknownTable(name: "count after a savepoint")
        }
      }
    }
  }

  /// Inserts a note for each key, none of which is there.
  func insertMany(
    _ transaction: EngineTransaction, keys: Range<Int64>, _ random: inout SeededGenerator
  ) throws(EngineError) {
    for key in keys {
      try append(Self.note(&random), to: transaction)
      try transaction.insertRow(into: table, key: key)
    }
  }

  /// Inserts a note of no importance.
  func insertNote(_ transaction: EngineTransaction, key: Int64) throws(EngineError) {
    try append(Note(title: "Note \(key)", rank: key % 5, score: nil), to: transaction)
    try transaction.insertRow(into: table, key: key)
  }

  private func append(
    _ note: Note, to transaction: EngineTransaction
  ) throws(EngineError) {
    let batch = try transaction.batch(for: table)
    batch.columns[0].append(note.title)
    batch.columns[1].append(note.rank)
    batch.columns[2].append(note.score.map { Value.double($0) } ?? .null)
  }

  private func step(
    _ transaction: EngineTransaction, _ notes: inout Notes, _ random: inout SeededGenerator,
    keys: Int64
  ) throws(EngineError) {
    let key = Int64.random(in: 0..<keys, using: &random)
    switch Int.random(in: 0..<10, using: &random) {
    case 0..<4:
      let note = Self.note(&random)
      try append(note, to: transaction)
      if notes[key] == nil {
        try transaction.insertRow(into: table, key: key)
      } else {
        guard try transaction.replaceRow(in: table, key: key) else {
          throw .unknownTable(name: "note \(key)")
        }
      }
      notes[key] = note
    case 4..<7:
      let rank = Int64.random(in: 0..<50, using: &random)
      let isThere = try transaction.update(table, key: key, field: 2, to: .integer(rank))
      guard isThere == (notes[key] != nil) else { throw .unknownTable(name: "note \(key)") }
      notes[key]?.rank = rank
    case 7..<9:
      let isThere = try transaction.delete(from: table, key: key)
      guard isThere == (notes[key] != nil) else { throw .unknownTable(name: "note \(key)") }
      notes[key] = nil
    default:
      let place = try transaction.row(in: table, key: key)
      guard (place == nil) == (notes[key] == nil) else { throw .unknownTable(name: "note \(key)") }
      guard let place, let note = notes[key] else { return }
      guard try place.value(of: 2) == .integer(note.rank),
        try place.value(of: 1) == .bytes(Array(note.title.utf8))
      else { throw .unknownTable(name: "content of note \(key)") }
    }
  }

  private static func note(_ random: inout SeededGenerator) -> Note {
    let length = random.chance(1, in: 40) ? 3000 : Int.random(in: 0..<40, using: &random)
    let letters = (0..<length).map { _ in UInt8.random(in: 97..<123, using: &random) }
    return Note(
      title: String(decoding: letters, as: UTF8.self),
      rank: Int64.random(in: 0..<50, using: &random),
      score: random.chance(1, in: 3) ? nil : Double(Int.random(in: 0..<1000, using: &random)))
  }

  /// Throws the first thing that is wrong with the newest version, its units' owners included.
  func verify() throws(EngineError) {
    if let finding = try engine.snapshot().verify().first { throw .corrupt(finding) }
  }
}
