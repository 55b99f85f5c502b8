import RoostEngine
import RoostMaintenance
import RoostTestSupport
import Testing

/// What verifying finds.
@Suite struct VerificationTests {
  private typealias Reason = Corruption.Reason

  /// A small store without free units, so that every unit matters.
  private func makeImage(books: Int = 40, authors: Int = 20) throws -> FileImage {
    let disk = SimulatedDisk()
    try Library(disk, ringUnits: 0).fill(books: books, authors: authors)
    _ = try Engine.compact(Library.path, in: disk)
    return FileImage(disk)
  }

  private func findings(_ image: FileImage) throws -> [Corruption] {
    var options = Library.options()
    options.isReadOnly = true
    return try Engine.open(Library.path, in: image.disk, options: options).snapshot().verify()
  }

  private func tree(_ name: String, _ field: String? = nil) throws -> UInt32 {
    let catalog = try Library(SimulatedDisk()).engine.snapshot().catalog
    let table = try #require(catalog.table(named: name))
    guard let field else { return table.tree }
    return try #require(table.field(named: field)).indexTree
  }

  @Test func findsNothingWhileAStoreChanges() throws {
    let disk = SimulatedDisk()
    let library = try Library(disk, ringUnits: 0)
    for round in 0..<12 {
      let first = Int64(round) * 200
      try library.fill(books: 200, from: first, seed: UInt64(round))
      try library.deleteBooks(0..<first) { $0 % 12 == Int64(round) }
      let pinned = library.engine.snapshot()
      try library.fill(books: 50, from: 10_000 + first, seed: UInt64(round) + 100)
      #expect(try library.findings() == [], "round \(round)")
      #expect(try pinned.contentDigest() == pinned.contentDigest())
    }
    #expect(try Library(FileImage(disk).disk).findings() == [])
  }

  @Test func findsAFlippedByteInAnyUnit() throws {
    let image = try makeImage()
    #expect(try findings(image) == [])
    var random = SeededGenerator(seed: 7)
    for unit in 16..<image.bytes.count / Unit.bytes {
      var damaged = image
      let offset = unit * Unit.bytes + Int.random(in: 0..<Unit.bytes, using: &random)
      damaged.bytes[offset] ^= UInt8.random(in: 1...255, using: &random)
      do {
        let found = try findings(damaged)
        #expect(found.contains { $0.reason == .checksum }, "unit \(unit)")
      } catch {
        // What opening itself reads.
        #expect(error is EngineError, "unit \(unit)")
      }
    }
  }

  @Test func findsAllDamageAtOnce() throws {
    var image = try makeImage(books: 3000, authors: 10)
    var hit: Set<UInt64> = []
    for tree in [try tree("Author"), try tree("Author", "name"), try tree("Book", "price")] {
      let pointer = image.root(of: tree) + 24
      let unit = UInt64(image.number(UInt32.self, at: pointer))
      image.bytes[Int(unit) * Unit.bytes + 9] ^= 4
      hit.insert(unit)
    }
    #expect(Set(try findings(image).compactMap(\.unit)) == hit)
  }

  @Test func findsAZoneMapThatLies() throws {
    var image = try makeImage()
    image.changeRootNode(of: try tree("Author")) { image, leaf in
      // The maximum of the second column.
      let place = leaf + 64 + 40 + 32
      image.set(image.number(at: place) &- 1, at: place)
    }
    #expect(try findings(image).map(\.reason) == [.column])
  }

  @Test func findsAnIndexThatDoesNotAgreeWithItsTable() throws {
    var image = try makeImage()
    let index = try tree("Author", "name")
    image.changeRootNode(of: index) { image, leaf in
      // The least object key: every entry's key moves.
      image.set(image.number(Int64.self, at: leaf + 16) + 1, at: leaf + 16)
    }
    let found = try findings(image)
    #expect(found.allSatisfy { $0.reason == .indexEntry && $0.tree == index })
    #expect(found.count == 40)
  }

  @Test func findsATreeWhoseCountIsWrong() throws {
    var image = try makeImage()
    let place = image.root(of: try tree("Author")) + 8
    image.set(image.number(at: place) + 1, at: place)
    image.sealSlot()
    #expect(try findings(image).map(\.reason) == [.objectCount])
  }

  @Test func findsASurrogateKeyThatCouldComeAgain() throws {
    var image = try makeImage()
    image.set(UInt64(3), at: image.root(of: try tree("Author")) + 16)
    image.sealSlot()
    #expect(try findings(image).map(\.reason) == [.roots])
  }

  @Test func findsALinkThatLeadsNowhere() throws {
    var image = try makeImage()
    // A table without objects, which the links of books lead into.
    let record = image.root(of: try tree("Author"))
    for place in [8, 24, 32, 40] { image.set(UInt64(0), at: record + place) }
    image.sealSlot()
    let found = try findings(image)
    #expect(found.contains { $0.reason == .link })
  }

  @Test func findsAUnitThatBelongsToNobody() throws {
    var image = try makeImage()
    let highWater = image.slot + 32
    let unit = image.number(at: highWater)
    image.set(unit + 1, at: highWater)
    image.bytes += [UInt8](repeating: 0, count: Unit.bytes)
    image.sealSlot()
    #expect(try findings(image) == [Corruption(.leak, unit: unit)])
  }

  @Test func findsAUnitThatIsUsedAndFree() throws {
    var image = try makeImage()
    let slot = image.slot
    let count = image.number(UInt16.self, at: slot + 174)
    image.set(UInt64(20) | 1 << 63, at: slot + 1664 + 16 * Int(count))
    image.set(count + 1, at: slot + 174)
    image.set(image.number(at: slot + 40) + 1, at: slot + 40)
    image.sealSlot()
    #expect(try findings(image) == [Corruption(.overlap, unit: 20)])
  }

  @Test func findsAFreeLogThatDoesNotAddUp() throws {
    var image = try makeImage()
    let free = image.slot + 40
    image.set(image.number(at: free) + 1, at: free)
    image.sealSlot()
    #expect(try findings(image).map(\.reason) == [.freeLog])
  }

  @Test func findsAnExtentWithTwoOwners() throws {
    var image = try makeImage()
    // Two trees of one kind with one root: the second says that it is another's.
    let one = image.root(of: try tree("Author", "name"))
    let other = image.root(of: try tree("Book", "title"))
    for place in [0, 8, 16] {
      image.set(image.number(at: one + 24 + place), at: other + 24 + place)
    }
    image.sealSlot()
    #expect(try findings(image).contains { $0.reason == .overlap })
  }

  @Test func statisticsAddUp() throws {
    let disk = SimulatedDisk()
    let library = try Library(disk, ringUnits: 0)
    try library.fill(books: 2000)
    let statistics = try library.engine.statistics()
    #expect(statistics.tables.map(\.objects) == [5, 2000])
    #expect(statistics.tables[1].indexes.map(\.entries) == [2000, 2000, 2000])
    #expect(statistics.tables[1].valueBytes > 0)
    let trees = statistics.tables.reduce(0) { sum, table in
      table.indexes.reduce(sum + table.bytes + table.valueBytes) { $0 + $1.bytes }
    }
    // Besides the trees: header and slots, the catalog, pages of the free log.
    #expect(statistics.usedBytes - trees < 40 * UInt64(Unit.bytes))
    #expect(statistics.fileBytes == UInt64(disk.contents(of: Library.path)?.count ?? 0))
  }

  @Test(arguments: [0, UInt64.max])
  func findsValuesThatTheirFieldsCannotHave(unreadCommits: UInt64) throws {
    let disk = SimulatedDisk()
    var options = Library.options()
    options.leaving.unreadCommits = unreadCommits
    let engine = try Engine.open("values.roost", in: disk, options: options)
    try engine.write { (transaction) throws(EngineError) in
      try transaction.addTables([
        TableDraft(
          name: "Thing",
          fields: [
            FieldDefinition(name: "id", type: .int, isIdentifier: true),
            FieldDefinition(name: "flag", type: .bool, isOptional: true),
            FieldDefinition(name: "text", type: .string),
          ])
      ])
    }
    let table = try engine.snapshot().view.table(named: "Thing")
    let long = Array(String(repeating: "ü", count: 2000).utf8)
    let rows: [(flag: Value, text: Value, isSound: Bool)] = [
      (.integer(0), .bytes([]), true), (.integer(1), .bytes(Array("ä€😀".utf8)), true),
      (.null, .bytes(long), true), (.integer(2), .bytes([65]), false),
      (.integer(-1), .bytes([65]), false), (.null, .null, false),
      (.null, .bytes([0xC3]), false), (.null, .bytes([0xED, 0xA0, 0x80]), false),
      (.null, .bytes(long + [0xC3]), false), (.null, .bytes([0xFF] + long), false),
    ]
    for (number, row) in rows.enumerated() {
      let key = Int64(number)
      try engine.write { (transaction) throws(EngineError) in
        let batch = try transaction.batch(for: table.id)
        batch.columns[0].append(row.flag)
        batch.columns[1].append(row.text)
        try transaction.insertRow(into: table.id, key: key)
      }
      let found = try engine.snapshot().verify()
      #expect(found.map(\.reason) == (row.isSound ? [] : [.fieldValue]), "\(row)")
      #expect(found.allSatisfy { $0.keys == key...key && $0.tree == table.tree && $0.unit != nil })
      try engine.write { (transaction) throws(EngineError) in
        if !row.isSound { _ = try transaction.delete(from: table.id, key: key) }
      }
    }
    // A field that is new has its default in every object that was there before.
    _ = try engine.write { (transaction) throws(EngineError) in
      try transaction.addField(
        FieldDefinition(name: "more", type: .bool, defaultValue: .integer(7)), to: table.id)
    }
    let found = try engine.snapshot().verify()
    #expect(Set(found.map(\.reason)) == [.catalog, .fieldValue])
  }
}
