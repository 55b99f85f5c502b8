internal import RoostEngine

/// The models and fields that a migration step names and the file does not have, so that the step leaves them out.
struct IgnoredNames {
  /// The names, a field's behind its model's.
  private(set) var names: [String] = []

  /// Notes what a use of names will not find, except fields that `.was` may tell.
  mutating func note(_ use: MigrationUse, in catalog: Catalog) {
    switch use {
    case .made(_, of: let model), .touched(_, of: let model), .touchedModel(let model),
      .removedModel(let model), .renamed(_, of: let model, to: _), .copied(_, of: let model, to: _):
      if catalog.table(named: model) == nil { append(model) }
    case .removed(let field, of: let model):
      guard let table = catalog.table(named: model) else { return append(model) }
      if table.parts(of: field).isEmpty { append("\(model).\(field)") }
    case .renamedModel(let model, to: let name):
      // A file that has the new name needs no older one.
      if catalog.table(named: model) == nil, catalog.table(named: name) == nil { append(model) }
    case .madeModel: break
    }
  }

  /// Notes that a table does not have a field that the step names, unless the step is to make it.
  mutating func note(_ field: String, of table: TableDefinition, in use: MigrationUse?) {
    switch use {
    case .made(field, of: _)?, .copied(_, of: _, to: field)?: break
    default: if table.parts(of: field).isEmpty { append("\(table.name).\(field)") }
    }
  }

  private mutating func append(_ name: String) {
    if !names.contains(name) { names.append(name) }
  }
}
