import Foundation
import RoostEngine
import Synchronization

/// An open file of a ``SimulatedDisk``.
final class SimulatedFile: StorageFile {
  var isDisk: Bool { true }
  let path: String
  private let inode: UInt64
  private let isWritable: Bool
  private let isClosed = Atomic(false)
  private let disk: SimulatedDisk
  /// The number of changes with the durable write that goes on.
  private let begunWrite = Mutex<Int?>(nil)

  init(path: String, inode: UInt64, isWritable: Bool, on disk: SimulatedDisk) {
    self.path = path
    self.inode = inode
    self.isWritable = isWritable
    self.disk = disk
    withInode { $0.openCount += 1 }
  }

  deinit { close() }

  func randomNumber() -> UInt64 { disk.state.withLock { $0.numbers.next() | 1 } }

  func close() {
    guard !isClosed.exchange(true, ordering: .relaxed) else { return }
    let owner = ObjectIdentifier(self)
    withInode { inode in
      inode.openCount -= 1
      inode.locks.unlock(owner: owner)
    }
  }

  func identity() throws(FileError) -> FileIdentity {
    try perform(.status, .status)
    return disk.identity(ofInode: inode)
  }

  func size() throws(FileError) -> UInt64 {
    try perform(.status, .status)
    return withInode { $0.current.size }
  }

  func read(into view: MutableByteView, at offset: UInt64) throws(FileError) -> Int {
    try perform(.read, .read)
    try check(.read, end: offset, plus: view.count)
    let bytes = disk.state.withLock { state in
      let current = state.inodes[inode]?.current ?? SparseBytes()
      let available = offset < current.size ? current.size - offset : 0
      var count = Int(min(UInt64(view.count), available))
      if state.takeShortRead() {
        count = Int.random(in: 0...max(0, count - 1), using: &state.generator)
      }
      state.counters.bytesRead += UInt64(count)
      return current.bytes(at: offset, count)
    }
    bytes.withByteView { view.copy($0, at: 0) }
    return bytes.count
  }

  func write(_ views: [ByteView], at offset: UInt64) throws(FileError) {
    let bytes = views.flatMap(\.array)
    guard !bytes.isEmpty else { return }
    do {
      try perform(.write, .write)
    } catch {
      // A closed file and a disk without power take nothing; another failing write may have begun.
      guard !isClosed.load(ordering: .relaxed), isWritable else { throw error }
      disk.state.withLock { state in
        guard !state.isPowerCut else { return }
        let count = Int.random(in: 0...bytes.count, using: &state.generator)
        state.inodes[inode]?.write(Array(bytes[..<count]), at: offset)
      }
      throw error
    }
    try checkWritable(.write, EBADF)
    try check(.write, end: offset, plus: bytes.count)
    let isWhole = disk.state.withLock { state in
      let size = state.inodes[inode]?.current.size ?? 0
      let limit = size.addingReportingOverflow(state.room)
      let end = min(offset + UInt64(bytes.count), limit.overflow ? .max : limit.partialValue)
      let count = end > offset ? Int(end - offset) : 0
      state.inodes[inode]?.write(Array(bytes[..<count]), at: offset)
      state.counters.bytesWritten += UInt64(count)
      return count == bytes.count
    }
    guard isWhole else { throw FileError(.write, path: path, code: ENOSPC) }
  }

  func synchronize() throws(FileError) {
    try synchronize(changesBefore: withInode { $0.changeCount })
  }

  func beginDurableWrite(_ view: ByteView, at offset: UInt64) -> Bool {
    guard !isClosed.load(ordering: .relaxed), isWritable else { return false }
    let bytes = view.array
    let count = disk.state.withLock { state -> Int? in
      guard !state.isPowerCut, var inode = state.inodes[inode], inode.pending.isEmpty,
        offset + UInt64(bytes.count) <= inode.current.size
      else { return nil }
      inode.write(bytes, at: offset)
      state.counters.bytesWritten += UInt64(bytes.count)
      state.inodes[self.inode] = inode
      return inode.changeCount
    }
    guard let count else { return false }
    begunWrite.withLock { $0 = count }
    return true
  }

  func finishDurableWrite() throws(FileError) {
    let count = begunWrite.withLock { count in
      defer { count = nil }
      return count
    }
    guard let count else { return try synchronize() }
    try synchronize(changesBefore: count)
  }

  private func synchronize(changesBefore count: Int) throws(FileError) {
    do {
      try perform(.synchronize, .synchronize)
    } catch {
      disk.state.withLock { state in
        guard !state.isPowerCut, !isClosed.load(ordering: .relaxed) else { return }
        state.inodes[inode]?.failSynchronizing(changesBefore: count, using: &state.generator)
      }
      throw error
    }
    disk.state.withLock { state in
      if !state.isLying { state.inodes[inode]?.synchronize(changesBefore: count) }
    }
  }

  func synchronizeName() throws(FileError) {
    try perform(.synchronizeDirectory, .synchronize)
    disk.state.withLock { $0.synchronizeNames(in: directory(of: path)) }
  }

  func allocate(_ range: Range<UInt64>) throws(FileError) {
    try perform(.allocate, .allocate)
    guard !range.isEmpty else { return }
    try checkWritable(.allocate, EBADF)
    try check(.allocate, end: range.upperBound)
    try grow(to: range.upperBound, .allocate)
  }

  func truncate(to size: UInt64) throws(FileError) {
    try perform(.truncate, .resize)
    try checkWritable(.resize, EINVAL)
    try check(.resize, end: size)
    if size < withInode({ $0.current.size }) {
      withInode { $0.resize(to: size) }
    } else {
      try grow(to: size, .resize)
    }
  }

  func lock(exclusive: Bool) throws(FileError) -> Bool {
    try perform(.lock, .lock)
    if exclusive { try checkWritable(.lock, EBADF) }
    let owner = ObjectIdentifier(self)
    guard withInode({ $0.locks.lock(exclusive: exclusive, owner: owner) }) else { return false }
    guard disk.state.withLock({ $0.names[path] }) == inode else {
      throw FileError(.lock, path: path, code: ESTALE)
    }
    return true
  }

  func displacement(size: UInt64) throws(FileError) -> FileDisplacement? {
    try perform(.status, .status)
    return disk.state.withLock { state in
      guard let named = state.names[path] else {
        return state.names.values.contains(inode) ? .moved : .removed
      }
      guard named == inode else { return .replaced }
      return state.inodes[inode]?.current.size ?? 0 < size ? .shortened : nil
    }
  }

  private func grow(to size: UInt64, _ operation: FileError.Operation) throws(FileError) {
    let isRoom = disk.state.withLock { state in
      guard let current = state.inodes[inode]?.current.size, size > current else { return true }
      guard size - current <= state.room else { return false }
      state.inodes[inode]?.resize(to: size)
      return true
    }
    guard isRoom else { throw FileError(operation, path: path, code: ENOSPC) }
  }

  private func withInode<Result: Sendable>(
    _ body: @Sendable (inout SimulatedInode) -> Result
  ) -> Result {
    disk.state.withLock { state in
      // A disk keeps every file it ever had, so the default is never used.
      body(&state.inodes[inode, default: SimulatedInode()])
    }
  }

  private func perform(_ call: SimulatedDisk.Call, _ operation: FileError.Operation)
    throws(FileError)
  {
    guard !isClosed.load(ordering: .relaxed) else {
      throw FileError(operation, path: path, code: EBADF)
    }
    try disk.perform(call, operation, path)
  }

  /// Refuses offsets that a file of the operating system could not have.
  private func check(
    _ operation: FileError.Operation, end offset: UInt64, plus count: Int = 0
  ) throws(FileError) {
    guard offset <= UInt64(Int64.max) - UInt64(count) else {
      throw FileError(operation, path: path, code: EFBIG)
    }
  }

  /// Refuses a file that was opened for reading, with the code that the operating system has for it.
  private func checkWritable(
    _ operation: FileError.Operation, _ code: Int32
  ) throws(FileError) {
    guard isWritable else { throw FileError(operation, path: path, code: code) }
  }
}
