#if canImport(Darwin)
internal import Darwin
#elseif canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Android)
internal import Android
#endif

/// The most bytes that one call writes.
///
/// Linux caches the bytes of one call in folios of up to the call's size, and each later write to a folio
/// scans all its blocks: after a call of 4 MiB, a write of 4 KiB took 73 µs instead of 3, and its sync 190
/// instead of 45. Folios of this size cost 2 µs, and the additional calls nothing.
private let bytesPerCall = 64 << 10

/// The most buffers in one call: `IOV_MAX`, which not every system exports.
private let buffersPerCall = 1024

extension PosixFile {
  func write(_ buffers: [UnsafeRawBufferPointer], at offset: UInt64) throws(FileError) {
    var vectors: [iovec] = unsafe []
    unsafe vectors.reserveCapacity(buffers.count)
    var total = 0
    for index in unsafe buffers.indices {
      let buffer = unsafe buffers[index]
      guard buffer.count > 0 else { continue }
      let start = unsafe UnsafeMutableRawPointer(mutating: buffer.baseAddress)
      for offset in stride(from: 0, to: buffer.count, by: bytesPerCall) {
        unsafe vectors.append(
          iovec(
            iov_base: start?.advanced(by: offset),
            iov_len: min(bytesPerCall, buffer.count - offset)))
      }
      let (sum, isOverflowing) = total.addingReportingOverflow(buffer.count)
      guard !isOverflowing else { throw FileError(.write, path: path, .tooLarge) }
      total = sum
    }
    let position = try position(offset, total, .write)
    try checkSizeLimit(offset + UInt64(total), .write)
    try unsafe write(&vectors, at: position)
  }

  /// Writes non-empty vectors, in as many calls as the system needs.
  private func write(_ vectors: inout [iovec], at offset: off_t) throws(FileError) {
    let descriptor = try descriptor(for: .write)
    var position = offset
    var next = 0
    while unsafe next < vectors.count {
      let length = unsafe callLength(vectors[next...])
      let count = unsafe vectors.withUnsafeBufferPointer { vectors in
        retryingInterrupted {
          unsafe pwritev(
            descriptor, vectors.baseAddress?.advanced(by: next), Int32(length), position)
        }
      }
      guard count >= 0 else { throw FileError(.write, path: path, code: errno) }
      // A file system that writes nothing and reports no error would cause an endless loop.
      guard count > 0 else { throw FileError(.write, path: path, code: EIO) }
      position += off_t(count)

      var written = count
      while unsafe next < vectors.count, unsafe written >= vectors[next].iov_len {
        unsafe written -= vectors[next].iov_len
        next += 1
      }
      if written > 0 {
        unsafe vectors[next].iov_base = unsafe vectors[next].iov_base?.advanced(by: written)
        unsafe vectors[next].iov_len -= written
      }
    }
  }

  /// The number of vectors in the next call, at least one; no vector is longer than a call may be.
  private func callLength(_ vectors: ArraySlice<iovec>) -> Int {
    var bytes = 0
    var count = 0
    for index in unsafe vectors.indices.prefix(buffersPerCall) {
      unsafe bytes += vectors[index].iov_len
      guard bytes <= bytesPerCall else { break }
      count += 1
    }
    return max(count, 1)
  }
}
