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

extension PosixFile {
  func lock(exclusive: Bool) throws(FileError) -> Bool {
    let descriptor = try descriptor(for: .lock)
    // Within the list's lock, so that the list has the lock of this process that refuses this one, if there is one.
    let (code, lock) = lockedFiles.withLock { files -> (Int32, FileLock?) in
      guard Self.tryLock(descriptor, exclusive: exclusive) == 0 else {
        let code = errno
        let holder = files.first { $0.identity == openedIdentity && $0.generation.isCurrent }
        return (code, holder?.lock)
      }
      let owner = ObjectIdentifier(self)
      if let known = files.first(where: { $0.isOf(owner) }) { return (0, known.lock) }
      let file = LockedFile(owner: owner, identity: openedIdentity, generation: generation)
      files.append(file)
      return (0, file.lock)
    }
    knownLock.withLock { $0 = lock }
    guard code == 0 else {
      if code == EAGAIN || code == EACCES || code == EWOULDBLOCK { return false }
      throw FileError(.lock, path: path, code: code)
    }
    // Between opening and locking, another process may have replaced the file.
    guard let named = systemStatus(path), FileIdentity(named) == (try identity()) else {
      throw FileError(.lock, path: path, code: ESTALE)
    }
    return true
  }

  /// Releases the lock of a descriptor before it is closed.
  ///
  /// Closing is not enough: a child process that was just forked, and has not yet called `exec`, still has
  /// the open file, and with it the lock.
  func unlock(_ descriptor: Int32) {
    lockedFiles.withLock { files in
      let owner = ObjectIdentifier(self)
      guard let place = files.firstIndex(where: { $0.isOf(owner) }) else { return }
      Self.releaseLock(descriptor)
      files.remove(at: place).lock.end()
    }
  }

  var lockOfThisProcess: FileLock? { knownLock.withLock { $0 } }

  private static func releaseLock(_ descriptor: Int32) {
    #if canImport(Darwin)
    _ = flock(descriptor, LOCK_UN)
    #else
    var request = wholeLock(F_UNLCK)
    _ = unsafe fcntl(descriptor, setOpenFileLock, &request)
    #endif
  }

  #if canImport(Darwin)
  private static func tryLock(_ descriptor: Int32, exclusive: Bool) -> Int32 {
    retryingInterrupted { flock(descriptor, (exclusive ? LOCK_EX : LOCK_SH) | LOCK_NB) }
  }
  #else
  /// Locks one byte far beyond the end of any file.
  ///
  /// The lock belongs to the open file (OFD), not to the process: a classic POSIX lock would end as soon as
  /// any other part of the process closed any descriptor of the same file.
  private static func tryLock(_ descriptor: Int32, exclusive: Bool) -> Int32 {
    var request = wholeLock(exclusive ? F_WRLCK : F_RDLCK)
    return retryingInterrupted { unsafe fcntl(descriptor, setOpenFileLock, &request) }
  }

  private static func wholeLock(_ type: Int32) -> flock {
    var request = flock()
    request.l_type = Int16(type)
    request.l_whence = Int16(SEEK_SET)
    request.l_start = lockedByte
    request.l_len = 1
    return request
  }
  #endif
}

/// A file that this process has locked.
private struct LockedFile {
  let owner: ObjectIdentifier
  let identity: FileIdentity
  /// Another one in a forked child, which has its parent's list but not its locks.
  let generation: ForkGeneration
  let lock = FileLock()

  func isOf(_ owner: ObjectIdentifier) -> Bool { self.owner == owner && generation.isCurrent }
}

/// The files that this process has locked: they are few.
///
/// A refused lock does not say whether another process has it.
private let lockedFiles = Mutex<[LockedFile]>([])

#if !canImport(Darwin)
/// The offset of the locked byte: no file grows to 2^62 bytes.
private let lockedByte: off_t = 1 << 62

/// `F_OFD_SETLK`, which the C library declares only with GNU's extensions.
private let setOpenFileLock: Int32 = 37
#endif
