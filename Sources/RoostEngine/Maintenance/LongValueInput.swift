/// The bytes of a long value, taken from its beginning on in memory that does not grow with it.
struct LongValueInput {
  private let reader: PageReader
  private let root: ValueEdge
  /// Where the next byte is.
  private var position: UInt64 = 0
  /// Where the value ends, or a part of it that is looked at alone.
  private var end: UInt64
  /// The piece that was read last.
  private var piece: ValuePiece?

  init(_ reference: ValueReference, parentBirth: UInt64, in reader: PageReader) {
    self.reader = reader
    root = ValueEdge(
      root: reference.pointer, length: reference.length, parentBirth: parentBirth)
    end = reference.length
  }

  /// How many bytes are left.
  var count: UInt64 { end - position }

  /// The next bytes alone; they are not taken.
  mutating func part(_ count: UInt64) throws(EngineError) -> LongValueInput {
    // Read here, so that of many parts not each reads the piece that they lie in.
    _ = try nextPiece()
    var part = self
    part.end = position + min(count, self.count)
    return part
  }

  /// Takes bytes without looking at them; false where there are fewer.
  mutating func skip(_ count: UInt64) -> Bool {
    guard count <= self.count else { return false }
    position += count
    return true
  }

  /// Takes the next byte; nil at the end.
  mutating func byte() throws(EngineError) -> UInt8? {
    guard let piece = try nextPiece() else { return nil }
    defer { position += 1 }
    return piece.withBytes(in: position..<position + 1) { $0.uint8(at: 0) }
  }

  /// Takes all bytes, a piece at a time, until `body` returns false.
  mutating func forEachPiece(_ body: (ByteView) -> Bool) throws(EngineError) {
    while let piece = try nextPiece() {
      let next = min(end, piece.range.upperBound)
      let goesOn = piece.withBytes(in: position..<next, body)
      position = next
      guard goesOn else { return }
    }
  }

  /// Takes all bytes that are left.
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
