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
  var isDisk: Bool { true }
  let path: String
  /// The absolute path with all links followed: later checks look for the file there, even if the working directory or
  /// the links change.
  private let place: String
  let openedIdentity: FileIdentity
  let generation = ForkGeneration.ofNewFile()
  private let currentDescriptor: Atomic<Int32>
  /// See ``lockOfThisProcess``.
  let knownLock = Mutex<FileLock?>(nil)
  /// A number that grows when a change of the file begins, and again when it ends; and what it was when the last sync began. While
  /// the two differ, a sync is needed. They differ in a file that was just opened: earlier changes may not be synced.
  private let changes = Atomic<Int>(1)
  private let syncedChanges = Atomic<Int>(0)
  #if os(Linux)
  private let durableWrites = Mutex(DurableWrites())

  private struct DurableWrites {
    /// The descriptor for them; nil before the first, and ``closedDescriptor`` where there can be none.
    var descriptor: Int32?
    /// The one that goes on, and its bytes.
    var begun: (write: DurableWrite, view: ByteView, offset: UInt64)?
  }
  #endif

  /// Takes ownership of an open descriptor with this status.
  init(path: String, descriptor: Int32, _ status: stat) {
    self.path = path
    place = systemResolve(path) ?? path
    openedIdentity = FileIdentity(status)
    currentDescriptor = Atomic(descriptor)
  }

  deinit { close() }

  /// The file's descriptor; once closed, a number for which the system returns `EBADF`.
  ///
  /// - Throws: In a process that was forked since the file was opened.
  @inline(__always)
  func descriptor(for operation: FileError.Operation) throws(FileError) -> Int32 {
    guard generation.isCurrent else { throw FileError(operation, path: path, .forked) }
    return currentDescriptor.load(ordering: .relaxed)
  }

  func close() {
    let descriptor = currentDescriptor.exchange(closedDescriptor, ordering: .relaxed)
    guard descriptor != closedDescriptor else { return }
    #if os(Linux)
    durableWrites.withLock { writes in
      if generation.isCurrent { _ = writes.begun?.write.finish() }
      writes.begun = nil
      if let direct = writes.descriptor, direct != closedDescriptor { systemClose(direct) }
      writes.descriptor = closedDescriptor
    }
    #endif
    // The lock belongs to the parent, and must stay when a forked child closes its copy of the descriptor.
    if generation.isCurrent { unlock(descriptor) }
    systemClose(descriptor)
  }

  func identity() throws(FileError) -> FileIdentity {
    FileIdentity(try status())
  }

  func displacement(size: UInt64) throws(FileError) -> FileDisplacement? {
    guard let named = systemPlace(place) else {
      switch errno {
      case ENOENT, ENOTDIR: return try status().st_nlink == 0 ? .removed : .moved
      // A process that may no longer read the directory can continue to use its file.
      case EACCES, EPERM: return nil
      default: throw FileError(.status, path: path, code: errno)
      }
    }
    guard named.identity == openedIdentity else { return .replaced }
    return named.size < size ? .shortened : nil
  }

  func setPermissions(_ permissions: UInt16) throws(FileError) {
    guard systemSetPermissions(try descriptor(for: .permissions), mode_t(permissions & 0o777)) == 0
    else {
      throw FileError(.permissions, path: path, code: errno)
    }
  }

  func adoptPermissions(of other: any StorageFile) throws(FileError) {
    guard let other = other as? PosixFile else { return }
    guard systemAdopt(try descriptor(for: .permissions), try other.status()) == 0 else {
      throw FileError(.permissions, path: path, code: errno)
    }
  }

  func size() throws(FileError) -> UInt64 {
    UInt64(clamping: try status().st_size)
  }

  private func status() throws(FileError) -> stat {
    guard let status = systemStatus(try descriptor(for: .status)) else {
      throw FileError(.status, path: path, code: errno)
    }
    return status
  }

  func read(into view: MutableByteView, at offset: UInt64) throws(FileError) -> Int {
    guard view.count > 0 else { return 0 }
    let position = try position(offset, view.count, .read)
    let descriptor = try descriptor(for: .read)
    var done = 0
    while done < view.count {
      let count = systemRead(
        descriptor, view.slice(done, view.count - done), position + off_t(done))
      guard count >= 0 else { throw FileError(.read, path: path, code: errno) }
      if count == 0 { break }
      done += count
    }
    return done
  }

  func startWriteback(of range: Range<UInt64>) {
    guard let descriptor = try? descriptor(for: .synchronize) else { return }
    systemStartWriteback(
      descriptor, Int64(clamping: range.lowerBound), Int64(clamping: range.count))
  }

  func synchronize() throws(FileError) {
    let covered = changes.load(ordering: .relaxed)
    guard systemSynchronize(try descriptor(for: .synchronize)) == 0 else {
      throw FileError(.synchronize, path: path, code: errno)
    }
    syncedChanges.store(covered, ordering: .relaxed)
  }

  #if os(Linux)
  func beginDurableWrite(_ view: ByteView, at offset: UInt64) -> Bool {
    guard changes.load(ordering: .relaxed) == syncedChanges.load(ordering: .relaxed),
      let descriptor = try? descriptor(for: .write),
      let end = try? position(offset, view.count, .write),
      UInt64(end) + UInt64(view.count) <= systemFileSizeLimit()
    else { return false }
    return durableWrites.withLock { writes in
      let direct = writes.descriptor ?? DurableWrite.descriptor(of: descriptor) ?? closedDescriptor
      writes.descriptor = direct
      guard direct != closedDescriptor, writes.begun == nil else { return false }
      guard let write = DurableWrite.begin(direct, view, at: offset) else { return false }
      writes.begun = (write, view, offset)
      return true
    }
  }

  func finishDurableWrite() throws(FileError) {
    _ = try descriptor(for: .synchronize)
    let begun = durableWrites.withLock { writes in
      defer { writes.begun = nil }
      return writes.begun
    }
    guard let begun else { return try synchronize() }
    let code = begun.write.finish()
    if code == EINVAL || code == ENOTSUP {
      // The file system takes no such writes, which it says only now, and has written nothing.
      durableWrites.withLock { writes in
        if let direct = writes.descriptor, direct != closedDescriptor { systemClose(direct) }
        writes.descriptor = closedDescriptor
      }
      try write([begun.view], at: begun.offset)
      return try synchronize()
    }
    guard code == 0 else { throw FileError(.synchronize, path: path, code: code) }
  }
  #endif

  /// Notes that the file changes, which a sync must cover.
  func noteChange() { changes.add(1, ordering: .relaxed) }

  func synchronizeName() throws(FileError) {
    guard generation.isCurrent else { throw FileError(.synchronize, path: path, .forked) }
    try PosixDirectory.synchronize(of: place)
  }

  func allocate(_ range: Range<UInt64>) throws(FileError) {
    guard !range.isEmpty else { return }
    noteChange()
    defer { noteChange() }
    let end = try position(range.upperBound, 0, .allocate)
    let start = try position(range.lowerBound, 0, .allocate)
    try checkSizeLimit(range.upperBound, .allocate)
    let descriptor = try descriptor(for: .allocate)
    #if canImport(Darwin)
    // Darwin reserves from the end of the file's allocation, and does not change its size.
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
    noteChange()
    defer { noteChange() }
    let position = try position(size, 0, .resize)
    guard systemTruncate(try descriptor(for: .resize), position) == 0 else {
      throw FileError(.resize, path: path, code: errno)
    }
  }

  /// Throws if a write would exceed the file size limit of the process, which would end the process.
  @inline(__always)
  func checkSizeLimit(
    _ end: UInt64, _ operation: FileError.Operation
  ) throws(FileError) {
    guard end <= systemFileSizeLimit() else { throw FileError(operation, path: path, .tooLarge) }
  }

  /// The offset as `off_t`, if `count` bytes from it on can be addressed.
  func position(
    _ offset: UInt64, _ count: Int, _ operation: FileError.Operation
  ) throws(FileError) -> off_t {
    guard let position = off_t(exactly: offset), position <= off_t.max - off_t(count) else {
      throw FileError(operation, path: path, .tooLarge)
    }
    return position
  }
}
