import Synchronization

/// The extents of committed versions that the file does not hold yet, by unit; they are looked for here before they are read
/// from the file (Format.md §7).
///
/// A commit that is journaled puts its extents here. One leaves when a sync that began after it was written to its place has
/// returned, or when no version sees it any more: most extents of small commits are never written to their places.
/// (The table of dirty pages: Mohan et al., "ARIES", 1992.)
final class DirtyPages: Sendable {
  private struct Entry {
    let frame: Frame
    /// The sync after which it may leave; nil while it is not written to its place.
    var leavesAfter: UInt64?
  }

  private struct Entries {
    var byUnit: [UInt64: Entry] = [:]
    var bytes = 0
    /// The number of the next sync.
    var nextSync: UInt64 = 0
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
  func add(_ frames: [Frame]) {
    entries.withLock { entries in
      for frame in frames {
        let old = entries.byUnit.updateValue(Entry(frame: frame), forKey: frame.pointer.unit)
        entries.bytes += frame.bytes.count - (old?.frame.bytes.count ?? 0)
      }
      isEmpty.store(entries.byUnit.isEmpty, ordering: .releasing)
    }
  }
}
