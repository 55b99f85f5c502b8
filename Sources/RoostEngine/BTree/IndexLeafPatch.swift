/// A leaf with one entry more or one less, made by copying what stays as it is.
///
/// A commit of one object changes one entry or two of an index; unpacking and packing a leaf for it would be
/// most of its time. Where the leaf's form has to change (its prefix, key width, or the lists it has),
/// there is no patch, and the leaf is rewritten from its entries.
struct IndexLeafPatch {
  /// The form of the new leaf.
  let layout: IndexLeafLayout
  /// How the number of values changes: 1, 0 or −1.
  let valueShift: Int
  private let leaf: IndexLeaf
  /// The value that is added, dropped, or whose keys change.
  private let value: Int
  /// The suffix of a value that is added or dropped.
  private let suffix: ByteView
  /// Where the entry is among the leaf's, or will be.
  private let keyPlace: Int
  /// How the number of entries changes: 1 or −1.
  private let keyShift: Int
  private let code: UInt64

  /// - Returns: nil where the leaf has to be rewritten, or the entry is not as the change says.
  init?(_ leaf: IndexLeaf, _ bytes: ByteView, _ key: Int64, isRemoval: Bool) {
    let (value, isFound) = leaf.find(bytes)
    var rank = 0
    var keyCount = 0
    if isFound {
      let keys = leaf.keys(value)
      rank = keys.rank(key, orEqual: false)
      keyCount = keys.count
      guard (rank < keyCount && keys.key(rank) == key) == isRemoval else { return nil }
    } else {
      guard !isRemoval, bytes.count >= leaf.prefix.count,
        bytes.slice(0, leaf.prefix.count).bytesEqual(leaf.prefix)
      else { return nil }
    }
    code = UInt64(bitPattern: key &- leaf.base)
    guard key >= leaf.base, leaf.keyWidth == 8 || code >> UInt64(8 * leaf.keyWidth) == 0 else {
      return nil
    }
    keyShift = isRemoval ? -1 : 1
    valueShift = isRemoval ? (keyCount == 1 ? -1 : 0) : (isFound ? 0 : 1)
    suffix =
      isFound
      ? leaf.suffix(value)
      : bytes.slice(leaf.prefix.count, bytes.count - leaf.prefix.count)
    layout = leaf.layout(
      valueCount: leaf.valueCount + valueShift, entryCount: leaf.entryCount + keyShift,
      heapChange: valueShift * suffix.count)
    guard layout.valueCount > 0, layout.entryCount <= IndexLeafLayout.entriesMax,
      layout.hasStarts == leaf.hasStarts,
      leaf.hasOffsets || valueShift <= 0 || suffix.count == layout.suffixLength,
      layout.size <= IndexLeafLayout.unitsMax * Unit.bytes
    else { return nil }
    self.leaf = leaf
    self.value = value
    keyPlace = leaf.keyStart(value) + rank
  }

  /// Writes the new leaf.
  func store(in target: MutableByteView) {
    typealias Header = IndexLeafLayout.Header
    target.copy(leaf.bytes.slice(0, Header.size + leaf.prefix.count), at: 0)
    target.store(UInt16(layout.valueCount), at: Header.valueCount)
    target.store(UInt32(layout.entryCount), at: Header.entryCount)
    let old = leaf.layout(
      valueCount: leaf.valueCount, entryCount: leaf.entryCount, heapChange: 0)
    if layout.hasStarts {
      storeSpans(from: old.startsAt, to: layout.startsAt, change: keyShift, in: target)
    }
    if layout.hasOffsets {
      storeSpans(
        from: old.offsetsAt, to: layout.offsetsAt, change: valueShift * suffix.count, in: target)
    }
    storeSuffixes(old, in: target)
    storeKeys(old, in: target)
  }

  /// Copies starts or offsets; those behind the value move by a place and by a number.
  private func storeSpans(
    from source: Int, to place: Int, change: Int, in target: MutableByteView
  ) {
    target.copy(leaf.bytes.slice(source, 2 * (value + 1)), at: place)
    let addend = UInt16(truncatingIfNeeded: change)
    var offset = 2 * (value + 1)
    while offset <= 2 * layout.valueCount {
      let span = leaf.bytes.uint16(at: source &+ offset &- 2 &* valueShift)
      target.store(span &+ addend, at: place &+ offset)
      offset &+= 2
    }
  }

  private func storeSuffixes(_ old: IndexLeafLayout, in target: MutableByteView) {
    let first = leaf.suffixOffset(value) - old.heapAt
    target.copy(leaf.bytes.slice(old.heapAt, first), at: layout.heapAt)
    let added = valueShift > 0 ? suffix.count : 0
    let dropped = valueShift < 0 ? suffix.count : 0
    if added > 0 { target.copy(suffix, at: layout.heapAt + first) }
    target.copy(
      leaf.bytes.slice(old.heapAt + first + dropped, old.heapLength - first - dropped),
      at: layout.heapAt + first + added)
  }

  private func storeKeys(_ old: IndexLeafLayout, in target: MutableByteView) {
    let width = layout.keyWidth
    let first = keyPlace * width
    target.copy(leaf.bytes.slice(old.keysAt, first), at: layout.keysAt)
    // Its zeros are written over by the keys that follow.
    if keyShift > 0 { target.store(code, at: layout.keysAt + first) }
    let added = keyShift > 0 ? width : 0
    let dropped = keyShift < 0 ? width : 0
    target.copy(
      leaf.bytes.slice(old.keysAt + first + dropped, old.entryCount * width - first - dropped),
      at: layout.keysAt + first + added)
  }
}

extension IndexTree {
  /// The root of the tree with one change, where copying its path with small differences will do.
  func patch(
    _ value: ByteView, _ key: Int64, isRemoval: Bool, writer: PageWriter
  ) throws(EngineError) -> TreeRoot? {
    guard let edge = IndexEdge(root: root) else { return nil }
    var patched = root
    let position = IndexPosition(before: value, key)
    guard let pointer = try patch(edge, position, isRemoval, &patched, writer) else { return nil }
    patched.pointer = pointer
    return patched
  }

  private func patch(
    _ edge: IndexEdge, _ position: IndexPosition, _ isRemoval: Bool, _ patched: inout TreeRoot,
    _ writer: PageWriter
  ) throws(EngineError) -> ExtentPointer? {
    guard edge.level > 0 else {
      let held = try edge.leaf(tree: root.id, reader)
      defer { held.release() }
      guard
        let patch = IndexLeafPatch(
          held.leaf, position.value, position.key, isRemoval: isRemoval),
        // A leaf that becomes small is joined with a neighbour.
        !isRemoval || root.level == 0 || patch.layout.size >= Unit.bytes,
        root.counter > 0 || patch.valueShift >= 0, root.counter < UInt64(Int64.max)
      else { return nil }
      patched.count = isRemoval ? root.count - 1 : root.count + 1
      patched.counter &+= UInt64(bitPattern: Int64(patch.valueShift))
      let units = (patch.layout.size + Unit.bytes - 1) / Unit.bytes
      let frame = try writer.writeFrame(kind: .indexLeaf, units: units) { patch.store(in: $0) }
      _ = frame.attach(try IndexLeaf(validating: frame, isPatched: true))
      writer.free(edge.pointer)
      return frame.pointer
    }
    let held = try edge.inner(tree: root.id, reader)
    defer { held.release() }
    let child = held.node.child(for: position)
    guard
      let below = try patch(
        edge.child(child, of: held.node), position, isRemoval, &patched, writer)
    else { return nil }
    let frame = try writer.writeFrame(kind: .indexInner, units: edge.pointer.units) { target in
      held.node.store(replacing: child, by: below, isRemoval ? -1 : 1, in: target)
    }
    _ = frame.attach(
      try IndexInner(validating: frame, writer.reader.indexBudget, isPatched: true))
    writer.free(edge.pointer)
    return frame.pointer
  }
}

extension IndexInner {
  /// Writes the node with another pointer to a child, below which there are more or fewer entries.
  fileprivate func store(
    replacing child: Int, by pointer: ExtentPointer, _ change: Int64, in target: MutableByteView
  ) {
    typealias Layout = IndexInnerLayout
    target.copy(bytes, at: 0)
    pointer.store(in: target, at: Layout.pointers + ExtentPointer.size * child)
    let addend = UInt64(bitPattern: change)
    for index in child..<childCount {
      target.store(countBefore(index + 1) &+ addend, at: Layout.counts(childCount) + 8 * index)
    }
    target.store(entryCount &+ addend, at: Layout.entryCount)
  }
}
