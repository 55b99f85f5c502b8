import RoostEngine
import RoostTestSupport
import Testing

struct ColumnAggregateTests {
  @Test(arguments: ColumnSample.Shape.allCases)
  func aggregatesEqualThoseOfALoop(shape: ColumnSample.Shape) throws {
    var generator = SeededGenerator(seed: 21)
    for bits in shape.interestingBits {
      for (count, nulls) in [(1, 0), (64, 0), (65, 50), (300, 0), (1000, 10), (4096, 0)] {
        let sample = ColumnSample(
          shape, count: count, nullPercent: nulls, bits: bits, using: &generator)
        let encoded = sample.encoded()
        let chunk = try encoded.chunk()
        try chunk.checkInvariants(unit: 9)
        let some = Selection()
        some.reset(rowCount: count, selected: false)
        for row in 0..<count where generator.chance(2, in: 3) { some.set(row, true) }
        for selection in [nil, some] {
          let rows = (0..<count).filter {
            selection?.contains($0) ?? true && sample.values[$0] != .null
          }
          #expect(chunk.presentCount(selection) == rows.count)
          sample.expectAggregates(of: chunk, selection, rows)
        }
      }
    }
  }

  @Test func sumsBeyond64BitsAreExact() throws {
    let buffer = ColumnBuffer(type: .integer)
    for _ in 0..<100 { buffer.append(Int64.max) }
    buffer.append(Int64.min)
    let encoded = EncodedColumn(buffer, rows: 0..<101)
    #expect(try encoded.chunk().sum() == Int128(Int64.max) * 100 + Int128(Int64.min))
  }

  @Test func aFalseZoneMapIsFound() throws {
    let buffer = ColumnBuffer(type: .double)
    for value in [1.25, .pi, -3] { buffer.append(value) }
    let encoded = EncodedColumn(buffer, rows: 0..<3)
    encoded.entry.maximum = (4.0).bitPattern
    let chunk = try encoded.chunk()
    #expect(throws: EngineError.corrupt(Corruption(.column, unit: 9))) {
      try chunk.checkInvariants(unit: 9)
    }
  }
}

extension ColumnSample {
  fileprivate func expectAggregates(
    of chunk: ColumnChunk, _ selection: Selection?, _ rows: [Int]
  ) {
    switch shape.type {
    case .integer:
      let numbers = rows.map { buffer.integer($0) }
      #expect(chunk.sum(selection) == numbers.reduce(0) { $0 + Int128($1) })
      let extremes = chunk.integerExtremes(selection)
      #expect(extremes?.lowerBound == numbers.min())
      #expect(extremes?.upperBound == numbers.max())
    case .double, .float:
      var lanes = [Double](repeating: 0, count: 16)
      var numbers: [Double] = []
      for row in rows {
        let number = shape.type == .double ? buffer.double(row) : Double(buffer.float(row))
        lanes[row % 16] += number
        if !number.isNaN { numbers.append(number) }
      }
      while lanes.count > 1 {
        let half = lanes.count / 2
        lanes = (0..<half).map { lanes[$0] + lanes[$0 + half] }
      }
      let sum = chunk.sumOfDoubles(selection)
      #expect(sum == lanes[0] || sum.isNaN && lanes[0].isNaN)
      let extremes = chunk.doubleExtremes(selection)
      #expect(extremes?.lowerBound == numbers.min())
      #expect(extremes?.upperBound == numbers.max())
    case .bytes, .uuid:
      let sorted = rows.filter { references[$0] == nil }
        .sorted { Comparison.less.holds(for: values[$0], values[$1]) }
      let minimum = chunk.rowOfMinimum(selection)
      let maximum = chunk.rowOfMaximum(selection)
      #expect(minimum.map { values[$0] } == sorted.first.map { values[$0] })
      #expect(maximum.map { values[$0] } == sorted.last.map { values[$0] })
    }
  }
}
