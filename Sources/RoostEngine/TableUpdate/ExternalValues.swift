extension PageWriter {
  /// Moves long values of some rows to extents of their own.
  ///
  /// - Parameter partBytesMax: The most bytes of the parts of a value that is changed in place; nil for others.
  func moveOut(
    _ column: ColumnBuffer, rows: some Sequence<Int>, partBytesMax: Int? = nil
  ) throws(EngineError) {
    guard column.type == .bytes else { return }
    for row in rows where column.bytes(row).count > ValueReference.inlineByteCountMax {
      let bytes = column.bytes(row)
      let pointer =
        if let partBytesMax { try writeValue(bytes, partBytesMax: partBytesMax) } else {
          try writeValue(bytes)
        }
      let reference = ValueReference(
        pointer: pointer, length: UInt64(bytes.count), prefix: bytes)
      column.set(row, external: reference)
    }
  }

  /// Moves the long values of all changes to extents of their own.
  func moveOut(_ changes: TableChanges) throws(EngineError) {
    let shape = changes.inserts.shape
    for (place, column) in changes.inserts.columns.enumerated()
    where column.hasTexts(longerThan: ValueReference.inlineByteCountMax) {
      let field = shape.fields[place]
      if let order = changes.insertOrder {
        let rows = order.lazy.map(Int.init)
        try moveOut(column, rows: rows, partBytesMax: field.partBytesMax)
      } else {
        try moveOut(column, rows: 0..<column.count, partBytesMax: field.partBytesMax)
      }
    }
    for updates in changes.updates {
      let rows = updates.keys.indices.lazy.map { updates.row($0) }
      let field = shape.index(of: updates.field).map { shape.fields[$0] }
      try moveOut(updates.values, rows: rows, partBytesMax: field?.partBytesMax)
    }
  }

  /// Frees a leaf whose rows were copied: its head, its groups, and the long values of deleted
  /// rows and of fields that the table no longer has.
  func free(_ leaf: LeafReference, deletedRows: [Int]) throws(EngineError) {
    // Only extents that were read and validated are freed, so that damage never frees extents in use elsewhere.
    for group in leaf.head.groups.indices { _ = try leaf.heldGroup(group) }
    for (place, entry) in leaf.head.entries.enumerated() where entry.flags.contains(.external) {
      let column = try leaf.column(at: place)
      let birth = leaf.birth(ofColumnAt: place)
      if leaf.shape.index(of: entry.field) == nil {
        for row in 0..<leaf.rowCount {
          try freeValue(column.external(row), parentBirth: birth, of: leaf)
        }
      } else {
        for row in deletedRows { try freeValue(column.external(row), parentBirth: birth, of: leaf) }
      }
    }
    for group in leaf.head.groups { free(group) }
    free(leaf.pointer)
  }

  /// Frees the value that a leaf's cell refers to, if it is external.
  func freeValue(
    _ reference: ValueReference?, parentBirth: UInt64, of leaf: LeafReference
  ) throws(EngineError) {
    guard let reference else { return }
    do {
      try freeValue(reference.pointer, length: reference.length, parentBirth: parentBirth)
    } catch { throw leaf.located(error) }
  }
}

extension LeafReference {
  /// The birth of the extent that holds a column: no pointer in its cells is younger.
  package func birth(ofColumnAt place: Int) -> UInt64 {
    let group = Int(head.entries[place].group)
    return group == 0 ? pointer.birth : head.groups[group - 1].birth
  }

  /// All bytes of a value that a cell of the field refers to.
  ///
  /// - Throws: `.corrupt` when the value cannot be read.
  package func value(
    _ reference: ValueReference, of field: FieldID
  ) throws(EngineError) -> [UInt8] {
    let birth = head.place(of: field).map { self.birth(ofColumnAt: $0) } ?? pointer.birth
    do {
      return try context.reader.value(
        reference.pointer, length: reference.length, parentBirth: birth)
    } catch { throw located(error) }
  }
}
