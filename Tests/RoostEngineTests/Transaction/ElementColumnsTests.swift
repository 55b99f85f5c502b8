import Foundation
import RoostEngine
import RoostTestSupport
import Testing

/// Elements of collections that get other columns while the file cannot be read.
@Suite struct ElementColumnsTests {
  private static let path = "lists.roost"
  private static let stored = ElementColumn(name: "element.size", type: .int, isOptional: false)
  private static let objectCount: Int64 = 3000

  /// A list of some hundred bytes; a few are longer than a leaf has room for.
  private static func sizes(_ key: Int64) -> [UInt8] {
    let column = ColumnBuffer(type: .integer)
    var random = SeededGenerator(seed: UInt64(key))
    for _ in 0..<(key % 100 == 0 ? 3000 : 30) {
      column.append(Int64.random(in: .min...Int64.max, using: &random))
    }
    return PackedColumns.bytes([column], as: [stored.shape])
  }

  private static func file() throws -> [UInt8] {
    let disk = SimulatedDisk()
    let engine = try Engine.open(path, in: disk)
    let transaction = try engine.beginWrite()
    try transaction.addTables([
      TableDraft(
        name: "Thing",
        fields: [
          FieldDefinition(name: "id", type: .int, isIdentifier: true),
          FieldDefinition(name: "sizes", type: .list, parts: [stored]),
        ])
    ])
    let thing = try #require(transaction.catalog.table(named: "Thing"))
    for key in 1...objectCount {
      let batch = try transaction.batch(for: thing.id)
      batch.columns[0].append(.bytes(sizes(key)))
      try transaction.insertRow(into: thing.id, key: key)
    }
    try transaction.commit()
    return try #require(disk.contents(of: path))
  }

  /// The lists of all objects, by reading each leaf.
  private static func lists(_ snapshot: EngineSnapshot, _ table: UInt32) throws -> [[UInt8]] {
    let values = ColumnBuffer(type: .bytes)
    var leaves = try snapshot.view.objects(table).leaves()
    while let leaf = try leaves.next() { try leaf.append(1, to: values) }
    return (0..<values.count).map { row in
      guard case .bytes(let bytes) = values.value(row) else { return [] }
      return bytes
    }
  }

  /// Each read fails once; the transaction then commits, and all lists must have their old columns.
  @Test(arguments: [1 << 20, 1 << 12])
  func elementsThatCannotAllGetAColumnKeepTheirs(scatteredBytes: Int) throws {
    let bytes = try Self.file()
    let before = (1...Self.objectCount).map(Self.sizes)
    var added = Self.stored
    added.isOptional = true
    let declared = [
      DeclaredElement(added, fallback: nil),
      DeclaredElement(
        ElementColumn(name: "element.colour", type: .int, isOptional: false),
        fallback: .integer(7)),
    ]
    var outlived = 0
    for call in 1... {
      let disk = SimulatedDisk()
      disk.install(bytes, at: Self.path)
      let engine = try Engine.open(
        Self.path, in: disk, options: EngineOptions(cacheBytes: 1 << 20))
      let transaction = try engine.beginWrite()
      transaction.limits.scatteredBytes = scatteredBytes
      let table = try #require(transaction.catalog.table(named: "Thing"))
      let field = try #require(table.field(named: "sizes"))
      disk.inject(.init(.only(.read), call: call, .failOnce(EIO)))
      let result = Result { () throws(EngineError) in
        try transaction.setParts(declared, of: field, in: table.id)
      }
      disk.removeFaults()
      let hasFailed: Bool
      switch result {
      case .success(let missing):
        #expect(missing == 0)
        hasFailed = false
      case .failure(let error):
        guard case .file = error else { throw error }
        hasFailed = true
      }
      let commit = Result { () throws(EngineError) in try transaction.commit() }
      switch commit {
      case .success: if hasFailed { outlived += 1 }
      case .failure(let error):
        // What was applied to the trees could not be undone: the error has undone the transaction.
        #expect(hasFailed && error == .transactionEnded, "call \(call)")
      }
      let snapshot = engine.snapshot()
      #expect(try snapshot.verify() == [], "call \(call)")
      let parts = snapshot.catalog.table(named: "Thing")?.field(named: "sizes")?.parts
      guard hasFailed else {
        #expect(parts == declared.map(\.column))
        #expect(try Self.lists(snapshot, table.id) != before)
        break
      }
      #expect(parts == field.parts, "call \(call)")
      #expect(try Self.lists(snapshot, table.id) == before, "call \(call)")
    }
    #expect(outlived > 20)
  }
}
