/// Which file a path or an open file stands for, whatever it is called.
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

/// What a path names.
package enum FileKind: Hashable, Sendable {
  /// A file of bytes: the only kind that can be opened.
  case regular
  /// A directory.
  case directory
  /// A symbolic link, where links are not followed.
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
  /// Reading and writing; a missing file is made, empty.
  case create
  /// Reading and writing; there must be nothing of that name, not even a link. Only the owner may use the new file.
  case createNew
}

/// Where files are: the one way in which the engine reaches the outside.
///
/// ``PosixFileSystem`` is the operating system's, ``MemoryFileSystem`` lives and dies with the process;
/// the tests have one that crashes on purpose.
package protocol FileSystem: Sendable {
  /// Opens the file at `path`; a directory is refused with `EISDIR`.
  func open(_ path: String, _ mode: FileMode) throws(FileError) -> any StorageFile

  /// Which file is at `path`, or nil where there is none.
  func identity(of path: String) throws(FileError) -> FileIdentity?

  /// What kind of thing is at `path`, or nil where there is none.
  ///
  /// - Parameter followsLinks: Whether a symbolic link stands for what it leads to; else it is a ``FileKind/link``.
  func kind(of path: String, followsLinks: Bool) throws(FileError) -> FileKind?

  /// Gives a file another name, taking the place of a file that had it, in one step.
  ///
  /// It is sure to outlast a crash only after ``synchronizeDirectory(of:)``.
  func rename(_ from: String, to: String) throws(FileError)

  /// Removes the name of a file; whoever has it open keeps it.
  func remove(_ path: String) throws(FileError)

  /// Makes the names in the directory of `path` durable: files made, renamed and removed.
  func synchronizeDirectory(of path: String) throws(FileError)

  /// The path of the file itself where `path` is a link to it: what a rename must replace.
  func resolved(_ path: String) throws(FileError) -> String
}

extension FileSystem {
  /// What kind of thing is at `path`, links followed, or nil where there is none.
  package func kind(of path: String) throws(FileError) -> FileKind? {
    try kind(of: path, followsLinks: true)
  }

  /// The path as it is, where a file system has no links.
  package func resolved(_ path: String) throws(FileError) -> String { path }
}

/// An open file.
///
/// Reads and writes may run at the same time from several threads; ``close()`` only when no other call
/// is running. A file that is dropped without ``close()`` closes itself.
package protocol StorageFile: AnyObject, Sendable {
  /// The path that the file was opened at.
  var path: String { get }

  /// Which file this is.
  func identity() throws(FileError) -> FileIdentity

  /// How many bytes the file has.
  func size() throws(FileError) -> UInt64

  /// Reads from `offset` on until the buffer is full or the file ends.
  ///
  /// - Returns: How many bytes were read: fewer than asked for only at the end of the file.
  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: UInt64) throws(FileError) -> Int

  /// Writes all bytes of all buffers, one after the other, from `offset` on.
  ///
  /// After an error any part of them may have been written. Without any bytes it does nothing at all.
  func write(_ buffers: [UnsafeRawBufferPointer], at offset: UInt64) throws(FileError)

  /// Returns when all that was written before the call is durable.
  ///
  /// After an error nobody knows what is, and asking again would not tell: a sync is never retried.
  func synchronize() throws(FileError)

  /// Reserves room for a range of the file, which grows to hold it; new bytes are zero.
  ///
  /// Where the file system cannot reserve, the file only grows.
  func allocate(_ range: Range<UInt64>) throws(FileError)

  /// Cuts the file off at `size`, or fills it up with zeros.
  func truncate(to size: UInt64) throws(FileError)

  /// Locks the file against its other openers, at once or not at all; a lock already held is changed.
  ///
  /// The lock belongs to this open file: another opener in the same process is kept out just as
  /// another process is. Closing the file, or the death of the process, ends it.
  ///
  /// - Returns: Whether the lock was had; false where somebody else has one in the way.
  /// - Throws: `ESTALE` where the path no longer names this file, so that locking it protects nothing.
  func lock(exclusive: Bool) throws(FileError) -> Bool

  /// Lets the same users read and write the file who may use another, and gives it the same owner where the
  /// process may. Nobody gets more rights than on the other file.
  func adoptPermissions(of other: any StorageFile) throws(FileError)

  /// Sets who may use the file: the nine bits of a POSIX mode, without regard to the process's mask.
  func setPermissions(_ permissions: UInt16) throws(FileError)

  /// Whether somebody has taken the file from its place since it was opened, or cut it off below `size` bytes; nil
  /// where it is as it was.
  func displacement(size: UInt64) throws(FileError) -> FileDisplacement?

  /// Makes the names in the file's directory durable, its own among them.
  func synchronizeName() throws(FileError)

  /// Closes the file, which ends its lock; closing it again does nothing.
  func close()
}

extension StorageFile {
  /// Does nothing, where files have no permissions.
  package func adoptPermissions(of other: any StorageFile) throws(FileError) {}

  /// Does nothing, where files have no permissions.
  package func setPermissions(_ permissions: UInt16) throws(FileError) {}

  /// Does nothing, where names are as durable as they will ever be.
  package func synchronizeName() throws(FileError) {}

  /// Nil, where nobody else can reach the file.
  package func displacement(size: UInt64) throws(FileError) -> FileDisplacement? { nil }

  /// Reads from `offset` on until the view is full or the file ends; returns how many bytes.
  package func read(into view: MutableByteView, at offset: UInt64) throws(FileError) -> Int {
    let buffer = unsafe UnsafeMutableRawBufferPointer(start: view.base, count: view.count)
    return try unsafe read(into: buffer, at: offset)
  }

  /// Writes all the view's bytes from `offset` on.
  package func write(_ view: ByteView, at offset: UInt64) throws(FileError) {
    let buffer = unsafe UnsafeRawBufferPointer(start: view.base, count: view.count)
    try unsafe write([buffer], at: offset)
  }
}
