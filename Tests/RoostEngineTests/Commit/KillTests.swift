import Foundation
import RoostEngine
import RoostTestSupport
import Testing

/// A process that imports is killed: what it printed as done is in the file.
@Suite struct KillTests {
  /// Four files, each of whose importers is killed 25 times: 100 kills.
  @Test(arguments: 1...4)
  func aKilledImportKeepsEveryAcknowledgedBatchAndOnlyWholeOnes(seed: UInt64) throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/import.roost"
      var random = SeededGenerator(seed: seed)
      for _ in 0..<25 {
        let delay = Double(Int.random(in: 5..<60, using: &random)) / 1000
        let acknowledged = try killImport(into: path, after: delay)
        let found = try ImportWorkload(path: path).verifiedBatches()
        #expect(found > acknowledged ?? -1)
        // One more may have been durable when its number was not printed yet.
        if let acknowledged { #expect(found <= acknowledged + 2) }
      }
      #expect(try ImportWorkload(path: path).verifiedBatches() > 25)
    }
  }

  @Test func aFileThatAnotherProcessHasOpenIsLockedAtOnce() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/import.roost"
      let child = try ImportProcess(into: path)
      #expect(throws: EngineError.locked(path: path)) { try Engine.open(path) }
      child.killed()
      #expect(try ImportWorkload(path: path).verifiedBatches() > 0)
    }
  }

  /// Starts an import, kills it some time after its first batch, and returns the last batch it printed.
  private func killImport(into path: String, after delay: Double) throws -> Int? {
    let child = try ImportProcess(into: path)
    Thread.sleep(forTimeInterval: delay)
    let last = child.killed()
    #expect(child.process.terminationReason == .uncaughtSignal)
    return last
  }
}
