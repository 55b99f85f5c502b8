/// Copies trees of a file to another one extent by extent, each once: extents shared by versions stay shared.
///
/// Memory: two pointers for each extent that was copied.
final class ExtentCopies {
  private let reader: PageReader
  private var copies: [ExtentPointer: ExtentPointer] = [:]

  /// The maximum depth of a tree below its root, its values included.
  private static let depthMax = 2 * TreeRoot.levelMax + 16
  private static let valueKinds: [ExtentKind] = [.valueBytes, .valueLZ4, .valueList, .valueNode]

  /// - Parameter reader: Reads the file that is copied.
  init(from reader: PageReader) { self.reader = reader }

  /// Copies a tree.
  func copy(_ root: TreeRoot, with writer: PageWriter) throws(EngineError) -> TreeRoot {
    guard !root.pointer.isNull else { return root }
    var copy = root
    copy.pointer = try self.copy(
      root.pointer, [root.rootKind], parentBirth: .max, with: writer, depth: 0)
    return copy
  }

  private func copy(
    _ pointer: ExtentPointer, _ kinds: [ExtentKind], columns: LeafColumns? = nil,
    parentBirth: UInt64, with writer: PageWriter, depth: Int
  ) throws(EngineError) -> ExtentPointer {
    guard let kind = pointer.kind, kinds.contains(kind), depth <= Self.depthMax else {
      throw .corrupt(Corruption(.pointerKind, unit: pointer.unit))
    }
    try pointer.check(kind: kind, parentBirth: parentBirth)
    if let known = copies[pointer] { return known }
    try checkCancellation()
    let frame = try reader.frame(pointer)
    var children: [(offset: Int, pointer: ExtentPointer)] = []
    for child in try self.children(of: kind, frame.bytes, pointer, columns) {
      let old = ExtentPointer(frame.bytes, at: child.offset)
      let new = try copy(
        old, child.kinds, columns: child.columns, parentBirth: pointer.birth, with: writer,
        depth: depth + 1)
      children.append((child.offset, new))
    }
    let new = try writer.write(kind: kind, units: pointer.units) { bytes in
      bytes.copy(frame.bytes, at: 0)
      for child in children { child.pointer.store(in: bytes, at: child.offset) }
    }
    copies[pointer] = new
    return new
  }

  private typealias Child = (offset: Int, kinds: [ExtentKind], columns: LeafColumns?)

  /// The columns of a group, as the leaf's head describes them.
  private struct LeafColumns {
    let entries: [ColumnEntry]
    let rowCount: Int
  }

  /// Where the pointers of an extent are, and what they may lead to.
  private func children(
    of kind: ExtentKind, _ bytes: ByteView, _ pointer: ExtentPointer, _ columns: LeafColumns?
  ) throws(EngineError) -> [Child] {
    func list(_ count: Int, at offset: Int, _ kinds: [ExtentKind]) throws(EngineError) -> [Child] {
      guard count >= 0, count <= (bytes.count - offset) / ExtentPointer.size else {
        throw .corrupt(Corruption(.nodeCount, unit: pointer.unit))
      }
      return (0..<count).map { (offset + $0 * ExtentPointer.size, kinds, nil) }
    }
    switch kind {
    case .valueBytes, .valueLZ4, .indexLeaf, .freeLog, .roots, .namedVersions, .ring:
      return []
    case .leafGroup:
      guard let columns else { return [] }
      return externals(
        in: try PinnedColumns(
          validating: columns.entries, extent: bytes, rowCount: columns.rowCount,
          unit: pointer.unit), of: bytes, columns.rowCount)
    case .valueList:
      return try list(
        Int(bytes.uint32(at: ValueLayout.listCount)), at: ValueLayout.listPointers, Self.valueKinds)
    case .valueNode: return try list(Int(bytes.uint16(at: 2)), at: 32, Self.valueKinds)
    case .indexInner:
      return try list(
        Int(bytes.uint16(at: 2)), at: 32, [bytes.uint8(at: 1) > 1 ? .indexInner : .indexLeaf])
    case .objectInner:
      return try list(
        Int(bytes.uint16(at: 2)), at: 1648, [bytes.uint8(at: 1) > 1 ? .objectInner : .leafHead])
    case .leafHead:
      let head = try LeafHead(validating: bytes, pointer: pointer)
      var children = try list(head.groups.count, at: head.groupPointers, [.leafGroup])
      for place in children.indices {
        children[place].columns = LeafColumns(
          entries: head.entries.filter { Int($0.group) == place + 1 }, rowCount: head.rowCount)
      }
      return children + externals(in: head.columns, of: bytes, head.rowCount)
    }
  }

  /// The pointers to values outside an extent that holds their references.
  private func externals(
    in columns: PinnedColumns, of bytes: ByteView, _ rowCount: Int
  ) -> [Child] {
    var children: [Child] = []
    for place in 0..<columns.count where columns[place].hasExternals {
      let column = columns[place]
      for row in 0..<rowCount where column.external(row) != nil {
        // The reference begins with the pointer.
        children.append((column.bytes(row).offset(in: bytes), Self.valueKinds, nil))
      }
    }
    return children
  }
}
