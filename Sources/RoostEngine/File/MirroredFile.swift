/// An open file of a ``MirroredFileSystem``: the one that is on a disk, too.
final class MirroredFile: StorageFile {
  private let memory: any StorageFile
  private let isWritable: Bool
  /// Closes the file on the disk when the last of its files is gone.
  let fileSystem: MirroredFileSystem

  init(_ memory: any StorageFile, isWritable: Bool, in fileSystem: MirroredFileSystem) {
    self.memory = memory
    self.isWritable = isWritable
    self.fileSystem = fileSystem
  }

  var path: String { memory.path }

  func identity() throws(FileError) -> FileIdentity { try memory.identity() }

  func size() throws(FileError) -> UInt64 { try memory.size() }

  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: UInt64) throws(FileError) -> Int
  {
    try unsafe memory.read(into: buffer, at: offset)
  }

  func write(_ buffers: [UnsafeRawBufferPointer], at offset: UInt64) throws(FileError) {
    try change(.write) { (file) throws(FileError) in try unsafe file.write(buffers, at: offset) }
  }

  func synchronize() throws(FileError) {
    try memory.synchronize()
    fileSystem.synchronize()
  }

  func synchronizeName() throws(FileError) { fileSystem.synchronizeName() }

  func allocate(_ range: Range<UInt64>) throws(FileError) {
    try change(.allocate) { (file) throws(FileError) in try file.allocate(range) }
  }

  func truncate(to size: UInt64) throws(FileError) {
    try change(.resize) { (file) throws(FileError) in try file.truncate(to: size) }
  }

  func lock(exclusive: Bool) throws(FileError) -> Bool {
    guard try memory.lock(exclusive: exclusive) else { return false }
    return try fileSystem.lock(exclusive: exclusive, memory)
  }

  /// Nil: memory is the truth. A file on the disk that was taken from its place is a mirror that failed.
  func displacement(size: UInt64) throws(FileError) -> FileDisplacement? {
    fileSystem.checkPlace()
    return nil
  }

  func close() { memory.close() }

  private func change(
    _ operation: FileError.Operation, _ body: (any StorageFile) throws(FileError) -> Void
  ) throws(FileError) {
    guard isWritable else { throw FileError(operation, path: path, .notOpen) }
    try fileSystem.change(memory, body)
  }
}
