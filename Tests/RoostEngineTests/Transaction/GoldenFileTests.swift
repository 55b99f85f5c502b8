import Foundation
import RoostEngine
import RoostTestSupport
import Testing

/// Files that libraries of earlier days wrote, kept in Tests/FormatTests/golden.
///
/// New ones are made by `.build/release/MutationChild golden 0 FILE` (and `1`, with trees of nodes), which
/// prints the hash. Old ones stay.
@Suite struct GoldenFileTests {
  /// A file, its format, and the hash of what it holds.
  struct Golden: Sendable, CustomTestStringConvertible {
    let name: String
    let format: UInt32
    let hash: UInt64
    var testDescription: String { name }

    var bytes: [UInt8] {
      get throws {
        let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
          .deletingLastPathComponent().deletingLastPathComponent()
        return try [UInt8](
          Data(contentsOf: tests.appendingPathComponent("FormatTests/golden/\(name)")))
      }
    }
  }

  static let files = [
    Golden(name: "format-1.roost", format: 1, hash: 0x1384_fa36_ec15_a311),
    Golden(name: "format-1-nodes.roost", format: 1, hash: 0xf2e1_bca9_d387_696f),
  ]

  /// The format that this library writes.
  private func currentFormat() throws -> UInt32 {
    let disk = SimulatedDisk()
    _ = try Engine.open("new.roost", in: disk)
    return StoreImage(try #require(disk.contents(of: "new.roost"))).number(at: 16, as: UInt32.self)
  }

  @Test(arguments: files)
  func isReadAndWrittenOnOrRefusedByTheNumberOfItsFormat(golden: Golden) throws {
    let bytes = try golden.bytes
    let disk = SimulatedDisk()
    disk.install(bytes, at: "golden.roost")
    guard golden.format == (try currentFormat()) else {
      #expect(throws: EngineError.fileIsOlder(format: golden.format)) {
        try Engine.open("golden.roost", in: disk)
      }
      return
    }
    do {
      let engine = try Engine.open("golden.roost", in: disk)
      let snapshot = engine.snapshot()
      #expect(try snapshot.verify() == [])
      #expect(StoreReading(snapshot).hash == golden.hash)
      #expect(disk.contents(of: "golden.roost") == bytes)
      let owners = try #require(snapshot.catalog.table(named: "Owner")).id
      for round in 0..<3 {
        try engine.write { (transaction) throws(EngineError) in
          let columns = try transaction.batch(for: owners).columns
          columns[0].append("One more \(round)")
          columns[1].append(Int64(1))
          try transaction.insertRow(into: owners, key: nil)
        }
      }
      #expect(StoreReading(snapshot).hash == golden.hash)
    }
    let again = try Engine.open("golden.roost", in: disk).snapshot()
    #expect(try again.verify() == [])
  }

  @Test func thereIsOneOfTheFormatThatIsWritten() throws {
    #expect(try Self.files.last?.format == currentFormat())
  }
}
