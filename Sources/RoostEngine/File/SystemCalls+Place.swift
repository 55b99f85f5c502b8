#if canImport(Darwin)
internal import Darwin
#elseif canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Android)
internal import Android
#endif

/// The identity and size of the file at a path, links followed; nil and `errno` on failure.
///
/// Does not query the file's times: after such a query, Linux 6.13 and later give the file a new time with its next
/// write, which the next sync must also write. That slowed a sync from 85 µs to 120.
func systemPlace(_ path: String) -> (identity: FileIdentity, size: UInt64)? {
  #if os(Linux) || os(Android)
  if let statx = unsafe extendedStatus {
    let place = unsafe withUnsafeTemporaryAllocation(
      byteCount: ExtendedStatus.byteCount, alignment: 8
    ) { buffer -> (identity: FileIdentity, size: UInt64)? in
      let code = retryingInterrupted {
        unsafe statx(
          ExtendedStatus.workingDirectory, path, 0, ExtendedStatus.mask, buffer.baseAddress)
      }
      return code == 0
        ? ExtendedStatus.place(in: unsafe ByteView(UnsafeRawBufferPointer(buffer))) : nil
    }
    if let place { return place }
    guard errno == ENOSYS else { return nil }
  }
  #endif
  return systemStatus(path).map { (FileIdentity($0), UInt64(clamping: $0.st_size)) }
}

#if os(Linux) || os(Android)
/// `statx`, which the C library declares only with GNU's extensions; nil if it has none.
private let extendedStatus: ExtendedStatus.Call? = unsafe dlsym(nil, "statx")
  .map { symbol in unsafe unsafeBitCast(symbol, to: ExtendedStatus.Call.self) }

/// The arguments and result of `statx` in the kernel's own layout, the same on all machines.
private enum ExtendedStatus {
  typealias Call =
    @convention(c) (Int32, UnsafePointer<CChar>, Int32, UInt32, UnsafeMutableRawPointer?) -> Int32

  static let byteCount = 256
  /// `AT_FDCWD`.
  static let workingDirectory: Int32 = -100
  /// `STATX_INO` and `STATX_SIZE`.
  static let mask: UInt32 = 0x100 | 0x200

  static func place(in bytes: ByteView) -> (identity: FileIdentity, size: UInt64) {
    // In the byte order of the machine.
    let inode = UInt64(littleEndian: bytes.uint64(at: 32))
    let size = UInt64(littleEndian: bytes.uint64(at: 40))
    let major = UInt64(UInt32(littleEndian: bytes.uint32(at: 136)))
    let minor = UInt64(UInt32(littleEndian: bytes.uint32(at: 140)))
    // As in `st_dev`, from the lowest bit: 8 bits of the minor number, 12 of the major, the other minor and major bits.
    let device =
      (major & 0xFFFF_F000) << 32 | (major & 0xFFF) << 8 | (minor & 0xFFFF_FF00) << 12
      | minor & 0xFF
    return (FileIdentity(device: device, inode: inode), size)
  }
}
#endif
