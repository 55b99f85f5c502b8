/// Bytes in chunks: growing never copies existing bytes, and a hole takes no memory.
package struct SparseBytes: Sendable {
  /// As a store's file is mostly written in pieces of this size, few chunks are filled with zeros first.
  private static let chunkBytes = 4096

  /// The number of bytes.
  package private(set) var size: UInt64 = 0
  /// The chunks that were written to, by position; bytes beyond the size are zero.
  private var chunks: [UInt64: [UInt8]] = [:]

  /// No bytes.
  package init() {}

  /// Copies bytes from `offset` on; returns the number copied.
  package func read(into view: MutableByteView, at offset: UInt64) -> Int {
    guard offset < size else { return 0 }
    let total = Int(min(UInt64(view.count), size - offset))
    var done = 0
    while done < total {
      let place = Self.place(offset + UInt64(done))
      let target = view.slice(done, min(total - done, Self.chunkBytes - place.start))
      if let chunk = chunks[place.chunk] {
        chunk.withByteView { target.copy($0.slice(place.start, target.count), at: 0) }
      } else {
        target.zero()
      }
      done += target.count
    }
    return total
  }

  /// Writes bytes from `offset` on; the end must fit an `Int64`.
  package mutating func write(_ view: ByteView, at offset: UInt64) {
    guard view.count > 0 else { return }
    var done = 0
    while done < view.count {
      let place = Self.place(offset + UInt64(done))
      let source = view.slice(done, min(view.count - done, Self.chunkBytes - place.start))
      Self.copy(source, at: place.start, to: &chunks[place.chunk, default: []])
      done += source.count
    }
    size = max(size, offset + UInt64(done))
  }

  /// Copies bytes into a chunk, which is empty if it is new.
  private static func copy(_ source: ByteView, at start: Int, to chunk: inout [UInt8]) {
    if chunk.isEmpty {
      guard source.count < chunkBytes else { return chunk = source.array }
      chunk = [UInt8](repeating: 0, count: chunkBytes)
    }
    chunk.withMutableByteView { $0.copy(source, at: start) }
  }

  /// Sets the size; truncated bytes read as zero if the file grows again.
  package mutating func resize(to newSize: UInt64) {
    defer { size = newSize }
    guard newSize < size else { return }
    let place = Self.place(newSize)
    chunks = chunks.filter { $0.key <= place.chunk }
    chunks[place.chunk]?.withMutableByteView {
      $0.slice(place.start, Self.chunkBytes - place.start).zero()
    }
  }

  private static func place(_ offset: UInt64) -> (chunk: UInt64, start: Int) {
    let (chunk, start) = offset.quotientAndRemainder(dividingBy: UInt64(chunkBytes))
    return (chunk, Int(start))
  }
}
