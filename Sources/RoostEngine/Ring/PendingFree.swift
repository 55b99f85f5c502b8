import Synchronization

/// What records of the ring say of free units, after the free log of a slot.
package struct PendingFree: Sendable {
  /// The slot that the records follow. Its version is protected until a later slot is confirmed: the deltas of the records
  /// begin from its extents.
  let anchor: MetaSlot
  /// The records, in order.
  let records: FreeRecords
}

/// Records of free units to which each commit adds some: a version and those that follow it share what they have in common.
package struct FreeRecords: Sendable {
  /// Only grows, so that each version finds its own records at the front.
  private final class Storage: Sendable {
    let records: Mutex<[FreeRecord]>

    init(_ records: [FreeRecord]) { self.records = Mutex(records) }
  }

  /// Nil while there are no records.
  private var storage: Storage?
  package private(set) var count: Int

  package init(_ records: [FreeRecord] = []) {
    storage = records.isEmpty ? nil : Storage(records)
    count = records.count
  }

  /// A copy of all of them.
  package var all: [FreeRecord] {
    storage.map { $0.records.withLock { Array($0.prefix(count)) } } ?? []
  }

  /// - Complexity: The added records; behind a commit that failed, all.
  package mutating func append(_ added: [FreeRecord]) {
    let isAdded =
      storage?.records.withLock { records in
        guard records.count == count else { return false }
        records += added
        return true
      } ?? false
    if !isAdded { storage = Storage(all + added) }
    count += added.count
  }
}
