/// A field and its new value.
package struct FieldAssignment: Equatable, Sendable {
  /// The field; neither the identifier nor the object key, nor a list of links.
  package var field: FieldID
  /// Its new value, computed from the object's old fields.
  package var expression: ColumnExpression

  /// An assignment.
  package init(_ field: FieldID, _ expression: ColumnExpression) {
    self.field = field
    self.expression = expression
  }
}

/// Updating fields of many objects at once.
extension EngineTransaction {
  /// Sets fields of all objects of a query to the values of expressions over each object; returns the number of objects.
  ///
  /// Computed column by column, a leaf at a time, from the old values of the objects; unchanged values are not written.
  /// Unique values are checked after all objects have their new values.
  /// - Throws: `.overflowInUpdate` where a result does not fit, `.duplicate`, `.tooLong`, and `.wrongType` where an
  ///   expression does not give what its field stores. Nothing is changed then.
  package func update(
    _ query: ObjectQuery, _ assignments: [FieldAssignment]
  ) throws(EngineError) -> Int {
    let savepoint = try savepoint()
    let result = Result { () throws(EngineError) in try assign(assignments, to: query) }
    switch result {
    case .success(let count):
      release(savepoint)
      return count
    case .failure(let error):
      try rollback(to: savepoint)
      throw error
    }
  }

  private func assign(
    _ assignments: [FieldAssignment], to query: ObjectQuery
  ) throws(EngineError) -> Int {
    // The savepoint keeps the leaves found here, whatever is written meanwhile.
    let view = try view()
    let found = try view.matches(query)
    guard !found.isEmpty else { return 0 }
    let compiler = try PredicateCompiler(view, table: query.table)
    let state = try settledState(query.table, toChange: true)
    precondition(
      Set(assignments.map(\.field)).count == assignments.count, "A field gets one value.")
    var fields: [AssignedField] = []
    for assignment in assignments {
      fields.append(
        try AssignedField(assignment, in: state, compiler, objectCount: found.count))
    }
    let assigned = assignments.compactMap { state.delta.shape.index(of: $0.field) }
    let indexes = state.tableIndexes
      .filter { index in assigned.contains { index.keys.uses($0) } }.map { AssignedIndex($0) }
    var cursor = found.cursor()
    while let batch = try cursor.next() {
      for field in fields { try field.compute(batch.leaf, batch.rows) }
      for field in fields { try field.note(batch.leaf, batch.rows, in: state, &scratchKey) }
      for index in indexes { try index.note(batch.leaf, batch.rows, in: state, &scratchKey) }
      for field in fields where field.isLarge { try dealWithGathered(field) }
      try applyIfLarge(state)
    }
    for field in fields {
      try dealWithGathered(field)
      try checkUnique(field)
    }
    for index in indexes { try index.checkUnique(in: state, writer, text) }
    return found.count
  }

  /// Applies the pending entries to the field's index, or forgets them if there are too many to look up.
  private func dealWithGathered(_ field: AssignedField) throws(EngineError) {
    try applying { () throws(EngineError) in try field.replaceEntries(&scratchKey, writer) }
  }

  /// Checks that no two objects share a new value, if the field is unique.
  private func checkUnique(_ field: AssignedField) throws(EngineError) {
    guard let index = field.uniqueIndex else { return }
    try applying { () throws(EngineError) in try index.apply(writer) }
    guard let value = try field.valueOfTwo(index.tree, &scratchKey) else { return }
    throw .duplicate(
      table: field.table.name, field: field.definition.name,
      value: text(value, of: field.definition))
  }
}

/// A field that gets new values, with the values of one leaf, and the pending entries of its index.
private final class AssignedField {
  let table: TableDefinition
  let definition: FieldDefinition
  private let position: Int
  private let isOptional: Bool
  private let index: IndexState?
  private let expression: BoundExpression
  /// The results of the expression for the rows that were computed last.
  private var result: ColumnBuffer
  /// The old values of the rows of a leaf.
  private let old: ColumnBuffer
  /// The keys of the rows that change, and their new values.
  private let keys = ColumnBuffer(type: .integer)
  private let values: ColumnBuffer
  /// Whether the index is scanned to remove the old entries, instead of looking up each.
  private let sweeps: Bool
  /// The entries to add after a scan, or to check for uniqueness.
  private let gatheredKeys = ColumnBuffer(type: .integer)
  private let gathered: ColumnBuffer
  /// Whether there were more new values than can be gathered.
  private var hasForgotten = false

  /// The maximum of gathered new values.
  private static let gatheredMax = 1 << 20
  /// An index is scanned if the changed rows times this are at least its entries.
  private static let sweptShare = 16

  init(
    _ assignment: FieldAssignment, in state: TableState, _ compiler: PredicateCompiler,
    objectCount: Int
  ) throws(EngineError) {
    table = state.definition
    guard let definition = table.field(assignment.field),
      let position = state.delta.shape.index(of: assignment.field)
    else { throw .unknownField(table: table.name, field: "\(assignment.field)") }
    // Lists have their own edit operations.
    guard !definition.isIdentifier, definition.type != .links else {
      throw .wrongType(table: table.name, field: definition.name)
    }
    self.definition = definition
    self.position = position
    isOptional = state.isOptional[position]
    index = state.index(column: position)
    let type = definition.type.physical
    try assignment.expression.check(for: definition, of: table, in: compiler.view.catalog)
    expression = try compiler.bind(assignment.expression, as: type)
    guard expression.type == type else {
      throw .wrongType(table: table.name, field: definition.name)
    }
    result = ColumnBuffer(type: type)
    old = ColumnBuffer(type: type)
    values = ColumnBuffer(type: type)
    gathered = ColumnBuffer(type: type)
    let count = min(objectCount, Self.gatheredMax)
    sweeps = index.map { UInt64(count * Self.sweptShare) >= $0.tree.root.count } ?? false
  }

  /// The index, if values must be unique.
  var uniqueIndex: IndexState? { definition.isUnique ? index : nil }

  /// Whether the pending entries are so large that they should be applied.
  var isLarge: Bool { gathered.count >= Self.gatheredMax || gathered.byteCount > 64 << 20 }

  /// Computes the new values of some rows of a leaf.
  func compute(_ leaf: LeafReference, _ rows: LeafRows) throws(EngineError) {
    var evaluation = Evaluation(misfitsAreNull: false)
    var scanned = ScanLeaf(leaf, in: leaf.context)
    result = try expression.compute(&scanned, rows, &evaluation)
    if let place = evaluation.misfit {
      if definition.type.physical == .bytes, definition.type != .decimal {
        throw .tooLong(
          table: table.name, field: definition.name, limit: ColumnBuffer.cellBytesMax)
      }
      throw .overflowInUpdate(
        table: table.name, field: definition.name, key: try identifier(leaf, row: rows[place]))
    }
    if !isOptional, result.nullCount > 0 {
      throw .wrongType(table: table.name, field: definition.name)
    }
  }

  private func identifier(_ leaf: LeafReference, row: Int) throws(EngineError) -> String {
    guard let identifier = table.identifier, !identifier.isObjectKey else {
      return table.text(ofKey: leaf.key(row))
    }
    return identifier.text(try RowPlace.leaf(leaf, row).value(of: identifier.id))
  }

  /// Notes the new values of rows that differ from the old ones.
  func note(
    _ leaf: LeafReference, _ rows: LeafRows, in state: TableState, _ scratch: inout IndexKey
  ) throws(EngineError) {
    try findChanges(leaf, rows)
    guard keys.count > 0 else { return }
    state.delta.update(position, of: keys, to: values)
    guard let index else { return }
    if definition.isUnique { try checkLengths(&scratch) }
    if sweeps || definition.isUnique {
      gatheredKeys.append(keys, rows: 0..<keys.count)
      gathered.append(values, rows: 0..<values.count)
    }
    guard !sweeps else { return }
    for place in 0..<keys.count {
      let key = keys.integer(place)
      guard let row = leaf.row(of: key) else { throw .missingKey(key) }
      try index.remove(leaf, row: row, key, &scratch)
      index.add(values, row: place, key, &scratch)
    }
  }

  /// Gathers the keys and the new values of rows that change.
  private func findChanges(
    _ leaf: LeafReference, _ rows: LeafRows
  ) throws(EngineError) {
    keys.removeAll(keepingCapacity: true)
    values.removeAll(keepingCapacity: true)
    let column = try leaf.column(definition.id)
    defer { withExtendedLifetime(leaf) {} }
    let new = result
    let isText = column.type == .bytes
    if !isText {
      old.removeAll(keepingCapacity: true)
      var scanned = ScanLeaf(leaf, in: leaf.context)
      try old.append(definition.id, of: &scanned, rows)
    }
    var first = 0
    for place in 0...rows.count {
      if place < rows.count {
        // Long texts are compared in place, and mostly by their lengths.
        let isSame =
          isText
          ? try leaf.hasSame(column, definition.id, row: rows[place], as: new, place)
          : old.isIdentical(place, to: new, row: place)
        guard isSame else { continue }
      }
      if first < place {
        values.append(new, rows: first..<place)
        if let range = rows.contiguous {
          keys.append(leaf.keys, rows: range.lowerBound + first..<range.lowerBound + place)
        } else {
          for row in rows[first..<place] { keys.append(leaf.key(row)) }
        }
      }
      first = place + 1
    }
  }

  // MARK: The index

  /// Scans the index, removes the old entries of the pending rows, and adds the new ones.
  func replaceEntries(_ scratch: inout IndexKey, _ writer: PageWriter) throws(EngineError) {
    guard gathered.count > 0, let index else { return }
    guard sweeps else { return forgetIfMany() }
    var removed = (0..<gatheredKeys.count).map(gatheredKeys.integer)
    if KeyOrder.rows(ascending: gatheredKeys) != nil { removed.sort() }
    try index.sweep(KeySet(ascending: removed), writer)
    index.add(gathered, keys: gatheredKeys, rows: 0..<gathered.count, &scratch)
    gatheredKeys.removeAll(keepingCapacity: true)
    gathered.removeAll(keepingCapacity: true)
  }

  private func forgetIfMany() {
    guard isLarge else { return }
    hasForgotten = true
    gatheredKeys.removeAll(keepingCapacity: true)
    gathered.removeAll(keepingCapacity: true)
  }

  private func checkLengths(_ scratch: inout IndexKey) throws(EngineError) {
    guard values.hasTexts(longerThan: IndexKey.byteCountMax - 1) else { return }
    throw .tooLong(
      table: table.name, field: definition.name, limit: IndexKey.byteCountMax - 1)
  }

  /// A value that two objects share in the index, if any.
  func valueOfTwo(_ tree: IndexTree, _ scratch: inout IndexKey) throws(EngineError) -> Value? {
    guard sweeps || hasForgotten else {
      for row in 0..<gathered.count where !gathered.isNull(row) {
        scratch.set(gathered, row: row)
        let count = try scratch.withView { (view) throws(EngineError) in
          try tree.count(equal: view)
        }
        if count > 1 { return gathered.value(row) }
      }
      return nil
    }
    var twice: [UInt8]?
    var previous: [UInt8] = []
    try tree.scan { (value, keys) throws(EngineError) in
      // Null is one byte; a value may continue in the next leaf.
      guard value.count > 1 else { return true }
      let bytes = value.array
      if keys.count > 1 || bytes == previous { twice = bytes }
      previous = bytes
      return twice == nil
    }
    return twice.map { Value(ofKey: $0, type: definition.type.physical) }
  }
}
