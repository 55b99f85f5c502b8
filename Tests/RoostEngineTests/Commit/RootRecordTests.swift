import RoostEngine
import RoostMaintenance
import RoostTestSupport
import Testing

/// There is one root record for each tree of the catalog, and none else.
@Suite struct RootRecordTests {
  private func image() throws -> FileImage {
    let disk = SimulatedDisk()
    try Library(disk, ringUnits: 0).fill(books: 30, authors: 5)
    return FileImage(disk)
  }

  private func tables(_ image: FileImage) throws -> [TableDefinition] {
    try Library(image.disk).engine.snapshot().catalog.tables
  }

  private func trees(_ tables: [TableDefinition]) -> [UInt32] {
    tables.flatMap { [$0.tree] + $0.fields.map(\.indexTree).filter { $0 != 0 } }
  }

  private func opening(_ image: FileImage) -> EngineError? {
    do throws(EngineError) {
      var options = Library.options()
      options.isReadOnly = true
      _ = try Engine.open(Library.path, in: image.disk, options: options)
      return nil
    } catch { return error }
  }

  /// Takes the inline record of a tree out of the newest slot.
  private func remove(_ tree: UInt32, from image: inout FileImage) {
    let slot = image.slot
    let count = image.number(UInt16.self, at: slot + 172)
    let place = image.root(of: tree)
    #expect(place > slot)
    for byte in place..<slot + 512 + 48 * Int(count) - 48 {
      image.bytes[byte] = image.bytes[byte + 48]
    }
    image.set(count - 1, at: slot + 172)
    image.sealSlot()
  }

  @Test func aLostRecordIsAnErrorAtOpeningAndTheRestIsSaved() throws {
    let sound = try image()
    let tables = try tables(sound)
    for tree in trees(tables) {
      var image = sound
      remove(tree, from: &image)
      #expect(opening(image) == .corrupt(Corruption(.roots, tree: tree)))
      let disk = image.disk
      let report = try Engine.salvage(Library.path, to: "saved.roost", in: disk)
      let saved = try Library(disk, path: "saved.roost")
      #expect(try saved.findings() == [])
      let counts = try tables.map { try saved.engine.snapshot().view.objects($0.id).count }
      switch tree {
      case tables[0].tree:
        // The links of books to authors that are gone are null.
        #expect(counts == [0, 30])
        #expect(report.losses.contains { $0.table == "Author" && $0.field == nil })
      case tables[1].tree:
        #expect(counts == [5, 0])
        #expect(report.losses.contains { $0.table == "Book" && $0.field == nil })
      default:
        // An index is built anew.
        #expect(counts == [5, 30])
        #expect(report.isComplete)
      }
    }
  }

  @Test func aLostRecordOfARootsExtentIsAnErrorToo() throws {
    let disk = SimulatedDisk()
    do {
      let library = try Library(disk, ringUnits: 0)
      try library.engine.write { (transaction) throws(EngineError) in
        try transaction.addTables(
          (0..<40).map {
            TableDraft(
              name: "Table \($0)",
              fields: [FieldDefinition(name: "id", type: .int, isIdentifier: true)])
          })
      }
    }
    var image = FileImage(disk)
    #expect(opening(image) == nil)
    var lost: UInt32 = 0
    image.changeExtent(pointerAt: image.slot + 120) { image, start in
      let count: UInt32 = image.number(UInt32.self, at: start)
      lost = image.number(UInt32.self, at: start + 8 + 48 * Int(count - 1))
      image.set(count - 1, at: start)
    }
    #expect(opening(image) == .corrupt(Corruption(.roots, tree: lost)))
  }

  @Test func recordsThatAreThereTwiceOrOfOtherTreesAreErrors() throws {
    let sound = try image()
    let slot = sound.slot
    let count = Int(sound.number(UInt16.self, at: slot + 172))
    let records = slot + 512
    func copied(from place: Int, tree: UInt32?, kind: UInt8?) -> EngineError? {
      var image = sound
      for byte in 0..<48 { image.bytes[records + 48 * count + byte] = image.bytes[place + byte] }
      if let tree { image.set(tree, at: records + 48 * count) }
      if let kind { image.bytes[records + 48 * count + 5] = kind }
      image.set(UInt16(count + 1), at: slot + 172)
      image.sealSlot()
      return opening(image)
    }
    for place in 0..<count {
      #expect(
        copied(from: records + 48 * place, tree: nil, kind: nil)
          == .corrupt(Corruption(.roots)))
    }
    #expect(copied(from: records, tree: 77, kind: nil) == .corrupt(Corruption(.roots, tree: 77)))
    // A record of an index where the catalog has a table.
    let table = try tables(sound)[0].tree
    var image = sound
    let place = image.root(of: table)
    for byte in 0..<48 { image.bytes[place + byte] = 0 }
    image.set(table, at: place)
    image.bytes[place + 5] = 2
    image.sealSlot()
    #expect(opening(image) == .corrupt(Corruption(.roots, tree: table)))
  }

  @Test func anEmptyTableHasRecordsOfItsTrees() throws {
    let disk = SimulatedDisk()
    let library = try Library(disk, ringUnits: 0)
    let image = FileImage(disk)
    let trees = trees(library.engine.snapshot().catalog.tables)
    #expect(trees.allSatisfy { image.root(of: $0) > image.slot })
    _ = try library.engine.write { (transaction) throws(EngineError) in
      try transaction.addField(
        FieldDefinition(name: "pages", type: .int, isIndexed: true, defaultValue: .integer(1)),
        to: library.books)
      try transaction.addIndex(TableIndexDraft(of: ["born"]), to: library.authors)
    }
    let changed = FileImage(disk)
    #expect(changed.number(UInt16.self, at: changed.slot + 172) == UInt16(trees.count + 2))
    #expect(try library.findings() == [])
  }

  @Test func aFileWhoseEmptyTablesHaveNoRecordsYetIsReadAndGetsThem() throws {
    let disk = SimulatedDisk()
    try Library(disk, ringUnits: 0).fill(books: 0, authors: 3)
    var image = FileImage(disk)
    let slot = image.slot
    let books = try tables(image)[1]
    let lacking = trees([books])
    // As libraries wrote it that did not say whether there is a record for each tree.
    image.set(image.number(UInt64.self, at: slot + 24) & ~2, at: slot + 24)
    for tree in lacking { remove(tree, from: &image) }
    let old = image.disk
    let library = try Library(old)
    #expect(try library.findings() == [])
    #expect(try library.engine.snapshot().view.objects(books.id).count == 0)
    try library.fill(books: 0, authors: 1, seed: 5)
    let written = FileImage(old)
    #expect(lacking.allSatisfy { written.root(of: $0) > written.slot })
    #expect(written.number(UInt64.self, at: written.slot + 24) & 2 == 2)
    #expect(try library.findings() == [])
    #expect(try Library(written.disk).findings() == [])
  }
}
