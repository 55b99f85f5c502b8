import RoostEngine
import RoostTestSupport

/// A store with a bit of everything: two tables with links, surrogate keys, indexes, long values, nulls.
struct Library {
  static let path = "library.roost"

  let engine: Engine
  let authors: UInt32
  let books: UInt32

  /// Opens the store with its tables, and compacts it only when asked.
  init(
    _ fileSystem: any FileSystem, path: String = Library.path,
    compactsOnOpen: (@Sendable (UInt64, UInt64) -> Bool)? = nil, ringUnits: Int? = nil,
    smallCommits: SmallCommits = .extents
  ) throws(EngineError) {
    var options = Self.options(compactsOnOpen)
    options.ringUnits = ringUnits
    smallCommits.set(&options.leaving)
    engine = try Engine.open(path, in: fileSystem, options: options)
    if engine.snapshot().catalog.tables.isEmpty {
      try engine.write { (transaction) throws(EngineError) in
        try transaction.addTables([
          TableDraft(
            name: "Author",
            fields: [
              FieldDefinition(name: "name", type: .string, isIdentifier: true),
              FieldDefinition(name: "born", type: .date, isOptional: true),
            ]),
          TableDraft(
            name: "Book",
            fields: [
              FieldDefinition(name: "id", type: .int, isIdentifier: true),
              FieldDefinition(name: "title", type: .string, isIndexed: true),
              FieldDefinition(name: "price", type: .double, isOptional: true, isIndexed: true),
              FieldDefinition(name: "scan", type: .data, isOptional: true),
              FieldDefinition(name: "author", type: .link, isOptional: true),
            ], linkTargets: ["author": "Author"]),
        ])
      }
    }
    let catalog = engine.snapshot().catalog
    authors = catalog.table(named: "Author")?.id ?? 0
    books = catalog.table(named: "Book")?.id ?? 0
  }

  static func options(
    _ compactsOnOpen: (@Sendable (UInt64, UInt64) -> Bool)? = nil
  ) -> EngineOptions {
    var options = EngineOptions(cacheBytes: 4 << 20)
    options.compactsOnOpen = compactsOnOpen
    return options
  }

  /// Inserts authors and books with keys from `first` on, in transactions of some hundred.
  func fill(
    books count: Int, authors authorCount: Int = 5, from first: Int64 = 0, seed: UInt64 = 1
  ) throws(EngineError) {
    var random = SeededGenerator(seed: seed)
    let keys = try insertAuthors(authorCount, seed: seed)
    var next = first
    let end = first + Int64(count)
    while next < end {
      try engine.write { (transaction) throws(EngineError) in
        let last = min(next + 700, end)
        while next < last {
          try insertBook(next, by: keys, transaction, &random)
          next += 1
        }
      }
    }
  }

  private func insertAuthors(_ count: Int, seed: UInt64) throws(EngineError) -> [Int64] {
    try engine.write { (transaction) throws(EngineError) in
      var keys: [Int64] = []
      for number in 0..<count {
        let batch = try transaction.batch(for: authors)
        batch.columns[0].append("Author \(number) of \(seed)")
        batch.columns[1].append(number % 3 == 0 ? .null : .double(Double(number) * -1e6 + 0.25))
        keys.append(try transaction.insertRow(into: authors, key: nil))
      }
      return keys
    }
  }

  private func insertBook(
    _ key: Int64, by authors: [Int64], _ transaction: EngineTransaction,
    _ random: inout SeededGenerator
  ) throws(EngineError) {
    let batch = try transaction.batch(for: books)
    batch.columns[0].append("Volume \(Int.random(in: 0..<1000, using: &random)) ✓")
    batch.columns[1].append(
      random.chance(1, in: 9) ? .null : .double(Double.random(in: 0...99, using: &random)))
    let length = random.chance(1, in: 60) ? Int.random(in: 1000...30_000, using: &random) : 20
    batch.columns[2].append(.bytes(random.bytes(length)))
    batch.columns[3].append(
      random.chance(1, in: 7)
        ? .null : .integer(authors[Int.random(in: 0..<authors.count, using: &random)]))
    try transaction.insertRow(into: books, key: key)
  }

  /// Deletes the books whose keys `isDeleted` names.
  func deleteBooks(_ keys: Range<Int64>, where isDeleted: (Int64) -> Bool) throws(EngineError) {
    try engine.write { (transaction) throws(EngineError) in
      for key in keys where isDeleted(key) { try transaction.delete(from: books, key: key) }
    }
  }

  /// The content, as a number.
  func digest() throws(EngineError) -> UInt64 { try engine.snapshot().contentDigest() }

  /// What is wrong with the store.
  func findings() throws(EngineError) -> [Corruption] { try engine.snapshot().verify() }
}
