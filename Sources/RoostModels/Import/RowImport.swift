internal import Roost
internal import RoostDynamic
internal import RoostImport
internal import RoostImportSQLite

/// Makes objects of the rows of an SQLite file: the calling thread reads them, while another one writes the store.
struct RowImport {
  /// A table of the file, and what its rows become.
  private struct Part {
    let table: String
    let model: String
    let properties: [SQLiteRowReader.Property]
    let fields: [String]
  }

  /// What became of the rows of a table.
  struct Written {
    let table: String
    let model: String
    let objects: Int
  }

  private let tables: ModelTables
  private let source: SQLiteSource
  private let parts: [Part]

  init(_ tables: ModelTables, _ source: SQLiteSource) {
    self.tables = tables
    self.source = source
    var parts: [Part] = []
    for model in tables.models {
      let properties = tables.properties(of: model)
      for variant in tables.set.declarations[model].sources {
        parts.append(
          Part(
            table: variant.source, model: tables.name(of: model),
            properties: properties.map { SQLiteRowReader.Property($0.property, tables) },
            fields: properties.map(\.name)))
      }
    }
    self.parts = parts
  }

  /// Makes the tables, and an object of each row, in one transaction.
  func write(
    to store: DynamicStore, _ progress: (String, Int, Int) -> Void, defersIndexes: Bool
  ) throws -> [Written] {
    let writer = RowWriter(
      to: store, tables.tables, parts.map { RowWriter.Target(table: $0.model, fields: $0.fields) },
      defersIndexes: defersIndexes)
    let read = Result { try send(to: writer.steps, progress) }
    do { try writer.finish() } catch {
      // What was handed over was read before anything that could not be read.
      if error is RowWriter.ReadingEnded { _ = try read.get() }
      if let refused = error as? RowWriter.Refused { try throwError(of: refused) }
      throw error
    }
    return try read.get()
  }

  /// Hands all rows over.
  private func send(
    to steps: Handover<RowWriter.Step>, _ progress: (String, Int, Int) -> Void
  ) throws -> [Written] {
    let reader = SQLiteRowReader()
    let total = try parts.map { try source.count(of: $0.table) }.reduce(0, +)
    var counts: [Written] = []
    var doneBefore = 0
    for (place, part) in parts.enumerated() {
      var batch = BatchSender(steps) { (first: Int, rows: [[DynamicValue]]) in
        RowWriter.Step.insert(RowWriter.Batch(target: place, first: first, rows: rows))
      }
      var done = 0
      try source.forEachObject(of: part.table) { row in
        let values: [DynamicValue]
        do { values = try reader.values(of: row, part.properties) } catch {
          throw error is ModelsError ? error : SQLiteSource.placed(error, at: row)
        }
        try batch.add(values, bytesRead: source.bytesRead ?? 0)
        done += 1
        if done.isMultiple(of: 256) { progress(part.table, doneBefore + done, total) }
      }
      try batch.send()
      doneBefore += done
      progress(part.table, doneBefore, total)
      counts.append(Written(table: part.table, model: part.model, objects: done))
    }
    try steps.send(.buildIndexes)
    try source.checkUnchanged()
    try steps.send(.commit)
    return counts
  }

  /// Throws the error of a row that the store refuses, with the row: by now the source is at a later one.
  private func throwError(of refused: RowWriter.Refused) throws {
    var place = 0
    try source.forEachObject(of: parts[refused.target].table) { row in
      if place == refused.place { throw SQLiteSource.placed(refused.error, at: row) }
      place += 1
    }
    throw refused.error
  }
}
