#if canImport(Darwin)
internal import Darwin
#elseif canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Android)
internal import Android
#endif

/// A file of the operating system that is only read.
///
/// It is never mapped: a mapped file that somebody truncates ends the process.
final class ReadOnlyFile: Sendable {
  private let descriptor: Int32
  /// The file's size and the time of its last change, when it was opened.
  let state: State

  /// The facts that tell whether a file was written to.
  struct State: Equatable, Sendable {
    var byteCount: UInt64
    var seconds: Int
    var nanoseconds: Int

    fileprivate init(_ status: stat) {
      byteCount = UInt64(clamping: status.st_size)
      #if canImport(Darwin)
      seconds = status.st_mtimespec.tv_sec
      nanoseconds = status.st_mtimespec.tv_nsec
      #else
      seconds = Int(status.st_mtim.tv_sec)
      nanoseconds = Int(status.st_mtim.tv_nsec)
      #endif
    }
  }

  /// Opens the regular file at `path`.
  init(path: String) throws(RealmFileError) {
    // To the system, a path with a zero byte would be a shorter one.
    guard !path.utf8.contains(0) else { throw .cannotOpen(code: EINVAL) }
    // Not blocking: opening a pipe would wait for its writer.
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw .cannotOpen(code: errno) }
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else {
      let code = errno
      close(descriptor)
      throw .cannotOpen(code: code)
    }
    guard status.st_mode & S_IFMT == S_IFREG else {
      close(descriptor)
      throw .notRegular
    }
    self.descriptor = descriptor
    state = State(status)
  }

  deinit { close(descriptor) }

  /// The file's state now.
  func currentState() throws(RealmFileError) -> State {
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else { throw .cannotRead(code: errno) }
    return State(status)
  }

  /// The bytes from `offset` on.
  ///
  /// - Throws: ``RealmFileError/truncated`` if the file ends before.
  func read(_ count: Int, at offset: UInt64) throws(RealmFileError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    var done = 0
    while done < count {
      guard let position = off_t(exactly: offset + UInt64(done)) else { throw .truncated }
      let descriptor = descriptor
      let read = unsafe bytes.withUnsafeMutableBytes { buffer in
        let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[done...])
        return unsafe pread(descriptor, rest.baseAddress, rest.count, position)
      }
      if read < 0 {
        if errno == EINTR { continue }
        throw .cannotRead(code: errno)
      }
      guard read > 0 else { throw .truncated }
      done += read
    }
    return bytes
  }
}

extension RealmFileError {
  /// The system's description of an error number.
  package static func words(for code: Int32) -> String {
    unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { buffer in
      guard let start = buffer.baseAddress, unsafe strerror_r(code, start, buffer.count) == 0
      else { return "unknown error" }
      return unsafe String(cString: start)
    }
  }
}
