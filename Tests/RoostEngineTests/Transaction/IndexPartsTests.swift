import RoostEngine
import RoostMaintenance
import RoostTestSupport
import Testing

/// Indexes of objects that are there, filled in many parts and in one.
@Suite struct IndexPartsTests {
  private static let types: [FieldType] = [
    .bool, .int, .uint, .double, .float, .date, .string, .data, .uuid, .duration, .link,
  ]

  @Test(arguments: types, 1...4 as ClosedRange<UInt64>)
  func aFieldsIndexOfManyPartsIsThatOfOne(type: FieldType, seed: UInt64) throws {
    // A link has its index from the beginning.
    guard type != .link else { return }
    let table = try Table(type, seed: seed, lengthMax: 400)
    for isUnique in [false, true] {
      try table.compare("\(type), seed \(seed), unique: \(isUnique)") {
        (transaction, thing) throws(EngineError) in
        try transaction.changeField(
          1, of: thing, isIndexed: true, isUnique: isUnique, nullifiesMissingTarget: false,
          deleteRule: .deny)
        return transaction.catalog.table(thing)?.field(1)?.indexTree ?? 0
      }
    }
  }

  @Test(arguments: types, 1...4 as ClosedRange<UInt64>)
  func aTablesIndexOfManyPartsIsThatOfOne(type: FieldType, seed: UInt64) throws {
    let table = try Table(type, seed: seed, lengthMax: 1100)
    let drafts = [
      TableIndexDraft(of: ["a", "b"]), TableIndexDraft(of: ["b", "a"], isUnique: true),
      TableIndexDraft(of: ["a"], isUnique: true, where: [.init("b", .isNotNull)]),
    ]
    for draft in drafts {
      try table.compare("\(type), seed \(seed): \(draft)") {
        (transaction, thing) throws(EngineError) in
        try transaction.addIndex(draft, to: thing)
        return transaction.catalog.table(thing)?.indexes.last?.tree ?? 0
      }
    }
  }

  @Test(arguments: [false, true])
  func anIndexThatFailsAtAnyCallIsAsIfItHadNotBegun(ofTable: Bool) throws {
    let disk = SimulatedDisk()
    let engine = try Engine.open(
      "parts.roost", in: disk, options: EngineOptions(cacheBytes: 1 << 20))
    let filling = try engine.beginWrite()
    let thing = try filling.addTable(
      TableDraft(
        name: "Thing",
        fields: [
          FieldDefinition(name: "id", type: .int, isIdentifier: true),
          FieldDefinition(name: "a", type: .string),
        ]))
    func insert(_ key: Int64, _ transaction: EngineTransaction) throws {
      let text = "\(key &* 7919 % 16_384)" + String(repeating: "a", count: 900)
      try transaction.insert(into: thing, key: key) { $0[0].append(.bytes(Array(text.utf8))) }
    }
    // An index is more than waits to be written.
    for key in 1...8000 as ClosedRange<Int64> { try insert(key, filling) }
    try filling.commit()
    var failures = 0
    for target in [SimulatedDisk.Fault.Target.only(.read), .only(.write)] {
      var call = 1
      while true {
        let transaction = try engine.beginWrite()
        transaction.limits.indexPartBytes = 1 << 20
        transaction.limits.indexPartsMerged = 3
        disk.inject(.init(target, call: call, .failOnce(SystemError.noSpace.rawValue)))
        let result = Result { () throws(EngineError) in
          guard !ofTable else {
            return try transaction.addIndex(TableIndexDraft(of: ["a"], isUnique: true), to: thing)
          }
          try transaction.changeField(
            1, of: thing, isIndexed: true, isUnique: true, nullifiesMissingTarget: false,
            deleteRule: .deny)
        }
        disk.removeFaults()
        guard case .failure(let error) = result else {
          transaction.rollback()
          break
        }
        failures += 1
        guard case .file = error else {
          Issue.record("\(target), call \(call): \(error)")
          return
        }
        #expect(transaction.catalog == engine.snapshot().catalog)
        // The transaction goes on, and everything is as it was.
        try insert(Int64(10_000 + failures), transaction)
        try transaction.commit()
        #expect(try engine.snapshot().verify() == [], "\(target), call \(call)")
        // The first calls, and then some of the others.
        call += call < 12 ? 1 : call / 4
      }
    }
    #expect(failures > 20)
  }

  /// A table of objects with a value of a type and a number, which get an index.
  private struct Table {
    let engine: Engine
    let id: UInt32
    let isTiny: Bool

    /// - Parameter lengthMax: The length of some texts, where they are long.
    init(_ type: FieldType, seed: UInt64, lengthMax: Int) throws {
      var random = SeededGenerator(seed: seed &* 17 &+ UInt64(type.rawValue))
      engine = try Engine.open("parts.roost", in: MemoryFileSystem())
      let transaction = try engine.beginWrite()
      id = try transaction.addTable(
        TableDraft(
          name: "Thing",
          fields: [
            FieldDefinition(name: "id", type: .int, isIdentifier: true),
            FieldDefinition(name: "a", type: type, isOptional: true),
            FieldDefinition(name: "b", type: .int, isOptional: true),
          ], linkTargets: ["a": "Thing"]))
      isTiny = random.chance(1, in: 4)
      let count = isTiny ? Int64.random(in: 0...3, using: &random) : 2500
      // All different; all but two; few.
      let kind = Int.random(in: 0...2, using: &random)
      let twin = Int64.random(in: 1...max(count, 1), using: &random)
      let numbers = Array(1...max(count, 1)).shuffled(using: &random)
      for key in 1...max(count, 1) where key <= count {
        var number = numbers[Int(key) - 1]
        if kind == 1, key == count { number = numbers[Int(twin) - 1] }
        if kind == 2 { number %= 9 }
        let value =
          random.chance(1, in: 20) ? .null : Self.value(type, number, seed == 4 ? lengthMax : 0)
        try transaction.insert(into: id, key: key) { columns in
          columns[0].append(value)
          columns[1].append(random.chance(1, in: 3) ? .null : .integer(number % 3))
        }
      }
      try transaction.commit()
    }

    private static func value(_ type: FieldType, _ number: Int64, _ lengthMax: Int) -> Value {
      let text = Array("v\(number)".utf8)
      switch type {
      case .bool: return .integer(number & 1)
      case .double, .date: return .double(Double(number) * 1.5 - 900)
      case .float: return .float(Float(number) - 900)
      case .string, .data:
        // Some may be longer than an index tells apart.
        let length = number % 50 == 7 ? lengthMax : min(lengthMax, 400)
        return .bytes(text + [UInt8](repeating: 97, count: length))
      case .uuid, .duration: return .uuid(UInt64(number) &* 0x9E37_79B9_7F4A_7C15, UInt64(number))
      case .int, .uint: return .integer(number &* 7919 &- 5_000_000)
      default: return .integer(max(number, 1))
      }
    }

    /// Makes an index in one part, and in many, and compares what comes of it: its entries, or the error.
    func compare(
      _ name: String, _ make: (EngineTransaction, UInt32) throws(EngineError) -> UInt32
    ) throws {
      func pairs(_ partBytes: Int, _ partsMerged: Int) -> Result<[Pair], EngineError> {
        Result { () throws(EngineError) in
          let transaction = try engine.beginWrite()
          defer { transaction.rollback() }
          transaction.limits.indexPartBytes = partBytes
          transaction.limits.indexPartsMerged = partsMerged
          let tree = try make(transaction, id)
          return try transaction.view().index(tree: tree).pairs()
        }
      }
      let whole = pairs(.max, 2)
      #expect(pairs(4000, 3) == whole, "\(name)")
      #expect(pairs(20_000, 64) == whole, "\(name)")
      guard case .success(let pairs) = whole else { return }
      #expect(isTiny || pairs.count > 1000, "\(name)")
      // And in a file, where nothing else may be left of it.
      let transaction = try engine.beginWrite()
      transaction.limits.indexPartBytes = 9000
      transaction.limits.indexPartsMerged = 4
      _ = try make(transaction, id)
      try transaction.commit()
      #expect(try engine.snapshot().verify() == [], "\(name)")
    }
  }
}
