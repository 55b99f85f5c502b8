/// A leaf with a few entries added or removed, made by copying the unchanged parts.
///
/// A commit of one object changes one or two entries of an index, and one of some hundred objects few in
/// each leaf; unpacking and packing leaves for it would take most of its time. If the leaf's layout has to
/// change (its prefix, key width, or the lists it has), there is no patch, and the leaf is rewritten from
/// its entries.
struct IndexLeafPatch {
  /// A value that is added or removed, or whose keys change.
  private struct ValueEdit {
    /// The value's index in the leaf; for an added value, the index of the value that follows it.
    let place: Int
    /// The change of the number of values: 1, 0 or −1.
    let shift: Int
    let suffix: ByteView
    /// The change of the value's number of keys.
    var keyShift = 0

    var heapShift: Int { shift * suffix.count }
  }

  /// A key that is added or removed.
  private struct KeyEdit {
    /// The key's index in the leaf; for an added key, the index of the key that follows it.
    let place: Int
    /// The added key minus the leaf's base; nil for a removed key.
    let code: UInt64?
  }

  private let leaf: IndexLeaf
  private var values: [ValueEdit] = []
  private var keys: [KeyEdit] = []

  /// A patch without changes.
  init(_ leaf: IndexLeaf) { self.leaf = leaf }

  /// Changes the keys of a value, which must lie behind the values changed before.
  ///
  /// - Parameters:
  ///   - count: How many keys are changed.
  ///   - change: Gives the changes by number, their keys ascending strictly.
  /// - Returns: False if the leaf has to be rewritten, or its entries do not match the changes.
  @inline(__always)
  mutating func change(
    _ bytes: ByteView, _ count: Int, _ change: (Int) -> (key: Int64, isRemoval: Bool)
  ) -> Bool {
    let (value, isFound) = leaf.find(bytes, from: values.last?.place ?? 0)
    let run = isFound ? leaf.keys(value) : nil
    guard
      isFound
        || (bytes.count >= leaf.prefix.count
          && bytes.slice(0, leaf.prefix.count).bytesEqual(leaf.prefix))
    else { return false }
    let keyStart = leaf.keyStart(value)
    var removed = 0
    for index in 0..<count {
      let (key, isRemoval) = change(index)
      let rank = run?.rank(key, orEqual: false) ?? 0
      let isThere = run.map { rank < $0.count && $0.key(rank) == key } ?? false
      guard isThere == isRemoval else { return false }
      let code = UInt64(bitPattern: key &- leaf.base)
      guard key >= leaf.base, leaf.keyWidth == 8 || code >> UInt64(8 * leaf.keyWidth) == 0 else {
        return false
      }
      keys.append(KeyEdit(place: keyStart + rank, code: isRemoval ? nil : code))
      removed += isRemoval ? 1 : 0
    }
    let shift = run.map { removed == $0.count && removed == count ? -1 : 0 } ?? 1
    let suffix =
      isFound
      ? leaf.suffix(value) : bytes.slice(leaf.prefix.count, bytes.count - leaf.prefix.count)
    guard shift <= 0 || leaf.hasOffsets || suffix.count == leaf.suffixLength else { return false }
    values.append(
      ValueEdit(place: value, shift: shift, suffix: suffix, keyShift: count - 2 * removed))
    return true
  }

  /// Whether the last key of the new leaf was added.
  var endsWithAddition: Bool {
    keys.last.map { $0.code != nil && $0.place == leaf.entryCount } ?? false
  }

  /// The layout of the new leaf; nil if the leaf has to be rewritten.
  ///
  /// - Parameter isAlone: Whether there is no leaf to be joined with.
  func layout(isAlone: Bool) -> IndexLeafLayout? {
    var (valueShift, keyShift, heapShift) = (0, 0, 0)
    for edit in values {
      valueShift += edit.shift
      keyShift += edit.keyShift
      heapShift += edit.heapShift
    }
    let layout = leaf.layout(
      valueCount: leaf.valueCount + valueShift, entryCount: leaf.entryCount + keyShift,
      heapChange: heapShift)
    let most = IndexLeafLayout.bytesMax(values: layout.valueCount, bytes: layout.size)
    guard layout.valueCount > 0, layout.entryCount <= IndexLeafLayout.entriesMax,
      layout.hasStarts == leaf.hasStarts, layout.size <= max(most, leaf.bytes.count),
      isAlone || keyShift >= 0 || layout.size >= IndexLeafLayout.bytesMin(most)
    else { return nil }
    return layout
  }

  /// Writes the new leaf.
  func write(_ layout: IndexLeafLayout, with writer: PageWriter) throws(EngineError) -> Frame {
    let frame = try writer.writeFrame(
      kind: .indexLeaf, units: layout.units, madeOf: leaf.frame.object
    ) { target in
      var page = PageCopy(of: leaf.bytes, in: target)
      store(layout, in: &page)
      return page.finish()
    }
    _ = frame.attach(try IndexLeaf(validating: frame, isInOrder: true))
    return frame
  }

  private func store(_ layout: IndexLeafLayout, in page: inout PageCopy) {
    typealias Header = IndexLeafLayout.Header
    page.copy(to: Header.valueCount)
    page.append(UInt16(layout.valueCount))
    page.copy(to: Header.entryCount)
    page.append(UInt32(layout.entryCount))
    page.copy(to: Header.size + leaf.prefix.count)
    let old = leaf.layout(
      valueCount: leaf.valueCount, entryCount: leaf.entryCount, heapChange: 0)
    if layout.hasStarts { storeSpans(from: old.startsAt, in: &page) { $0.keyShift } }
    if layout.hasOffsets { storeSpans(from: old.offsetsAt, in: &page) { $0.heapShift } }
    storeSuffixes(from: old, in: &page)
    storeKeys(from: old, in: &page)
  }

  /// Copies starts or offsets; those behind an edit move by an index, change by a number, or both.
  @inline(__always)
  private func storeSpans(
    from source: Int, in page: inout PageCopy, _ shift: (ValueEdit) -> Int
  ) {
    var read = 0
    var addend: UInt16 = 0
    for edit in values {
      // A removed value's start is skipped; an added value starts where the next one did.
      let end = edit.shift == 0 ? edit.place + 1 : edit.place
      page.add(addend, to: end - read, from: source + 2 * read)
      read = end
      if edit.shift > 0 {
        page.append(leaf.bytes.uint16(at: source + 2 * edit.place) &+ addend)
      } else if edit.shift < 0 {
        read += 1
      }
      addend &+= UInt16(truncatingIfNeeded: shift(edit))
    }
    page.add(addend, to: leaf.valueCount + 1 - read, from: source + 2 * read)
  }

  private func storeSuffixes(from old: IndexLeafLayout, in page: inout PageCopy) {
    var read = old.heapAt
    for edit in values where edit.shift != 0 {
      let start = leaf.suffixOffset(edit.place)
      page.copy(start - read, from: read)
      read = start
      if edit.shift > 0 {
        page.append(edit.suffix)
      } else {
        read += edit.suffix.count
      }
    }
    page.copy(old.keysAt - read, from: read)
  }

  private func storeKeys(from old: IndexLeafLayout, in page: inout PageCopy) {
    let width = old.keyWidth
    var read = old.keysAt
    for edit in keys {
      let start = old.keysAt + edit.place * width
      page.copy(start - read, from: read)
      read = start
      if let code = edit.code {
        // What follows overwrites the zeros of this store.
        let place = page.append(width)
        page.target.store(code, at: place)
      } else {
        read += width
      }
    }
    page.copy(old.keysAt + old.entryCount * width - read, from: read)
  }
}

extension IndexTree {
  /// The root of the tree with one change, if copying its path with small edits suffices.
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
      var patch = IndexLeafPatch(held.leaf)
      guard patch.change(position.value, 1, { _ in (position.key, isRemoval) }),
        let layout = patch.layout(isAlone: root.level == 0)
      else { return nil }
      let valueShift = layout.valueCount - held.leaf.valueCount
      guard root.counter > 0 || valueShift >= 0, root.counter < UInt64(Int64.max) else {
        return nil
      }
      patched.count = isRemoval ? root.count - 1 : root.count + 1
      patched.counter &+= UInt64(bitPattern: Int64(valueShift))
      let frame = try patch.write(layout, with: writer)
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
    let frame = try writer.writeFrame(
      kind: .indexInner, units: edge.pointer.units, madeOf: held.node.frame.object
    ) { target in
      held.node.copy(replacing: child, by: below, isRemoval ? -1 : 1, in: target)
    }
    _ = frame.attach(
      try IndexInner(validating: frame, writer.reader.indexBudget, isInOrder: true))
    writer.free(edge.pointer)
    return frame.pointer
  }
}

extension IndexInner {
  /// Copies the node with another pointer to a child, and updates the counts of entries.
  fileprivate func copy(
    replacing child: Int, by pointer: ExtentPointer, _ change: Int64, in target: MutableByteView
  ) -> DeltaOps {
    typealias Layout = IndexInnerLayout
    let addend = UInt64(bitPattern: change)
    var page = PageCopy(of: bytes, in: target)
    page.copy(to: Layout.entryCount)
    page.append(entryCount &+ addend)
    page.copy(to: Layout.pointers + ExtentPointer.size * child)
    page.append(pointer)
    let counts = Layout.counts(childCount)
    page.copy(to: counts + 8 * child)
    page.add(addend, to: childCount - child, from: counts + 8 * child)
    page.copy(to: bytes.count)
    return page.finish()
  }
}
