package import RoostEngine

/// A small sound file with something of everything, and what its last versions hold.
package struct SampleStore: Sendable {
  /// The file.
  package let image: StoreImage
  /// The file as it was some commits before, for pages that are out of date.
  package let stale: [UInt8]
  /// What the versions hold that the file's slots describe, by their transactions.
  package let versions: [UInt64: StoreReading]

  /// How many kinds of samples there are to be changed.
  package static let kinds = 5
  /// The kinds that have little that does not pack well: for files that are kept.
  ///
  /// The first has extents of many kinds, the second trees of objects with nodes above their leaves.
  package static let goldenKinds = [5, 6]
  /// The name of the file.
  package static let path = "sample.roost"

  private static let title: FieldID = 1

  /// Makes a sample.
  package init(kind: Int, seed: UInt64) throws(EngineError) {
    var random = SeededGenerator(seed: seed &* 31 &+ UInt64(kind))
    let disk = SimulatedDisk()
    var maker = try Maker(disk, kind: kind)
    switch kind {
    case 0:
      try maker.insertThings(30, &random)
    case 1:
      for _ in 0..<3 { try maker.insertThings(300, &random) }
    case 2:
      try maker.insertThings(260, longOneIn: 1, &random)
      try maker.deleteThings(oneIn: 2, &random)
    case 3:
      try maker.insertThings(200, longOneIn: 20, &random)
      try maker.insertGreatValues(&random)
    case Self.goldenKinds[1]:
      for _ in 0..<6 { try maker.insertThings(600, isPlain: true, &random) }
      try maker.deleteThings(oneIn: 9, &random)
    case Self.goldenKinds[0]:
      try maker.insertThings(330, longOneIn: 1, isPlain: true, &random)
      try maker.deleteEverySecondThing()
      try maker.insertGreatValues(&random)
      for _ in 0..<3 { try maker.insertThings(200, isPlain: true, &random) }
    default:
      for _ in 0..<2 { try maker.insertThings(400, longOneIn: 100, &random) }
      try maker.deleteThings(oneIn: 5, &random)
      maker.close()
      _ = try Engine.compact(Self.path, in: disk)
      maker = try Maker(disk, kind: kind)
    }
    try maker.insertNotes(&random)
    stale = disk.contents(of: Self.path) ?? []
    var versions: [UInt64: StoreReading] = [:]
    for _ in 0..<4 {
      try maker.changeThings(12, &random)
      let snapshot = maker.engine.snapshot()
      versions[snapshot.version.transaction] = try StoreReading(sound: snapshot)
    }
    maker.close()
    self.versions = versions
    var image = StoreImage(disk.contents(of: Self.path) ?? [])
    image.setIdentity(random.next(), random.next())
    self.image = image
  }
}

/// Fills a sample.
private struct Maker {
  private var held: Engine?
  private let owners: UInt32
  private let things: UInt32
  /// The table of long collections; 0 where there is none.
  private let notes: UInt32
  private var keys: [Int64] = []
  private var ownerKeys: [Int64] = []

  /// Opens the store, and makes its tables and their owners where they are missing.
  init(_ disk: SimulatedDisk, kind: Int) throws(EngineError) {
    var options = EngineOptions(cacheBytes: 8 << 20)
    options.compactsOnOpen = nil
    // What is damaged are the extents of each version, at their places.
    options.ringUnits = 0
    let engine = try Engine.open(SampleStore.path, in: disk, options: options)
    held = engine
    if engine.snapshot().catalog.tables.isEmpty {
      try engine.write { (transaction) throws(EngineError) in
        try transaction.addTables(
          Self.drafts(
            smallTables: [2, SampleStore.goldenKinds[0]].contains(kind) ? 26 : 1,
            isIndexed: !SampleStore.goldenKinds.contains(kind)))
      }
    }
    let catalog = engine.snapshot().catalog
    owners = catalog.table(named: "Owner")?.id ?? 0
    things = catalog.table(named: "Thing")?.id ?? 0
    notes = catalog.table(named: "Notes")?.id ?? 0
    let known = try StoreReading(sound: engine.snapshot())
    keys = known.tables[things]?.rows.map(\.key) ?? []
    ownerKeys = known.tables[owners]?.rows.map(\.key) ?? []
    if ownerKeys.isEmpty { try insertOwners(catalog) }
  }

  var engine: Engine {
    guard let held else { preconditionFailure("The sample is closed.") }
    return held
  }

  mutating func close() { held = nil }

  /// - Parameter isIndexed: Whether there are indexes of several fields and of some objects.
  private static func drafts(smallTables: Int, isIndexed: Bool) -> [TableDraft] {
    let owner = TableDraft(
      name: "Owner",
      fields: [
        FieldDefinition(name: "name", type: .string, isIdentifier: true),
        FieldDefinition(name: "rank", type: .int),
      ])
    let thing = TableDraft(
      name: "Thing",
      fields: [
        FieldDefinition(name: "id", type: .int, isIdentifier: true),
        FieldDefinition(name: "title", type: .string, isIndexed: true),
        FieldDefinition(name: "kind", type: .string, isOptional: true, isIndexed: true),
        FieldDefinition(name: "price", type: .double, isOptional: true, isIndexed: true),
        FieldDefinition(name: "ratio", type: .float),
        FieldDefinition(name: "isNew", type: .bool),
        FieldDefinition(name: "code", type: .uuid, isUnique: true),
        FieldDefinition(name: "made", type: .date),
        FieldDefinition(name: "content", type: .data, isOptional: true),
        FieldDefinition(name: "owner", type: .link, isOptional: true),
        FieldDefinition(name: "rank", type: .int, isOptional: true),
      ], linkTargets: ["owner": "Owner"],
      indexes: isIndexed
        ? [
          TableIndexDraft(of: ["kind", "price", "title"]),
          TableIndexDraft(of: ["owner", "made"], where: [.init("kind", .isNotNull)]),
          TableIndexDraft(
            of: ["rank", "code"], isUnique: true,
            where: [.init("isNew", .compare(.equal, .integer(1)))]),
        ] : [])
    let others = (0..<smallTables).map { number in
      TableDraft(
        name: "Other\(number)",
        fields: [
          FieldDefinition(name: "id", type: .int, isIdentifier: true),
          FieldDefinition(name: "number", type: .int),
        ])
    }
    return [owner, thing] + (isIndexed ? [note] : []) + others
  }

  private static var note: TableDraft {
    TableDraft(
      name: "Notes",
      fields: [
        FieldDefinition(name: "id", type: .int, isIdentifier: true),
        FieldDefinition(
          name: "words", type: .list,
          parts: [ElementColumn(name: "element", type: .string, isOptional: true)]),
        FieldDefinition(
          name: "flags", type: .list,
          parts: [ElementColumn(name: "element", type: .bool, isOptional: false)]),
        FieldDefinition(
          name: "pair", type: .compound, isOptional: true, isIndexed: true,
          parts: [
            ElementColumn(name: "text", type: .string, isOptional: false),
            ElementColumn(name: "number", type: .int, isOptional: false),
          ]),
        FieldDefinition(name: "amount", type: .decimal, isOptional: true, isIndexed: true),
        FieldDefinition(name: "owners", type: .links),
      ], linkTargets: ["owners": "Owner"])
  }

  /// Collections, short ones and long ones, in the samples that have a table for them.
  func insertNotes(_ random: inout SeededGenerator) throws(EngineError) {
    guard notes != 0 else { return }
    try engine.write { (transaction) throws(EngineError) in
      for key in 1...12 as ClosedRange<Int64> {
        let isLong = key % 3 == 0
        let count = Int.random(in: isLong ? 400...900 : 0...20, using: &random)
        let words = ColumnBuffer(type: .bytes)
        let flags = ColumnBuffer(type: .integer)
        for _ in 0..<count {
          let word = Array("größe \(random.next() % 999)".utf8)
          words.append(random.chance(1, in: 9) ? .null : .bytes(word))
          flags.append(Int64(random.next() % 2))
        }
        let pair = [ColumnBuffer(type: .bytes), ColumnBuffer(type: .integer)]
        pair[0].append(.bytes([UInt8](repeating: UInt8(key), count: isLong ? 1500 : 9)))
        pair[1].append(key)
        let links = (0..<count).map { _ in ownerKeys[Int(random.next() % 20)] }
        let columns = try transaction.batch(for: notes).columns
        columns[0].append(
          .bytes(PackedColumns.bytes([words], as: [.init(.bytes, isOptional: true)])))
        columns[1].append(
          .bytes(PackedColumns.bytes([flags], as: [.init(.integer, isOptional: false)])))
        columns[2].append(
          .bytes(
            CompoundBytes.bytes(
              pair, as: [.init(.bytes, isOptional: false), .init(.integer, isOptional: false)])))
        columns[3].append(DecimalBytes.bytes("\(key * 7).25").map { .bytes($0) } ?? .null)
        columns[4].append(.bytes(LinkList.bytes(links)))
        try transaction.insertRow(into: notes, key: key)
      }
    }
  }

  private mutating func insertOwners(_ catalog: Catalog) throws(EngineError) {
    ownerKeys = try engine.write { (transaction) throws(EngineError) in
      var made: [Int64] = []
      for number in 0..<20 {
        let columns = try transaction.batch(for: owners).columns
        columns[0].append("Owner number \(number)")
        columns[1].append(Int64(number) * 1_000_000_007)
        made.append(try transaction.insertRow(into: owners, key: nil))
      }
      for table in catalog.tables where table.name.hasPrefix("Other") {
        for key in 1...3 as ClosedRange<Int64> {
          try transaction.batch(for: table.id).columns[0].append(key * key)
          try transaction.insertRow(into: table.id, key: key)
        }
      }
      return made
    }
  }

  mutating func insertThings(
    _ count: Int, longOneIn: Int = 0, isPlain: Bool = false, _ random: inout SeededGenerator
  ) throws(EngineError) {
    var next = keys.last ?? 0
    var made: [Int64] = []
    try engine.write { (transaction) throws(EngineError) in
      for _ in 0..<count {
        next += random.chance(1, in: 3) ? Int64.random(in: 1...1000, using: &random) : 1
        let isLong = longOneIn > 0 && random.chance(1, in: longOneIn)
        let length =
          isLong
          ? Int.random(in: 1025...(isPlain ? 4000 : 6000), using: &random)
          : Int.random(in: 0...80, using: &random)
        let content =
          isPlain ? [UInt8](repeating: 0x2E, count: length) : random.bytes(length)
        try insert(next, content: content, transaction, &random)
        made.append(next)
      }
    }
    keys += made
  }

  /// Values that are packed, and lists of them.
  mutating func insertGreatValues(_ random: inout SeededGenerator) throws(EngineError) {
    let first = (keys.last ?? 0) + 1
    try engine.write { (transaction) throws(EngineError) in
      let text = Array("All work and no play makes Jack a dull boy. ".utf8)
      for (place, count) in [30_000, 1 << 20, 1 << 20 + 1, 2_500_000].enumerated() {
        let content = (0..<count).map { text[$0 % text.count] }
        try insert(first + Int64(place), content: content, transaction, &random)
      }
    }
    keys += first..<first + 4
  }

  private func insert(
    _ key: Int64, content: [UInt8], _ transaction: EngineTransaction,
    _ random: inout SeededGenerator
  ) throws(EngineError) {
    let columns = try transaction.batch(for: things).columns
    columns[0].append("Title \(random.next() % 5000) of a thing that is rather long")
    columns[1].append(
      random.chance(1, in: 8) ? .null : .bytes(Array("kind \(random.next() % 9)".utf8)))
    columns[2].append(
      random.chance(1, in: 9) ? .null : .double(Double.random(in: -99...99, using: &random)))
    columns[3].append(.float(Float(random.next() % 100_000) / 7))
    columns[4].append(Int64(random.next() % 2))
    columns[5].append(.uuid(random.next(), random.next()))
    columns[6].append(Double(622_000_000_000 + random.next() % 150_000_000) / 1000)
    columns[7].append(random.chance(1, in: 10) ? .null : .bytes(content))
    columns[8].append(
      random.chance(1, in: 7) ? .null : .integer(ownerKeys[Int(random.next() % 20)]))
    columns[9].append(random.chance(1, in: 30) ? .null : .integer(Int64(random.next() % 1000)))
    try transaction.insertRow(into: things, key: key)
  }

  /// Leaves gaps everywhere, so that what is free takes pages to say.
  mutating func deleteEverySecondThing() throws(EngineError) {
    let deleted = keys.enumerated().filter { $0.offset % 2 == 1 }.map(\.element)
    try engine.write { (transaction) throws(EngineError) in
      for key in deleted { try transaction.delete(from: things, key: key) }
    }
    keys = keys.enumerated().filter { $0.offset % 2 == 0 }.map(\.element)
  }

  mutating func deleteThings(
    oneIn: Int, _ random: inout SeededGenerator
  ) throws(EngineError) {
    let deleted = Set(keys.filter { _ in random.chance(1, in: oneIn) })
    try engine.write { (transaction) throws(EngineError) in
      for key in deleted { try transaction.delete(from: things, key: key) }
    }
    keys.removeAll { deleted.contains($0) }
  }

  /// Deletes some, and inserts as many.
  mutating func changeThings(
    _ count: Int, _ random: inout SeededGenerator
  ) throws(EngineError) {
    var deleted: Set<Int64> = []
    for _ in 0..<min(count, keys.count / 2) {
      deleted.insert(keys[Int.random(in: 0..<keys.count, using: &random)])
    }
    let old = keys
    try engine.write { (transaction) throws(EngineError) in
      for key in old where deleted.contains(key) {
        try transaction.delete(from: things, key: key)
      }
      for key in deleted.sorted() {
        try insert(key, content: random.bytes(40), transaction, &random)
      }
    }
  }
}
