import RoostEngine
import RoostMaintenance
import RoostTestSupport
import Testing

/// Files whose counters have come to their ends.
@Suite struct CounterLimitTests {
  /// The counters of a catalog, and which part of the objects' refusal names them.
  enum Counter: String, CaseIterable {
    case tables, trees, fields
  }

  private static let key = FieldDefinition(name: "id", type: .int, isIdentifier: true)
  private static let number = FieldDefinition(name: "number", type: .int)

  private static func image() throws -> FileImage {
    let disk = SimulatedDisk()
    do {
      let engine = try Engine.open(Library.path, in: disk)
      try engine.write { (transaction) throws(EngineError) in
        try transaction.addTables([TableDraft(name: "Thing", fields: [key, number])])
        let table = transaction.catalog.tables[0].id
        try transaction.batch(for: table).columns[0].append(Int64(5))
        try transaction.insertRow(into: table, key: 1)
      }
    }
    return FileImage(disk)
  }

  /// A file with a counter of the catalog at a number.
  private func disk(_ counter: Counter, at number: UInt32) throws -> SimulatedDisk {
    var image = try Self.image()
    image.changeExtent(pointerAt: image.slot + 88) { image, start in
      switch counter {
      case .tables: image.set(number, at: start + 4)
      case .trees: image.set(number, at: start + 8)
      // Behind the counts come the table's number, its name and its tree.
      case .fields: image.set(number, at: start + 16 + 4 + 4 + 5 + 4)
      }
    }
    return image.disk
  }

  private func error(_ body: () throws(EngineError) -> Void) -> EngineError? {
    do {
      try body()
      return nil
    } catch { return error }
  }

  private func isLimit(_ error: EngineError?) -> Bool {
    guard case .limit(let limit) = error else { return false }
    return limit.description.contains("new file")
  }

  private func add(
    _ counter: Counter, _ transaction: EngineTransaction
  ) throws(EngineError) {
    let table = transaction.catalog.tables[0].id
    switch counter {
    case .tables:
      try transaction.addTables([
        TableDraft(
          name: "One",
          fields: [Self.key, FieldDefinition(name: "next", type: .link, isOptional: true)],
          linkTargets: ["next": "Two"]), TableDraft(name: "Two", fields: [Self.key]),
      ])
    case .trees: try transaction.addIndex(TableIndexDraft(of: ["number"]), to: table)
    case .fields:
      try transaction.addField(
        FieldDefinition(name: "more", type: .int, isOptional: true), to: table)
    }
  }

  @Test(arguments: Counter.allCases)
  func aCounterOfTheCatalogAtItsEndRefusesWhatNeedsItAndChangesNothing(counter: Counter) throws {
    let engine = try Engine.open(Library.path, in: disk(counter, at: .max))
    let catalog = engine.snapshot().catalog
    try engine.write { (transaction) throws(EngineError) in
      #expect(isLimit(error { () throws(EngineError) in try add(counter, transaction) }))
      #expect(transaction.catalog == catalog)
      let table = catalog.tables[0].id
      try transaction.batch(for: table).columns[0].append(Int64(6))
      try transaction.insertRow(into: table, key: 2)
    }
    #expect(engine.snapshot().catalog == catalog)
    #expect(try engine.snapshot().verify() == [])
    #expect(try engine.snapshot().view.objects(catalog.tables[0].id).count == 2)
  }

  @Test(arguments: Counter.allCases)
  func theLastNumberOfACounterCanBeUsed(counter: Counter) throws {
    // Two tables need two numbers.
    let room: UInt32 = counter == .tables ? 2 : 1
    let disk = try disk(counter, at: .max - room)
    do {
      let engine = try Engine.open(Library.path, in: disk)
      try engine.write { (transaction) throws(EngineError) in try add(counter, transaction) }
    }
    let engine = try Engine.open(Library.path, in: disk)
    #expect(try engine.snapshot().verify() == [])
  }

  @Test(arguments: Counter.allCases)
  func aTableThatNeedsMoreTreesThanThereAreLeavesTheCatalogAsItWas(counter: Counter) throws {
    let engine = try Engine.open(Library.path, in: disk(counter, at: .max - 1))
    let catalog = engine.snapshot().catalog
    let indexed = FieldDefinition(name: "text", type: .string, isIndexed: true)
    try engine.write { (transaction) throws(EngineError) in
      let refused = error { () throws(EngineError) in
        switch counter {
        case .tables: try add(counter, transaction)
        case .trees:
          try transaction.addTables([TableDraft(name: "One", fields: [Self.key, indexed])])
        case .fields:
          let table = transaction.catalog.tables[0].id
          try transaction.addField(
            FieldDefinition(name: "last", type: .int, isOptional: true), to: table)
          try transaction.addField(
            FieldDefinition(name: "more", type: .int, isOptional: true), to: table)
        }
      }
      #expect(isLimit(refused))
      if counter != .fields { #expect(transaction.catalog == catalog) }
    }
    #expect(try engine.snapshot().verify() == [])
  }

  @Test(arguments: [Counter.tables, .trees])
  func aCounterOfTheCatalogIsNeverZero(counter: Counter) throws {
    let disk = SimulatedDisk()
    do {
      let engine = try Engine.open(Library.path, in: disk)
      try engine.write { (transaction) throws(EngineError) in
        try transaction.addTables([TableDraft(name: "Thing", fields: [Self.key])])
      }
      try engine.write { (transaction) throws(EngineError) in
        try transaction.removeTable(transaction.catalog.tables[0].id)
      }
    }
    var image = FileImage(disk)
    image.changeExtent(pointerAt: image.slot + 88) { image, start in
      image.set(UInt32(0), at: start + (counter == .tables ? 4 : 8))
    }
    #expect(throws: EngineError.corrupt(Corruption(.catalog))) {
      _ = try Engine.open(Library.path, in: image.disk)
    }
  }

  // MARK: The numbers of transactions

  private static let lastTransaction: UInt64 = (1 << 62) - 1

  /// A file whose newest version has a number.
  private func image(transaction: UInt64) throws -> FileImage {
    var image = try Self.image()
    let slot = image.slot
    image.set(transaction, at: slot + 8)
    let mark = (slot == 49_152 ? 16_384 : slot + 16_384) + 4096
    image.set(0x666E_4374_736F_6F52 as UInt64, at: mark)
    image.set(transaction, at: mark + 8)
    image.sealSlot()
    return image
  }

  @Test func aFileWithTheLastTransactionIsReadAndSalvagedButNotWritten() throws {
    let disk = try image(transaction: Self.lastTransaction).disk
    var options = Library.options()
    #expect(
      isLimit(
        error { () throws(EngineError) in
          _ = try Engine.open(Library.path, in: disk, options: options)
        }))
    #expect(
      isLimit(
        error { () throws(EngineError) in
          _ = try Engine.compact(Library.path, in: disk)
        }))
    options.isReadOnly = true
    do {
      let engine = try Engine.open(Library.path, in: disk, options: options)
      #expect(try engine.snapshot().verify() == [])
    }
    let report = try Engine.salvage(Library.path, to: "saved.roost", in: disk)
    #expect(report.losses.isEmpty)
    let saved = try Engine.open("saved.roost", in: disk)
    try saved.write { (transaction) throws(EngineError) in
      #expect(transaction.number < 10)
      try transaction.batch(for: 1).columns[0].append(Int64(6))
      try transaction.insertRow(into: 1, key: 2)
    }
    #expect(try saved.snapshot().view.objects(1).count == 2)
  }

  @Test func theLastTransactionIsWrittenAndTheNextOneRefused() throws {
    let disk = try image(transaction: Self.lastTransaction - 1).disk
    do {
      let engine = try Engine.open(Library.path, in: disk)
      for key in 2...3 as ClosedRange<Int64> {
        let refused = error { () throws(EngineError) in
          try engine.write { (transaction) throws(EngineError) in
            try transaction.batch(for: 1).columns[0].append(key)
            try transaction.insertRow(into: 1, key: key)
          }
        }
        #expect(key == 2 ? refused == nil : isLimit(refused))
      }
      #expect(try engine.snapshot().view.objects(1).count == 2)
    }
    var options = Library.options()
    options.isReadOnly = true
    let engine = try Engine.open(Library.path, in: disk, options: options)
    #expect(try engine.snapshot().view.objects(1).count == 2)
  }

  @Test func aFileIsNotOpenedForWritingWhoseRecoveryWouldTakeTheLastNumbers() throws {
    var image = try image(transaction: Self.lastTransaction - 100)
    // A newer slot without its extents.
    let slot = image.slot
    let newer = slot == 49_152 ? 16_384 : slot + 16_384
    for place in 0..<Unit.bytes { image.bytes[newer + place] = image.bytes[slot + place] }
    image.set(Self.lastTransaction - 99, at: newer + 8)
    image.set(Self.lastTransaction - 100, at: newer + 16)
    image.set(1 << 30 as UInt64, at: newer + 32)
    let mark = newer + 4096
    let marked = Array(image.bytes[mark..<mark + 32])
    image.sealSlot()
    for (place, byte) in marked.enumerated() { image.bytes[mark + place] = byte }
    let disk = image.disk
    #expect(
      isLimit(
        error { () throws(EngineError) in
          _ = try Engine.open(Library.path, in: disk)
        }))
    var options = Library.options()
    options.isReadOnly = true
    let engine = try Engine.open(Library.path, in: disk, options: options)
    #expect(engine.snapshot().version.transaction == Self.lastTransaction - 100)
  }

  @Test func aMarkOfTheHighestNumberOfAllIsDamageAndNoTrap() throws {
    var image = try Self.image()
    let mark = (image.slot == 49_152 ? 16_384 : image.slot + 16_384) + 4096
    image.set(0x666E_4374_736F_6F52 as UInt64, at: mark)
    image.set(UInt64.max, at: mark + 8)
    image.sealSlot()
    #expect(throws: EngineError.corrupt(Corruption(.confirmedVersionLost))) {
      _ = try Engine.open(Library.path, in: image.disk)
    }
  }

  @Test(arguments: [UInt64(Int64.max) - 1, UInt64(Int64.max), UInt64.max])
  func aCounterOfObjectsAtItsEndRefusesThem(next: UInt64) throws {
    let disk = SimulatedDisk()
    try Library(disk).fill(books: 1, authors: 2)
    var image = FileImage(disk)
    let tree = try Library(disk).engine.snapshot().catalog.table(named: "Author")?.tree
    image.set(next, at: image.root(of: try #require(tree)) + 16)
    image.sealSlot()
    let library = try Library(image.disk)
    let refused = error { () throws(EngineError) in
      try library.fill(books: 0, authors: 2, seed: 9)
    }
    guard case .limit = refused else {
      Issue.record("\(String(describing: refused))")
      return
    }
    #expect(try library.findings() == [])
  }
}
