import Foundation
import RoostEngine
import RoostTestSupport
import Testing

/// What becomes of the objects that link to a deleted one.
@Suite struct DeleteRuleTests {
  /// A hundred thousand operations over all seeds, as many as `ROOST_GRAPH_OPERATIONS` says in `Scripts/test-long`.
  private static let operations =
    ProcessInfo.processInfo.environment["ROOST_GRAPH_OPERATIONS"].flatMap(Int.init) ?? 100_000

  @Test(arguments: 0..<24)
  func objectsAndLinksAreWhatTheRulesMakeOfThem(seed: Int) throws {
    var run = try LinkGraphRun(seed: UInt64(seed), keys: seed % 4 == 3 ? 0..<1500 : 0..<80)
    var random = SeededGenerator(seed: 1000 + UInt64(seed))
    var round = 0
    while run.operationCount < Self.operations / 24 {
      let isLong = random.chance(1, in: seed % 4 == 3 ? 2 : 20)
      try run.transact(operations: Int.random(in: 1..<(isLong ? 400 : 20), using: &random))
      try run.compare(verifying: round % 10 == 0)
      round += 1
    }
    try run.compare(verifying: true)
  }

  @Test func aChainOfAnyLengthIsDeletedWithItsFirst() throws {
    let nodes = try NodeStore(rule: .cascade)
    let count: Int64 = 20_000
    try nodes.insert((0..<count).map { ($0, $0 == 0 ? nil : $0 - 1) })
    try nodes.engine.write { (transaction) throws(EngineError) in
      try transaction.delete(from: nodes.table, key: 5)
      guard try !transaction.delete(from: nodes.table, key: count - 1) else {
        throw .unknownTable(name: "the last of the chain is still there")
      }
    }
    #expect(try nodes.keys() == [0, 1, 2, 3, 4])
    #expect(try nodes.engine.snapshot().verify() == [])
  }

  @Test func manyObjectsAreDeletedWithTheOneTheyLinkTo() throws {
    let nodes = try NodeStore(rule: .cascade)
    let count: Int64 = 100_000
    try nodes.insert([(0, nil)] + (1..<count).map { ($0, $0 % 3 == 0 ? nil : 0) })
    _ = try nodes.engine.write { (transaction) throws(EngineError) in
      try transaction.delete(from: nodes.table, key: 0)
    }
    #expect(try nodes.keys() == (1..<count).filter { $0 % 3 == 0 })
    #expect(try nodes.engine.snapshot().verify() == [])
  }

  @Test func onlyAnOptionalLinkCanBecomeNull() throws {
    #expect(throws: EngineError.wrongType(table: "Node", field: "next")) {
      try NodeStore(rule: .nullify, isOptional: false)
    }
    let nodes = try NodeStore(rule: .cascade, isOptional: false)
    #expect(throws: EngineError.wrongType(table: "Node", field: "next")) {
      try nodes.change(to: .nullify)
    }
  }

  @Test func aFileWithRulesNamesThemAsAFeature() throws {
    let disk = SimulatedDisk()
    let nodes = try NodeStore(rule: .deny, in: disk)
    func feature() -> (bits: UInt64, names: [UInt8]) {
      let image = FileImage(disk)
      return (
        image.number(at: image.slot + 56), Array(image.bytes[image.slot + 256..<image.slot + 269])
      )
    }
    #expect(feature().bits == 0)
    try nodes.change(to: .cascade)
    #expect(feature().bits == 1)
    #expect(feature().names == [12] + Array("delete rules".utf8))
    let reopened = try NodeStore(rule: .cascade, in: FileImage(disk).disk)
    #expect(!reopened.engine.isReadOnly)
    try nodes.insert([(1, nil), (2, 1)])
    #expect(feature().bits == 1)
    try nodes.change(to: .deny)
    #expect(feature().bits == 0)
    // What is left are the names of the ring and of its records of rows.
    let names: [UInt8] = [4] + Array("ring".utf8) + [13] + Array("recorde".utf8)
    #expect(feature().names == names)
  }
}

/// A store of nodes that link to each other.
private struct NodeStore {
  let engine: Engine
  let table: UInt32

  init(
    rule: ReferentialAction, isOptional: Bool = true, in files: any FileSystem = MemoryFileSystem()
  ) throws {
    engine = try Engine.open(Library.path, in: files)
    if engine.snapshot().catalog.table(named: "Node") == nil {
      try engine.write { (transaction) throws(EngineError) in
        try transaction.addTables([
          TableDraft(
            name: "Node",
            fields: [
              FieldDefinition(name: "id", type: .int, isIdentifier: true),
              FieldDefinition(
                name: "next", type: .link, isOptional: isOptional, deleteRule: rule),
            ],
            linkTargets: ["next": "Node"])
        ])
      }
    }
    table = try engine.snapshot().view.table(named: "Node").id
  }

  func insert(_ nodes: [(key: Int64, next: Int64?)]) throws {
    try engine.write { (transaction) throws(EngineError) in
      for node in nodes {
        let column = try transaction.batch(for: table).columns[0]
        if let next = node.next { column.append(next) } else { column.appendNull() }
        try transaction.insertRow(into: table, key: node.key)
      }
    }
  }

  func change(to rule: ReferentialAction) throws {
    try engine.write { (transaction) throws(EngineError) in
      try transaction.changeField(
        1, of: table, isIndexed: false, isUnique: false, nullifiesMissingTarget: false,
        deleteRule: rule)
    }
  }

  func keys() throws -> [Int64] {
    var keys: [Int64] = []
    var leaves = try engine.snapshot().view.objects(table).leaves()
    while let leaf = try leaves.next() { keys += (0..<leaf.rowCount).map(leaf.key) }
    return keys
  }
}
