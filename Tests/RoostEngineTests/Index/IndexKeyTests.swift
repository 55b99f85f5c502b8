import RoostEngine
import RoostTestSupport
import Testing

@Suite struct IndexKeyTests {
  private func bytes(_ set: (inout IndexKey) -> Void) -> [UInt8] {
    var key = IndexKey()
    set(&key)
    return key.bytes
  }

  @Test func ordersIntegersAsIntegers() {
    var generator = SeededGenerator(seed: 1)
    var values: [Int64] = [.min, .min + 1, -256, -255, -1, 0, 1, 255, 256, .max - 1, .max]
    for _ in 0..<200 {
      values.append(
        Int64(bitPattern: generator.next()) >> Int64.random(in: 0...60, using: &generator))
    }
    values.sort()
    let keys = values.map { value in bytes { $0.set(value) } }
    for (a, b) in zip(zip(values, keys), zip(values, keys).dropFirst()) {
      #expect(a.1.lexicographicallyPrecedes(b.1) == (a.0 < b.0))
    }
  }

  @Test func ordersDoublesAsDoublesWithNaNLast() {
    var values = [
      -Double.infinity, -1e300, -1.5, -1, -Double.leastNonzeroMagnitude, 0,
      .leastNonzeroMagnitude, 0.1, 1, 1.5, 1e300, .infinity,
    ]
    let keys = values.map { value in bytes { $0.set(value) } }
    #expect(keys == keys.sorted { $0.lexicographicallyPrecedes($1) })
    #expect(Set(keys).count == values.count)
    #expect(bytes { $0.set(-0.0) } == bytes { $0.set(0.0) })
    values = [.nan, -.nan, .signalingNaN]
    #expect(
      Set(values.map { value in bytes { $0.set(value) } }) == [
        [1] + Array(repeating: 255, count: 8)
      ])
  }

  @Test func ordersFloatsAsFloatsInFourBytes() {
    let values: [Float] = [-.infinity, -2, -1, -.leastNonzeroMagnitude, 0, 0.5, 3, .infinity, .nan]
    let keys = values.map { value in bytes { $0.set(value) } }
    #expect(keys == keys.sorted { $0.lexicographicallyPrecedes($1) })
    #expect(keys.allSatisfy { $0.count == 5 })
    #expect(bytes { $0.set(-Float.zero) } == bytes { $0.set(Float.zero) })
  }

  @Test func putsNullBeforeEveryValue() {
    #expect(bytes { $0.setNull() } == [0])
    #expect(bytes { $0.set(Int64.min) } == [1, 0, 0, 0, 0, 0, 0, 0, 0])
    #expect(
      bytes { $0.set(uuid: 0x0102, 3) } == [1, 0, 0, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 0, 0, 0, 3])
  }

  @Test func cutsLongBytesAndSaysSo() {
    var key = IndexKey()
    view([UInt8](repeating: 5, count: 1023)) { key.set($0) }
    #expect(key.bytes.count == 1024)
    #expect(!key.isTruncated)
    view([UInt8](repeating: 5, count: 1024)) { key.set($0) }
    #expect(key.bytes.count == 1024)
    #expect(key.isTruncated)
    key.set(Int64(1))
    #expect(!key.isTruncated)
    #expect(key.bytes == [1, 128, 0, 0, 0, 0, 0, 0, 1])
  }
}
