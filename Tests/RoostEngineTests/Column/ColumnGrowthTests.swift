import RoostEngine
import RoostTestSupport
import Testing

/// Rows behind the last one of an encoded column, against the same rows encoded at once.
struct ColumnGrowthTests {
  @Test(arguments: ColumnSample.Shape.allCases)
  func rowsBehindAColumnAreFoundThere(shape: ColumnSample.Shape) throws {
    var generator = SeededGenerator(seed: 21)
    for (known, added) in [(1, 1), (1, 3), (2, 1), (63, 1), (64, 70), (300, 1), (300, 100)] {
      for nulls in [0, 0, 5] {
        for bits in shape.interestingBits {
          let sample = ColumnSample(
            shape, count: known + added, nullPercent: nulls, bits: bits, using: &generator)
          let column = EncodedColumn(sample.buffer, rows: 0..<known)
          let growth = ColumnGrowth(
            try column.chunk(), sample.buffer, rows: known..<known + added)
          let grownColumn = EncodedColumn(growth, rowCount: known + added)
          defer { withExtendedLifetime((column, grownColumn)) {} }
          let grown = try grownColumn.chunk()
          for row in 0..<known + added {
            if let reference = sample.references[row] {
              #expect(grown.external(row) == reference)
            } else {
              #expect(grown.value(row).isIdentical(to: sample.values[row]), "\(sample) row \(row)")
            }
          }
          let plan = ColumnEncoder.plan(sample.buffer, rows: 0..<known + added)
          #expect(growth.entry.minimum == plan.minimum)
          #expect(growth.entry.maximum == plan.maximum)
          #expect(growth.entry.nullCount == plan.nullCount)
          #expect(growth.entry.flags == plan.flags)
          if shape.type == .integer { #expect(growth.byteCount == plan.byteCount) }
        }
      }
    }
  }

  /// A zone map that lies, as a hostile file's may, does not change what the rows are.
  @Test func integersOutsideAZoneMapStayWhatTheyAre() throws {
    let buffer = ColumnBuffer(type: .integer)
    for value in [7, 250, 90, 8] as [Int64] { buffer.append(value) }
    let column = EncodedColumn(buffer, rows: 0..<3)
    column.entry.maximum = 9
    let growth = ColumnGrowth(try column.chunk(), buffer, rows: 3..<4)
    let grownColumn = EncodedColumn(growth, rowCount: 4)
    defer { withExtendedLifetime((column, grownColumn)) {} }
    let grown = try grownColumn.chunk()
    #expect((0..<4).map { grown.integer($0) } == [7, 250, 90, 8])
    #expect(Int64(bitPattern: growth.entry.maximum) == 250)
  }
}
