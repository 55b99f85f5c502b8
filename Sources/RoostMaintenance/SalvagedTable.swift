internal import RoostEngine

/// The readable objects of a table, and their unreadable values.
struct SalvagedTable {
  let definition: TableDefinition
  let objects: ObjectTree
  /// The keys of the saved objects, ascending.
  private(set) var keys: [Int64] = []
  /// Unreadable values outside of leaves, of fields that may be empty.
  private var lostValues: Set<Cell> = []

  private struct Cell: Hashable {
    let field: FieldID
    let key: Int64
  }

  /// Reads all leaves once, and reports losses.
  ///
  /// - Parameter ownership: Knows the extents of values; no two values have one, so that no file unfolds
  ///   into more than it holds.
  init(
    _ definition: TableDefinition, in view: ReadView, ownership: inout UnitOwnership,
    report: inout SalvageReport, progress: (UInt64) -> Void
  ) throws(EngineError) {
    self.definition = definition
    objects = try view.objects(definition.id)
    var losses: [SalvageReport.Loss] = []
    forEachLeaf { leaf in
      survey(leaf, &ownership, &losses)
      progress(UInt64(leaf.rowCount))
    } damaged: { error, keys in
      losses.append(.init(table: definition.name, field: nil, keys: keys, cause: error))
    }
    for loss in losses { report.add(loss) }
  }

  /// Calls `body` with every readable leaf, in order.
  ///
  /// - Parameter damaged: Called with what could not be read, and the keys that it takes along.
  func forEachLeaf<E: Error>(
    _ body: (LeafReference) throws(E) -> Void,
    damaged: (EngineError, ClosedRange<Int64>) throws(E) -> Void
  ) throws(E) {
    var next: Int64? = .min
    while let first = next {
      next = nil
      let opened = Result { () throws(EngineError) in try objects.leaves(in: first...Int64.max) }
      guard case .success(var cursor) = opened else {
        guard case .failure(let error) = opened else { return }
        let keys = error.keys ?? first...Int64.max
        try damaged(error, keys)
        if keys.upperBound >= first, keys.upperBound < .max { next = keys.upperBound + 1 }
        continue
      }
      var last = first
      while true {
        switch Result(catching: { () throws(EngineError) in try cursor.next() }) {
        case .success(nil): return
        case .success(let leaf?):
          try body(leaf)
          last = leaf.lastKey
        case .failure(let error): try damaged(error, error.keys ?? last...Int64.max)
        }
      }
    }
  }

  /// Records which rows of a leaf can be read.
  private mutating func survey(
    _ leaf: LeafReference, _ ownership: inout UnitOwnership, _ losses: inout [SalvageReport.Loss]
  ) {
    var isLost = [Bool](repeating: false, count: leaf.rowCount)
    func lose(_ error: EngineError, _ field: FieldDefinition, _ keys: ClosedRange<Int64>) {
      losses.append(
        .init(
          table: definition.name, field: field.canBeEmpty ? field.name : nil, keys: keys,
          cause: error))
    }
    for field in definition.fields where !field.isObjectKey {
      let read = Result { () throws(EngineError) in try leaf.column(field.id) }
      guard case .success(let column) = read else {
        guard case .failure(let error) = read else { continue }
        lose(error, field, leaf.firstKey...leaf.lastKey)
        if !field.canBeEmpty { isLost = isLost.map { _ in true } }
        continue
      }
      guard column.hasExternals, let place = leaf.head.place(of: field.id) else { continue }
      let birth = leaf.birth(ofColumnAt: place)
      for row in 0..<leaf.rowCount {
        guard let reference = column.external(row) else { continue }
        do throws(EngineError) {
          try leaf.context.reader.streamValue(
            reference.pointer, length: reference.length, parentBirth: birth,
            visit: { (pointer) throws(EngineError) in
              if let reason = ownership.claim(pointer) {
                throw .corrupt(Corruption(reason, unit: pointer.unit))
              }
            }, content: { _ in })
        } catch {
          let key = leaf.key(row)
          lose(error, field, key...key)
          if field.canBeEmpty {
            lostValues.insert(Cell(field: field.id, key: key))
          } else {
            isLost[row] = true
          }
        }
      }
    }
    for row in 0..<leaf.rowCount where !isLost[row] { keys.append(leaf.key(row)) }
    withExtendedLifetime(leaf) {}
  }

  /// The required links: if the target is lost, so is the object.
  var requiredLinks: [FieldDefinition] {
    definition.fields.filter { $0.type == .link && !$0.isOptional }
  }

  /// Calls `body` with each required link of a saved object.
  func forEachRequiredLink(
    _ body: (_ object: Int64, _ field: FieldDefinition, _ target: Int64) -> Void
  ) {
    let links = requiredLinks
    guard !links.isEmpty else { return }
    forEachSavedRun { leaf, rows in
      for field in links {
        guard let column = try? leaf.column(field.id) else { continue }
        for row in rows where !column.isNull(row) {
          body(leaf.key(row), field, column.integer(row))
        }
      }
    }
  }

  /// Removes lost objects from the saved ones.
  mutating func remove(_ lost: Set<Int64>) { keys.removeAll { lost.contains($0) } }

  /// Calls `body` with the saved rows of each leaf, in runs.
  func forEachSavedRun<E: Error>(
    _ body: (LeafReference, Range<Int>) throws(E) -> Void
  ) throws(E) {
    var next = 0
    try forEachLeaf { (leaf) throws(E) in
      var row = 0
      while row < leaf.rowCount {
        let first = row
        while row < leaf.rowCount, next < keys.count, keys[next] == leaf.key(row) {
          row += 1
          next += 1
        }
        if row > first { try body(leaf, first..<row) } else { row += 1 }
      }
      withExtendedLifetime(leaf) {}
    } damaged: { (_, _) throws(E) in
    }
  }

  /// Whether a value outside of its leaf is unreadable.
  func isLost(_ field: FieldID, _ key: Int64) -> Bool {
    lostValues.contains(Cell(field: field, key: key))
  }
}

extension FieldDefinition {
  /// Whether an object can be saved without the value.
  var canBeEmpty: Bool { isOptional || type == .links || type == .blob }
  /// The value to save in that case.
  var emptyValue: Value { type == .links || type == .blob ? .bytes([]) : .null }
}

extension EngineError {
  /// The range of object keys that the damage affects, if it is known.
  fileprivate var keys: ClosedRange<Int64>? {
    guard case .corrupt(let corruption) = self else { return nil }
    return corruption.keys
  }
}
