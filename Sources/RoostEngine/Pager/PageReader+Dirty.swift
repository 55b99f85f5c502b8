import Synchronization

extension PageReader {
  /// Builds all extents that only the ring has, and lets the dirty pages hold them: before a slot is written after which
  /// their bases may be written over.
  ///
  /// - Parameter skipsDamaged: Whether one that cannot be built, because its base is damaged, stays as unreadable as it was;
  ///   else it is an error.
  func takeRecorded(skipsDamaged: Bool) throws(EngineError) {
    var frames: [Frame] = []
    for pointer in dirty.recorded.pointers {
      do throws(EngineError) { frames.append(try frame(pointer)) } catch {
        guard skipsDamaged, error.isDamage else { throw error }
      }
    }
    for frame in frames { frame.isWritten.store(false, ordering: .relaxed) }
    dirty.add(frames)
    dirty.recorded.set(RecordedPages(), without: UnitSet())
  }

  /// Drops extents that no version sees any more from memory, before their units are used again.
  func dropDirty(_ released: [FreeSpace.Waiting]) {
    for frame in dirty.drop(released) { cache.remove(frame.pointer) }
  }

  /// Drops the extents of versions after some transaction from memory.
  func dropDirty(bornAfter transaction: UInt64) {
    for frame in dirty.drop(bornAfter: transaction) { cache.remove(frame.pointer) }
  }
}
