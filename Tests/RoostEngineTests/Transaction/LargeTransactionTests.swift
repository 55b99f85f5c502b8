import Foundation
import RoostEngine
import RoostTestSupport
import Testing

/// Transactions that are larger than the memory they may have.
@Suite struct LargeTransactionTests {
  /// A process of its own, whose memory is nobody else's: a transaction of 130 MB, with 4 MiB of cache.
  @Test func aTransactionLargerThanMemorySpills() throws {
    try withTemporaryDirectory { directory in
      let child = Process()
      child.executableURL = ImportProcess.program
      child.arguments = [directory + "/large.roost", "2000000", "\(4 << 20)"]
      let output = Pipe()
      let complaint = Pipe()
      child.standardOutput = output
      child.standardError = complaint
      try child.run()
      let printed = String(
        decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
      let said = complaint.fileHandleForReading.readDataToEndOfFile()
      child.waitUntilExit()
      #expect(child.terminationStatus == 0, "\(String(decoding: said, as: UTF8.self))")
      let numbers = printed.split(whereSeparator: \.isWhitespace).compactMap { Int($0) }
      try #require(numbers.count == 2)
      #expect(numbers[0] > 120_000_000)
      // The program itself, its cache, what waits to be written, and 8 MiB of rows as they gather.
      #expect(numbers[1] > 0 && numbers[1] < 80_000_000, "\(numbers[1]) bytes")
    }
  }
}
