/// Streaming values in extents of their own, one chunk at a time, in constant memory.
extension PageReader {
  /// Reads a whole value without keeping it.
  ///
  /// - Parameters:
  ///   - parentBirth: The birth of the extent that holds the pointer.
  ///   - visit: Called with every extent, a list before what it lists, before its content is used.
  ///   - content: Called with the bytes of each chunk in order.
  /// - Throws: `.corrupt` when an extent of the value is not as it must be; what `visit` throws.
  package func streamValue(
    _ pointer: ExtentPointer, length: UInt64, parentBirth: UInt64,
    visit: (ExtentPointer) throws(EngineError) -> Void, content: (ByteView) -> Void
  ) throws(EngineError) {
    var chunk: [UInt8] = []
    try stream(
      ValueEdge(root: pointer, length: length, parentBirth: parentBirth), &chunk, visit, content)
  }

  private func stream(
    _ edge: ValueEdge, _ chunk: inout [UInt8],
    _ visit: (ExtentPointer) throws(EngineError) -> Void, _ content: (ByteView) -> Void
  ) throws(EngineError) {
    guard edge.isList else {
      chunk.removeAll(keepingCapacity: true)
      try edge.checkChunk()
      try visit(edge.pointer)
      try readChunk(edge, into: &chunk)
      return chunk.withByteView(content)
    }
    let node = try valueNode(edge)
    try visit(edge.pointer)
    for child in node.children { try stream(child, &chunk, visit, content) }
  }
}

extension PageWriter {
  /// Copies a value from another file, extent by extent; its chunks are copied byte by byte.
  ///
  /// - Throws: `.corrupt` when an extent of the value is not as it must be.
  package func copyValue(
    _ pointer: ExtentPointer, length: UInt64, parentBirth: UInt64, from source: PageReader
  ) throws(EngineError) -> ExtentPointer {
    var seen: Set<UInt64> = []
    return try copy(
      ValueEdge(root: pointer, length: length, parentBirth: parentBirth), from: source, &seen)
  }

  private func copy(
    _ edge: ValueEdge, from source: PageReader, _ seen: inout Set<UInt64>
  ) throws(EngineError) -> ExtentPointer {
    // An extent listed twice could unfold a small file to more than the disk holds.
    guard seen.insert(edge.pointer.unit).inserted else { throw edge.damage }
    guard edge.isList else {
      try edge.checkChunk()
      let frame = try source.frame(edge.pointer)
      let kind: ExtentKind = edge.pointer.kind == .valueLZ4 ? .valueLZ4 : .valueBytes
      return try withExtendedLifetime(frame) { () throws(EngineError) in
        try write(kind: kind, units: edge.pointer.units) { $0.copy(frame.bytes, at: 0) }
      }
    }
    let node = try source.valueNode(edge)
    var pointers: [ExtentPointer] = []
    pointers.reserveCapacity(node.children.count)
    for child in node.children { pointers.append(try copy(child, from: source, &seen)) }
    if edge.kind == .valueNode {
      return try writeNode(Array(zip(pointers, node.children.map(\.length))), level: node.level)
    }
    let lists = try writeLists(of: pointers, level: node.level, length: edge.length)
    guard let list = lists.first, lists.count == 1 else { throw edge.damage }
    return list
  }
}

extension PageReader {
  /// Calls `visit` with every extent of a value; reads its lists, but not its chunks.
  package func visitExtents(
    of reference: ValueReference, parentBirth: UInt64, _ visit: (ExtentPointer) -> Void
  ) throws(EngineError) {
    var seen: Set<UInt64> = []
    try visitExtents(
      ValueEdge(root: reference.pointer, length: reference.length, parentBirth: parentBirth),
      &seen, visit)
  }

  private func visitExtents(
    _ edge: ValueEdge, _ seen: inout Set<UInt64>, _ visit: (ExtentPointer) -> Void
  ) throws(EngineError) {
    // An extent listed twice could make this walk endless.
    guard seen.insert(edge.pointer.unit).inserted else { throw edge.damage }
    visit(edge.pointer)
    guard edge.isList else { return }
    for child in try valueNode(edge).children { try visitExtents(child, &seen, visit) }
  }
}
