/// The identity of a file, independent of its name.
package struct FileIdentity: Equatable, Sendable {
  /// The device that the file lies on.
  package var device: UInt64
  /// The file's number on its device.
  package var inode: UInt64

  /// The identity of file number `inode` on `device`.
  package init(device: UInt64, inode: UInt64) {
    self.device = device
    self.inode = inode
  }
}

/// The kind of thing that a path names.
package enum FileKind: Hashable, Sendable {
  /// A regular file: the only kind that can be opened.
  case regular
  /// A directory.
  case directory
  /// A symbolic link, if links are not followed.
  case link
  /// A device, a pipe or a socket.
  case other
}

/// The access mode of an open file.
package enum FileMode: Hashable, Sendable {
  /// Reading; the file must exist.
  case readOnly
  /// Reading and writing; the file must exist.
  case readWrite
  /// Reading and writing; a missing file is created empty.
  case create
  /// Reading and writing; the name must not exist, not even as a link. Only the owner may use the new file.
  case createNew
}

/// A file system: the engine's only access to the outside.
///
/// ``PosixFileSystem`` is the operating system's; ``MemoryFileSystem`` exists only in the process; the
/// tests use one that simulates crashes.
package protocol FileSystem: Sendable {
  /// Opens the file at `path`; a directory is refused with `EISDIR`.
  func open(_ path: String, _ mode: FileMode) throws(FileError) -> any StorageFile

  /// The identity of the file at `path`; nil if there is none.
  func identity(of path: String) throws(FileError) -> FileIdentity?

  /// The kind of thing at `path`; nil if there is none.
  ///
  /// - Parameter followsLinks: Whether a symbolic link stands for what it leads to; else it is a ``FileKind/link``.
  func kind(of path: String, followsLinks: Bool) throws(FileError) -> FileKind?

  /// Renames a file atomically, replacing a file that has the new name.
  ///
  /// The new name is durable only after ``synchronizeDirectory(of:)``.
  func rename(_ from: String, to: String) throws(FileError)

  /// Removes the name of a file; open files stay usable.
  func remove(_ path: String) throws(FileError)

  /// Makes changes in the directory of `path` durable: files created, renamed and removed.
  func synchronizeDirectory(of path: String) throws(FileError)

  /// The path with links resolved: a rename must replace the file itself.
  func resolved(_ path: String) throws(FileError) -> String

  /// The number of bytes that this process may still write to new files in the directory of `path`; nil if that is unknown.
  func availableBytes(besides path: String) throws(FileError) -> UInt64?
}

extension FileSystem {
  /// The kind of thing at `path`, links followed; nil if there is none.
  package func kind(of path: String) throws(FileError) -> FileKind? {
    try kind(of: path, followsLinks: true)
  }

  /// The path unchanged, for a file system without links.
  package func resolved(_ path: String) throws(FileError) -> String { path }

  /// Nil, for a file system that does not know.
  package func availableBytes(besides path: String) throws(FileError) -> UInt64? { nil }
}

/// An open file.
///
/// Several threads may read and write concurrently; ``close()`` requires that no other call is running.
/// A file that is released without ``close()`` closes itself.
package protocol StorageFile: AnyObject, Sendable {
  /// The path at which the file was opened.
  var path: String { get }

  /// Whether the file is on a disk: then a small commit writes to one place rather than to several.
  var isDisk: Bool { get }

  /// A random number, not 0, that tells records of the file's ring from what lay there before.
  func randomNumber() -> UInt64

  /// The identity of the file.
  func identity() throws(FileError) -> FileIdentity

  /// The size of the file in bytes.
  func size() throws(FileError) -> UInt64

  /// Reads from `offset` on until the view is full or the file ends.
  ///
  /// - Returns: How many bytes were read: fewer than asked for only at the end of the file.
  func read(into view: MutableByteView, at offset: UInt64) throws(FileError) -> Int

  /// Writes all bytes of all views in order from `offset` on.
  ///
  /// After an error, any part of them may have been written. Without bytes, does nothing.
  func write(_ views: [ByteView], at offset: UInt64) throws(FileError)

  /// Writes zeros to a range that was reserved and not written yet, where a sync takes less time for it later.
  func writeZeros(_ range: Range<UInt64>) throws(FileError)

  /// Starts writing a range of the file to the disk, and does not wait: a ``synchronize()`` soon after takes less time then.
  ///
  /// A hint: nothing is durable by it, and errors are those of the sync.
  func startWriteback(of range: Range<UInt64>)

  /// Returns when everything written before the call is durable.
  ///
  /// After an error, it is unknown what is durable, and another sync would not tell: a sync is never retried.
  func synchronize() throws(FileError)

  /// Begins to write bytes over older ones and to make them durable, and does not wait for that: ``finishDurableWrite()`` does.
  ///
  /// For what a ``synchronize()`` would follow that had nothing else to do.
  /// - Parameters:
  ///   - view: Stays as it is until then; it lies at a multiple of 4,096, and so does `offset`.
  /// - Returns: False where nothing began: the file cannot, or something that was written before is not durable yet.
  func beginDurableWrite(_ view: ByteView, at offset: UInt64) -> Bool

  /// Returns when the bytes of ``beginDurableWrite(_:at:)`` are durable; errors are as those of ``synchronize()``.
  func finishDurableWrite() throws(FileError)

  /// Reserves space for a range of the file, and grows the file to hold it; new bytes are zero.
  ///
  /// If the file system cannot reserve, the file only grows.
  func allocate(_ range: Range<UInt64>) throws(FileError)

  /// Truncates the file to `size`, or extends it with zeros.
  func truncate(to size: UInt64) throws(FileError)

  /// Locks the file against its other openers without waiting; converts a lock already held.
  ///
  /// The lock belongs to this open file: it excludes other openers in the same process just like other
  /// processes. Closing the file, or the end of the process, releases it.
  ///
  /// - Returns: Whether the lock was had; false where somebody else has one in the way.
  /// - Throws: `ESTALE` where the path no longer names this file, so that locking it protects nothing.
  func lock(exclusive: Bool) throws(FileError) -> Bool

  /// The lock by which this process had the file when ``lock(exclusive:)`` was called last: this opening's own, or that of
  /// the opening that refused it; nil where another process had it, or that is not known.
  var lockOfThisProcess: FileLock? { get }

  /// Gives the file the permissions of another file, and its owner if the process may. Nobody gets more rights than on
  /// the other file.
  func adoptPermissions(of other: any StorageFile) throws(FileError)

  /// Sets the permissions of the file: the nine bits of a POSIX mode, ignoring the process's umask.
  func setPermissions(_ permissions: UInt16) throws(FileError)

  /// How the file was displaced since it was opened, or that it is shorter than `size` bytes; nil if neither
  /// happened.
  func displacement(size: UInt64) throws(FileError) -> FileDisplacement?

  /// Makes the names in the file's directory durable, including its own.
  func synchronizeName() throws(FileError)

  /// Closes the file, which releases its lock; closing it again does nothing.
  func close()
}

extension StorageFile {
  /// A random number of the system's.
  package func randomNumber() -> UInt64 { .random(in: 1 ... .max) }

  /// Writes them: for files on a disk.
  package func writeZeros(_ range: Range<UInt64>) throws(FileError) {
    let zeros = [UInt8](repeating: 0, count: Int(range.count))
    try zeros.withByteView { (zeros) throws(FileError) in try write(zeros, at: range.lowerBound) }
  }

  /// Does nothing: for files that are not on a disk.
  package func startWriteback(of range: Range<UInt64>) {}

  /// False: for files that cannot.
  package func beginDurableWrite(_ view: ByteView, at offset: UInt64) -> Bool { false }

  /// Syncs; no such write began before.
  package func finishDurableWrite() throws(FileError) { try synchronize() }

  /// Nil: for files of which that is not known.
  package var lockOfThisProcess: FileLock? { nil }

  /// Does nothing: for files without permissions.
  package func adoptPermissions(of other: any StorageFile) throws(FileError) {}

  /// Does nothing: for files without permissions.
  package func setPermissions(_ permissions: UInt16) throws(FileError) {}

  /// Does nothing: for names that need no sync.
  package func synchronizeName() throws(FileError) {}

  /// Nil: for files that nobody else can reach.
  package func displacement(size: UInt64) throws(FileError) -> FileDisplacement? { nil }

  /// Writes all the view's bytes from `offset` on.
  package func write(_ view: ByteView, at offset: UInt64) throws(FileError) {
    try write([view], at: offset)
  }
}
