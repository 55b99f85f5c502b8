/// Whether two values of equal length, stored in their own extents, consist of the same bytes.
///
/// Extents that both values share at the same position are not read.
struct ValueComparison {
  private var a: ValueParts
  private var b: ValueParts
  /// The bytes before are the same.
  private var position: UInt64 = 0

  init(_ a: ValueEdge, in reader: PageReader, _ b: ValueEdge, in otherReader: PageReader) {
    self.a = ValueParts(a, reader)
    self.b = ValueParts(b, otherReader)
  }

  /// - Throws: `.corrupt` where an extent of one of them is not as it must be.
  mutating func isSame() throws(EngineError) -> Bool {
    while let one = a.next, let other = b.next {
      if one.edge.pointer == other.edge.pointer, one.range == other.range {
        position = one.range.upperBound
        a.skip(to: position)
        b.skip(to: position)
      } else if one.edge.isList && (!other.edge.isList || one.edge.length >= other.edge.length) {
        try a.expand()
      } else if other.edge.isList {
        try b.expand()
      } else {
        try checkCancellation()
        let end = min(one.range.upperBound, other.range.upperBound)
        let isSame = try a.withBytes(position..<end) { (bytes) throws(EngineError) in
          try b.withBytes(position..<end) { bytes.bytesEqual($0) }
        }
        guard isSame else { return false }
        position = end
        a.skip(to: end)
        b.skip(to: end)
      }
    }
    return a.next == nil && b.next == nil
  }
}

/// The parts of a long value, in order: chunks, and what names them where that was not looked into.
private struct ValueParts {
  struct Part {
    let edge: ValueEdge
    /// The range of the value's bytes that it covers.
    let range: Range<UInt64>
  }

  private let reader: PageReader
  /// The next part last.
  private var parts: [Part]
  /// The lists that were looked into: one that is listed twice could make a small file endless.
  private var seen: Set<UInt64> = []
  /// The bytes of the next part, once they were asked for.
  private var bytes: [UInt8] = []
  private var isRead = false

  init(_ root: ValueEdge, _ reader: PageReader) {
    self.reader = reader
    parts = [Part(edge: root, range: 0..<root.length)]
  }

  /// The next part; nil behind the last.
  var next: Part? { parts.last }

  /// Goes on to the part that has the byte at a position.
  mutating func skip(to position: UInt64) {
    guard let part = parts.last, part.range.upperBound <= position else { return }
    parts.removeLast()
    isRead = false
  }

  /// Puts what a list or node names in its place.
  mutating func expand() throws(EngineError) {
    guard let part = parts.popLast() else { return }
    guard seen.insert(part.edge.pointer.unit).inserted else { throw part.edge.damage }
    var end = part.range.upperBound
    // The lengths of the children make up that of the list.
    for child in try reader.valueNode(part.edge).children.reversed() {
      parts.append(Part(edge: child, range: end - child.length..<end))
      end -= child.length
    }
  }

  /// Calls `body` with some bytes of the next part, which is a chunk.
  mutating func withBytes(
    _ range: Range<UInt64>, _ body: (ByteView) throws(EngineError) -> Bool
  ) throws(EngineError) -> Bool {
    guard let part = parts.last else { return false }
    if !isRead {
      bytes.removeAll(keepingCapacity: true)
      try reader.readChunk(part.edge, into: &bytes)
      isRead = true
    }
    let start = Int(range.lowerBound - part.range.lowerBound)
    return try bytes.withByteView { (bytes) throws(EngineError) in
      try body(bytes.slice(start, range.count))
    }
  }
}

extension LeafReference {
  /// Whether a value that a row of the field refers to consists of the bytes of another leaf's.
  func hasSameValue(
    _ field: FieldID, _ reference: ValueReference, as other: LeafReference,
    _ otherField: FieldID, _ otherReference: ValueReference
  ) throws(EngineError) -> Bool {
    var comparison = ValueComparison(
      edge(of: field, reference), in: context.reader,
      other.edge(of: otherField, otherReference), in: other.context.reader)
    do { return try comparison.isSame() } catch { throw located(error) }
  }

  private func edge(of field: FieldID, _ reference: ValueReference) -> ValueEdge {
    let birth = head.place(of: field).map { self.birth(ofColumnAt: $0) }
    return ValueEdge(
      root: reference.pointer, length: reference.length, parentBirth: birth ?? pointer.birth)
  }
}
