import RoostEngine
import RoostTestSupport
import Testing

/// Values that are made of others: any bytes are read, or refused.
@Suite struct PackedColumnsTests {
  private static let shapes: [PackedColumns.Shape] = [
    .init(.integer, isOptional: true), .init(.double, isOptional: false),
    .init(.bytes, isOptional: true), .init(.float, isOptional: true),
    .init(.uuid, isOptional: false),
  ]

  private func columns(_ random: inout SeededGenerator) -> [ColumnBuffer] {
    let count = Int.random(in: 0...20, using: &random)
    return Self.shapes.map { shape in
      let column = ColumnBuffer(type: shape.type)
      for _ in 0..<count {
        if shape.isOptional, random.chance(1, in: 4) {
          column.appendNull()
          continue
        }
        switch shape.type {
        case .integer: column.append(Int64(bitPattern: random.next()) >> Int64(random.next() % 64))
        case .double: column.append(Double(Int64(bitPattern: random.next())))
        case .float: column.append(Float(Int32(truncatingIfNeeded: random.next())))
        case .bytes: column.append(.bytes(random.bytes(Int(random.next() % 200))))
        case .uuid: column.append(uuid: random.next(), random.next())
        }
      }
      return column
    }
  }

  private func unpacked(_ bytes: [UInt8], _ shapes: [PackedColumns.Shape]) -> PackedColumns? {
    unsafe bytes.withUnsafeBytes { PackedColumns(unsafe ByteView($0), as: shapes) }
  }

  @Test func packedColumnsComeBack() throws {
    var random = SeededGenerator(seed: 1)
    for _ in 0..<500 {
      let columns = columns(&random)
      let bytes = PackedColumns.bytes(columns, as: Self.shapes)
      let back = try #require(unpacked(bytes, Self.shapes))
      #expect(back.count == columns[0].count)
      for (column, other) in zip(columns, back.columns) {
        #expect((0..<back.count).allSatisfy { column.value($0) == other.value($0) })
      }
    }
  }

  @Test func anyBytesAreColumnsOrAreRefused() {
    var random = SeededGenerator(seed: 2)
    var refused = 0
    for _ in 0..<20_000 {
      var bytes = PackedColumns.bytes(columns(&random), as: Self.shapes)
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        let place = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<3, using: &random) {
        case 0: bytes[place] = UInt8(truncatingIfNeeded: random.next())
        case 1: bytes.removeSubrange(place...)
        default: bytes.insert(UInt8(truncatingIfNeeded: random.next()), at: place)
        }
        if bytes.isEmpty { bytes = [0] }
      }
      guard let found = unpacked(bytes, Self.shapes) else {
        refused += 1
        continue
      }
      // An element takes a byte at least, so that no count asks for more memory than its bytes.
      #expect(found.count <= bytes.count)
    }
    #expect(refused > 10_000)
  }

  @Test func aCountBeyondTheBytesIsRefused() {
    #expect(unpacked([255, 255, 255, 255, 127], [.init(.bytes, isOptional: false)]) == nil)
    #expect(unpacked([3, 1, 1, 1], [.init(.bytes, isOptional: false)]) == nil)
  }

  @Test func decimalsAreReadOrRefused() {
    var random = SeededGenerator(seed: 3)
    for _ in 0..<20_000 {
      var bytes = random.bytes(Int.random(in: 0...12, using: &random))
      if !bytes.isEmpty { bytes[0] &= 7 }
      let text = unsafe bytes.withUnsafeBytes { DecimalBytes.text(unsafe ByteView($0)) }
      // Each number has one form: what is read is written as the same bytes.
      guard let text, !text.contains("E") else { continue }
      #expect(DecimalBytes.bytes(text) == bytes)
    }
    #expect(DecimalBytes.bytes("1.5.0") == nil)
    #expect(DecimalBytes.bytes("") == nil)
    #expect(DecimalBytes.bytes(String(repeating: "7", count: 65)) == nil)
  }
}
