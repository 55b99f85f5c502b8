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
  func write(_ views: [ByteView], at offset: UInt64) throws(FileError) {
    var total = 0
    for view in views {
      let (sum, isOverflowing) = total.addingReportingOverflow(view.count)
      guard !isOverflowing else { throw FileError(.write, path: path, .tooLarge) }
      total = sum
    }
    let position = try position(offset, total, .write)
    try checkSizeLimit(offset + UInt64(total), .write)
    noteChange()
    defer { noteChange() }
    var pieces = views
    if !views.allSatisfy({ 1...bytesPerCall ~= $0.count }) { pieces = self.pieces(of: views) }
    try write(pieces: &pieces, at: position)
  }

  /// The parts of the views that calls can write.
  private func pieces(of views: [ByteView]) -> [ByteView] {
    var pieces: [ByteView] = []
    for view in views {
      for offset in stride(from: 0, to: view.count, by: bytesPerCall) {
        pieces.append(view.slice(offset, min(bytesPerCall, view.count - offset)))
      }
    }
    return pieces
  }

  /// Writes non-empty pieces, in as many calls as the system needs.
  private func write(pieces: inout [ByteView], at offset: off_t) throws(FileError) {
    let descriptor = try descriptor(for: .write)
    var position = offset
    var next = 0
    while next < pieces.count {
      let length = callLength(pieces[next...])
      let count = systemWrite(descriptor, pieces[next..<next + length], position)
      guard count >= 0 else { throw FileError(.write, path: path, code: errno) }
      // A file system that writes nothing and reports no error would cause an endless loop.
      guard count > 0 else { throw FileError(.write, path: path, code: EIO) }
      position += off_t(count)

      var written = count
      while next < pieces.count, written >= pieces[next].count {
        written -= pieces[next].count
        next += 1
      }
      if written > 0 {
        pieces[next] = pieces[next].slice(written, pieces[next].count - written)
      }
    }
  }

  /// The number of pieces in the next call, at least one; no piece is longer than a call may be.
  private func callLength(_ pieces: ArraySlice<ByteView>) -> Int {
    var bytes = 0
    var count = 0
    for piece in pieces.prefix(buffersPerCall) {
      bytes += piece.count
      guard bytes <= bytesPerCall else { break }
      count += 1
    }
    return max(count, 1)
  }
}
