import RoostEngine
import RoostTestSupport
import Testing

/// Several values as bytes that sort.
@Suite struct CompoundBytesTests {
  /// A row of values, each in a column of its own.
  private struct Row {
    let columns: [ColumnBuffer]
    let values: [Value]
  }

  private static func shapes(_ random: inout SeededGenerator) -> [PackedColumns.Shape] {
    (0..<Int.random(in: 1...4, using: &random)).map { _ in
      PackedColumns.Shape(
        PhysicalType.allCases.randomElement(using: &random) ?? .integer,
        isOptional: random.chance(1, in: 2))
    }
  }

  private static func row(
    _ shapes: [PackedColumns.Shape], _ random: inout SeededGenerator
  ) -> Row {
    let values = shapes.map { value($0, &random) }
    let columns = zip(shapes, values).map { shape, value in
      let column = ColumnBuffer(type: shape.type)
      column.append(value)
      return column
    }
    return Row(columns: columns, values: values)
  }

  private static func value(
    _ shape: PackedColumns.Shape, _ random: inout SeededGenerator
  ) -> Value {
    if shape.isOptional, random.chance(1, in: 4) { return .null }
    switch shape.type {
    case .integer:
      return .integer([.min, -1, 0, 1, 255, 256, .max].randomElement(using: &random) ?? 0)
    case .double:
      return .double(
        [-.infinity, -1.5, 0, 0.25, 1, .infinity].randomElement(using: &random) ?? 0)
    case .float:
      return .float([-.infinity, -1.5, 0, 0.25, 1, .infinity].randomElement(using: &random) ?? 0)
    case .uuid:
      return .uuid(
        UInt64.random(in: 0...1, using: &random), UInt64.random(in: 0...1, using: &random))
    case .bytes:
      return .bytes(
        (0..<Int.random(in: 0...3, using: &random)).map { _ in
          [0, 1, 2, 254, 255].randomElement(using: &random) ?? 0
        })
    }
  }

  /// Whether the one comes before the other, part by part: null first.
  private static func precedes(_ a: [Value], _ b: [Value]) -> Bool {
    for (first, second) in zip(a, b) where first != second {
      if first == .null || second == .null { return first == .null }
      switch (first, second) {
      case (.integer(let a), .integer(let b)): return a < b
      case (.double(let a), .double(let b)): return a < b
      case (.float(let a), .float(let b)): return a < b
      case (.uuid(let a, let b), .uuid(let c, let d)): return (a, b) < (c, d)
      case (.bytes(let a), .bytes(let b)): return a.lexicographicallyPrecedes(b)
      default: return false
      }
    }
    return false
  }

  @Test(arguments: [UInt64](1...200))
  func bytesSortAsTheValuesDoAndGiveThemBack(_ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let shapes = Self.shapes(&random)
    let rows = (0..<30).map { _ in Self.row(shapes, &random) }
    let bytes = rows.map { CompoundBytes.bytes($0.columns, as: shapes) }
    for (row, bytes) in zip(rows, bytes) {
      let columns = unsafe bytes.withUnsafeBytes {
        CompoundBytes.columns(unsafe ByteView($0), as: shapes)
      }
      #expect(columns?.map { $0.value(0) } == row.values, "seed \(seed)")
    }
    for first in rows.indices {
      for second in rows.indices {
        #expect(
          bytes[first].lexicographicallyPrecedes(bytes[second])
            == Self.precedes(rows[first].values, rows[second].values), "seed \(seed)")
      }
    }
  }

  private static func hasOtherForms(_ value: Value) -> Bool {
    switch value {
    case .double(let number): number.isNaN || number == 0
    case .float(let number): number.isNaN || number == 0
    default: false
    }
  }

  @Test(arguments: [UInt64](1...50))
  func damagedBytesAreNoValuesOrOtherOnes(_ seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let shapes = Self.shapes(&random)
    for _ in 0..<200 {
      var bytes = CompoundBytes.bytes(Self.row(shapes, &random).columns, as: shapes)
      switch Int.random(in: 0..<3, using: &random) {
      case 0: bytes.removeLast(min(bytes.count, Int.random(in: 1...4, using: &random)))
      case 1: bytes += random.bytes(Int.random(in: 1...4, using: &random))
      default: bytes[Int.random(in: bytes.indices, using: &random)] = UInt8(random.next() & 255)
      }
      let columns = unsafe bytes.withUnsafeBytes {
        CompoundBytes.columns(unsafe ByteView($0), as: shapes)
      }
      // What can be read is written again as it was, but for the many NaNs and the other zero.
      guard let columns, !columns.contains(where: { Self.hasOtherForms($0.value(0)) }) else {
        continue
      }
      #expect(CompoundBytes.bytes(columns, as: shapes) == bytes, "seed \(seed)")
    }
  }
}
