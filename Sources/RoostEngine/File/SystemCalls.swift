// The system's calls under other names, so that methods with the same names can call them.

#if canImport(Darwin)
internal import Darwin
#elseif canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Android)
internal import Android
#endif

/// A descriptor that no open file has.
let closedDescriptor: Int32 = -1

/// Repeats a call as long as signals interrupt it.
@inline(__always)
func retryingInterrupted<Result: SignedInteger>(_ call: () -> Result) -> Result {
  while true {
    let result = call()
    if result != -1 || errno != EINTR { return result }
  }
}

/// Opens a path; -1 and `errno` on failure.
///
/// A path that contains a zero byte is refused: for the system it would name another file.
///
/// - Parameter permissions: Those of a file that the call makes.
func systemOpen(_ path: String, _ flags: Int32, _ permissions: mode_t = 0) -> Int32 {
  guard isPath(path) else {
    errno = EINVAL
    return -1
  }
  return retryingInterrupted { unsafe open(path, flags | O_CLOEXEC, permissions) }
}

/// Closes a descriptor, ignoring errors: earlier calls have reported theirs.
func systemClose(_ descriptor: Int32) {
  _ = close(descriptor)
}

/// The status of the file at a path; nil and `errno` on failure.
func systemStatus(_ path: String, followsLinks: Bool = true) -> stat? {
  guard isPath(path) else {
    errno = EINVAL
    return nil
  }
  var status = stat()
  let code = retryingInterrupted {
    followsLinks ? unsafe stat(path, &status) : unsafe lstat(path, &status)
  }
  return code == 0 ? status : nil
}

/// The status of an open file; nil and `errno` on failure.
func systemStatus(_ descriptor: Int32) -> stat? {
  var status = stat()
  return retryingInterrupted { unsafe fstat(descriptor, &status) } == 0 ? status : nil
}

/// The path with all links followed; nil and `errno` on failure.
func systemResolve(_ path: String) -> String? {
  guard isPath(path) else {
    errno = EINVAL
    return nil
  }
  guard let resolved = unsafe realpath(path, nil) else { return nil }
  defer { unsafe free(resolved) }
  return unsafe String(cString: resolved)
}

/// Gives an open file the owner, the group and the permissions of another; -1 and `errno` on failure.
///
/// A process that may not change the owner stays the owner. If it may not set the group either, the group gets no
/// rights, because its members are not those of the other file's group.
func systemAdopt(_ descriptor: Int32, _ status: stat) -> Int32 {
  var permissions = status.st_mode & 0o777
  let hasGroup =
    fchown(descriptor, status.st_uid, status.st_gid) == 0
    || fchown(descriptor, uid_t.max, status.st_gid) == 0
  if !hasGroup { permissions &= 0o707 }
  return systemSetPermissions(descriptor, permissions)
}

/// Sets the permissions of an open file; -1 and `errno` on failure.
func systemSetPermissions(_ descriptor: Int32, _ permissions: mode_t) -> Int32 {
  retryingInterrupted { fchmod(descriptor, permissions) }
}

/// Renames a file; -1 and `errno` on failure.
func systemRename(_ from: String, _ to: String) -> Int32 {
  guard isPath(from), isPath(to) else {
    errno = EINVAL
    return -1
  }
  return retryingInterrupted { unsafe rename(from, to) }
}

/// Removes a file's name; -1 and `errno` on failure.
func systemRemove(_ path: String) -> Int32 {
  guard isPath(path) else {
    errno = EINVAL
    return -1
  }
  return retryingInterrupted { unsafe unlink(path) }
}

/// The number of bytes free for this user on the volume of a directory; nil and `errno` on failure.
func systemAvailableBytes(_ directory: String) -> UInt64? {
  var volume = statvfs()
  guard isPath(directory) else {
    errno = EINVAL
    return nil
  }
  guard retryingInterrupted({ unsafe statvfs(directory, &volume) }) == 0 else { return nil }
  let (bytes, isTooMany) = UInt64(volume.f_bavail)
    .multipliedReportingOverflow(by: UInt64(volume.f_frsize))
  return isTooMany ? .max : bytes
}

/// Makes a file's bytes durable; -1 and `errno` on failure, also if the call was interrupted.
func systemSynchronize(_ descriptor: Int32) -> Int32 {
  #if canImport(Darwin)
  if fcntl(descriptor, F_FULLFSYNC) == 0 { return 0 }
  // Not every file system can flush the drive's cache; then fsync is the best available call.
  guard errno == ENOTSUP || errno == ENOTTY || errno == EINVAL else { return -1 }
  return fsync(descriptor)
  #else
  return fdatasync(descriptor)
  #endif
}

/// Makes a directory's names durable; -1 and `errno` on failure.
func systemSynchronizeDirectory(_ descriptor: Int32) -> Int32 {
  if fsync(descriptor) == 0 { return 0 }
  // A file system that cannot sync directories returns EINVAL.
  return errno == EINVAL ? 0 : -1
}

/// Reads from an offset on into memory; the number of bytes, or -1 and `errno` on failure.
func systemRead(_ descriptor: Int32, _ view: MutableByteView, _ offset: off_t) -> Int {
  // The system writes `count` bytes at most.
  retryingInterrupted { unsafe pread(descriptor, view.base, view.count, offset) }
}

/// Writes views in order from an offset on; the number of bytes, or -1 and `errno` on failure.
func systemWrite(_ descriptor: Int32, _ views: ArraySlice<ByteView>, _ offset: off_t) -> Int {
  // Deallocating the vectors may set another error number.
  var code: Int32 = 0
  defer { if code != 0 { errno = code } }
  // All vectors are initialized, and each lies where its view does; the system only reads there.
  return unsafe withUnsafeTemporaryAllocation(of: iovec.self, capacity: views.count) { vectors in
    for (place, view) in views.enumerated() {
      unsafe vectors.initializeElement(
        at: place,
        to: iovec(iov_base: UnsafeMutableRawPointer(mutating: view.base), iov_len: view.count))
    }
    let count = retryingInterrupted {
      unsafe pwritev(descriptor, vectors.baseAddress, Int32(vectors.count), offset)
    }
    if count < 0 { code = errno }
    return count
  }
}

/// Sets a file's size; -1 and `errno` on failure.
func systemTruncate(_ descriptor: Int32, _ size: off_t) -> Int32 {
  retryingInterrupted { ftruncate(descriptor, size) }
}

/// Reserves space for a range; returns an error number or 0.
///
/// If the file system cannot reserve, glibc itself fills the range with zeros, which is as good.
func systemReserve(_ descriptor: Int32, _ offset: off_t, _ length: off_t) -> Int32 {
  #if canImport(Darwin)
  var request = fstore_t(
    fst_flags: UInt32(F_ALLOCATEALL), fst_posmode: F_PEOFPOSMODE, fst_offset: 0,
    fst_length: length, fst_bytesalloc: 0)
  return unsafe fcntl(descriptor, F_PREALLOCATE, &request) == -1 ? errno : 0
  #else
  while true {
    let code = posix_fallocate(descriptor, offset, length)
    if code != EINTR { return code }
  }
  #endif
}

/// The file size limit of the process, in bytes.
///
/// A write beyond it raises a signal that by default ends the process, so callers check the limit first.
func systemFileSizeLimit() -> UInt64 {
  var limit = rlimit()
  #if canImport(Glibc)
  let code = unsafe getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
  #else
  let code = unsafe getrlimit(RLIMIT_FSIZE, &limit)
  #endif
  return code == 0 ? UInt64(limit.rlim_cur) : .max
}

/// Whether an error of ``systemReserve(_:_:_:)`` means that the file system cannot reserve at all.
func isReservingUnsupported(_ code: Int32) -> Bool {
  code == EOPNOTSUPP || code == ENOTSUP || code == ENOSYS || code == EINVAL || code == ENOTTY
}

private func isPath(_ path: String) -> Bool {
  !path.utf8.contains(0)
}
