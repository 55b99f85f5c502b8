extension PageWriter {
  /// Writes a node with the given children and their lengths.
  package func writeNode(
    _ children: [(ExtentPointer, UInt64)], level: Int
  ) throws(EngineError) -> ExtentPointer {
    try write(kind: .valueNode, units: 1) { target in
      target.store(ExtentKind.valueNode.rawValue, at: 0)
      target.store(UInt8(level), at: ValueNodeLayout.level)
      target.store(UInt16(children.count), at: ValueNodeLayout.count)
      var end: UInt64 = 0
      for (index, child) in children.enumerated() {
        end += child.1
        child.0.store(in: target, at: ValueNodeLayout.pointers + ExtentPointer.size * index)
        target.store(end, at: ValueNodeLayout.ends + 8 * index)
      }
      target.store(end, at: ValueNodeLayout.length)
    }
  }
}

extension PageWriter {
  /// Writes a value of more than 1 KiB in parts that can be edited in place, and returns the pointer to it.
  func writeValue(_ bytes: ByteView, partBytesMax: Int) throws(EngineError) -> ExtentPointer {
    let editor = ValueEditor([], partBytesMax: partBytesMax, reader: reader)
    // One piece at a time, so that only a small part of the value is in memory twice.
    let pieceBytes = max(editor.heldBytesMax, partBytesMax)
    for start in stride(from: 0, to: bytes.count, by: pieceBytes) {
      let piece = bytes.slice(start, min(pieceBytes, bytes.count - start))
      try editor.insert(piece.array, at: UInt64(start))
      try editor.settleIfLarge(with: self)
    }
    guard case .extents(let reference) = try editor.write(with: self) else {
      preconditionFailure("A value that is moved out of its leaf is too short for that.")
    }
    return reference.pointer
  }
}

/// A long value that a transaction edits in place: a tree of parts, each read on first access.
///
/// Reading, inserting and removing a few bytes anywhere take time that grows with the logarithm of the length. Nothing is
/// written or freed until ``write(with:)`` or ``settleIfLarge(with:)``. Used by one thread.
package final class ValueEditor {
  /// A value after an edit.
  package enum Content {
    /// Short enough to lie in its leaf.
    case inline([UInt8])
    /// In extents of its own.
    case extents(ValueReference)
  }

  private let reader: PageReader
  /// The most bytes of a written part.
  private let partBytesMax: Int
  private var root: Part
  /// The first units of the extents read so far: an extent listed twice could unfold a small file to more than memory
  /// holds.
  private var seen: Set<UInt64> = []
  /// Extents that are no longer part of the value: single extents, and extents with everything below them.
  private var replaced: [ExtentPointer] = []
  private var dropped: [ValueEdge] = []
  /// An upper bound on the bytes of the value in memory.
  private var heldBytes = 0

  /// Changes are written when more bytes than this are in memory.
  package var heldBytesMax = ValueEditor.heldBytesMax
  private static let heldBytesMax = 4 << 20

  /// A value that lies in its leaf.
  package init(_ bytes: [UInt8], partBytesMax: Int, reader: PageReader) {
    self.reader = reader
    self.partBytesMax = partBytesMax
    root = Part(bytes)
  }

  /// A value that lies in extents of its own.
  ///
  /// - Parameter parentBirth: The birth of the extent that holds the reference.
  package init(
    _ reference: ValueReference, parentBirth: UInt64, partBytesMax: Int, reader: PageReader
  ) {
    self.reader = reader
    self.partBytesMax = partBytesMax
    let edge = ValueEdge(
      root: reference.pointer, length: reference.length, parentBirth: parentBirth)
    root = Part(edge, level: -1)
  }

  /// The length of the value in bytes.
  package var length: UInt64 { root.length }

  /// The bytes of a range, which must lie in the value.
  package func read(_ range: Range<UInt64>) throws(EngineError) -> [UInt8] {
    precondition(range.upperBound <= length, "The range lies behind the value's end.")
    var bytes: [UInt8] = []
    try read(range, of: root, into: &bytes)
    return bytes
  }

  /// Inserts bytes before the one at an offset, which is at most the length.
  package func insert(_ bytes: [UInt8], at offset: UInt64) throws(EngineError) {
    precondition(offset <= length, "The offset lies behind the value's end.")
    guard length + UInt64(bytes.count) <= ValueLayout.bytesMax else {
      throw .limit(EngineLimit(.valueBytes, ValueLayout.bytesMax))
    }
    guard !bytes.isEmpty else { return }
    heldBytes += bytes.count
    let isAtEnd = offset == length
    setRoot(try insert(bytes, at: offset, into: root, isAtEnd: isAtEnd), fillsLeft: isAtEnd)
  }

  /// Removes the bytes of a range, which must lie in the value.
  package func remove(_ range: Range<UInt64>) throws(EngineError) {
    precondition(range.upperBound <= length, "The range lies behind the value's end.")
    guard !range.isEmpty else { return }
    guard range != 0..<length else {
      drop(root)
      root = Part([UInt8]())
      return
    }
    setRoot(try remove(range, from: root), fillsLeft: false)
    while case .children(let children) = root.content, children.count == 1 { root = children[0] }
  }

  /// Replaces the bytes from an offset on by the same number of others; the range must lie in the value.
  package func overwrite(_ bytes: [UInt8], at offset: UInt64) throws(EngineError) {
    precondition(offset + UInt64(bytes.count) <= length, "The bytes go on behind the value's end.")
    guard !bytes.isEmpty else { return }
    try overwrite(bytes[...], at: offset, in: root)
  }

  /// Writes the changes so far and drops all parts from memory if they are large, so that memory does not grow with the
  /// value.
  package func settleIfLarge(with writer: PageWriter) throws(EngineError) {
    guard heldBytes > heldBytesMax, length > UInt64(ValueReference.inlineByteCountMax) else {
      return
    }
    let pointer = try write(root, with: writer)
    try freeReplaced(with: writer)
    root = Part(
      ValueEdge(root: pointer, length: length, parentBirth: writer.transaction), level: -1)
    inner = []
    seen = []
    heldBytes = 0
  }

  /// Makes these parts the whole value.
  private func setRoot(_ parts: [Part], fillsLeft: Bool) {
    var parts = parts
    while parts.count > 1 { parts = grouped(parts, fillsLeft: fillsLeft) }
    root = parts[0]
  }

  /// Writes the changes and frees the extents that they replace.
  ///
  /// The editor cannot be used afterwards: the new value needs a new editor.
  package func write(with writer: PageWriter) throws(EngineError) -> Content {
    let content: Content
    if length <= UInt64(ValueReference.inlineByteCountMax) {
      content = .inline(try read(0..<length))
      drop(root)
    } else {
      let prefix = try read(0..<UInt64(ValueReference.prefixByteCount))
      let pointer = try write(root, with: writer)
      content = .extents(
        prefix.withByteView { ValueReference(pointer: pointer, length: length, prefix: $0) })
    }
    try freeReplaced(with: writer)
    return content
  }

  private func freeReplaced(with writer: PageWriter) throws(EngineError) {
    for edge in dropped {
      try writer.freeValue(edge)
    }
    for pointer in replaced {
      guard pointer.end <= writer.highWater else {
        throw .corrupt(Corruption(.pointerOutsideFile, unit: pointer.unit))
      }
      writer.free(pointer)
    }
    dropped = []
    replaced = []
  }

  // MARK: The tree

  /// A subtree of the value.
  ///
  /// A part with an edge is unchanged since it was written, with everything below it.
  private final class Part {
    enum Content {
      /// Not read yet.
      case stored
      case bytes([UInt8])
      case children([Part])
    }

    var length: UInt64
    var content: Content
    /// The edge that led to the part; nil if the part was changed.
    var edge: ValueEdge?
    /// The number of node levels below; −1 for a chunk. For the root it is known once the root is loaded.
    var level: Int

    init(_ bytes: [UInt8]) {
      length = UInt64(bytes.count)
      content = .bytes(bytes)
      level = -1
    }

    init(_ children: [Part]) {
      length = children.reduce(0) { $0 + $1.length }
      content = .children(children)
      level = (children.first?.level ?? -1) + 1
    }

    init(_ edge: ValueEdge, level: Int) {
      length = edge.length
      content = .stored
      self.edge = edge
      self.level = level
    }
  }

  /// Reads a part unless it was already read.
  private func load(_ part: Part) throws(EngineError) {
    guard case .stored = part.content, let edge = part.edge else { return }
    guard seen.insert(edge.pointer.unit).inserted else { throw edge.damage }
    guard edge.isList else {
      var bytes: [UInt8] = []
      try reader.readChunk(edge, into: &bytes)
      heldBytes += bytes.count
      part.content = .bytes(bytes)
      return
    }
    let node = try reader.valueNode(edge)
    var children = node.children
    part.level = node.level
    // A list of lists is flattened: its chunks become the children, more than a node may have.
    if edge.kind == .valueList, node.level > 0 {
      children = []
      for list in node.children {
        children += try reader.valueNode(list).children
        inner.append(list.pointer)
      }
      part.level = 0
    }
    part.content = .children(children.map { Part($0, level: part.level - 1) })
  }

  /// Lists below the root list of a value that was written whole; a change of the root replaces them.
  private var inner: [ExtentPointer] = []

  /// Marks a loaded part as changed.
  private func change(_ part: Part) {
    guard let edge = part.edge else { return }
    replaced.append(edge.pointer)
    if edge.kind == .valueList {
      replaced += inner
      inner = []
    }
    part.edge = nil
  }

  /// Marks a part as removed, with everything below it.
  private func drop(_ part: Part) {
    if let edge = part.edge { return dropped.append(edge) }
    if case .children(let children) = part.content { for child in children { drop(child) } }
  }

  private func read(
    _ range: Range<UInt64>, of part: Part, into bytes: inout [UInt8]
  ) throws(EngineError) {
    try load(part)
    switch part.content {
    case .stored: break
    case .bytes(let all): bytes += all[Int(range.lowerBound)..<Int(range.upperBound)]
    case .children(let children):
      var start: UInt64 = 0
      for child in children where start < range.upperBound {
        let end = start + child.length
        if end > range.lowerBound {
          let lower = max(range.lowerBound, start) - start
          try read(lower..<min(range.upperBound, end) - start, of: child, into: &bytes)
        }
        start = end
      }
    }
  }

  /// Inserts bytes; returns the parts that replace the part.
  private func insert(
    _ bytes: [UInt8], at offset: UInt64, into part: Part, isAtEnd: Bool
  ) throws(EngineError) -> [Part] {
    try load(part)
    change(part)
    part.length += UInt64(bytes.count)
    switch part.content {
    case .stored: return []
    case .bytes(var all):
      part.content = .stored
      all.insert(contentsOf: bytes, at: Int(offset))
      return divided(part, all, fillsLeft: isAtEnd)
    case .children(var children):
      part.content = .stored
      var index = 0
      var start: UInt64 = 0
      while index < children.count - 1, offset > start + children[index].length {
        start += children[index].length
        index += 1
      }
      if isAtEnd, part.level == 0, children[index].length >= UInt64(partBytesMax) {
        // The last part is full, and stays unchanged.
        children += split(bytes.count, into: partBytesMax, true).map { Part(Array(bytes[$0])) }
      } else {
        let parts = try insert(bytes, at: offset - start, into: children[index], isAtEnd: isAtEnd)
        children.replaceSubrange(index...index, with: parts)
      }
      return divided(part, children, fillsLeft: isAtEnd)
    }
  }

  /// Replaces bytes of a part; the range must lie in the part.
  private func overwrite(
    _ bytes: ArraySlice<UInt8>, at offset: UInt64, in part: Part
  ) throws(EngineError) {
    if UInt64(bytes.count) == part.length, let edge = part.edge, !edge.isList {
      // All its bytes are replaced, so it need not be read.
      change(part)
      heldBytes += bytes.count
      part.content = .bytes(Array(bytes))
      return
    }
    try load(part)
    change(part)
    switch part.content {
    case .stored: break
    case .bytes(var all):
      part.content = .stored
      let start = Int(offset)
      all.replaceSubrange(start..<start + bytes.count, with: bytes)
      part.content = .bytes(all)
    case .children(let children):
      let end = offset + UInt64(bytes.count)
      var start: UInt64 = 0
      for child in children where start < end {
        let childEnd = start + child.length
        if childEnd > offset {
          let lower = max(offset, start)
          let first = bytes.startIndex + Int(lower - offset)
          let count = Int(min(end, childEnd) - lower)
          try overwrite(bytes[first..<first + count], at: lower - start, in: child)
        }
        start = childEnd
      }
    }
  }

  /// The part with these bytes, or several parts if there are too many bytes.
  private func divided(_ part: Part, _ bytes: [UInt8], fillsLeft: Bool) -> [Part] {
    guard bytes.count > partBytesMax else {
      part.content = .bytes(bytes)
      return [part]
    }
    return split(bytes.count, into: partBytesMax, fillsLeft).map { Part(Array(bytes[$0])) }
  }

  /// The part with these children, or several parts if there are too many children.
  private func divided(_ part: Part, _ children: [Part], fillsLeft: Bool) -> [Part] {
    guard children.count > ValueNodeLayout.childrenMax else {
      part.content = .children(children)
      return [part]
    }
    return grouped(children, fillsLeft: fillsLeft)
  }

  /// Groups children into nodes.
  private func grouped(_ children: [Part], fillsLeft: Bool) -> [Part] {
    split(children.count, into: ValueNodeLayout.childrenMax, fillsLeft).map {
      Part(Array(children[$0]))
    }
  }

  /// Splits `count` into ranges of at most `max`: as even as possible, or all but the last full.
  private func split(_ count: Int, into max: Int, _ fillsLeft: Bool) -> [Range<Int>] {
    let pieces = (count + max - 1) / max
    return (0..<pieces).map { piece in
      fillsLeft
        ? piece * max..<min(count, (piece + 1) * max)
        : piece * count / pieces..<(piece + 1) * count / pieces
    }
  }

  /// Removes some bytes of a part, but not all; returns the parts that replace the part.
  private func remove(
    _ range: Range<UInt64>, from part: Part
  ) throws(EngineError) -> [Part] {
    try load(part)
    change(part)
    part.length -= range.upperBound - range.lowerBound
    switch part.content {
    case .stored: return []
    case .bytes(var all):
      part.content = .stored
      all.removeSubrange(Int(range.lowerBound)..<Int(range.upperBound))
      return divided(part, all, fillsLeft: false)
    case .children(let children):
      var kept: [Part] = []
      kept.reserveCapacity(children.count)
      var start: UInt64 = 0
      // The first place where children were removed or became shorter.
      var touched: Int?
      for child in children {
        let lower = max(range.lowerBound, start)
        let upper = min(range.upperBound, start + child.length)
        let length = child.length
        if lower >= upper {
          kept.append(child)
        } else {
          touched = touched ?? kept.count
          if upper - lower == length {
            drop(child)
          } else {
            kept += try remove(lower - start..<upper - start, from: child)
          }
        }
        start += length
      }
      if let touched { try joinShort(&kept, around: touched) }
      return divided(part, kept, fillsLeft: false)
    }
  }

  /// Joins short neighbours where children were removed, so that no long run of short children remains.
  private func joinShort(_ children: inout [Part], around place: Int) throws(EngineError) {
    var index = max(place - 1, 0)
    var last = min(place + 2, children.count - 1)
    while index < last {
      if try join(children[index], children[index + 1]) {
        children.remove(at: index + 1)
        last -= 1
      } else {
        index += 1
      }
    }
  }

  /// Appends the next part's content to a part if one of them is short and there is room.
  private func join(_ part: Part, _ next: Part) throws(EngineError) -> Bool {
    if part.level < 0 {
      guard min(part.length, next.length) <= UInt64(partBytesMax / 4),
        part.length + next.length <= UInt64(partBytesMax)
      else { return false }
    } else {
      guard isShortNode(part) || isShortNode(next) else { return false }
    }
    try load(part)
    try load(next)
    switch (part.content, next.content) {
    case (.bytes(let bytes), .bytes(let others)): part.content = .bytes(bytes + others)
    case (.children(let children), .children(let others)):
      guard children.count + others.count <= ValueNodeLayout.childrenMax else { return false }
      part.content = .children(children + others)
    default: return false
    }
    change(part)
    change(next)
    part.length += next.length
    return true
  }

  /// Whether the part is a changed node with few children.
  private func isShortNode(_ part: Part) -> Bool {
    guard part.edge == nil, case .children(let children) = part.content else { return false }
    return children.count <= ValueNodeLayout.childrenMax / 4
  }

  /// Writes a part's changes; returns the pointer to the part.
  private func write(
    _ part: Part, with writer: PageWriter
  ) throws(EngineError) -> ExtentPointer {
    if let edge = part.edge { return edge.pointer }
    switch part.content {
    case .stored: preconditionFailure("A part that was not read was changed.")
    case .bytes(let bytes):
      return try bytes.withByteView { (bytes) throws(EngineError) in try writer.writeChunk(bytes) }
    case .children(let children):
      var written: [(ExtentPointer, UInt64)] = []
      written.reserveCapacity(children.count)
      for child in children { written.append((try write(child, with: writer), child.length)) }
      return try writer.writeNode(written, level: part.level)
    }
  }
}
