internal import Synchronization

/// A file in memory, shared by all its open files.
final class MemoryContent: Sendable {
  let identity: FileIdentity
  private let bytes = Mutex(SparseBytes())
  private let locks = Mutex(LockTable<ObjectIdentifier>())

  init(_ identity: FileIdentity) {
    self.identity = identity
  }

  var size: UInt64 { bytes.withLock { $0.size } }

  /// Copies bytes from `offset` on; returns the number copied.
  func read(into view: MutableByteView, at offset: UInt64) -> Int {
    bytes.withLock { $0.read(into: view, at: offset) }
  }

  /// Writes bytes from `offset` on; the end must fit an `Int64`.
  func write(_ view: ByteView, at offset: UInt64) {
    bytes.withLock { $0.write(view, at: offset) }
  }

  /// Sets the size; truncated bytes read as zero if the file grows again.
  func resize(to size: UInt64) {
    bytes.withLock { $0.resize(to: size) }
  }

  /// Makes the file at least `size` long.
  func grow(to size: UInt64) {
    bytes.withLock { $0.resize(to: max($0.size, size)) }
  }

  func lock(exclusive: Bool, owner: ObjectIdentifier) -> Bool {
    locks.withLock { $0.lock(exclusive: exclusive, owner: owner) }
  }

  func unlock(owner: ObjectIdentifier) {
    locks.withLock { $0.unlock(owner: owner) }
  }
}
