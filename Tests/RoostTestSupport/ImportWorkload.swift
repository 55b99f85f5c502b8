package import RoostEngine

/// Batches of objects whose content follows from their number, for a process that may be killed.
///
/// Batch k holds 1 to 12 objects, and is written by one transaction: so a file shows which batches it
/// holds, and whether each is whole.
package struct ImportWorkload {
  private let engine: Engine
  private let table: UInt32

  /// Opens or makes the file.
  package init(
    path: String, in fileSystem: any FileSystem = PosixFileSystem()
  ) throws(EngineError) {
    engine = try Engine.open(path, in: fileSystem)
    if engine.snapshot().catalog.table(named: "Item") == nil {
      try engine.write { (transaction) throws(EngineError) in
        try transaction.addTables([
          TableDraft(
            name: "Item",
            fields: [
              FieldDefinition(name: "id", type: .int, isIdentifier: true),
              FieldDefinition(name: "batch", type: .int, isIndexed: true),
              FieldDefinition(name: "text", type: .string),
            ])
        ])
      }
    }
    table = engine.snapshot().catalog.table(named: "Item")?.id ?? 0
  }

  /// The number of the first batch that is not there.
  package func nextBatch() throws(EngineError) -> Int {
    guard let last = try engine.snapshot().view.objects(table).last() else { return 0 }
    return Int(last.key / 100) + 1
  }

  /// Writes one batch and returns when it is durable.
  package func importBatch(_ batch: Int) throws(EngineError) {
    try engine.write { (transaction) throws(EngineError) in
      for index in 0..<Self.count(of: batch) {
        let row = try transaction.batch(for: table)
        row.columns[0].append(Int64(batch))
        row.columns[1].append(Self.text(batch, index))
        try transaction.insertRow(into: table, key: Int64(batch * 100 + index))
      }
    }
  }

  /// Throws unless the file holds whole batches 0 ..< n and nothing else; returns n.
  package func verifiedBatches() throws(EngineError) -> Int {
    if let finding = try engine.snapshot().verify().first { throw .corrupt(finding) }
    var batch = 0
    var index = 0
    var leaves = try engine.snapshot().view.objects(table).leaves()
    while let leaf = try leaves.next() {
      let batches = try leaf.column(1)
      let texts = try leaf.column(2)
      for row in 0..<leaf.rowCount {
        if index == Self.count(of: batch) {
          batch += 1
          index = 0
        }
        guard leaf.key(row) == Int64(batch * 100 + index), batches.integer(row) == Int64(batch),
          texts.bytes(row).array == Array(Self.text(batch, index).utf8)
        else { throw .unknownTable(name: "object \(leaf.key(row)), where batch \(batch) goes on") }
        index += 1
      }
      withExtendedLifetime(leaf) {}
    }
    guard index == 0 || index == Self.count(of: batch) else {
      throw .unknownTable(name: "the end of batch \(batch)")
    }
    return index == 0 ? 0 : batch + 1
  }

  private static func count(of batch: Int) -> Int { 1 + batch * 7 % 12 }

  private static func text(_ batch: Int, _ index: Int) -> String {
    String(repeating: "batch \(batch) object \(index) ", count: 1 + (batch &* 31 &+ index) % 9)
  }
}
