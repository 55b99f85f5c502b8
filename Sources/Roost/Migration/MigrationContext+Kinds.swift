internal import RoostEngine

/// The kinds of ``CaseNamed`` values.
extension MigrationContext {
  /// The definition of a field that has a value in all objects.
  func definition<Value: Storable>(
    _ field: String, default value: Value
  ) throws(StoreError) -> FieldDefinition {
    let type = Value._fieldType
    let cells = RowSink(columns: [ColumnBuffer(type: type.kind.physical)], links: NoLinks.shared)
    try value._write(to: cells.cell(0))
    return FieldDefinition(
      name: field, type: type.kind, isOptional: type.isOptional,
      defaultValue: cells.columns[0].value(0), parts: type.parts)
  }

  /// The definition of the field with the kind of a value that a field has in all objects.
  func definition<Value: Storable, Named: CaseNamed>(
    ofKindOf field: String, _ type: Named.Type, default value: Value
  ) throws(StoreError) -> FieldDefinition {
    var made = try definition(
      FieldDefinition.kindName(of: field), default: (value as? Named)?.kind)
    made.isOptional = Value._fieldType.isOptional
    return made
  }

  /// Stores the kinds of a field's values, in a field that is added, or made anew if it has another type.
  func storeKinds<Named: CaseNamed>(
    of field: FieldDefinition, in table: TableDefinition, _ type: Named.Type
  ) throws {
    let kind = Named.Kind._fieldType
    if let known = table.kind(of: field) {
      guard known.type != kind.kind || known.parts != kind.parts else {
        return try replaceKinds(of: field, known, in: table, type)
      }
      try removeField(known, of: table)
    }
    let definition = FieldDefinition(
      name: FieldDefinition.kindName(of: field.name), type: kind.kind, parts: kind.parts)
    let made = try addFilled(definition, to: catalog.table(table.id) ?? table) { rows, target in
      let sink = RowSink(columns: [target], links: NoLinks.shared)
      for row in 0..<rows.count {
        try checkCancellation()
        let value = try rows.value(field.name, row: row, as: Named?.self)
        try (value?.kind)._write(to: sink.cell(0))
      }
    }
    try finish(
      made, of: table.id, like: definition, isOptional: field.isOptional, isUnique: false)
  }

  private func replaceKinds<Named: CaseNamed>(
    of field: FieldDefinition, _ kinds: FieldDefinition, in table: TableDefinition,
    _ type: Named.Type
  ) throws {
    try forEachRows(of: table) { rows, places in
      let changes = MigrationChanges(table, rows, in: self)
      for row in places {
        try checkCancellation()
        let value = try rows.value(field.name, row: row, as: Named?.self)
        try changes.set(kinds.name, row: row, to: value?.kind)
      }
      try changes.apply()
    }
    try endFinding(kinds.id, of: table.id, mayBeNil: field.isOptional)
  }

  /// Stores the kinds of a converted field's values; removes those of before if the new type has none.
  func convertKinds(
    of field: FieldDefinition, in table: TableDefinition, _ type: any Storable.Type
  ) throws {
    guard let table = catalog.table(table.id) else { return }
    guard let named = type as? any CaseNamed.Type else {
      if let kinds = table.field(named: FieldDefinition.kindName(of: field.name)),
        field.type == .json
      {
        try removeField(kinds, of: table)
      }
      return
    }
    guard let converted = table.field(named: field.name) else { return }
    try storeKinds(of: converted, in: table, named)
  }

  private func removeField(
    _ field: FieldDefinition, of table: TableDefinition
  ) throws(StoreError) {
    try working { transaction throws(EngineError) in
      try transaction.removeField(field.id, from: table.id)
    }
  }

  /// Finds kinds that a program made unknown that does not know them.
  ///
  /// The kind of a value that its type does not know stays unknown; then so does the note that some are.
  func find(_ kinds: SchemaEvolution.MissingKinds) throws(StoreError) {
    guard let type = kinds.value.type as? any CaseNamed.Type else { return }
    do {
      guard try find(kinds, type) else { return }
      try endFinding(kinds.kind, of: kinds.table, mayBeNil: kinds.mayBeNil)
    } catch { throw error as? StoreError ?? failure(nil, "\(error)") }
  }

  /// Finds kinds; returns whether each value has one now.
  private func find<Named: CaseNamed>(
    _ kinds: SchemaEvolution.MissingKinds, _ type: Named.Type
  ) throws -> Bool {
    guard let table = catalog.table(kinds.table), let known = table.field(kinds.kind),
      let field = table.field(named: kinds.value.name)
    else { return false }
    var isWhole = true
    try forEachRows(of: table) { rows, places in
      let changes = MigrationChanges(table, rows, in: self)
      for row in places where try rows.isNull(known, row) && !rows.isNull(field, row) {
        try checkCancellation()
        do {
          let value = try rows.value(field.name, row: row, as: Named.self)
          try changes.set(known.name, row: row, to: value.kind)
        } catch {
          guard case .migrationFailed? = error as? StoreError else { throw error }
          isWhole = false
        }
      }
      try changes.apply()
    }
    return isWhole
  }

  /// Notes that all kinds in a field are known.
  private func endFinding(
    _ kinds: FieldID, of table: UInt32, mayBeNil: Bool
  ) throws(StoreError) {
    try working { transaction throws(EngineError) in
      try transaction.setLacksKinds(false, [kinds], of: table)
      if !mayBeNil { try transaction.setOptional(false, [kinds], of: table) }
    }
  }
}
