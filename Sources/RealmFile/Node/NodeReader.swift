/// Reads nodes, and checks where they lie and how large they are.
final class NodeReader: Sendable {
  private let pages: PageCache
  /// The most memory that one read may use.
  let bytesMax: Int
  /// The file's format: 10, 11 or 20 to 24.
  let format: Int

  init(_ pages: PageCache, format: Int, bytesMax: Int) {
    self.pages = pages
    self.format = format
    self.bytesMax = bytesMax
  }

  /// The most nodes that the file has room for.
  var nodesMax: UInt64 { pages.byteCount / 8 }

  /// A budget for one read.
  var budget: ReadBudget { ReadBudget(bytesMax: bytesMax) }

  /// Throws if the file was written to since it was opened.
  func checkUnchanged() throws(RealmFileError) { try pages.checkUnchanged() }

  /// The header of the node at a reference.
  func header(_ reference: UInt64) throws(RealmFileError) -> NodeHeader {
    guard reference != 0, let header = NodeHeader(try pages.word(at: reference)) else {
      throw .damaged(at: reference, .reference)
    }
    return header
  }

  /// The node at a reference.
  func node(
    _ reference: UInt64, _ budget: inout ReadBudget
  ) throws(RealmFileError) -> Node {
    let header = try header(reference)
    let length = header.payloadBytes
    guard UInt64(length) <= pages.byteCount - reference - 8 else {
      throw .damaged(at: reference, .nodeSize)
    }
    try budget.take(Self.nodeOverheadBytes + length)
    return Node(
      reference: reference, header: header, payload: try pages.bytes(length, at: reference + 8))
  }

  /// The node at a reference, which has to be an array of references or of integers.
  func array(
    _ reference: UInt64, countMax: Int = arrayCountMax, hasReferences: Bool,
    _ budget: inout ReadBudget
  ) throws(RealmFileError) -> Node {
    let node = try node(reference, &budget)
    try node.require(
      node.header.layout == .bits && node.header.hasReferences == hasReferences, .nodeKind)
    try node.require(node.count <= countMax, .nodeSize)
    return node
  }

  /// What a node costs beside its payload.
  private static let nodeOverheadBytes = 64
  /// The most elements that a header can state.
  static let arrayCountMax = (1 << 24) - 1
}
