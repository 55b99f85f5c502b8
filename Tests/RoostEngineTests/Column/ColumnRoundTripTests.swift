import RoostEngine
import RoostTestSupport
import Testing

struct ColumnRoundTripTests {
  @Test(arguments: ColumnSample.Shape.allCases)
  func everyCellComesBackAsItWas(shape: ColumnSample.Shape) throws {
    var generator = SeededGenerator(seed: 1)
    for count in [1, 2, 63, 64, 65, 200, 1000] {
      for nulls in [0, 1, 40] {
        for bits in shape.interestingBits {
          let sample = ColumnSample(
            shape, count: count, nullPercent: nulls, bits: bits, using: &generator)
          let encoded = sample.encoded()
          let chunk = try encoded.chunk()
          #expect(encoded.bytes.count == 64 + Int(encoded.entry.length))
          for row in 0..<count {
            #expect(chunk.isNull(row) == (sample.values[row] == .null))
            if let reference = sample.references[row] {
              #expect(chunk.external(row) == reference)
              #expect(sample.buffer.external(row) == reference)
            } else {
              #expect(chunk.value(row).isIdentical(to: sample.values[row]), "\(sample) row \(row)")
              #expect(chunk.external(row) == nil)
              #expect(sample.buffer.value(row).isIdentical(to: sample.values[row]))
            }
          }
        }
      }
    }
  }

  @Test(arguments: ColumnSample.Shape.allCases)
  func decodedRowsEqualTheEncodedOnes(shape: ColumnSample.Shape) throws {
    var generator = SeededGenerator(seed: 2)
    for bits in shape.interestingBits {
      let sample = ColumnSample(shape, count: 300, nullPercent: 20, bits: bits, using: &generator)
      let encoded = sample.encoded()
      let chunk = try encoded.chunk()
      let decoded = ColumnBuffer(type: shape.type)
      let copied = ColumnBuffer(type: shape.type)
      var rows: [Int] = []
      for _ in 0..<6 {
        let start = Int.random(in: 0...300, using: &generator)
        let end = Int.random(in: start...300, using: &generator)
        rows.append(contentsOf: start..<end)
        decoded.append(chunk, rows: start..<end)
        copied.append(sample.buffer, rows: start..<end)
      }
      let selection = Selection()
      selection.reset(rowCount: 300, selected: false)
      for row in 0..<300 where generator.chance(1, in: 3) { selection.set(row, true) }
      selection.forEach { rows.append($0) }
      decoded.append(chunk, selected: selection)
      selection.forEach { copied.append(sample.buffer, row: $0) }
      #expect(decoded.count == rows.count)
      #expect(copied.count == rows.count)
      #expect(decoded.nullCount == rows.count { sample.values[$0] == .null })
      #expect(decoded.externalCount == rows.count { sample.references[$0] != nil })
      #expect(copied.externalCount == decoded.externalCount)
      for (index, row) in rows.enumerated() {
        #expect(decoded.external(index) == sample.references[row])
        #expect(copied.external(index) == sample.references[row])
        guard sample.references[row] == nil else { continue }
        #expect(decoded.value(index).isIdentical(to: sample.values[row]))
        #expect(copied.value(index).isIdentical(to: sample.values[row]))
      }
    }
  }

  @Test(arguments: ColumnSample.Shape.allCases)
  func replacedRowsAreEncodedAsReplaced(shape: ColumnSample.Shape) throws {
    var generator = SeededGenerator(seed: 3)
    for bits in shape.interestingBits {
      var sample = ColumnSample(shape, count: 200, nullPercent: 10, bits: bits, using: &generator)
      let other = ColumnSample(shape, count: 200, nullPercent: 30, bits: bits, using: &generator)
      for row in 0..<200 where generator.chance(1, in: 4) {
        if let reference = other.references[row] {
          sample.buffer.set(row, external: reference)
        } else {
          sample.buffer.set(row, other.values[row])
        }
        sample.values[row] = other.values[row]
        sample.references[row] = other.references[row]
      }
      #expect(sample.buffer.externalCount == sample.references.count)
      let start = Int.random(in: 0..<200, using: &generator)
      let encoded = EncodedColumn(sample.buffer, rows: start..<200)
      let chunk = try encoded.chunk()
      for row in start..<200 {
        #expect(chunk.external(row - start) == sample.references[row])
        guard sample.references[row] == nil else { continue }
        #expect(chunk.value(row - start).isIdentical(to: sample.values[row]))
      }
    }
  }

  @Test(arguments: ColumnSample.Shape.allCases)
  func theBytesOfFewerRowsAreNeverUnderestimated(shape: ColumnSample.Shape) {
    var generator = SeededGenerator(seed: 4)
    for bits in shape.interestingBits {
      let sample = ColumnSample(shape, count: 300, nullPercent: 5, bits: bits, using: &generator)
      let plan = ColumnEncoder.plan(sample.buffer, rows: 20..<300)
      #expect(plan.byteCount(first: 280, of: sample.buffer, rows: 20..<300) == plan.byteCount)
      for count in [1, 17, 64, 128, 279] {
        let shorter = ColumnEncoder.plan(sample.buffer, rows: 20..<20 + count)
        #expect(
          plan.byteCount(first: count, of: sample.buffer, rows: 20..<300) >= shorter.byteCount,
          "\(sample) first \(count)")
      }
    }
  }

  @Test func everyEncodingAndWidthIsReached() {
    var generator = SeededGenerator(seed: 5)
    var reached: Set<[UInt8]> = []
    for shape in ColumnSample.Shape.allCases {
      for bits in shape.interestingBits {
        let sample = ColumnSample(shape, count: 900, nullPercent: 0, bits: bits, using: &generator)
        let entry = sample.encoded().entry
        reached.insert([entry.encoding.rawValue, entry.width])
      }
    }
    for encoding in ColumnEncoding.allCases {
      #expect(reached.contains { $0[0] == encoding.rawValue }, "\(encoding)")
    }
    for width: UInt8 in [0, 1, 2, 4, 8, 16, 24, 32, 40, 48, 56, 64] {
      #expect(reached.contains([1, width]), "frame of reference, \(width)")
    }
    for width: UInt8 in [0, 1, 2, 4, 8, 16, 24, 32, 40, 48] {
      #expect(reached.contains([4, width]), "scaled, \(width)")
    }
    for width: UInt8 in [0, 1, 2, 4, 8] {
      #expect(reached.contains([6, width]), "dictionary, \(width)")
    }
    #expect(reached.contains([5, 16]) && reached.contains([5, 32]))
  }
}

extension ColumnSample.Shape {
  /// Sizes of the shape's range of values that lead to different widths.
  var interestingBits: [Int] {
    switch self {
    case .integers: [1, 2, 3, 4, 7, 8, 13, 16, 24, 29, 32, 39, 47, 56, 63, 64]
    case .decimals, .wholeDoubles: [1, 2, 3, 5, 9, 17, 24, 31, 33, 39, 47, 52]
    case .repeatedTexts: [1, 2, 4, 16, 100, 300]
    case .steps: [1, 3, 1000]
    default: [8]
    }
  }
}

extension Value {
  /// Whether two values are the same bits: NaN is NaN here, and −0 is not 0.
  func isIdentical(to other: Value) -> Bool {
    switch (self, other) {
    case (.double(let left), .double(let right)): left.bitPattern == right.bitPattern
    case (.float(let left), .float(let right)): left.bitPattern == right.bitPattern
    default: self == other
    }
  }
}
