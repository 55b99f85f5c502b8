import Synchronization

/// The extents of committed versions that the file does not hold yet, by unit; they are looked for here before they are read
/// from the file (Format.md §7).
///
/// A commit that is journaled puts its extents here. One leaves when a sync that began after it was written to its place has
/// returned, or when no version sees it any more: most extents of small commits are never written to their places.
/// (The table of dirty pages: Mohan et al., "ARIES", 1992.)
package final class DirtyPages: Sendable {
  private struct Entry {
    let frame: Frame
    /// The number of the first sync that covers what was written to its place; nil while it is not written.
    var covering: UInt64?
  }

  private struct Entries {
    var byUnit: [UInt64: Entry] = [:]
    var bytes = 0
    /// How many were written to their places.
    var writtenCount = 0
    /// The number of the next sync.
    var nextSync: UInt64 = 0

    mutating func insert(_ entry: Entry, at unit: UInt64) {
      bytes += entry.frame.bytes.count
      if entry.covering != nil { writtenCount += 1 }
      guard let old = byUnit.updateValue(entry, forKey: unit) else { return }
      bytes -= old.frame.bytes.count
      if old.covering != nil { writtenCount -= 1 }
    }

    mutating func remove(_ unit: UInt64) -> Frame? {
      guard let entry = byUnit.removeValue(forKey: unit) else { return nil }
      bytes -= entry.frame.bytes.count
      if entry.covering != nil { writtenCount -= 1 }
      return entry.frame
    }
  }

  /// Those of a recovered version, which are built from the ring's records when they are asked for.
  let recorded = RecordedTable()

  private let entries = Mutex(Entries())
  /// Whether there are none, so that reading a file without them takes no lock.
  private let isEmpty = Atomic<Bool>(true)

  /// The bytes of all extents here.
  var bytes: Int { entries.withLock { $0.bytes } }

  /// The extent's frame, if it is here.
  func frame(_ pointer: ExtentPointer) -> Frame? {
    guard !isEmpty.load(ordering: .acquiring) else { return nil }
    return entries.withLock { entries in
      guard let frame = entries.byUnit[pointer.unit]?.frame, frame.pointer == pointer else {
        return nil
      }
      return frame
    }
  }

  /// Adds the extents of a version, before any reader can see it.
  func add(_ extents: [UnwrittenExtent]) {
    change { entries in
      for extent in extents { entries.insert(Entry(frame: extent.frame), at: extent.unit) }
    }
  }

  /// Adds the extents of a recovered version.
  func add(_ frames: [Frame]) {
    change { entries in
      for frame in frames { entries.insert(Entry(frame: frame), at: frame.pointer.unit) }
    }
  }

  /// Those that were not written to their places yet, by unit.
  func unwritten() -> [Frame] {
    entries.withLock { $0.byUnit.values.filter { $0.covering == nil }.map(\.frame) }
      .ascending { Int(clamping: $0.pointer.unit) }
  }

  /// Notes that some were written to their places: they leave after a sync that begins from now on.
  func noteWritten(_ frames: [Frame]) {
    change { entries in
      for frame in frames where entries.byUnit[frame.pointer.unit]?.frame === frame {
        entries.insert(
          Entry(frame: frame, covering: entries.nextSync), at: frame.pointer.unit)
      }
    }
  }

  /// The number of the sync that begins now.
  func beginSync() -> UInt64 {
    entries.withLock { entries in
      defer { entries.nextSync += 1 }
      return entries.nextSync
    }
  }

  /// Lets those go that a sync which has returned covers.
  func endSync(_ sync: UInt64) {
    change { entries in
      guard entries.writtenCount > 0 else { return }
      for (unit, entry) in entries.byUnit {
        guard let covering = entry.covering, covering <= sync else { continue }
        _ = entries.remove(unit)
        entry.frame.isWritten.store(true, ordering: .relaxed)
      }
    }
  }

  /// Drops those that no version sees any more, before their units are used again.
  ///
  /// - Returns: Them.
  func drop(_ released: [FreeSpace.Waiting]) -> [Frame] {
    for extent in released { recorded.drop(extent.range) }
    guard !isEmpty.load(ordering: .acquiring), !released.isEmpty else { return [] }
    return change { entries in
      var dropped: [Frame] = []
      for extent in released {
        for unit in extent.range {
          if let frame = entries.remove(unit) { dropped.append(frame) }
        }
      }
      return dropped
    }
  }

  /// Drops those of versions after some transaction.
  ///
  /// - Returns: Them.
  func drop(bornAfter transaction: UInt64) -> [Frame] {
    change { entries in
      let units = entries.byUnit.filter { $0.value.frame.pointer.birth > transaction }.keys
      return units.compactMap { entries.remove($0) }
    }
  }

  private func change<Result>(_ body: (inout Entries) -> Result) -> Result {
    entries.withLock { entries in
      let result = body(&entries)
      isEmpty.store(entries.byUnit.isEmpty, ordering: .releasing)
      return result
    }
  }
}
