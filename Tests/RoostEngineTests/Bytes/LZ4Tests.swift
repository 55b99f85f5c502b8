import RoostEngine
import RoostTestSupport
import Testing

@Suite struct LZ4Tests {
  @Test(arguments: [64, 100, 4096, 65_536, 65_537, 1 << 20])
  func givesBackWhatWasCompressed(count: Int) throws {
    let source = text(count)
    let block = try #require(compressed(source))
    #expect(block.count < count)
    #expect(decompressed(block, count) == source)
  }

  @Test func givesBackRandomMixturesOfRunsAndNoise() {
    var generator = SeededGenerator(seed: 7)
    for _ in 0..<300 {
      var source: [UInt8] = []
      for _ in 0..<Int.random(in: 1...12, using: &generator) {
        let count = Int.random(in: 1...700, using: &generator)
        source +=
          Bool.random(using: &generator)
          ? generator.bytes(count) : [UInt8](repeating: UInt8(count & 0xFF), count: count)
      }
      if let block = compressed(source) {
        #expect(block.count < source.count)
        #expect(decompressed(block, source.count) == source)
      }
    }
  }

  @Test(arguments: [0, 1, 2, 12, 4096])
  func leavesAloneWhatWouldNotShrink(count: Int) {
    var generator = SeededGenerator(seed: UInt64(count))
    #expect(compressed(generator.bytes(count)) == nil)
  }

  @Test func readsTheBlockFormatAsItIsDescribed() {
    // A token of 4 literals and a match of 4 + 4 bytes, its distance, and 5 last literals.
    let block: [UInt8] = [0x44] + Array("abcd".utf8) + [4, 0, 0x50] + Array("vwxyz".utf8)
    #expect(decompressed(block, 17) == Array("abcdabcdabcdvwxyz".utf8))
  }

  @Test func refusesABlockOfAnotherLength() throws {
    let source = text(1000)
    let block = try #require(compressed(source))
    #expect(decompressed(block, 999) == nil)
    #expect(decompressed(block, 1001) == nil)
    #expect(decompressed(block, 0) == nil)
    #expect(decompressed([], 0) == nil)
    #expect(decompressed([], 10) == nil)
  }

  @Test func refusesACutBlock() throws {
    let source = text(1000)
    let block = try #require(compressed(source))
    for count in 0..<block.count {
      #expect(decompressed(Array(block[..<count]), 1000) == nil)
    }
  }

  @Test func staysInsideTheTargetWhateverTheBlockHolds() {
    var generator = SeededGenerator(seed: 3)
    let source = text(2000)
    guard let block = compressed(source) else { return }
    for _ in 0..<5000 {
      var damaged = block
      for _ in 0..<Int.random(in: 1...4, using: &generator) {
        damaged[Int.random(in: 0..<damaged.count, using: &generator)] =
          UInt8.random(in: 0...255, using: &generator)
      }
      let count = Int.random(in: 0...3000, using: &generator)
      var target = [UInt8](repeating: 0xEE, count: count + 64)
      unsafe target.withUnsafeMutableBytes { target in
        unsafe damaged.withUnsafeBytes { damaged in
          let inner = unsafe UnsafeMutableRawBufferPointer(rebasing: target[32..<32 + count])
          _ = unsafe LZ4.decompress(ByteView(damaged), into: MutableByteView(inner))
        }
      }
      guard target.prefix(32).allSatisfy({ $0 == 0xEE }),
        target.suffix(32).allSatisfy({ $0 == 0xEE })
      else {
        Issue.record("bytes outside the target were written")
        return
      }
    }
  }
}

private func text(_ count: Int) -> [UInt8] {
  Array("the quick brown fox jumps over the lazy dog, and ".utf8.cycled(count))
}

private func compressed(_ source: [UInt8]) -> [UInt8]? {
  unsafe source.withUnsafeBytes { unsafe LZ4.compress(ByteView($0)) }
}

private func decompressed(_ block: [UInt8], _ count: Int) -> [UInt8]? {
  var target = [UInt8](repeating: 0, count: count)
  let isWhole = unsafe target.withUnsafeMutableBytes { target in
    unsafe block.withUnsafeBytes { block in
      unsafe LZ4.decompress(ByteView(block), into: MutableByteView(target))
    }
  }
  return isWhole ? target : nil
}

extension Collection {
  fileprivate func cycled(_ count: Int) -> [Element] {
    let elements = Array(self)
    return (0..<count).map { elements[$0 % elements.count] }
  }
}
