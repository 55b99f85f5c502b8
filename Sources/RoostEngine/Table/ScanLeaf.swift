/// The current leaf of a scan: reused from leaf to leaf, so that a warm leaf costs no allocation.
///
/// Retains the frames of this leaf. Groups are read when one of their columns is first requested;
/// the columns read are counted.
struct ScanLeaf {
  private let context: TreeContext
  /// The edge that led to the leaf, which a result keeps.
  private(set) var edge: TreeEdge
  private var frame: Frame
  private(set) var head: LeafHead
  /// The groups of this leaf that were requested.
  private var groups: [LoadedGroup] = []
  /// Groups that were validated for this leaf alone.
  private var owned: [PinnedGroup] = []
  /// The columns of fields that the leaf does not store.
  private var made: [(field: FieldID, column: VirtualColumn)] = []
  private(set) var touched: [TouchedField] = []
  private var ordinal = 0

  private struct LoadedGroup {
    let index: Int
    let frame: Frame
    let group: LeafGroup
  }

  /// The number of bytes read so far of a field's column.
  struct TouchedField {
    let field: FieldID
    fileprivate(set) var byteCount: Int
    fileprivate var lastLeaf: Int
  }

  init(_ edge: TreeEdge, in context: TreeContext) throws(EngineError) {
    self.context = context
    self.edge = edge
    (frame, head) = try LeafReference.load(edge, in: context)
  }

  /// A leaf that the caller retains.
  init(_ reference: LeafReference, in context: TreeContext) {
    self.context = context
    frame = reference.frame
    head = reference.head
    edge = TreeEdge(
      pointer: frame.pointer, level: 0, count: UInt64(head.rowCount),
      keys: head.firstKey...head.lastKey)
  }

  /// Moves to another leaf.
  mutating func move(to edge: TreeEdge) throws(EngineError) {
    (frame, head) = try LeafReference.load(edge, in: context)
    self.edge = edge
    ordinal += 1
    if !groups.isEmpty { groups.removeAll(keepingCapacity: true) }
    if !owned.isEmpty { owned.removeAll(keepingCapacity: true) }
    if !made.isEmpty { made.removeAll(keepingCapacity: true) }
  }

  /// The number of rows.
  var rowCount: Int { head.rowCount }

  /// The directory entry of a field, which is its zone map; nil if the leaf does not store the field.
  ///
  /// Reads no byte of the column.
  @inline(__always)
  func entry(_ field: FieldID) -> ColumnEntry? {
    head.place(of: field).map { head.entries[$0] }
  }

  /// The column of a field; valid until the scan leaves the leaf.
  @inline(__always)
  mutating func column(_ field: FieldID) throws(EngineError) -> ColumnChunk {
    guard let place = head.place(of: field) else { return try virtualColumn(field) }
    touch(field, Int(head.entries[place].length))
    let group = Int(head.entries[place].group)
    guard group > 0 else { return head.columns[head.placeInGroup[place]] }
    return try self.group(group - 1).columns[head.placeInGroup[place]]
  }

  /// All bytes of a value that a cell of the field refers to.
  func value(_ reference: ValueReference, of field: FieldID) throws(EngineError) -> [UInt8] {
    var birth = frame.pointer.birth
    if let place = head.place(of: field), head.entries[place].group > 0 {
      birth = head.groups[Int(head.entries[place].group) - 1].birth
    }
    do {
      return try context.reader.value(
        reference.pointer, length: reference.length, parentBirth: birth)
    } catch { throw located(error) }
  }

  /// Adds this leaf's objects to an error about damage in a group or a value.
  private func located(_ error: EngineError) -> EngineError {
    error.located(in: context.tree, keys: head.firstKey...head.lastKey)
  }

  // MARK: Groups

  private mutating func group(_ index: Int) throws(EngineError) -> LeafGroup {
    for loaded in groups where loaded.index == index { return loaded.group }
    let frame: Frame
    let group: LeafGroup
    do {
      frame = try context.reader.frame(head.groups[index])
      if let known = frame.attachment(as: LeafGroup.self), head.describes(known, index) {
        group = known
      } else {
        let held = try PinnedGroup(index, of: head, frame: frame)
        owned.append(held)
        group = held.group
      }
    } catch { throw located(error) }
    groups.append(LoadedGroup(index: index, frame: frame, group: group))
    return group
  }

  // MARK: Columns that are not stored

  /// The column of a field that is computed for the query, or younger than the leaf.
  private mutating func virtualColumn(_ field: FieldID) throws(EngineError) -> ColumnChunk {
    for known in made where known.field == field { return known.column.chunk }
    let column: VirtualColumn
    if let expression = context.computed?[field] {
      var evaluation = Evaluation(misfitsAreNull: true)
      let values = try expression.compute(&self, LeafRows(0..<rowCount), &evaluation)
      column = try VirtualColumn(values, field: field)
    } else if let place = context.shape.index(of: field) {
      column = try VirtualColumn(context.shape.fields[place], rowCount: rowCount)
    } else {
      throw .unknownColumn(tree: context.tree, field: field)
    }
    made.append((field, column))
    return column.chunk
  }

  /// The value of a row in a field that is computed for the query; nil if the field is stored, or its whole column
  /// is computed already.
  mutating func computedValue(_ field: FieldID, row: Int) throws(EngineError) -> Value? {
    guard let expression = context.computed?[field],
      !made.contains(where: { $0.field == field })
    else { return nil }
    var evaluation = Evaluation(misfitsAreNull: true)
    return try expression.compute(&self, LeafRows(row..<row + 1), &evaluation).value(0)
  }

  // MARK: What was read

  @inline(__always)
  private mutating func touch(_ field: FieldID, _ byteCount: Int) {
    for index in touched.indices where touched[index].field == field {
      if touched[index].lastLeaf != ordinal {
        touched[index].lastLeaf = ordinal
        touched[index].byteCount += byteCount
      }
      return
    }
    touched.append(TouchedField(field: field, byteCount: byteCount, lastLeaf: ordinal))
  }
}
