#if canImport(Darwin)
internal import Darwin
#elseif canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Android)
internal import Android
#endif

/// Starts writing a range of a file to the disk, and does not wait for it; does nothing where the system has no such call.
func systemStartWriteback(_ descriptor: Int32, _ offset: Int64, _ length: Int64) {
  #if os(Linux) || os(Android)
  // `SYNC_FILE_RANGE_WRITE`. It is a hint: an error of writing is reported by the sync that follows.
  _ = startWriteback?(descriptor, offset, length, 2)
  #endif
}

#if os(Linux) || os(Android)
/// `sync_file_range`, which the C library declares only with GNU's extensions; nil if it has none.
private let startWriteback: (@convention(c) (Int32, Int64, Int64, UInt32) -> Int32)? =
  unsafe dlsym(nil, "sync_file_range").map { symbol in
    unsafe unsafeBitCast(
      symbol, to: (@convention(c) (Int32, Int64, Int64, UInt32) -> Int32).self)
  }
#endif
