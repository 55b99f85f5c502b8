public import Roost
internal import RoostEngine

/// Tables and fields. A program with models that opens the file later may need a migration step for these changes.
extension DynamicTransaction {
  /// Adds tables, which may link to each other.
  ///
  /// Each table has one key. Indexes of some objects, which have a condition, are not added.
  /// - Throws: ``/Roost/StoreError/nameTaken(model:field:)``; ``/Roost/StoreError/schemaInvalid(model:reason:)`` for what no
  ///   table can have; ``/Roost/StoreError/unknownModel(model:)`` for a link to a table that there is not;
  ///   ``/Roost/StoreError/limitExceeded(_:)``.
  public func add(_ tables: [DynamicTable]) throws(StoreError) {
    var drafts: [TableDraft] = []
    for table in tables {
      guard table.fields.filter(\.isKey).count == 1 else {
        throw .schemaInvalid(model: table.name, reason: "a table has exactly one key.")
      }
      guard !table.indexes.contains(where: \.isPartial) else {
        throw .schemaInvalid(model: table.name, reason: "indexes of some objects are not added.")
      }
      var draft = TableDraft(
        name: table.name, fields: [],
        indexes: table.indexes.map { TableIndexDraft(of: $0.fields, isUnique: $0.isUnique) })
      for field in table.fields {
        draft.fields.append(try definition(field, of: table.name))
        if let target = field.type.target { draft.linkTargets[field.name] = target }
      }
      drafts.append(draft)
    }
    do throws(StoreError) {
      try change { transaction throws(EngineError) in try transaction.addTables(drafts) }
    } catch {
      // Fields are sound by now: it is an index that the table cannot have.
      guard case .undecodable(let table, let fields, _) = error else { throw error }
      throw .schemaInvalid(model: table, reason: "no index can be of (\(fields)).")
    }
  }

  /// Removes a table with all its content.
  ///
  /// - Throws: ``/Roost/StoreError/unknownModel(model:)``;
  ///   ``/Roost/StoreError/linkedTarget(model:id:linkingModel:linkingField:isListed:)`` while a field of another table links into it.
  public func removeTable(_ table: String) throws(StoreError) {
    let table = try definition(table)
    try working { transaction throws(EngineError) in try transaction.removeTable(table.id) }
  }

  /// Adds a field; existing objects get its default.
  ///
  /// - Complexity: No object is written; an index is built.
  /// - Throws: As ``add(_:)``; ``/Roost/StoreError/valueMismatch(model:field:expected:found:)`` where there are objects, and
  ///   the field is neither optional nor has a default; ``/Roost/StoreError/duplicateKey(model:field:value:)`` where the
  ///   default cannot be unique.
  public func add(_ field: DynamicField, to table: String) throws(StoreError) {
    let table = try definition(table)
    guard !field.isKey else {
      throw .schemaInvalid(model: table.name, reason: "it has a key already.")
    }
    var added = try definition(field, of: table.name)
    if added.defaultValue == .null { added.defaultValue = added.emptyValue }
    if !added.isOptional, added.defaultValue == .null {
      let count = try working { transaction throws(EngineError) in
        try transaction.view().objects(table.id).count
      }
      guard count == 0 else {
        throw .valueMismatch(
          model: table.name, field: field.name, expected: "a default", found: "no value")
      }
    }
    let definition = added
    try change { transaction throws(EngineError) in
      try transaction.addField(definition, to: table.id, linkingTo: field.type.target)
    }
  }

  /// Removes a field with all its values, and the indexes that use it.
  ///
  /// - Returns: How many bytes it took: its columns, its long values and its own index.
  /// - Complexity: Reads the heads of all leaves; no object is written.
  /// - Throws: ``/Roost/StoreError/unknownField(model:property:)``; ``/Roost/StoreError/missingKey(model:)`` for the key.
  @discardableResult
  public func removeField(_ field: String, from table: String) throws(StoreError) -> UInt64 {
    let table = try definition(table)
    guard let known = table.field(named: field) else {
      throw .unknownField(model: table.name, property: field)
    }
    guard !known.isIdentifier else { throw .missingKey(model: table.name) }
    return try working { transaction throws(EngineError) in
      var bytes: UInt64 = 0
      // The kinds of values are nothing without the values.
      for field in [known] + (table.kind(of: known).map { [$0] } ?? []) {
        bytes += try transaction.view().byteCount(of: field, in: table.id)
        try transaction.removeField(field.id, from: table.id)
      }
      return bytes
    }
  }

  /// Changes the tables; an error restores the transaction's previous state.
  private func change(
    _ body: (EngineTransaction) throws(EngineError) -> Void
  ) throws(StoreError) {
    try working { transaction throws(EngineError) in
      let savepoint = try transaction.savepoint()
      do throws(EngineError) { try body(transaction) } catch {
        try transaction.rollback(to: savepoint)
        throw error
      }
      transaction.release(savepoint)
    }
  }

  /// The field for the catalog, without its number and its link's target table.
  private func definition(
    _ field: DynamicField, of table: String
  ) throws(StoreError) -> FieldDefinition {
    guard let (type, parts) = field.type.stored else {
      throw .schemaInvalid(model: table, reason: "\"\(field.name)\" cannot be of its type.")
    }
    var definition = FieldDefinition(
      name: field.name, type: type, isOptional: field.isOptional,
      isUnique: field.isUnique || field.isKey, isIndexed: field.isIndexed,
      nullifiesMissingTarget: field.nullifiesMissingTarget,
      deleteRule: ReferentialAction(field.deleteRule), isIdentifier: field.isKey, parts: parts)
    guard definition.isSound, !field.isKey || !field.isOptional else {
      throw .schemaInvalid(
        model: table, reason: "\"\(field.name)\" cannot be as it says with its type.")
    }
    do throws(UnfitValue) {
      definition.defaultValue = try field.defaultValue.stored(as: type, parts)
    } catch {
      throw .valueMismatch(
        model: table, field: field.name, expected: error.expected, found: error.found)
    }
    if type == .links || type == .blob, definition.defaultValue == .null {
      definition.defaultValue = definition.emptyValue
    }
    return definition
  }
}
