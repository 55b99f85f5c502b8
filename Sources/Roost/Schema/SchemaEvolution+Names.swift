internal import RoostEngine

/// Fields of a file under older names, and structs whose parts have left them.
extension SchemaEvolution {
  /// The steps that give fields the names of a model, which the table has afterwards.
  mutating func renames(
    to model: ModelDescription, in table: inout TableDefinition
  ) -> [Step] {
    var steps: [Step] = []
    let names = model.fields.map(\.name)
    // Of a struct that both names have, the parts stay with it.
    var kept: [String] = []
    for field in model.fields where !kept.contains(where: { field.name.hasPrefix("\($0).") }) {
      let known = table.field(named: field.name)
      if known == nil, table.takeStruct(for: field, unless: names) { continue }
      // Beside the field itself, an older name may be that of another field by now.
      let older = table.fields.firstIndex {
        $0.name != field.name && field.isStored(as: $0)
          && (known == nil || !names.contains($0.name))
      }
      guard let older else { continue }
      if let known {
        guard leftBehind(table.fields[older], by: known, in: table) else {
          if field.isPresence { kept.append(field.name) }
          continue
        }
        steps.append(.removeField(known, of: table.id))
      }
      steps.append(.renameField(table.fields[older], of: table.id, to: field.name))
      table.fields[older].name = field.name
      table.fields.removeAll { $0.id == known?.id }
    }
    return steps
  }

  /// Whether a field has no values, and one of the same type stands under its older name: a program that did not name that
  /// added the field, and left any values behind. Where both have values, or the older one is of another type, the log says so.
  /// What cannot be read stays as it is.
  private mutating func leftBehind(
    _ older: FieldDefinition, by field: FieldDefinition, in table: TableDefinition
  ) -> Bool {
    let isOfType =
      older.type == field.type && older.parts == field.parts && older.target == field.target
    guard !field.isIdentifier, isOfType || !table.hasParts(of: older.name) else { return false }
    func isUnused(_ field: FieldDefinition) -> Bool? { try? view?()?.isUnused(field, of: table) }
    if isOfType, isUnused(field) == true { return true }
    guard isUnused(older) == false else { return false }
    if isOfType {
      notes.append(
        "\(table.name) has values in \"\(field.name)\" and in its older name \"\(older.name)\", which are kept there, and not "
          + "read. If they are wanted, take them by a step with `rewrite`, and remove the older field."
      )
    } else {
      notes.append(
        "\(table.name) has values in \"\(older.name)\", \(describe(older)), an older name of \"\(field.name)\", "
          + "\(describe(field)): they are kept there, and not read. If they are wanted, take them by a step: "
          + advice(moving: older, to: field.name, describe(field), in: table)
          + " Then remove the older field.")
    }
    return false
  }

  /// What a step does that takes the values of a field of another type.
  func advice(
    moving older: FieldDefinition, to field: String, _ type: String, in table: TableDefinition
  ) -> String {
    let rewrite = "in a `rewrite` of \"\(table.name)\""
    guard SchemaDifference.isLink(type) else {
      return
        "`add(\"\(field)\", to: \"\(table.name)\", default: …)`, and \(rewrite) `try new.set(\"\(field)\", to: …)`, "
        + "made of what `old` has, where it has nothing of the new one."
    }
    let target = SchemaDifference.target(type)
    let isList = SchemaDifference.isList(type)
    let add =
      "`addLink(\"\(field)\", to: \"\(table.name)\", target: \"\(target)\"\(isList ? ", isList: true" : ""))`"
    let values =
      older.type.isLink && stored.table(older.target)?.name == target
      ? SchemaDifference.linkedObjects(older.name, asList: isList) : "…"
    let test =
      SchemaDifference.linkedObjects(field, asList: isList) + (isList ? ".isEmpty" : " == nil")
    return "\(add), and \(rewrite) `if try \(test) { try new.set(\"\(field)\", to: \(values)) }`."
  }

  /// Whether a field said that a struct is present which the model declares as one that always is.
  ///
  /// Objects that the program adds would not have it: they would have no such struct where it is optional again. A field of
  /// this name may also be a property that the struct replaced, which stays: it mostly has no default and lies apart from the
  /// parts, and they were not optional.
  static func isPresence(
    _ field: FieldDefinition, of table: TableDefinition, ofRequiredStructIn model: ModelDescription
  ) -> Bool {
    let isWithinOptional = field.isOptional && field.name.contains(".")
    guard field.type == .bool, field.defaultValue != .null || isWithinOptional,
      !model.fields.contains(where: { $0.isStored(as: field) })
    else { return false }
    let parts = model.fields.filter { $0.name.hasPrefix("\(field.name).") }
    let stored = parts.compactMap { part in table.field(named: part.name).map { (part, $0) } }
    return stored.contains { part, known in
      known.isOptional && !part.type.isOptional || known.id == field.id &+ 1
    }
  }

  /// Whether a field says that a struct is present all of whose parts are other fields of the model by now.
  static func isPresence(
    _ field: FieldDefinition, of table: TableDefinition, ofDissolvedStructIn model: ModelDescription
  ) -> Bool {
    guard field.type == .bool, !model.fields.contains(where: { $0.isStored(as: field) }) else {
      return false
    }
    let prefix = field.name + "."
    let parts = table.fields.filter { $0.name.hasPrefix(prefix) }
    return parts.contains { $0.isOptional && $0.id == field.id &+ 1 }
      && parts.allSatisfy { part in
        model.fields.contains { !$0.name.hasPrefix(prefix) && $0.isStored(as: part) }
      }
  }
}

extension TableDefinition {
  /// Gives a struct the name of a field that is none, and that says by an older name that it was the struct.
  ///
  /// - Parameter names: Those of fields, whose structs stay.
  /// - Returns: Whether there is such a struct.
  fileprivate mutating func takeStruct(
    for field: FieldDescription, unless names: [String]
  ) -> Bool {
    guard !field.isPresence, field.kindOf == nil, field.type.kind != .bool,
      let older = field.olderNames.first(where: hasParts),
      !names.contains(where: { $0.isPart(of: older) }),
      self.field(named: older).map({ $0.type == .bool }) ?? field.takesStructs
    else { return false }
    for place in fields.indices where fields[place].name.isPart(of: older) {
      fields[place].name = field.name + fields[place].name.dropFirst(older.count)
    }
    return true
  }
}
