internal import Dispatch
internal import Roost
internal import RoostDynamic
internal import RoostImport
internal import Synchronization

/// Writes rows to a store in one transaction, on a thread of its own.
final class RowWriter: Sendable {
  /// A table, and the fields whose values rows have, in their order.
  struct Target: Sendable {
    let table: String
    let fields: [String]
  }

  /// Rows of one target, the first of which has this place among all of it.
  struct Batch: Sendable {
    let target: Int
    let first: Int
    let rows: [[DynamicValue]]
  }

  /// What is to be done, in this order.
  enum Step: Sendable {
    case insert(Batch)
    case buildIndexes
    case commit
  }

  /// A row that the store refuses.
  struct Refused: Error {
    let error: StoreError
    let target: Int
    let place: Int
  }

  /// There was no ``Step/commit``: the thread that reads knows why.
  struct ReadingEnded: Error {}

  /// The most batches that are not written yet: each is of a megabyte, or of one row.
  private static let batchesMax = 4

  let steps = Handover<Step>(countMax: RowWriter.batchesMax)
  private let result = Mutex<Result<Void, any Error>?>(nil)
  private let hasEnded = DispatchSemaphore(value: 0)

  init(
    to store: DynamicStore, _ tables: [DynamicTable], _ targets: [Target], defersIndexes: Bool
  ) {
    DispatchQueue(label: "roost.import.write", qos: .userInitiated).async {
      let written = Result {
        try self.write(to: store, tables, targets, defersIndexes: defersIndexes)
      }
      self.result.withLock { $0 = written }
      self.hasEnded.signal()
    }
  }

  /// Says that nothing more comes, and waits for the end; throws what was thrown there.
  func finish() throws {
    steps.end()
    hasEnded.wait()
    if case .failure(let error)? = result.withLock({ $0 }) { throw error }
  }

  private func write(
    to store: DynamicStore, _ tables: [DynamicTable], _ targets: [Target], defersIndexes: Bool
  ) throws {
    // Whatever ends it, the other thread must not wait.
    defer { steps.stop() }
    try store.write { transaction in
      try transaction.add(tables)
      if defersIndexes { try transaction.deferIndexes() }
      let inserters = try targets.map {
        try DynamicInserter(transaction, into: $0.table, fields: $0.fields)
      }
      var isWhole = false
      try steps.forEach { step in
        switch step {
        case .insert(let batch): try Self.insert(batch, inserters[batch.target])
        case .buildIndexes: try transaction.buildImportedIndexes()
        case .commit: isWhole = true
        }
      }
      guard isWhole else { throw ReadingEnded() }
    }
  }

  private static func insert(_ batch: Batch, _ inserter: DynamicInserter) throws(Refused) {
    do throws(DynamicInserter.Refused) { try inserter.insert(contentsOf: batch.rows) } catch {
      throw Refused(
        error: error.error, target: batch.target, place: batch.first + error.place)
    }
  }
}
