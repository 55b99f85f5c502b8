import RoostEngine
import RoostTestSupport

/// The Person of the design's figures: names of 12–24 bytes, e-mails of 27–30.
enum PersonTable {
  static let shape = TableShape([
    TableField(id: 1, type: .bytes),  // name
    TableField(id: 2, type: .bytes),  // email
    TableField(id: 3, type: .integer),  // age, 0–99
    TableField(id: 4, type: .double),  // score
    TableField(id: 5, type: .double),  // createdAt, whole milliseconds
    TableField(id: 6, type: .integer),  // isActive
    TableField(id: 7, type: .integer),  // group, 0–999
  ])
  static let age: FieldID = 3

  /// Rows with the keys that are given.
  static func batch(
    keys: some Sequence<Int64>, using generator: inout SeededGenerator
  ) -> RecordBatch {
    let batch = RecordBatch(shape: shape)
    for key in keys {
      batch.keys.append(key)
      append(letters: Int.random(in: 12...24, using: &generator), to: batch.columns[0], &generator)
      append(letters: Int.random(in: 27...30, using: &generator), to: batch.columns[1], &generator)
      batch.columns[2].append(Int64.random(in: 0...99, using: &generator))
      batch.columns[3].append(Double.random(in: 0..<1, using: &generator))
      let milliseconds = Int.random(in: 0..<150_000_000_000, using: &generator)
      batch.columns[4].append(Double(600_000_000_000 + milliseconds) / 1000)
      batch.columns[5].append(Int64.random(in: 0...1, using: &generator))
      batch.columns[6].append(Int64.random(in: 0...999, using: &generator))
    }
    return batch
  }

  private static func append(
    letters count: Int, to column: ColumnBuffer, _ generator: inout SeededGenerator
  ) {
    let letters = generator.bytes(count).map { 97 + $0 % 26 }
    column.append(.bytes(letters))
  }
}
