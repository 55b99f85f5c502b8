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
    guard Self.tryLock(try descriptor(for: .lock), exclusive: exclusive) == 0 else {
      if errno == EAGAIN || errno == EACCES || errno == EWOULDBLOCK { return false }
      throw FileError(.lock, path: path, code: errno)
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
  static func unlock(_ descriptor: Int32) {
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

#if !canImport(Darwin)
/// The offset of the locked byte: no file grows to 2^62 bytes.
private let lockedByte: off_t = 1 << 62

/// `F_OFD_SETLK`, which the C library declares only with GNU's extensions.
private let setOpenFileLock: Int32 = 37
#endif
