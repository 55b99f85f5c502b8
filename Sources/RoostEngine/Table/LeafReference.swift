import Synchronization

/// A retained leaf: its head, and its groups as they are requested.
///
/// A reference retains the leaf's bytes, and the version that it belongs to; only a leaf found
/// by a key belongs to no version (there ``LeafRow`` retains it). A group is read and verified at most
/// once. The columns of a reference are views: retain the reference
/// (`withExtendedLifetime`) while they are used.
package final class LeafReference: Sendable {
  let frame: Frame
  package let head: LeafHead
  package let context: TreeContext
  private let held = PinnedGroups()
  /// The columns of fields added after the leaf was written; rarely any.
  private let defaults = Mutex<[(field: FieldID, column: VirtualColumn)]>([])
  private let attachments = PublishedChain<LeafAttachment>()
  private let shared = Atomic(false)

  /// The leaf at the end of an edge, checked against the edge.
  @inline(never)
  package init(_ edge: TreeEdge, in context: TreeContext) throws(EngineError) {
    (frame, head) = try Self.load(edge, in: context)
    self.context = context
    context.budget?.add(leafBytes: byteCount)
  }

  deinit { context.budget?.add(leafBytes: -byteCount) }

  /// The frame and the validated head at the end of an edge; retain the frame while using the head.
  @inline(never)
  static func load(
    _ edge: TreeEdge, in context: TreeContext
  ) throws(EngineError) -> (frame: Frame, head: LeafHead) {
    let frame: Frame
    let head: LeafHead
    do {
      frame = try context.reader.frame(edge.pointer)
      if let known = frame.attachment(as: LeafHead.self) {
        head = known
      } else {
        head = frame.attach(try LeafHead(validating: frame.bytes, pointer: frame.pointer))
      }
    } catch {
      throw error.located(in: context.tree, keys: edge.keys)
    }
    guard head.tree == context.tree else { throw edge.corruption(.nodeTree, tree: context.tree) }
    guard head.fits(context) else { throw edge.corruption(.column, tree: context.tree) }
    guard UInt64(head.rowCount) == edge.count else {
      throw edge.corruption(.objectCount, tree: context.tree)
    }
    guard edge.keys.lowerBound <= head.firstKey, head.lastKey <= edge.keys.upperBound else {
      throw edge.corruption(.keyRange, tree: context.tree)
    }
    return (frame, head)
  }

  /// Whether a tree's cache retains the leaf, so that others may have it too and it belongs to no version.
  package var isShared: Bool { shared.load(ordering: .relaxed) }

  /// Records that a cache is about to retain the leaf.
  func share() { shared.store(true, ordering: .relaxed) }

  // MARK: Rows and keys

  /// The number of rows, at least one.
  package var rowCount: Int { head.rowCount }
  /// The smallest object key.
  package var firstKey: Int64 { head.firstKey }
  /// The largest object key.
  package var lastKey: Int64 { head.lastKey }
  /// The object keys, ascending.
  package var keys: ColumnChunk { head.keys }
  /// The address of the leaf's head: equal pointers mean equal leaves, in every version.
  package var pointer: ExtentPointer { frame.pointer }
  /// The size of the head and all groups in bytes, loaded or not.
  var byteCount: Int { frame.bytes.count + head.groupBytes }
  /// The fields of the table.
  package var shape: TableShape { context.shape }

  /// The object key of a row.
  @inline(__always) package func key(_ row: Int) -> Int64 {
    precondition(row >= 0 && row < head.rowCount, "No such row.")
    return head.key(row)
  }

  /// The row of an object key, or nil if the leaf has no such object.
  @inline(__always) package func row(of key: Int64) -> Int? { head.row(of: key) }

  /// The first row whose key is not below `key`; the row count if all are below.
  package func lowerBound(_ key: Int64) -> Int { head.lowerBound(key) }

  // MARK: Attachments

  /// The first attachment of the leaf, retained as long as the reference.
  @inline(__always)
  package var attachment: UnownedReference<LeafAttachment>? { attachments.first }

  /// Retains an object with the leaf; the attachment must not be attached to another leaf.
  package func attach(_ attachment: LeafAttachment) { attachments.add(attachment) }

  // MARK: Columns

  /// The column of a field; with the field's default if the leaf is older than the field.
  ///
  /// - Throws: `.corrupt` when the column's group cannot be read or is not as it must be.
  package func column(_ field: FieldID) throws(EngineError) -> ColumnChunk {
    if let place = head.place(of: field) { return try column(at: place) }
    return try defaultColumn(field).chunk
  }

  /// Whether the leaf stores the field, rather than using the default.
  package func stores(_ field: FieldID) -> Bool { head.place(of: field) != nil }

  /// The extent that contains a field's bytes; nil if the leaf does not store the field.
  ///
  /// Equal extents in two leaves with equal keys mean that the field has not changed.
  package func extent(of field: FieldID) -> ExtentPointer? {
    guard let place = head.place(of: field) else { return nil }
    let group = Int(head.entries[place].group)
    return group == 0 ? frame.pointer : head.groups[group - 1]
  }

  /// The column at an index of the directory.
  @inline(__always)
  package func column(at place: Int) throws(EngineError) -> ColumnChunk {
    let group = Int(head.entries[place].group)
    guard group > 0 else { return head.columns[head.placeInGroup[place]] }
    return try heldGroup(group - 1).group.columns[head.placeInGroup[place]]
  }

  /// A pointer to the column of a field that ``column(_:)`` returns; valid as long as the reference.
  @unsafe
  package func columnPointer(_ field: FieldID) throws(EngineError) -> UnsafePointer<ColumnChunk> {
    guard let place = head.place(of: field) else {
      return unsafe try defaultColumn(field).pointer
    }
    let group = Int(head.entries[place].group)
    let columns = group == 0 ? head.columns : try heldGroup(group - 1).group.columns
    return unsafe columns.pointer(head.placeInGroup[place])
  }

  /// A group with its columns, counted from 0.
  @inline(__always)
  func heldGroup(_ index: Int) throws(EngineError) -> PinnedGroup {
    if let known = held.load(index) { return known }
    return try loadGroup(index)
  }

  @inline(never)
  private func loadGroup(_ index: Int) throws(EngineError) -> PinnedGroup {
    do {
      let frame = try context.reader.frame(head.groups[index])
      return held.store(index, try PinnedGroup(index, of: head, frame: frame))
    } catch { throw located(error) }
  }

  /// Adds this leaf's objects to an error about damage in a group or a value.
  package func located(_ error: EngineError) -> EngineError {
    error.located(in: context.tree, keys: firstKey...lastKey)
  }

  private func defaultColumn(_ field: FieldID) throws(EngineError) -> VirtualColumn {
    guard let place = shape.index(of: field) else {
      throw .unknownColumn(tree: context.tree, field: field)
    }
    if let known = defaults.withLock({ $0.first { $0.field == field }?.column }) { return known }
    let made = try VirtualColumn(shape.fields[place], rowCount: rowCount)
    return defaults.withLock { defaults in
      if let known = defaults.first(where: { $0.field == field })?.column { return known }
      defaults.append((field, made))
      return made
    }
  }
}

extension LeafReference: SlotObject {
  package var keeper: UnownedReference<LeafReference> { UnownedReference(self) }
}
