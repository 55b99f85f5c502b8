import Foundation
import Roost
import RoostEngine
import RoostImport
import RoostImportSQLite
import RoostTestSupport
import Synchronization
import Testing

/// One thread reads the rows while another one writes them: what comes of it is as if one did both in turn.
@Suite struct TwoThreadTests {
  private struct Odd: Error {}

  private static func file(_ sql: String = "", rows: Int = 3000) throws -> SQLiteFile {
    try SQLiteFile(
      """
      CREATE TABLE item (id INTEGER PRIMARY KEY, number INTEGER, text TEXT);
      WITH RECURSIVE number(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM number WHERE i < \(rows))
      INSERT INTO item SELECT i, i, 'text ' || i FROM number;
      """ + sql)
  }

  private static func make(_ row: SQLiteRow) throws -> Item? {
    Item(id: try row["number"], text: try row["text"])
  }

  private static func open(
    _ file: SQLiteFile, _ disk: SimulatedDisk = SimulatedDisk(),
    progress: (@Sendable (ImportProgress) -> Void)? = nil,
    making make: @escaping @Sendable (SQLiteRow) throws -> Item? = TwoThreadTests.make
  ) async throws -> Store {
    var configuration = Configuration()
    configuration.fileSystem = disk
    return try await Store.open(
      .file("items.roost"), models: Item.self, configuration: configuration,
      importing: file.source, progress: progress
    ) { $0.rows("item", make) }
  }

  /// What is wrong with later rows, and the row of the last batch that is written before.
  @Test(arguments: [
    "UPDATE item SET text = NULL WHERE id = 1500;", "UPDATE item SET text = x'00' WHERE id = 600;",
    "UPDATE item SET text = 'odd' WHERE id = 700;",
  ])
  func aRowThatIsRefusedIsNamedBeforeWhatIsWrongWithLaterBatches(sql: String) async throws {
    let file = try Self.file("UPDATE item SET number = 3 WHERE id = 400;" + sql)
    let error = await #expect(throws: SQLiteError.self) {
      _ = try await Self.open(
        file,
        making: { row in
          if try row.value("text") == .text("odd") { throw Odd() }
          return try Self.make(row)
        })
    }
    #expect(
      error
        == .notStored(
          table: "item", row: "id 400",
          .duplicateKey(model: "Item", field: "id", value: "3")))
  }

  @Test func whatIsWrongWithARowOfTheSameBatchIsNamedBeforeOneThatIsRefused() async throws {
    let refused = "UPDATE item SET number = 3 WHERE id = 400;"
    let misfit = await #expect(throws: SQLiteError.self) {
      _ = try await Self.open(
        Self.file(refused + "UPDATE item SET text = NULL WHERE id IN (401, 2900);"))
    }
    #expect(misfit?.columns == ["item.text 2"])
    let odd = await #expect(throws: SQLiteError.self) {
      _ = try await Self.open(
        Self.file(refused),
        making: { row in
          if try row.id() == 401 { throw Odd() }
          return try Self.make(row)
        })
    }
    #expect(odd == .mapping(table: "item", row: "id 401", reason: "Odd()"))
  }

  @Test func progressOnlyGrows() async throws {
    let reports = Mutex<[ImportProgress]>([])
    let file = try Self.file(rows: 600)
    let store = try await Self.open(
      file, progress: { progress in reports.withLock { $0.append(progress) } })
    #expect(reports.withLock { $0.map(\.objectsDone) } == [0, 256, 512, 600])
    #expect(try store.snapshot().fetch(Item.all).map(\.id) == Array(1...600))
  }

  @Test(arguments: 0..<4)
  func cancelledAtAnyReportThereIsNoStore(report: Int) async throws {
    let file = try Self.file(rows: 600)
    let disk = SimulatedDisk()
    let count = Mutex(0)
    let task = Task {
      try await Self.open(
        file, disk,
        progress: { _ in
          let isDue = count.withLock { count in
            defer { count += 1 }
            return count == report
          }
          if isDue { unsafe withUnsafeCurrentTask { unsafe $0?.cancel() } }
        })
    }
    await #expect(throws: CancellationError.self) { _ = try await task.value }
    #expect(count.withLock { $0 } == report + 1)
    for ending in ["", ".importing"] { #expect(disk.contents(of: "items.roost" + ending) == nil) }
    #expect(try await Self.open(file, disk).snapshot().count(Item.all) == 600)
  }

  @Test(arguments: [EIO, ENOSPC])
  func whicheverCallFailsThereIsAWholeStoreOrNone(code: Int32) async throws {
    let file = try Self.file(rows: 1200)
    var call = 1
    while true {
      let disk = SimulatedDisk(seed: UInt64(call))
      disk.inject(SimulatedDisk.Fault(.any, call: call, .failOnce(code)))
      let isDone = (try? await Self.open(file, disk)) != nil
      let wasReached = disk.counters.failed > 0
      disk.removeFaults()
      #expect(disk.contents(of: "items.roost") != nil || !isDone, "call \(call)")
      let store = try await Self.open(file, disk)
      #expect(try store.snapshot().count(Item.all) == 1200, "call \(call)")
      guard wasReached else { break }
      // The first ones, then some of the rest.
      call += call < 40 ? 1 : 7
    }
    #expect(call > 20)
  }

  @Test func aFullDiskIsSaidEvenWhileRowsAreRead() async throws {
    let file = try Self.file(rows: 20_000)
    let disk = SimulatedDisk()
    disk.capacity = 1_500_000
    let text = String(repeating: "text that is no multiple ", count: 20)
    let error = await #expect(throws: StoreError.self) {
      _ = try await Self.open(
        file, disk,
        making: { row in
          let id: Int = try row.id()
          return Item(id: id, text: text + "\(id &* 7919)" + text)
        })
    }
    guard case .diskFull? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(disk.contents(of: "items.roost") == nil)
  }

  @Test func rowsOfMegabytesAreHandedOverOneByOne() async throws {
    let file = try SQLiteFile(
      """
      CREATE TABLE item (id INTEGER PRIMARY KEY, number INTEGER, text TEXT);
      WITH RECURSIVE number(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM number WHERE i < 12)
      INSERT INTO item SELECT i, i, hex(zeroblob(1500000)) || i FROM number;
      """)
    let store = try await Self.open(file)
    #expect(try store.snapshot().fetch(Item.all).map(\.text.utf8.count).max() == 3_000_002)
    #expect(try store.snapshot().count(Item.all) == 12)
  }
}
