/// The bytes of a long value, consumed from its beginning in bounded memory.
struct LongValueInput {
  private let reader: PageReader
  private let root: ValueEdge
  /// The position of the next byte.
  private var position: UInt64 = 0
  /// The end of the value, or of a part of it that is checked alone.
  private var end: UInt64
  /// The piece that was read last.
  private var piece: ValuePiece?

  init(_ reference: ValueReference, parentBirth: UInt64, in reader: PageReader) {
    self.reader = reader
    root = ValueEdge(
      root: reference.pointer, length: reference.length, parentBirth: parentBirth)
    end = reference.length
  }

  /// The number of bytes left.
  var count: UInt64 { end - position }

  /// The next bytes as a separate input; they are not consumed.
  mutating func part(_ count: UInt64) throws(EngineError) -> LongValueInput {
    // Read here, so that of many parts not each reads the piece that they lie in.
    _ = try nextPiece()
    var part = self
    part.end = position + min(count, self.count)
    return part
  }

  /// Skips bytes; false if there are fewer.
  mutating func skip(_ count: UInt64) -> Bool {
    guard count <= self.count else { return false }
    position += count
    return true
  }

  /// Consumes the next byte; nil at the end.
  mutating func byte() throws(EngineError) -> UInt8? {
    guard let piece = try nextPiece() else { return nil }
    defer { position += 1 }
    return piece.withBytes(in: position..<position + 1) { $0.uint8(at: 0) }
  }

  /// Consumes all bytes, a piece at a time, until `body` returns false.
  mutating func forEachPiece(_ body: (ByteView) -> Bool) throws(EngineError) {
    while let piece = try nextPiece() {
      let next = min(end, piece.range.upperBound)
      let goesOn = piece.withBytes(in: position..<next, body)
      position = next
      guard goesOn else { return }
    }
  }

  /// Consumes all remaining bytes.
  mutating func array() throws(EngineError) -> [UInt8] {
    var bytes: [UInt8] = []
    try forEachPiece {
      bytes += $0.array
      return true
    }
    return bytes
  }

  private mutating func nextPiece() throws(EngineError) -> ValuePiece? {
    guard position < end else { return nil }
    if let piece, piece.range.contains(position) { return piece }
    let next = try reader.valuePiece(root, at: position)
    piece = next
    return next
  }
}
