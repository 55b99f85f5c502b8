import RoostEngine
import RoostTestSupport

/// A column of random values of one shape, as a buffer and as the plain values that it must give back.
struct ColumnSample: CustomStringConvertible {
  /// What the values look like; together the shapes reach every encoding and width.
  enum Shape: CaseIterable {
    case integers, steps, constantIntegers
    case anyDoubles, decimals, wholeDoubles, constantDoubles, notNumbers
    case anyFloats, wholeFloats
    case uniqueTexts, repeatedTexts, emptyTexts, longTexts, externalTexts
    case uuids
    case onlyNulls
  }

  var shape: Shape
  var values: [Value] = []
  var buffer: ColumnBuffer
  var references: [Int: ValueReference] = [:]
  var description: String { "\(shape) × \(values.count)" }

  /// A random column of `count` rows, of which about `nullPercent` are null.
  init(
    _ shape: Shape, count: Int, nullPercent: Int, bits: Int = 8,
    using generator: inout SeededGenerator
  ) {
    self.shape = shape
    buffer = ColumnBuffer(type: shape.type)
    var lowest = Int64(truncatingIfNeeded: generator.next())
    let range: UInt64 = bits >= 64 ? .max : (1 << UInt64(bits)) - 1
    if bits >= 64 { lowest = .min } else if lowest > .max - Int64(range) { lowest -= Int64(range) }
    for row in 0..<count {
      if shape == .onlyNulls || shape != .steps && generator.chance(nullPercent, in: 100) {
        append(.null)
        continue
      }
      switch shape {
      case .integers:
        let code =
          generator.chance(1, in: 10)
          ? (generator.chance(1, in: 2) ? 0 : range)
          : UInt64.random(in: 0...range, using: &generator)
        append(.integer(lowest &+ Int64(truncatingIfNeeded: code)))
      case .steps: append(.integer(-7 + Int64(row) * Int64(bits)))
      case .constantIntegers: append(.integer(lowest))
      case .anyDoubles: append(.double(double(&generator)))
      case .decimals:
        let scaled = Int64(truncatingIfNeeded: generator.next() & range) / 2 - 50
        append(.double(Double(scaled) / [1, 10, 100, 1000, 1e4, 1e5, 1e6][bits % 7]))
      case .wholeDoubles:
        append(.double(Double(Int64(truncatingIfNeeded: generator.next() & range) - 9)))
      case .constantDoubles: append(.double(-2.5))
      case .notNumbers: append(.double(.nan))
      case .anyFloats: append(.float(Float(double(&generator))))
      case .wholeFloats: append(.float(Float(generator.next() % 200) - 100))
      case .uniqueTexts: append(.bytes(text(&generator, 0...24)))
      case .repeatedTexts:
        let kind = generator.next() % UInt64(max(bits, 1))
        append(.bytes(Array("kind \(kind * 7919)".utf8)))
      case .emptyTexts: append(.bytes([]))
      case .longTexts: append(.bytes(text(&generator, 0...200)))
      case .externalTexts where generator.chance(1, in: 4):
        let bytes = text(&generator, 1025...1030)
        let reference = ColumnSample.reference(bytes, unit: UInt64(100 + row))
        references[row] = reference
        buffer.append(external: reference)
        values.append(.bytes(bytes))
      case .externalTexts: append(.bytes(text(&generator, 0...40)))
      case .uuids: append(.uuid(generator.next(), generator.next()))
      case .onlyNulls: append(.null)
      }
    }
  }

  private mutating func append(_ value: Value) {
    buffer.append(value)
    values.append(value)
  }

  /// A reference to bytes that lie outside.
  static func reference(_ bytes: [UInt8], unit: UInt64) -> ValueReference {
    unsafe bytes.withUnsafeBytes {
      unsafe ValueReference(
        pointer: ExtentPointer(unit: unit, units: 1, kind: .valueBytes, birth: 3, checksum: 4),
        length: UInt64($0.count), prefix: ByteView($0))
    }
  }

  /// Ordinary doubles, and now and then one of the odd ones.
  private func double(_ generator: inout SeededGenerator) -> Double {
    switch generator.next() % 16 {
    case 0: .nan
    case 1: -0.0
    case 2: 0
    case 3: .infinity
    case 4: -.infinity
    case 5: .leastNonzeroMagnitude
    default: Double.random(in: -2...2, using: &generator)
    }
  }

  /// A text of few letters, so that patterns are found in it.
  private func text(_ generator: inout SeededGenerator, _ length: ClosedRange<Int>) -> [UInt8] {
    (0..<Int.random(in: length, using: &generator)).map { _ in
      generator.chance(1, in: 60) ? 0 : UInt8(0x61 + generator.next() % 4)
    }
  }

  /// The rows' bytes and entry, as a leaf at `offset` of an extent would have them.
  func encoded(at offset: Int = 64) -> EncodedColumn {
    EncodedColumn(buffer, rows: 0..<buffer.count, at: offset)
  }
}

extension ColumnSample.Shape {
  var type: PhysicalType {
    switch self {
    case .integers, .steps, .constantIntegers, .onlyNulls: .integer
    case .anyDoubles, .decimals, .wholeDoubles, .constantDoubles, .notNumbers: .double
    case .anyFloats, .wholeFloats: .float
    case .uniqueTexts, .repeatedTexts, .emptyTexts, .longTexts, .externalTexts: .bytes
    case .uuids: .uuid
    }
  }
}

/// An extent with one encoded column, in memory of its own so that a view of it stays good.
@safe
final class EncodedColumn {
  var entry: ColumnEntry
  let rowCount: Int
  let extent: UnsafeMutableRawBufferPointer

  convenience init(_ buffer: ColumnBuffer, rows: Range<Int>, at offset: Int = 64) {
    let plan = ColumnEncoder.plan(buffer, rows: rows)
    self.init(
      plan.entry(field: 7, group: 0, offset: UInt32(offset)), rowCount: rows.count, plan.byteCount
    ) { bytes in
      ColumnEncoder.encode(buffer, rows: rows, plan: plan, into: bytes)
    }
  }

  convenience init(_ growth: ColumnGrowth, rowCount: Int) {
    var entry = growth.entry
    entry.offset = 64
    self.init(entry, rowCount: rowCount, growth.byteCount) { growth.store(in: $0) }
  }

  private init(
    _ entry: ColumnEntry, rowCount: Int, _ byteCount: Int, _ store: (MutableByteView) -> Void
  ) {
    self.entry = entry
    self.rowCount = rowCount
    let offset = Int(entry.offset)
    unsafe extent = .allocate(byteCount: offset + byteCount, alignment: 16)
    unsafe _ = extent.initializeMemory(as: UInt8.self, repeating: 0)
    if let base = unsafe extent.baseAddress {
      unsafe store(MutableByteView(base: base + offset, count: byteCount))
    }
  }

  deinit { unsafe extent.deallocate() }

  /// The bytes of the extent, exactly: nothing behind them belongs to it.
  var bytes: ByteView { unsafe ByteView(UnsafeRawBufferPointer(extent)) }

  func chunk() throws(EngineError) -> ColumnChunk {
    try ColumnChunk(validating: entry, extent: bytes, rowCount: rowCount, unit: 9)
  }
}
