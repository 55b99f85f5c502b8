package import RoostEngine

/// The million objects of the design's figures, as a table of the engine.
///
/// Person: id, name of 12 to 24 bytes, email of 27 to 30, age below 100, a random score, a time in
/// milliseconds, a flag and one of 1000 groups.
package struct PersonStore {
  /// The open file.
  package let engine: Engine
  /// The table's number.
  package let table: UInt32
  /// How many objects there are; their keys are 2, 4, 6 …
  package let count: Int

  /// The fields by number.
  package enum Field {
    /// The name, 12 to 24 bytes.
    package static let name: FieldID = 1
    /// The e-mail address, 27 to 30 bytes.
    package static let email: FieldID = 2
    /// The age, below 100.
    package static let age: FieldID = 3
    /// A random score, below 1.
    package static let score: FieldID = 4
    /// When, in whole milliseconds.
    package static let createdAt: FieldID = 5
    /// A flag, true for two of three.
    package static let isActive: FieldID = 6
    /// The group's number, below 1000.
    package static let group: FieldID = 7
  }

  private static let definitions = [
    FieldDefinition(name: "id", type: .int, isIdentifier: true),
    FieldDefinition(name: "name", type: .string),
    FieldDefinition(name: "email", type: .string),
    FieldDefinition(name: "age", type: .int),
    FieldDefinition(name: "score", type: .double),
    FieldDefinition(name: "createdAt", type: .date),
    FieldDefinition(name: "isActive", type: .bool),
    FieldDefinition(name: "group", type: .int),
  ]

  /// Makes a file with so many objects, inserted by one transaction.
  package init(
    _ fileSystem: any FileSystem, path: String = "person.roost", count: Int,
    cacheBytes: Int = 256 << 20
  ) throws(EngineError) {
    engine = try Engine.open(
      path, in: fileSystem, options: EngineOptions(cacheBytes: cacheBytes))
    self.count = count
    try engine.write { (transaction) throws(EngineError) in
      try transaction.addTables([TableDraft(name: "Person", fields: Self.definitions)])
    }
    table = engine.snapshot().catalog.table(named: "Person")?.id ?? 0
    var random = SeededGenerator(seed: 42)
    try engine.write { (transaction) throws(EngineError) in
      for index in 0..<count { try insert(index, transaction, &random) }
    }
  }

  /// Inserts the object with this number; its key is twice as large, from 2 on.
  package func insert(
    _ index: Int, _ transaction: EngineTransaction, _ random: inout SeededGenerator
  ) throws(EngineError) {
    try append(transaction, &random)
    try transaction.insertRow(into: table, key: Int64(index * 2 + 2))
  }

  /// Gives all fields of the object with this number new values; returns whether it is there.
  @discardableResult
  package func replace(
    _ index: Int, _ transaction: EngineTransaction, _ random: inout SeededGenerator
  ) throws(EngineError) -> Bool {
    try append(transaction, &random)
    return try transaction.replaceRow(in: table, key: Int64(index * 2 + 2))
  }

  private func append(
    _ transaction: EngineTransaction, _ random: inout SeededGenerator
  ) throws(EngineError) {
    let columns = try transaction.batch(for: table).columns
    columns[0].append(Self.text(12 + Int(random.next() % 13), &random))
    columns[1].append(Self.text(27 + Int(random.next() % 4), &random))
    columns[2].append(Int64(random.next() % 100))
    columns[3].append(Double(random.next() >> 11) / 9_007_199_254_740_992)
    columns[4].append(Double(622_000_000_000 + random.next() % 150_000_000_000) / 1000)
    columns[5].append(Int64(random.next() % 3 == 0 ? 0 : 1))
    columns[6].append(Int64(random.next() % 1000))
  }

  private static func text(_ length: Int, _ random: inout SeededGenerator) -> String {
    var letters = 0 as UInt64
    return unsafe String(unsafeUninitializedCapacity: length) { buffer in
      for index in 0..<length {
        if index % 12 == 0 { letters = random.next() }
        unsafe buffer[index] = 97 + UInt8(letters & 0xF)
        letters >>= 5
      }
      return length
    }
  }

  /// The key of a random object.
  package func randomKey(_ random: inout SeededGenerator) -> Int64 {
    Int64.random(in: 1...Int64(count), using: &random) * 2
  }
}
