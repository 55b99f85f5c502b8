internal import Synchronization

/// An open file of a ``MemoryFileSystem``.
final class MemoryFile: StorageFile {
  let path: String
  private let content: MemoryContent
  private let isWritable: Bool
  private let isClosed = Atomic(false)
  private let fileSystem: MemoryFileSystem

  init(
    path: String, content: MemoryContent, isWritable: Bool, in fileSystem: MemoryFileSystem
  ) {
    self.path = path
    self.content = content
    self.isWritable = isWritable
    self.fileSystem = fileSystem
  }

  deinit { close() }

  func close() {
    guard !isClosed.exchange(true, ordering: .relaxed) else { return }
    content.unlock(owner: ObjectIdentifier(self))
  }

  func identity() throws(FileError) -> FileIdentity {
    try check(.status)
    return content.identity
  }

  func size() throws(FileError) -> UInt64 {
    try check(.status)
    return content.size
  }

  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: UInt64) throws(FileError) -> Int
  {
    try check(.read, end: offset, plus: buffer.count)
    return unsafe content.read(into: MutableByteView(buffer), at: offset)
  }

  func write(_ buffers: [UnsafeRawBufferPointer], at offset: UInt64) throws(FileError) {
    var position = offset
    for index in unsafe buffers.indices {
      let buffer = unsafe buffers[index]
      guard buffer.count > 0 else { continue }
      try checkWritable(.write, .notOpen)
      try check(.write, end: position, plus: buffer.count)
      unsafe content.write(ByteView(buffer), at: position)
      position += UInt64(buffer.count)
    }
  }

  func synchronize() throws(FileError) {
    try check(.synchronize)
  }

  func allocate(_ range: Range<UInt64>) throws(FileError) {
    guard !range.isEmpty else { return }
    try checkWritable(.allocate, .notOpen)
    try check(.allocate, end: range.upperBound)
    content.grow(to: range.upperBound)
  }

  func truncate(to size: UInt64) throws(FileError) {
    try checkWritable(.resize, .invalid)
    try check(.resize, end: size)
    content.resize(to: size)
  }

  func lock(exclusive: Bool) throws(FileError) -> Bool {
    try check(.lock)
    if exclusive { try checkWritable(.lock, .notOpen) }
    guard content.lock(exclusive: exclusive, owner: ObjectIdentifier(self)) else { return false }
    guard try fileSystem.identity(of: path) == content.identity else {
      throw FileError(.lock, path: path, .stale)
    }
    return true
  }

  /// Refuses a closed file, and offsets that a file of the operating system could not have.
  private func check(
    _ operation: FileError.Operation, end offset: UInt64 = 0, plus count: Int = 0
  ) throws(FileError) {
    guard !isClosed.load(ordering: .relaxed) else {
      throw FileError(operation, path: path, .notOpen)
    }
    guard offset <= UInt64(Int64.max) - UInt64(count) else {
      throw FileError(operation, path: path, .tooLarge)
    }
  }

  /// Refuses a file that was opened for reading, with the error that the operating system has for it.
  private func checkWritable(
    _ operation: FileError.Operation, _ meaning: FileError.Meaning
  ) throws(FileError) {
    try check(operation)
    guard isWritable else { throw FileError(operation, path: path, meaning) }
  }
}
