package import RoostEngine

extension StorageFile {
  /// Up to that many bytes from `offset` on.
  package func bytes(at offset: UInt64, _ count: Int) throws(FileError) -> [UInt8] {
    let bytes = AlignedBytes(count: count)
    let read = try self.read(into: bytes.mutableView, at: offset)
    return bytes.withView { $0.slice(0, read).array }
  }

  /// Writes parts, one after the other, from `offset` on.
  package func write(parts: [[UInt8]], at offset: UInt64) throws(FileError) {
    let copies = parts.map { part in
      let copy = AlignedBytes(count: part.count)
      part.withByteView { copy.mutableView.copy($0, at: 0) }
      return copy
    }
    defer { withExtendedLifetime(copies) {} }
    try write(copies.map(\.mutableView.readOnly), at: offset)
  }

  /// Writes bytes from `offset` on.
  package func write(_ bytes: [UInt8], at offset: UInt64) throws(FileError) {
    try write(parts: [bytes], at: offset)
  }
}
