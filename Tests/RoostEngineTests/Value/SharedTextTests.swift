import RoostEngine
import Testing

/// Texts that repeat in a column: in memory once, as in their leaf.
struct SharedTextTests {
  private static let rowCount = 4096
  private static let text = [UInt8](repeating: 121, count: 1000)

  /// A column of one text, and of another one in each sixteenth row.
  private func column() -> EncodedColumn {
    let buffer = ColumnBuffer(type: .bytes)
    for row in 0..<Self.rowCount {
      buffer.append(.bytes(row % 16 == 15 ? [UInt8](repeating: 122, count: 900) : Self.text))
    }
    return EncodedColumn(buffer, rows: 0..<Self.rowCount)
  }

  /// A span of 16 bytes for each row, a bit for nulls, and each text twice at most.
  private let bytesMax = rowCount * 17 + 2 * 2000

  @Test func rowsThatHaveATextInCommonTakeItsMemoryOnce() throws {
    let column = column()
    defer { withExtendedLifetime(column) {} }
    let chunk = try column.chunk()
    #expect(chunk.entry.encoding == .dictionary)
    let decoded = ColumnBuffer(type: .bytes)
    decoded.append(chunk, rows: 0..<Self.rowCount)
    let gathered = ColumnBuffer(type: .bytes)
    gathered.append(chunk, gathering: (0..<Int32(Self.rowCount)).reversed())
    let copied = ColumnBuffer(type: .bytes)
    copied.append(decoded, rows: 1..<Self.rowCount)
    let sorted = ColumnBuffer(type: .bytes)
    sorted.append(decoded, gathering: Array((0..<Int32(Self.rowCount)).reversed())[...])
    for buffer in [decoded, gathered, copied, sorted] { #expect(buffer.byteCount <= bytesMax) }
    for row in 0..<Self.rowCount {
      let value = chunk.value(row)
      #expect(decoded.value(row) == value)
      #expect(gathered.value(Self.rowCount - 1 - row) == value)
      #expect(sorted.value(Self.rowCount - 1 - row) == value)
      if row > 0 { #expect(copied.value(row - 1) == value) }
    }
  }

  @Test func aNewTextOfTheSameLengthIsThatOfOneRow() throws {
    let column = column()
    defer { withExtendedLifetime(column) {} }
    let decoded = ColumnBuffer(type: .bytes)
    decoded.append(try column.chunk(), rows: 0..<100)
    decoded.set(3, .bytes([UInt8](repeating: 65, count: 1000)))
    #expect(decoded.value(3) == .bytes([UInt8](repeating: 65, count: 1000)))
    for row in [0, 1, 2, 4, 99 - 1] { #expect(decoded.value(row) == .bytes(Self.text)) }
    // What it is encoded as is what it holds.
    let again = EncodedColumn(decoded, rows: 0..<100)
    defer { withExtendedLifetime(again) {} }
    for row in 0..<100 { #expect(try again.chunk().value(row) == decoded.value(row)) }
  }
}
