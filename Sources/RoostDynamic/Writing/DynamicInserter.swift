package import Roost
internal import RoostEngine

/// Inserts many objects of a table: what is the same for all of them is looked up once.
package struct DynamicInserter {
  private let transaction: DynamicTransaction
  private let table: TableDefinition
  /// For each field, the place of its value among those given; nil for its default.
  private let places: [Int?]

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
    places = definition.fields.map { fields.firstIndex(of: $0.name) }
  }

  /// Inserts an object.
  ///
  /// - Throws: As ``DynamicTransaction/insert(_:into:)``.
  package func insert(_ values: [DynamicValue]) throws(StoreError) {
    var row = StoredRow()
    row.values.reserveCapacity(places.count)
    for (field, place) in zip(table.fields, places) {
      let value =
        if let place { try transaction.stored(values[place], field, of: table) } else {
          field.defaultValue == .null ? field.emptyValue : field.defaultValue
        }
      guard value != .null || field.isOptional else {
        throw .valueMismatch(
          model: table.name, field: field.name, expected: field.type.name, found: "no value")
      }
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
