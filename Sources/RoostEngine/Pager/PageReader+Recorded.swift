import Synchronization

extension PageReader {
  /// Builds all extents that only the ring has, and lets the dirty pages hold them: before a slot is written after which
  /// their bases may be written over.
  func takeRecorded() throws(EngineError) {
    let frames = try dirty.recorded.pointers.map { (pointer) throws(EngineError) in
      try frame(pointer)
    }
    for frame in frames { frame.isWritten.store(false, ordering: .relaxed) }
    dirty.add(frames)
    dirty.recorded.set(RecordedPages(), without: UnitSet())
  }
}
