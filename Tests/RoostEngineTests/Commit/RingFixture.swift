import RoostEngine
import RoostTestSupport

/// Files of a store after each of some small commits, and what each version holds.
struct RingFixture {
  static let path = Library.path
  static let key: UInt64 = 0x0123_4567_89AB_CDEF

  /// The file before the commits, with a ring that nothing was written to.
  let first: [UInt8]
  /// The file after each commit.
  let files: [[UInt8]]
  /// What the versions hold, the first one included.
  let readings: [StoreReading]

  /// - Parameters:
  ///   - books: The objects before the commits.
  ///   - commits: How many commits there are; the versions of all stay readable.
  init(books: Int, commits: Int, ringUnits: Int = 16, seed: UInt64 = 1) throws(EngineError) {
    var random = SeededGenerator(seed: seed)
    let disk = SimulatedDisk()
    do { try Library(disk, ringUnits: 0).fill(books: books, seed: seed) }
    first = RingFile.closed(
      disk.contents(of: Self.path) ?? [], units: ringUnits, key: Self.key)
    disk.install(first, at: Self.path)
    let library = try Library(disk, ringUnits: 0)
    let held = library.engine.snapshot()
    var files: [[UInt8]] = []
    var readings = [try StoreReading(sound: held)]
    for number in 0..<commits {
      // A number is left over, for a checkpoint's record.
      try library.engine.beginWrite().rollback()
      try Self.change(library, Int64(number), books: Int64(books), &random)
      files.append(disk.contents(of: Self.path) ?? [])
      readings.append(try StoreReading(sound: library.engine.snapshot()))
    }
    withExtendedLifetime(held) {}
    self.files = files
    self.readings = readings
  }

  private init(_ first: [UInt8], _ files: [[UInt8]], _ readings: [StoreReading]) {
    self.first = first
    self.files = files
    self.readings = readings
  }

  /// A store of 26 tables, and commits that change the roots of some, of all, and of some.
  static func ofManyTables() throws(EngineError) -> RingFixture {
    let disk = SimulatedDisk()
    var options = Library.options()
    options.ringUnits = 0
    do {
      let engine = try Engine.open(path, in: disk, options: options)
      try engine.write { (transaction) throws(EngineError) in
        try transaction.addTables(
          (0..<26).map { number in
            TableDraft(
              name: "Table\(number)",
              fields: [
                FieldDefinition(name: "id", type: .int, isIdentifier: true),
                FieldDefinition(name: "number", type: .int),
              ])
          })
      }
    }
    let first = RingFile.closed(disk.contents(of: path) ?? [], units: 32, key: key)
    disk.install(first, at: path)
    let engine = try Engine.open(path, in: disk, options: options)
    let tables = engine.snapshot().catalog.tables
    var files: [[UInt8]] = []
    var readings = [try StoreReading(sound: engine.snapshot())]
    for (commit, changed) in [tables[...4], tables[...], tables[3...8]].enumerated() {
      try engine.write { (transaction) throws(EngineError) in
        for table in changed {
          try transaction.batch(for: table.id).columns[0].append(Int64(7 * commit))
          try transaction.insertRow(into: table.id, key: Int64(commit))
        }
      }
      files.append(disk.contents(of: path) ?? [])
      readings.append(try StoreReading(sound: engine.snapshot()))
    }
    return RingFixture(first, files, readings)
  }

  /// Inserts a book, and of those before also deletes one, or changes one.
  private static func change(
    _ library: Library, _ number: Int64, books: Int64, _ random: inout SeededGenerator
  ) throws(EngineError) {
    let old = Int64.random(in: 0..<books, using: &random)
    let isLong = random.chance(1, in: 6)
    try library.engine.write { (transaction) throws(EngineError) in
      _ = try transaction.delete(from: library.books, key: old)
      for key in number % 3 == 0 ? [old, 100_000 + number] : [100_000 + number] {
        let columns = try transaction.batch(for: library.books).columns
        columns[0].append("Volume \(key % 977) of commit \(number)")
        columns[1].append(.double(Double(key) / 4))
        columns[2].append(.bytes(random.bytes(isLong ? 5000 : 12)))
        columns[3].append(.null)
        try transaction.insertRow(into: library.books, key: key)
      }
    }
  }

  /// The ring of all commits.
  func ring(
    start: Int = 0, images: Bool = false, seed: UInt64 = 1, count: Int? = nil
  ) throws(EngineError) -> RingFile {
    var ring = RingFile(first, start: start, seed: seed)
    for file in files.prefix(count ?? files.count) {
      ring.append(try ring.makeRecord(of: file, images: images))
    }
    return ring
  }

  /// Opens a file with these bytes.
  static func open(_ bytes: [UInt8], isReadOnly: Bool = false) throws(EngineError) -> Engine {
    let disk = SimulatedDisk()
    disk.install(bytes, at: path)
    var options = Library.options()
    options.isReadOnly = isReadOnly
    return try Engine.open(path, in: disk, options: options)
  }
}
