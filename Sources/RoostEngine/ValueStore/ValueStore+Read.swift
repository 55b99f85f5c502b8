extension PageReader {
  /// All bytes of a value in extents of its own.
  ///
  /// Memory grows with the bytes that are read; a stored length is never trusted.
  /// - Parameter parentBirth: The birth of the extent that holds the pointer.
  /// - Throws: `.corrupt` when an extent of the value is not as it must be.
  package func value(
    _ pointer: ExtentPointer, length: UInt64, parentBirth: UInt64
  ) throws(EngineError) -> [UInt8] {
    var bytes: [UInt8] = []
    let edge = ValueEdge(root: pointer, length: length, parentBirth: parentBirth)
    if edge.isList {
      var seen: Set<UInt64> = []
      try readValue(edge, seen: &seen, into: &bytes)
    } else {
      try readChunk(edge, into: &bytes)
    }
    return bytes
  }

  private func readValue(
    _ edge: ValueEdge, seen: inout Set<UInt64>, into bytes: inout [UInt8]
  ) throws(EngineError) {
    // An extent listed twice could unfold a small file to more than memory holds.
    guard seen.insert(edge.pointer.unit).inserted else { throw edge.damage }
    guard edge.isList else { return try readChunk(edge, into: &bytes) }
    for child in try valueNode(edge).children { try readValue(child, seen: &seen, into: &bytes) }
  }

  /// Gives a visitor the extents of a value, each list before its children; extents that are read have valid checksums.
  ///
  /// - Parameter readsChunks: Whether chunks are read too, and not only the lists that name them.
  func visitValue(
    _ edge: ValueEdge, readsChunks: Bool = true, _ visitor: ExtentVisitor
  ) throws(EngineError) {
    var seen: Set<UInt64> = []
    try visitValue(edge, readsChunks: readsChunks, &seen, visitor)
  }

  private func visitValue(
    _ edge: ValueEdge, readsChunks: Bool, _ seen: inout Set<UInt64>, _ visitor: ExtentVisitor
  ) throws(EngineError) {
    guard edge.pointer.birth > visitor.bornAfter else { return }
    // An extent listed twice could make this walk endless.
    guard seen.insert(edge.pointer.unit).inserted else { throw edge.damage }
    if edge.isList {
      let node = try valueNode(edge)
      try visitor.visit(edge.pointer)
      for child in node.children {
        try visitValue(child, readsChunks: readsChunks, &seen, visitor)
      }
    } else {
      try edge.checkChunk()
      if readsChunks { _ = try frame(edge.pointer) }
      try visitor.visit(edge.pointer)
    }
  }

  /// The children of a list or node.
  func valueNode(_ edge: ValueEdge) throws(EngineError) -> ValueNode {
    guard edge.length <= ValueLayout.bytesMax else { throw edge.damage }
    return edge.kind == .valueNode ? try treeNode(edge) : try list(edge)
  }

  private func list(_ edge: ValueEdge) throws(EngineError) -> ValueNode {
    try edge.pointer.check(kind: .valueList, parentBirth: edge.parentBirth)
    let frame = try frame(edge.pointer)
    return try withExtendedLifetime(frame) { () throws(EngineError) in
      let bytes = frame.bytes
      let level = Int(bytes.uint8(at: ValueLayout.listLevel))
      let count = UInt64(bytes.uint32(at: ValueLayout.listCount))
      guard bytes.uint8(at: 0) == ExtentKind.valueList.rawValue,
        level <= edge.levelMax, bytes.uint64(at: ValueLayout.listLength) == edge.length,
        let form = ValueListForm(code: bytes.uint8(at: ValueLayout.listForm))
      else { throw edge.damage }
      let perChild = form.childBytes(level: level)
      guard count == (edge.length + perChild - 1) / perChild,
        count <= form.pointersMax,
        ValueLayout.listPointers + ExtentPointer.size * Int(count) <= bytes.count
      else { throw edge.damage }
      let children = (0..<count).map { index in
        ValueEdge(
          pointer: ExtentPointer(
            bytes, at: ValueLayout.listPointers + ExtentPointer.size * Int(index)),
          length: min(perChild, edge.length - index * perChild), parentBirth: edge.pointer.birth,
          kind: level > 0 ? .valueList : nil, levelMax: level - 1)
      }
      return ValueNode(level: level, children: children)
    }
  }

  private func treeNode(_ edge: ValueEdge) throws(EngineError) -> ValueNode {
    try withTreeNode(edge) { (bytes, level, count) throws(EngineError) in
      var children: [ValueEdge] = []
      children.reserveCapacity(count)
      var start: UInt64 = 0
      for index in 0..<count {
        let end = bytes.uint64(at: ValueNodeLayout.ends + 8 * index)
        guard end > start, end <= edge.length else { throw edge.damage }
        children.append(
          ValueEdge(
            pointer: ExtentPointer(
              bytes, at: ValueNodeLayout.pointers + ExtentPointer.size * index),
            length: end - start, parentBirth: edge.pointer.birth,
            kind: level > 0 ? .valueNode : nil, levelMax: level - 1))
        start = end
      }
      guard start == edge.length else { throw edge.damage }
      return ValueNode(level: level, children: children)
    }
  }

  /// Calls `body` with a tree node, the number of levels below it, and the number of its children.
  private func withTreeNode<R>(
    _ edge: ValueEdge, _ body: (ByteView, _ level: Int, _ count: Int) throws(EngineError) -> R
  ) throws(EngineError) -> R {
    try edge.pointer.check(kind: .valueNode, parentBirth: edge.parentBirth)
    let frame = try frame(edge.pointer)
    return try withExtendedLifetime(frame) { () throws(EngineError) in
      let bytes = frame.bytes
      let level = Int(bytes.uint8(at: ValueNodeLayout.level))
      let count = Int(bytes.uint16(at: ValueNodeLayout.count))
      guard bytes.uint8(at: 0) == ExtentKind.valueNode.rawValue, level <= edge.levelMax,
        (1...ValueNodeLayout.places).contains(count),
        bytes.uint64(at: ValueNodeLayout.length) == edge.length
      else { throw edge.damage }
      return try body(bytes, level, count)
    }
  }

  /// The part of a value that contains the byte at an offset; the offset must lie in the value.
  ///
  /// Reads that part, and the lists or nodes on the way to it.
  func valuePiece(_ root: ValueEdge, at offset: UInt64) throws(EngineError) -> ValuePiece {
    precondition(offset < root.length, "The offset lies behind the value's end.")
    var edge = root
    var start: UInt64 = 0
    while edge.isList {
      guard edge.length <= ValueLayout.bytesMax else { throw edge.damage }
      let child = try child(of: edge, at: offset - start)
      start += child.start
      edge = child.edge
    }
    try edge.checkChunk()
    let frame = try frame(edge.pointer)
    guard edge.pointer.kind == .valueLZ4 else {
      guard edge.length <= UInt64(frame.bytes.count) else { throw edge.damage }
      return ValuePiece(range: start..<start + edge.length, content: .frame(frame))
    }
    var bytes: [UInt8] = []
    try readChunk(edge, into: &bytes)
    return ValuePiece(range: start..<start + edge.length, content: .bytes(bytes))
  }

  /// The child that contains the byte at an offset in a list or a node, and the child's start offset there.
  private func child(
    of edge: ValueEdge, at offset: UInt64
  ) throws(EngineError) -> (edge: ValueEdge, start: UInt64) {
    guard edge.kind == .valueNode else {
      var start: UInt64 = 0
      for child in try list(edge).children {
        if offset < start + child.length { return (child, start) }
        start += child.length
      }
      throw edge.damage
    }
    return try withTreeNode(edge) { (bytes, level, count) throws(EngineError) in
      func end(_ index: Int) -> UInt64 { bytes.uint64(at: ValueNodeLayout.ends + 8 * index) }
      // The first child that ends after the offset.
      let index = (0..<count - 1).partitioningIndex { end($0) > offset }
      let start = index == 0 ? 0 : end(index - 1)
      guard start <= offset, offset < end(index), end(index) <= edge.length else {
        throw edge.damage
      }
      let child = ValueEdge(
        pointer: ExtentPointer(bytes, at: ValueNodeLayout.pointers + ExtentPointer.size * index),
        length: end(index) - start, parentBirth: edge.pointer.birth,
        kind: level > 0 ? .valueNode : nil, levelMax: level - 1)
      return (child, start)
    }
  }

  func readChunk(_ edge: ValueEdge, into bytes: inout [UInt8]) throws(EngineError) {
    try edge.checkChunk()
    let count = Int(edge.length)
    let frame = try frame(edge.pointer)
    try withExtendedLifetime(frame) { () throws(EngineError) in
      guard edge.pointer.kind == .valueLZ4 else {
        guard let value = frame.bytes.checkedSlice(0, count) else { throw edge.damage }
        bytes.append(value)
        return
      }
      let packed = Int(frame.bytes.uint32(at: 0))
      guard let block = frame.bytes.checkedSlice(4, packed) else { throw edge.damage }
      let start = bytes.count
      bytes.append(contentsOf: repeatElement(0, count: count))
      let isWhole = bytes.withMutableByteView {
        LZ4.decompress(block, into: $0.slice(start, count))
      }
      guard isWhole else { throw .corrupt(Corruption(.lz4, unit: edge.pointer.unit)) }
    }
  }
}

/// A part of a long value in memory.
package struct ValuePiece {
  enum Content {
    /// Stored unpacked: the bytes of the file.
    case frame(Frame)
    /// Unpacked.
    case bytes([UInt8])
  }

  /// The range of the part's bytes in the value.
  package let range: Range<UInt64>
  let content: Content

  /// Calls `body` with the piece's bytes that lie in a range of the value.
  package func withBytes<R, E: Error>(
    in wanted: Range<UInt64>, _ body: (ByteView) throws(E) -> R
  ) throws(E) -> R {
    let overlap = wanted.clamped(to: range)
    let start = Int(overlap.lowerBound - range.lowerBound)
    let count = Int(overlap.upperBound - overlap.lowerBound)
    switch content {
    case .frame(let frame):
      defer { withExtendedLifetime(frame) {} }
      return try body(frame.bytes.slice(start, count))
    case .bytes(let bytes):
      return try bytes.withByteView { (view) throws(E) in try body(view.slice(start, count)) }
    }
  }
}
