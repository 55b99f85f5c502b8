import Synchronization

/// A leaf that is held: its head, and its groups as they are asked for.
///
/// A reference keeps the leaf's bytes in memory, and the version that it belongs to; only a
/// leaf that was found by a key belongs to none (``LeafRow`` holds the version there). A group is read
/// and verified at most once. Columns that are taken from a reference are views: hold the reference
/// (`withExtendedLifetime`) while they are used.
package final class LeafReference: Sendable {
  let frame: Frame
  package let head: LeafHead
  package let context: TreeContext
  private let held = PinnedGroups()
  /// The columns of fields that the leaf was written before; seldom any.
  private let defaults = Mutex<[(field: FieldID, column: VirtualColumn)]>([])
  private let attachments = LeafAttachments()
  private let shared = Atomic(false)

  /// The leaf at the end of an edge, found to be what the edge says.
  @inline(__always)
  package init(_ edge: TreeEdge, in context: TreeContext) throws(EngineError) {
    (frame, head) = try Self.load(edge, in: context)
    self.context = context
    context.budget?.add(leafBytes: byteCount)
  }

  deinit { context.budget?.add(leafBytes: -byteCount) }

  /// The frame and the validated head at the end of an edge; the head is used while the frame is held.
  @inline(__always)
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

  /// Whether a tree's cache holds the leaf, so that others may have it too and it belongs to no version.
  package var isShared: Bool { shared.load(ordering: .relaxed) }

  /// Says that a cache is going to hold the leaf.
  func share() { shared.store(true, ordering: .relaxed) }

  // MARK: Rows and keys

  /// How many rows the leaf has, at least one.
  package var rowCount: Int { head.rowCount }
  /// The smallest object key.
  package var firstKey: Int64 { head.firstKey }
  /// The largest object key.
  package var lastKey: Int64 { head.lastKey }
  /// The object keys, ascending.
  package var keys: ColumnChunk { head.keys }
  /// Where the leaf's head is: equal pointers mean equal leaves, in every version.
  package var pointer: ExtentPointer { frame.pointer }
  /// The bytes of the head and all groups, loaded or not.
  var byteCount: Int { frame.bytes.count + head.groupBytes }
  /// The fields of the table.
  package var shape: TableShape { context.shape }

  /// The object key of a row.
  @inline(__always) package func key(_ row: Int) -> Int64 {
    precondition(row >= 0 && row < head.rowCount, "No such row.")
    return head.key(row)
  }

  /// The row of an object key, or nil where the leaf has no such object.
  @inline(__always) package func row(of key: Int64) -> Int? { head.row(of: key) }

  /// The first row whose key is not below `key`; the row count where all are.
  package func lowerBound(_ key: Int64) -> Int { head.lowerBound(key) }

  // MARK: Attachments

  /// The first attachment of the leaf, retained as long as the reference.
  @inline(__always)
  package var attachment: Unmanaged<LeafAttachment>? { unsafe attachments.first }

  /// Keeps an object beside the leaf; one that is not attached to any.
  package func attach(_ attachment: LeafAttachment) { attachments.add(attachment) }

  // MARK: Columns

  /// The column of a field; with the field's default where the leaf was written before the field.
  ///
  /// - Throws: `.corrupt` when the column's group cannot be read or is not as it must be.
  package func column(_ field: FieldID) throws(EngineError) -> ColumnChunk {
    if let place = head.place(of: field) { return try column(at: place) }
    return try defaultColumn(field).chunk
  }

  /// Whether the leaf stores the field, rather than leaving it to the default.
  package func stores(_ field: FieldID) -> Bool { head.place(of: field) != nil }

  /// The extent that holds a field's bytes; nil where the leaf does not store the field.
  ///
  /// Equal extents in two leaves with equal keys mean that the field has not changed.
  package func extent(of field: FieldID) -> ExtentPointer? {
    guard let place = head.place(of: field) else { return nil }
    let group = Int(head.entries[place].group)
    return group == 0 ? frame.pointer : head.groups[group - 1]
  }

  /// The column at a place of the directory.
  @inline(__always)
  package func column(at place: Int) throws(EngineError) -> ColumnChunk {
    let group = Int(head.entries[place].group)
    guard group > 0 else { return head.columns[head.placeInGroup[place]] }
    return try heldGroup(group - 1).group.columns[head.placeInGroup[place]]
  }

  /// Where the column of a field is, as ``column(_:)`` gives it: as long as the reference.
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

  /// Says of damage in a group or a value that it takes the objects of this leaf along.
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
