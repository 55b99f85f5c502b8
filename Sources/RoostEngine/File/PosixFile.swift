internal import Synchronization

#if canImport(Darwin)
internal import Darwin
#elseif canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Android)
internal import Android
#endif

/// An open file of the operating system.
final class PosixFile: StorageFile {
  let path: String
  private let currentDescriptor: Atomic<Int32>

  /// Takes over an open descriptor.
  init(path: String, descriptor: Int32) {
    self.path = path
    currentDescriptor = Atomic(descriptor)
  }

  deinit { close() }

  /// The system's number of the file; once closed, one that the system answers with `EBADF`.
  var descriptor: Int32 { currentDescriptor.load(ordering: .relaxed) }

  func close() {
    let descriptor = currentDescriptor.exchange(closedDescriptor, ordering: .relaxed)
    guard descriptor != closedDescriptor else { return }
    Self.unlock(descriptor)
    systemClose(descriptor)
  }

  func identity() throws(FileError) -> FileIdentity {
    FileIdentity(try status())
  }

  func size() throws(FileError) -> UInt64 {
    UInt64(clamping: try status().st_size)
  }

  private func status() throws(FileError) -> stat {
    guard let status = systemStatus(descriptor) else {
      throw FileError(.status, path: path, code: errno)
    }
    return status
  }

  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: UInt64) throws(FileError) -> Int
  {
    guard let start = buffer.baseAddress else { return 0 }
    let position = try position(offset, buffer.count, .read)
    var done = 0
    while done < buffer.count {
      let count = retryingInterrupted {
        unsafe pread(descriptor, start + done, buffer.count - done, position + off_t(done))
      }
      guard count >= 0 else { throw FileError(.read, path: path, code: errno) }
      if count == 0 { break }
      done += count
    }
    return done
  }

  func synchronize() throws(FileError) {
    guard systemSynchronize(descriptor) == 0 else {
      throw FileError(.synchronize, path: path, code: errno)
    }
  }

  func allocate(_ range: Range<UInt64>) throws(FileError) {
    guard !range.isEmpty else { return }
    let end = try position(range.upperBound, 0, .allocate)
    let start = try position(range.lowerBound, 0, .allocate)
    try checkSizeLimit(range.upperBound, .allocate)
    #if canImport(Darwin)
    // Darwin reserves from the end of what the file has, and leaves its size alone.
    let held = max(start, off_t(clamping: try size()))
    let code = held < end ? systemReserve(descriptor, held, end - held) : 0
    #else
    let code = systemReserve(descriptor, start, end - start)
    #endif
    guard code == 0 || isReservingUnsupported(code) else {
      throw FileError(.allocate, path: path, code: code)
    }
    if try size() < range.upperBound {
      try truncate(to: range.upperBound)
    }
  }

  func truncate(to size: UInt64) throws(FileError) {
    try checkSizeLimit(size, .resize)
    guard systemTruncate(descriptor, try position(size, 0, .resize)) == 0 else {
      throw FileError(.resize, path: path, code: errno)
    }
  }

  /// Refuses what would reach beyond the size that the process may give a file, which would end it.
  @inline(__always)
  func checkSizeLimit(
    _ end: UInt64, _ operation: FileError.Operation
  ) throws(FileError) {
    guard end <= systemFileSizeLimit() else { throw FileError(operation, path: path, .tooLarge) }
  }

  /// An offset in the system's own type, when `count` bytes from it on can be addressed.
  func position(
    _ offset: UInt64, _ count: Int, _ operation: FileError.Operation
  ) throws(FileError) -> off_t {
    guard let position = off_t(exactly: offset), position <= off_t.max - off_t(count) else {
      throw FileError(operation, path: path, .tooLarge)
    }
    return position
  }
}
