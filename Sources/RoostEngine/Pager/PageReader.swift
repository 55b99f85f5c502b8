import Synchronization

/// Reads extents into frames and verifies each once, against the checksum that its parent holds.
package final class PageReader: Sendable {
  let file: any StorageFile
  let cache: FrameCache
  let arena = FrameArena()
  /// The reader of extents that are older than a transaction, in place of this one.
  private let older: (reader: PageReader, transaction: UInt64)?
  /// The extents that are not in the file yet.
  let dirty: DirtyPages
  /// The cache budget of all object trees.
  let objectBudget: NodeBudget
  /// The cache budget of all indexes.
  let indexBudget: NodeBudget
  private let loads = Atomic<Int>(0)
  private let loadedBytes = Atomic<Int>(0)

  package convenience init(file: any StorageFile, cacheBytes: Int) {
    self.init(file: file, cacheBytes: cacheBytes, dirty: DirtyPages())
  }

  /// - Parameter dirty: The extents that are not in the file yet, which two readers of an open file share.
  init(file: any StorageFile, cacheBytes: Int, dirty: DirtyPages) {
    self.file = file
    self.dirty = dirty
    older = nil
    cache = FrameCache(capacityBytes: cacheBytes)
    // Nodes seldom take their whole budget, so that an eighth of the cache or more is left for extents that
    // are read only in passing.
    objectBudget = NodeBudget(leafBytes: cacheBytes / 16 * 10, nodeBytes: cacheBytes / 32)
    indexBudget = NodeBudget(leafBytes: cacheBytes / 16 * 3, nodeBytes: cacheBytes / 32)
  }

  /// A reader of the same file for a transaction's extents that stay in memory: they may lie in units that other versions use.
  ///
  /// All older ones are read, and kept in memory, by the other reader.
  init(over other: PageReader, transaction: UInt64) {
    file = other.file
    dirty = other.dirty
    older = (other, transaction)
    cache = FrameCache(capacityBytes: 0)
    objectBudget = other.objectBudget
    indexBudget = other.indexBudget
  }

  /// The extents read from the file so far: their number, and their bytes.
  package var statistics: (loads: Int, bytes: Int) {
    (loads.load(ordering: .relaxed), loadedBytes.load(ordering: .relaxed))
  }

  /// The capacity of the cache, in bytes.
  var cacheBytes: Int { cache.capacityBytes }

  /// The extent's bytes, from memory or from the file; about 20 ns when they are in memory.
  ///
  /// - Throws: `.corrupt` when the bytes are not those that the pointer was made for.
  @inline(__always)
  package func frame(_ pointer: ExtentPointer) throws(EngineError) -> Frame {
    if let frame = cache.frame(pointer) { return frame }
    return try load(pointer)
  }

  /// Passes the extent's bytes to `body`, and keeps them in memory until it returns.
  ///
  /// A view does not: a frame that only its bytes were taken of ends when the cache has no place for it.
  func withBytes<Result>(
    of pointer: ExtentPointer, _ body: (ByteView) throws(EngineError) -> Result
  ) throws(EngineError) -> Result {
    let frame = try frame(pointer)
    defer { withExtendedLifetime(frame) {} }
    return try body(frame.bytes)
  }

  @inline(never)
  private func load(_ pointer: ExtentPointer) throws(EngineError) -> Frame {
    if let older, pointer.birth < older.transaction { return try older.reader.frame(pointer) }
    if let frame = dirty.frame(pointer) { return cache.insert(frame) }
    try pointer.checkPlace()
    let run = try arena.allocate(pointer.units)
    let frame = Frame(pointer: pointer, run: run, arena: arena, isWritten: true)
    try read(pointer, into: unsafe MutableByteView(base: run.base, count: pointer.byteCount))
    guard XXH3.hash(frame.bytes) == pointer.checksum else {
      throw .corrupt(Corruption(.checksum, unit: pointer.unit))
    }
    return cache.insert(frame)
  }

  /// Reads an extent's bytes; the caller compares their checksum.
  func read(_ pointer: ExtentPointer, into bytes: MutableByteView) throws(EngineError) {
    precondition(bytes.count == pointer.byteCount, "The bytes have the extent's length.")
    if let frame = dirty.frame(pointer) { return bytes.copy(frame.bytes, at: 0) }
    try pointer.checkPlace()
    if try dirty.recorded.build(pointer, over: file, into: bytes) { return }
    let offset = pointer.unit * UInt64(Unit.bytes)
    let read: Int
    do { read = try file.read(into: bytes, at: offset) } catch { throw .file(error) }
    guard read == pointer.byteCount else {
      throw .corrupt(Corruption(.extentBeyondFile, unit: pointer.unit))
    }
    loads.add(1, ordering: .relaxed)
    loadedBytes.add(pointer.byteCount, ordering: .relaxed)
  }
}
