package import Roost
internal import RoostEngine

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Inserts many objects of a table: what is the same for all of them is looked up once.
package struct DynamicInserter {
  private let transaction: DynamicTransaction
  private let table: TableDefinition
  /// What is asked of each field for each object.
  private let cells: [Cell]
  /// Whether cells are appended as the values come: for links, the transaction would look for the targets in between.
  private let isAppended: Bool

  /// - Parameter fields: The fields whose values are given, in their order.
  package init(
    _ transaction: DynamicTransaction, into table: String, fields: [String]
  ) throws(StoreError) {
    let definition = try transaction.definition(table)
    for name in fields where definition.field(named: name) == nil {
      throw .unknownField(model: table, property: name)
    }
    self.transaction = transaction
    self.table = definition
    cells = definition.fields.map {
      Cell(
        type: $0.type, isObjectKey: $0.isObjectKey, place: fields.firstIndex(of: $0.name))
    }
    isAppended = !definition.fields.contains { $0.type.isLink }
  }

  private struct Cell {
    let type: FieldType
    let isObjectKey: Bool
    /// The place of the value among those given; nil for the field's default.
    let place: Int?
  }

  /// An object that cannot be inserted.
  package struct Refused: Error {
    package let error: StoreError
    /// Its place among those that were given.
    package let place: Int
  }

  /// Inserts objects in their order.
  ///
  /// - Parameter rows: The values of the fields of each.
  /// - Throws: ``Refused`` for the first that cannot be inserted, with an error as ``DynamicTransaction/insert(_:into:)`` throws;
  ///   those before it are inserted.
  package func insert(contentsOf rows: [[DynamicValue]]) throws(Refused) {
    var first: StoreError?
    if isAppended {
      do throws(StoreError) { return try insertAtOnce(rows) } catch { first = error }
    }
    for (place, values) in rows.enumerated() {
      do throws(StoreError) { try insert(values) } catch {
        // A full disk or a damaged file has ended the transaction before.
        throw Refused(error: error == .transactionEnded ? first ?? error : error, place: place)
      }
    }
  }

  /// Inserts all objects, or none.
  private func insertAtOnce(_ rows: [[DynamicValue]]) throws(StoreError) {
    try transaction.working { transaction throws(EngineError) in
      try transaction.beginUndoable()
    }
    do throws(StoreError) {
      let batch = try transaction.working { transaction throws(EngineError) in
        try transaction.batch(for: table.id)
      }
      let keys = cells.contains(where: \.isObjectKey) ? ColumnBuffer(type: .integer) : nil
      do throws(StoreError) {
        for values in rows { try append(values, to: batch.columns, keys) }
      } catch {
        try transaction.working { transaction throws(EngineError) in
          try transaction.abandonRows(of: table.id)
        }
        throw error
      }
      try transaction.working { transaction throws(EngineError) in
        try transaction.insertRows(into: table.id, count: rows.count, keys: keys)
      }
    } catch {
      try? transaction.working { transaction throws(EngineError) in transaction.undo() }
      throw error
    }
    try transaction.working { transaction throws(EngineError) in transaction.endUndoable() }
  }

  /// Appends the cells of an object.
  private func append(
    _ values: [DynamicValue], to columns: [ColumnBuffer], _ keys: ColumnBuffer?
  ) throws(StoreError) {
    var column = 0
    for (number, cell) in cells.enumerated() {
      let target: ColumnBuffer
      if cell.isObjectKey, let keys {
        target = keys
      } else {
        target = columns[column]
        column += 1
      }
      let value = cell.place.map { values[$0] }
      switch (cell.type, value) {
      // What most values are, without anything in between.
      case (.int, .int(let number)?): target.append(number)
      case (.string, .string(let text)?): target.append(text)
      case (.double, .double(let number)?): target.append(number)
      case (.date, .date(let date)?): target.append(date.timeIntervalSinceReferenceDate)
      default: target.append(try stored(value, table.fields[number]))
      }
    }
  }

  /// Inserts an object.
  private func insert(_ values: [DynamicValue]) throws(StoreError) {
    var row = StoredRow()
    row.values.reserveCapacity(cells.count)
    for (field, cell) in zip(table.fields, cells) {
      let value = try stored(cell.place.map { values[$0] }, field)
      guard field.isObjectKey else {
        row.values.append(value)
        continue
      }
      if case .integer(let key) = value { row.objectKey = key }
    }
    try transaction.working { transaction throws(EngineError) in
      row.append(to: try transaction.batch(for: table.id))
      try transaction.insertRow(into: table.id, key: row.objectKey)
    }
  }

  /// The stored form of a value; of the field's default, if there is none.
  private func stored(
    _ value: DynamicValue?, _ field: FieldDefinition
  ) throws(StoreError) -> Value {
    let stored =
      if let value { try transaction.stored(value, field, of: table) } else {
        field.defaultValue == .null ? field.emptyValue : field.defaultValue
      }
    guard stored != .null || field.isOptional else {
      throw .valueMismatch(
        model: table.name, field: field.name, expected: field.type.name, found: "no value")
    }
    return stored
  }
}

extension DynamicTransaction {
  /// Lets the indexes of tables without objects wait until ``buildDeferredIndexes()``: for many objects that are inserted at once.
  ///
  /// Until then no value is found not to be unique, but for keys.
  package func deferIndexes() throws(StoreError) {
    try working { transaction throws(EngineError) in try transaction.deferIndexes() }
  }

  /// Builds the indexes that wait.
  ///
  /// - Throws: ``/Roost/StoreError/duplicateKey(model:field:value:)``; the transaction has ended then.
  package func buildDeferredIndexes() throws(StoreError) {
    try working { transaction throws(EngineError) in try transaction.buildDeferredIndexes() }
  }
}
