/// Fills an empty index, with bounded memory: an external merge sort.
///
/// Gathered entries are sorted and written as a separate tree, a part. At the end the parts are merged, and their leaves
/// are freed as they are read, so that the index reuses their space. If there are more parts than one merge takes, each
/// full group is merged into one part. So memory does not depend on the number of entries, and an entry is written twice,
/// or three times in a very large index. An index that fits one part is written at once.
///
/// The entries come in the order of their object keys. After an error the written extents remain: go back to a savepoint.
package struct IndexFiller: ~Copyable {
  private let tree: UInt32
  private let writer: PageWriter
  private let partBytes: Int
  private let partsMerged: Int
  private let isUnique: Bool
  private var changes = IndexChanges()
  /// Whether a value may have come twice that should come once.
  private(set) var hasRepetition = false
  /// The parts by the number of merges of their entries; each list in order of arrival.
  private var parts: [[TreeRoot]] = []

  /// - Parameters:
  ///   - partBytes: When so much has gathered, a part is written. Sorting takes about as much again.
  ///   - partsMerged: How many parts are merged at once, at least two: each takes the memory of a leaf.
  ///   - isUnique: Whether it is noted that a value comes twice.
  package init(
    tree: UInt32, writer: PageWriter, partBytes: Int, partsMerged: Int, isUnique: Bool = false
  ) {
    self.isUnique = isUnique
    self.tree = tree
    self.writer = writer
    self.partBytes = partBytes
    self.partsMerged = max(partsMerged, 2)
  }

  /// Takes the entries that were gathered, before others are added.
  ///
  /// Where values must be unique, any that came twice counts, as that of a null does: the finished index has to be looked at.
  mutating func begin(with entries: consuming IndexChanges) {
    changes = entries
    if isUnique { hasRepetition = changes.values.count < changes.count }
  }

  /// Adds an entry.
  ///
  /// - Parameter mayRepeat: Whether the value may have other entries.
  package mutating func add(
    _ value: ByteView, _ object: Int64, mayRepeat: Bool = true
  ) throws(EngineError) {
    let valuesBefore = changes.values.count
    changes.add(value, object)
    if !mayRepeat, changes.values.count == valuesBefore { hasRepetition = true }
    if changes.byteCount > partBytes { try endPart() }
  }

  /// The memory of the gathered entries, in bytes.
  var byteCount: Int { changes.byteCount }

  /// Whether values may be there twice: then the entries are sorted elsewhere.
  var mayHaveTwins: Bool { changes.mayHaveTwins }

  /// The entries, to be sorted elsewhere; nil if some were written already. Afterwards nothing is added, and ``finish(_:)``
  /// writes them.
  mutating func takeChanges() -> IndexChanges? {
    guard parts.isEmpty else { return nil }
    var taken = IndexChanges()
    swap(&taken, &changes)
    return taken
  }

  /// Writes the entries that were taken, and sorted.
  func finish(_ run: borrowing IndexRun) throws(EngineError) -> TreeRoot {
    try IndexTree(root: TreeRoot(empty: tree, kind: .index), reader: writer.reader)
      .apply(run, writer: writer)
  }

  /// Finishes the index; nothing can be added afterwards.
  package mutating func finish() throws(EngineError) -> TreeRoot {
    guard !parts.isEmpty else { return try sorted() }
    if !changes.isEmpty { try endPart() }
    changes = IndexChanges()
    // Parts with more merges came before the others.
    var rest = Array(parts.reversed().joined())
    parts = []
    while rest.count > partsMerged {
      let last = Array(rest.suffix(partsMerged))
      rest.removeLast(partsMerged)
      rest.append(try merged(last))
    }
    return try merged(rest)
  }

  /// The entries gathered so far, as a tree.
  private func sorted() throws(EngineError) -> TreeRoot {
    try IndexTree(root: TreeRoot(empty: tree, kind: .index), reader: writer.reader)
      .apply(changes, writer: writer)
  }

  /// Writes the gathered entries as a part, and begins the next one.
  private mutating func endPart() throws(EngineError) {
    var part = try sorted()
    changes.removeAll()
    var times = 0
    while true {
      if parts.count == times { parts.append([]) }
      parts[times].append(part)
      guard parts[times].count == partsMerged else { return }
      let full = parts[times]
      parts[times] = []
      part = try merged(full)
      times += 1
    }
  }

  /// A tree of the entries of several trees, which are freed.
  private mutating func merged(_ parts: [TreeRoot]) throws(EngineError) -> TreeRoot {
    var rebuilder = IndexRebuilder(tree: tree, writer: writer)
    rebuilder.endsWithAdditions = true
    rebuilder.leavesRoom = true
    var order = IndexPartOrder()
    for (number, part) in parts.enumerated() {
      try order.add(IndexPartReader(part, number: number, writer: writer))
    }
    var runs = 0
    var last = PlainBuffer<UInt8>()
    while let part = order.first {
      if isUnique {
        // Null is among them.
        if runs > 0, last.view(0, last.count).bytesEqual(part.value) { hasRepetition = true }
        last.removeAll()
        last.append(part.value)
      }
      try rebuilder.content.open(SplitBytes(part.value), unit: part.unit)
      rebuilder.content.append(part.keys)
      try rebuilder.drain()
      try order.advance()
      runs &+= 1
      if runs & 0xFFFF == 0 { try checkCancellation() }
    }
    return try rebuilder.finish(replacing: TreeRoot(empty: tree, kind: .index))
  }
}

/// Parts of an index to merge, as a binary heap: the part with the least value first; of equal ones, the earliest.
private struct IndexPartOrder {
  private struct Head {
    let part: IndexPartReader
    /// The value's first eight bytes, as a number with the same order.
    let chunk: UInt64

    init(_ part: IndexPartReader) {
      self.part = part
      let value = part.value
      var chunk: UInt64 = 0
      if value.count >= 8 {
        chunk = value.uint64(at: 0).byteSwapped
      } else {
        for offset in 0..<value.count {
          chunk |= UInt64(value.uint8(at: offset)) << UInt64(56 - 8 * offset)
        }
      }
      self.chunk = chunk
    }

    @inline(__always)
    func precedes(_ other: Head) -> Bool {
      if chunk != other.chunk { return chunk < other.chunk }
      let order = part.value.compare(other.part.value)
      return order == 0 ? part.number < other.part.number : order < 0
    }
  }

  private var heads: [Head] = []

  /// The part with the next value; nil when all parts have ended.
  var first: IndexPartReader? { heads.first?.part }

  /// Adds a part that has not been read yet.
  mutating func add(_ part: IndexPartReader) throws(EngineError) {
    guard try part.next() else { return }
    let head = Head(part)
    var place = heads.count
    heads.append(head)
    while place > 0, head.precedes(heads[(place - 1) / 2]) {
      heads[place] = heads[(place - 1) / 2]
      place = (place - 1) / 2
    }
    heads[place] = head
  }

  /// Moves the first part to its next value.
  mutating func advance() throws(EngineError) {
    let moved: Head
    if try heads[0].part.next() {
      moved = Head(heads[0].part)
    } else {
      moved = heads.removeLast()
      guard !heads.isEmpty else { return }
    }
    var place = 0
    while true {
      var child = 2 * place + 1
      guard child < heads.count else { break }
      if child + 1 < heads.count, heads[child + 1].precedes(heads[child]) { child += 1 }
      guard heads[child].precedes(moved) else { break }
      heads[place] = heads[child]
      place = child
    }
    heads[place] = moved
  }
}

/// Iterates over the entries of a tree with no other reader, and frees each leaf and node after reading it.
private final class IndexPartReader {
  /// The part's number among the parts to merge.
  let number: Int
  private let tree: UInt32
  private let writer: PageWriter
  private var root: IndexEdge?
  /// The inner nodes from the root down, each with its current child.
  private var path: [(edge: IndexEdge, held: PinnedIndexInner, child: Int)] = []
  private var leaf: (pointer: ExtentPointer, held: PinnedIndexLeaf)?
  private var current = 0
  /// The value's bytes in one piece: the leaf's prefix, then the suffix.
  private var assembled = PlainBuffer<UInt8>(minimumCapacity: IndexKey.byteCountMax)

  init(_ root: TreeRoot, number: Int, writer: PageWriter) {
    self.number = number
    self.root = IndexEdge(root: root)
    self.writer = writer
    tree = root.id
  }

  /// The bytes of the value; valid until the next one.
  var value: ByteView { assembled.view(0, assembled.count) }

  /// The keys of the value in this leaf; valid until the next one.
  var keys: IndexKeyRun {
    guard let leaf else { preconditionFailure("The part is not at an entry.") }
    return leaf.held.leaf.keys(current)
  }

  /// The unit of the leaf.
  var unit: UInt64 { leaf?.pointer.unit ?? 0 }

  /// Moves to the next run of keys of one value; false at the end.
  func next() throws(EngineError) -> Bool {
    current += 1
    if leaf.map({ current < $0.held.leaf.valueCount }) != true, try !moveToNextLeaf() {
      return false
    }
    guard let leaf = leaf?.held.leaf else { return false }
    assembled.removeLast(assembled.count - leaf.prefix.count)
    assembled.append(leaf.suffix(current))
    return true
  }

  private func moveToNextLeaf() throws(EngineError) -> Bool {
    if let leaf { writer.free(leaf.pointer) }
    leaf = nil
    if let root {
      self.root = nil
      try descend(root)
      return true
    }
    while let last = path.last {
      let child = last.child + 1
      if child < last.held.node.childCount {
        path[path.count - 1].child = child
        try descend(last.edge.child(child, of: last.held.node))
        return true
      }
      writer.free(last.edge.pointer)
      path.removeLast()
    }
    return false
  }

  /// Descends to the first leaf.
  private func descend(_ edge: IndexEdge) throws(EngineError) {
    var edge = edge
    while edge.level > 0 {
      let held = try edge.inner(tree: tree, writer.reader)
      path.append((edge, held, 0))
      edge = edge.child(0, of: held.node)
    }
    // Not retained by the node above, since it is read once.
    let held = try edge.leaf(tree: tree, writer.reader)
    leaf = (edge.pointer, held)
    current = 0
    assembled.removeAll()
    assembled.append(held.leaf.prefix)
  }
}
