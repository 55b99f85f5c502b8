import RoostEngine
import Testing

/// The bytes of small columns, written down by hand from Format.md §3.
struct ColumnGoldenTests {
  @Test func integersAreCodesAboveTheirMinimum() {
    let buffer = ColumnBuffer(type: .integer)
    for value: Int64 in [42, 40, 43, 41, 40] { buffer.append(value) }
    let (entry, bytes) = encoded(buffer)
    // 2-bit codes 2, 0, 3, 1, 0 from the lowest bit up.
    #expect(bytes == [0b01_11_00_10, 0, 0, 0, 0, 0, 0, 0])
    #expect(
      entry
        == [
          7, 0, 0, 0, 1, 1, 2, 2, 3, 0, 0, 0, 64, 0, 0, 0, 8, 0, 0, 0, 0, 0, 0, 0,
          40, 0, 0, 0, 0, 0, 0, 0, 43, 0, 0, 0, 0, 0, 0, 0,
        ])
  }

  @Test func equalStepsTakeNoBytes() {
    let buffer = ColumnBuffer(type: .integer)
    for value: Int64 in [-5, 5, 15] { buffer.append(value) }
    let (entry, bytes) = encoded(buffer)
    #expect(bytes.isEmpty)
    #expect(entry[4..<8] == [1, 2, 0, 2])
    #expect(entry[24..<40] == [0xFB, 255, 255, 255, 255, 255, 255, 255, 15, 0, 0, 0, 0, 0, 0, 0])
  }

  @Test func textsAreOffsetsAndBytesAndABitmapSaysWhichAreThere() {
    let buffer = ColumnBuffer(type: .bytes)
    buffer.append("Ann")
    buffer.appendNull()
    buffer.append("Zoë")
    let (entry, bytes) = encoded(buffer)
    #expect(
      bytes
        == [
          0b101, 0, 0, 0, 0, 0, 0, 0,
          0, 0, 3, 0, 3, 0, 7, 0,
          0x41, 0x6E, 0x6E, 0x5A, 0x6F, 0xC3, 0xAB, 0,
        ])
    #expect(entry[4..<8] == [4, 5, 16, 3])
    #expect(entry[20..<24] == [1, 0, 0, 0])
    #expect(
      entry[24..<40] == [0, 0, 0, 0, 0, 0x6E, 0x6E, 0x41, 0, 0, 0, 0, 0xAB, 0xC3, 0x6F, 0x5A])
  }

  @Test func repeatedTextsAreCodesIntoASortedDictionary() {
    let buffer = ColumnBuffer(type: .bytes)
    for _ in 0..<8 { ["Oslo", "Bergen", "Oslo"].forEach(buffer.append) }
    let (entry, bytes) = encoded(buffer)
    #expect(
      bytes
        == [
          0b0110_1101, 0b1101_1011, 0b1011_0110, 0, 0, 0, 0, 0,
          0, 0, 0, 0, 6, 0, 0, 0, 10, 0, 0, 0, 0, 0, 0, 0,
          0x42, 0x65, 0x72, 0x67, 0x65, 0x6E, 0x4F, 0x73, 0x6C, 0x6F, 0, 0, 0, 0, 0, 0,
        ])
    #expect(entry[4..<8] == [4, 6, 1, 2])
    #expect(entry[10] == 2)
  }

  @Test func doublesWithThreeDecimalsAreScaled() {
    let buffer = ColumnBuffer(type: .double)
    for value in [0.5, 0.125, -0.25, 0.126] { buffer.append(value) }
    let (entry, bytes) = encoded(buffer)
    // Base −250; codes 750, 375, 0, 376 of 16 bits.
    #expect(
      bytes
        == [
          0x06, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF,
          0xEE, 0x02, 0x77, 0x01, 0, 0, 0x78, 0x01,
        ])
    #expect(entry[4..<12] == [2, 4, 16, 2, 3, 0, 3, 0])
  }

  /// The entry (field 7, group 3, offset 64) and the bytes of all rows.
  private func encoded(_ buffer: ColumnBuffer) -> (entry: [UInt8], bytes: [UInt8]) {
    let rows = 0..<buffer.count
    let plan = ColumnEncoder.plan(buffer, rows: rows)
    var bytes = [UInt8](repeating: 0, count: plan.byteCount)
    unsafe bytes.withUnsafeMutableBytes {
      guard let base = $0.baseAddress else { return }
      unsafe ColumnEncoder.encode(
        buffer, rows: rows, plan: plan, into: MutableByteView(base: base, count: $0.count))
    }
    var entry = [UInt8](repeating: 0xAA, count: ColumnEntry.byteCount)
    unsafe entry.withUnsafeMutableBytes {
      guard let base = $0.baseAddress else { return }
      unsafe plan.entry(field: 7, group: 3, offset: 64)
        .store(in: MutableByteView(base: base, count: $0.count), at: 0)
    }
    return (entry, bytes)
  }
}
