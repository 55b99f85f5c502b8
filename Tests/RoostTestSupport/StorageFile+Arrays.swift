package import RoostEngine

extension StorageFile {
  /// Up to that many bytes from `offset` on.
  package func bytes(at offset: UInt64, _ count: Int) throws(FileError) -> [UInt8] {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: count, alignment: 8)
    defer { unsafe buffer.deallocate() }
    let read = try unsafe self.read(into: buffer, at: offset)
    return unsafe Array(buffer[..<read])
  }

  /// Writes parts, one after the other, from `offset` on.
  package func write(parts: [[UInt8]], at offset: UInt64) throws(FileError) {
    let buffers = unsafe parts.map { part in
      let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: part.count, alignment: 8)
      unsafe buffer.copyBytes(from: part)
      return UnsafeRawBufferPointer(buffer)
    }
    defer { unsafe buffers.forEach { unsafe $0.deallocate() } }
    try unsafe write(buffers, at: offset)
  }

  /// Writes bytes from `offset` on.
  package func write(_ bytes: [UInt8], at offset: UInt64) throws(FileError) {
    try write(parts: [bytes], at: offset)
  }
}
