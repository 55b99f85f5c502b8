import RoostEngine
import RoostTestSupport
import SystemCallFaults
import Testing

/// Calls to the system that a signal interrupts, or that move fewer bytes than they were asked to.
@Suite struct InterruptedCallTests {
  #if os(Linux) && arch(x86_64)
  @Test(arguments: 1...20 as ClosedRange<UInt>)
  func interruptedAndShortCallsMoveEveryByte(seed: UInt) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    try withTemporaryDirectory { directory in
      let file = try PosixFileSystem().open(directory + "/file", .create)
      disturb_system_calls(seed)
      defer { disturb_system_calls(0) }
      var expected: [UInt8] = []
      for _ in 0..<60 {
        let offset = Int.random(in: 0...300_000, using: &random)
        switch Int.random(in: 0..<5, using: &random) {
        case 0, 1:
          // Longer than one call writes, and in parts that end anywhere.
          let parts = (0..<Int.random(in: 1...8, using: &random)).map { _ in
            random.bytes(Int.random(in: 0...40_000, using: &random))
          }
          try file.write(parts: parts, at: UInt64(offset))
          let bytes = Array(parts.joined())
          guard !bytes.isEmpty else { continue }
          let missing = offset + bytes.count - expected.count
          if missing > 0 { expected += [UInt8](repeating: 0, count: missing) }
          expected.replaceSubrange(offset..<offset + bytes.count, with: bytes)
        case 2:
          try file.truncate(to: UInt64(offset))
          expected = Array(expected.prefix(offset))
          expected += [UInt8](repeating: 0, count: offset - expected.count)
        default:
          let count = Int.random(in: 0...200_000, using: &random)
          let end = min(offset + count, expected.count)
          let bytes = try file.bytes(at: UInt64(offset), count)
          #expect(bytes == (offset < end ? Array(expected[offset..<end]) : []))
        }
      }
      #expect(disturbed_system_calls() > 20)
      #expect(try file.bytes(at: 0, expected.count + 1) == expected)
    }
  }
  #endif
}
