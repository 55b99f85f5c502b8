import RoostEngine
import RoostTestSupport
import Testing

struct ColumnFilterTests {
  private static let rowCounts = [1, 63, 64, 65, 127, 300, 4096]

  @Test(arguments: ColumnSample.Shape.allCases)
  func everyComparisonChoosesWhatALoopChooses(shape: ColumnSample.Shape) throws {
    var generator = SeededGenerator(seed: 11)
    let selection = Selection()
    let scratch = Selection()
    for bits in shape.interestingBits {
      for nulls in [0, 30] {
        let count = Self.rowCounts.randomElement(using: &generator) ?? 1
        let sample = ColumnSample(
          shape, count: count, nullPercent: nulls, bits: bits, using: &generator)
        let encoded = sample.encoded()
        let chunk = try encoded.chunk()
        for constant in sample.constants(using: &generator) {
          for comparison in Comparison.allCases {
            let expected = sample.values.map { comparison.holds(for: $0, constant) }
            chunk.filter(comparison, constant, into: selection)
            sample.settle(chunk, selection) { comparison.holds(for: $0, constant) }
            #expect(
              selection.equals(expected),
              "\(sample) \(encoded.entry) \(comparison) \(constant)")
            if !chunk.hasExternals {
              #expect(
                chunk.count(comparison, constant, scratch: scratch) == expected.count { $0 },
                "\(sample) \(encoded.entry) \(comparison) \(constant)")
            }
            let answer = encoded.entry.answer(comparison, constant, rowCount: count)
            #expect(answer != .none || !expected.contains(true))
            #expect(answer != .all || !expected.contains(false))
          }
        }
      }
    }
  }

  @Test(arguments: [ColumnSample.Shape.uniqueTexts, .repeatedTexts, .longTexts, .externalTexts])
  func everyPatternChoosesWhatALoopChooses(shape: ColumnSample.Shape) throws {
    var generator = SeededGenerator(seed: 12)
    let selection = Selection()
    for bits in [3, 40, 500] {
      for nulls in [0, 30] {
        for count in [1, 65, 300, 1500] {
          let sample = ColumnSample(
            shape, count: count, nullPercent: nulls, bits: bits, using: &generator)
          let encoded = sample.encoded()
          let chunk = try encoded.chunk()
          for pattern in sample.patterns(using: &generator) {
            for match in TextMatch.allCases {
              let expected = sample.values.map { match.holds(for: $0, pattern) }
              chunk.filter(match, pattern, into: selection)
              sample.settle(chunk, selection) { match.holds(for: $0, pattern) }
              #expect(selection.equals(expected), "\(sample) \(match) \(pattern)")
              let answer = encoded.entry.answer(match, pattern, rowCount: count)
              #expect(answer != .none || !expected.contains(true))
              #expect(answer != .all || !expected.contains(false))
            }
          }
        }
      }
    }
  }

  @Test(arguments: ColumnSample.Shape.allCases)
  func oneOfChoosesTheRowsThatEqualAnyOfTheConstants(shape: ColumnSample.Shape) throws {
    var generator = SeededGenerator(seed: 13)
    let selection = Selection()
    let scratch = Selection()
    for bits in shape.interestingBits {
      let sample = ColumnSample(shape, count: 333, nullPercent: 20, bits: bits, using: &generator)
      let chunk = try sample.encoded().chunk()
      guard !chunk.hasExternals else { continue }
      for size in [0, 1, 3, 40] {
        var constants = (0..<size).compactMap { _ in sample.values.randomElement(using: &generator)
        }
        if size > 1 { constants.append(contentsOf: sample.constants(using: &generator)) }
        let encoded = sample.encoded()
        try encoded.chunk().filter(oneOf: constants, into: selection, scratch: scratch)
        let expected = sample.values.map { value in
          constants.contains { Comparison.equal.holds(for: value, $0) }
        }
        #expect(selection.equals(expected), "\(sample) \(constants)")
      }
    }
  }

  @Test func selectionsCombineAsSetsDo() {
    var generator = SeededGenerator(seed: 14)
    for count in [1, 64, 100, 4096] {
      let (left, right) = (Selection(), Selection())
      var (a, b) = ([Bool](), [Bool]())
      for selection in [left, right] { selection.reset(rowCount: count, selected: false) }
      for row in 0..<count {
        a.append(generator.chance(1, in: 2))
        b.append(generator.chance(1, in: 3))
        left.set(row, a[row])
        right.set(row, b[row])
      }
      let both = Selection()
      both.copy(left)
      both.formIntersection(right)
      #expect(both.equals(zip(a, b).map { $0 && $1 }))
      both.copy(left)
      both.formUnion(right)
      #expect(both.equals(zip(a, b).map { $0 || $1 }))
      both.copy(left)
      both.subtract(right)
      #expect(both.equals(zip(a, b).map { $0 && !$1 }))
      both.copy(left)
      both.invert()
      #expect(both.equals(a.map { !$0 }))
      #expect(both.count + left.count == count)
    }
  }
}

extension ColumnSample {
  /// Constants around and in the column's values.
  func constants(using generator: inout SeededGenerator) -> [Value] {
    var constants: [Value] = [.null, .integer(3), .double(.nan), .double(-0.0), .bytes([])]
    for _ in 0..<5 {
      guard let value = values.randomElement(using: &generator) else { break }
      constants.append(value)
      switch value {
      case .integer(let number):
        constants.append(.integer(number &+ 1))
        constants.append(.integer(number &- 1))
      case .double(let number):
        constants.append(.double(number.nextUp))
        constants.append(.double(number.nextDown))
        constants.append(.double(number + 0.0005))
      case .float(let number):
        constants.append(.float(number.nextUp))
        constants.append(.double(Double(number) + 1e-12))
        constants.append(.double(Double(number) - 1e-12))
      case .bytes(let bytes):
        constants.append(.bytes(bytes + [0]))
        constants.append(.bytes(Array(bytes.dropLast())))
        constants.append(.bytes(bytes.prefix(8) + [0x62]))
      case .uuid(let high, let low):
        constants.append(.uuid(high, low &+ 1))
        constants.append(.uuid(high &- 1, low))
      case .null: break
      }
    }
    constants.append(contentsOf: [.integer(.min), .integer(.max), .double(.infinity)])
    constants.append(contentsOf: [.double(-.infinity), .double(1e300), .uuid(0, 0)])
    return constants
  }

  /// Patterns that occur in the column, and some that do not.
  func patterns(using generator: inout SeededGenerator) -> [[UInt8]] {
    var patterns: [[UInt8]] = [
      [], [0x61], [0x61, 0x62], [0], Array("abcabc".utf8), Array("zz".utf8),
    ]
    for _ in 0..<12 {
      guard case .bytes(let bytes)? = values.randomElement(using: &generator) else { continue }
      let start = Int.random(in: 0...bytes.count, using: &generator)
      let end = Int.random(in: start...min(bytes.count, start + 12), using: &generator)
      patterns.append(Array(bytes[start..<end]))
      patterns.append(Array(bytes[start..<end]) + [0])
      patterns.append(Array(bytes.prefix(end)))
      patterns.append(Array(bytes.suffix(end)))
    }
    return patterns
  }

  /// Decides the external rows by their real values, as a query does after reading them.
  func settle(_ chunk: ColumnChunk, _ selection: Selection, _ passes: (Value) -> Bool) {
    chunk.settleExternals(selection) { reference in
      guard let row = references.first(where: { $0.value == reference })?.key else { return false }
      return passes(values[row])
    }
  }
}

extension Selection {
  func equals(_ expected: [Bool]) -> Bool {
    rowCount == expected.count && count == expected.count { $0 }
      && expected.indices.allSatisfy { contains($0) == expected[$0] }
  }
}

extension Comparison {
  /// What the comparison means, said the slow way.
  func holds(for value: Value, _ constant: Value) -> Bool {
    if constant == .null || value == .null {
      return switch self {
      case .equal: constant == value
      case .notEqual: constant != value
      default: false
      }
    }
    switch (value, constant) {
    case (.integer(let left), .integer(let right)): return holds(left, right)
    case (.double(let left), .double(let right)): return holds(left, right)
    case (.double(let left), .float(let right)): return holds(left, Double(right))
    case (.float(let left), .double(let right)): return holds(Double(left), right)
    case (.float(let left), .float(let right)): return holds(left, right)
    case (.bytes(let left), .bytes(let right)):
      if left == right { return holds(order: 0) }
      return holds(order: left.lexicographicallyPrecedes(right) ? -1 : 1)
    case (.uuid(let high, let low), .uuid(let otherHigh, let otherLow)):
      return holds(
        order: high == otherHigh
          ? (low == otherLow ? 0 : low < otherLow ? -1 : 1) : high < otherHigh ? -1 : 1)
    default: return self == .notEqual
    }
  }
}

extension TextMatch {
  /// What the match means, said the slow way.
  func holds(for value: Value, _ pattern: [UInt8]) -> Bool {
    guard case .bytes(let bytes) = value, bytes.count >= pattern.count else { return false }
    switch self {
    case .prefix: return bytes.starts(with: pattern)
    case .suffix: return bytes.suffix(pattern.count).elementsEqual(pattern)
    case .contains:
      return (0...bytes.count - pattern.count).contains {
        bytes[$0..<$0 + pattern.count].elementsEqual(pattern)
      }
    }
  }
}
