internal import RoostEngine

/// Records the changes of each part of a migration, for a ``MigrationReport``.
final class MigrationRecorder {
  private(set) var parts: [MigrationReport.Part] = []
  /// The fields that replaced other fields in the running part.
  var replaced = ReplacedFields()
  /// The names that the running part used and the file does not have.
  var ignored: [String] = []
  /// Hints at likely mistakes.
  var notes: [String] = []

  /// Runs a part of a migration, and compares the versions before and after it.
  ///
  /// - Complexity: The comparison goes once through the leaves that were written, in bounded memory.
  func record(
    _ step: String?, in file: StoreFile, _ engine: Engine, _ body: () throws(StoreError) -> Void
  ) throws(StoreError) {
    replaced = ReplacedFields()
    ignored = []
    let before = engine.snapshot()
    let start = ContinuousClock.now
    try body()
    let duration = start.duration(to: .now)
    let after = engine.snapshot()
    let objects = try working(on: file) { () throws(EngineError) in
      try self.objects(from: before, to: after)
    }
    let catalogs = CatalogComparison(from: before.catalog, to: after.catalog, replaced)
    parts.append(
      MigrationReport.Part(
        step: step, changes: catalogs.changes, objects: objects, ignored: ignored,
        duration: duration))
  }

  private func objects(
    from before: EngineSnapshot, to after: EngineSnapshot
  ) throws(EngineError) -> [MigrationReport.ObjectCounts] {
    let removed = before.catalog.tables.filter { after.catalog.table($0.id) == nil }
    var counts: [MigrationReport.ObjectCounts] = []
    for table in after.catalog.tables + removed where !table.holdsNamedValue {
      let origins = before.catalog.table(table.id).map { fieldOrigins(of: table, in: $0) }
      var changes = try after.changeCounts(
        of: table.id, since: before, origins ?? FieldOrigins())
      if replaced.tablesWithOtherKey.contains(table.id), before.catalog.table(table.id) != nil,
        after.catalog.table(table.id) != nil
      {
        let count = (
          before: Int(clamping: try before.view.objects(table.id).count),
          after: Int(clamping: try after.view.objects(table.id).count)
        )
        changes.insertions = max(0, count.after - count.before)
        changes.deletions = max(0, count.before - count.after)
        changes.modifications = min(count.before, count.after)
      }
      guard changes != TableDifferenceCounts() else { continue }
      counts.append(
        MigrationReport.ObjectCounts(
          model: table.name, inserted: changes.insertions, deleted: changes.deletions,
          changed: changes.modifications))
    }
    return counts
  }

  /// What the fields of a table are compared with, so that an object counts as changed only where a program reads another value.
  private func fieldOrigins(
    of table: TableDefinition, in earlier: TableDefinition
  ) -> FieldOrigins {
    var origins = FieldOrigins()
    for field in table.fields {
      let origin = earlier.field(replaced.origin(of: field.id, in: table.id))
      if let origin {
        guard origin.type == field.type, origin.parts == field.parts, table.field(origin.id) == nil
        else { continue }
        origins.compare(field.id, with: origin.id)
      } else if table.isMark(field), earlier.hasParts(of: field.name) {
        // The parts tell what the struct was.
        origins.compare(field.id, with: nil)
      }
    }
    return origins
  }
}

/// The fields that replaced other fields and have their values, converted.
struct ReplacedFields {
  private var origins: [(table: UInt32, field: FieldID, origin: FieldID)] = []
  /// The tables whose objects have different keys.
  var tablesWithOtherKey: Set<UInt32> = []

  /// Notes that a field replaced another field.
  mutating func append(_ new: FieldID, insteadOf old: FieldID, in table: UInt32) {
    origins.append((table, new, origin(of: old, in: table)))
  }

  /// The field that was originally in a field's place.
  func origin(of id: FieldID, in table: UInt32) -> FieldID {
    origins.last { $0.table == table && $0.field == id }?.origin ?? id
  }
}

/// The changes of a table's fields.
private struct FieldPairs {
  /// The fields in both tables, in the order of the later table.
  private(set) var pairs: [(old: FieldDefinition, new: FieldDefinition)] = []
  private(set) var added: [FieldDefinition] = []
  private(set) var removed: [FieldDefinition]
  /// Whether another field is the key.
  let hasOtherKey: Bool

  /// A field is identified by its number, even under another name.
  init(from old: TableDefinition, to new: TableDefinition, _ replaced: ReplacedFields) {
    removed = old.fields
    for field in new.fields {
      let origin = replaced.origin(of: field.id, in: new.id)
      if let place = removed.firstIndex(where: { $0.id == origin }) {
        pairs.append((removed.remove(at: place), field))
      } else {
        added.append(field)
      }
    }
    hasOtherKey = !pairs.contains { $0.old.isIdentifier && $0.new.isIdentifier }
  }

  /// A field's number in the later table.
  func later(_ id: FieldID) -> FieldID? { pairs.first { $0.old.id == id }?.new.id }
}

/// The differences of the tables of two versions, as changes of models and fields.
private struct CatalogComparison {
  private(set) var changes: [SchemaChange] = []
  private let before: Catalog
  private let after: Catalog
  private let replaced: ReplacedFields

  init(from before: Catalog, to after: Catalog, _ replaced: ReplacedFields) {
    self.before = before
    self.after = after
    self.replaced = replaced
    for table in after.tables where !table.holdsNamedValue {
      if let known = before.table(table.id) {
        compare(known, table)
      } else {
        changes.append(.modelAdded(table.name))
      }
    }
    for table in before.tables where !table.holdsNamedValue && after.table(table.id) == nil {
      changes.append(.modelRemoved(table.name))
    }
  }

  private mutating func compare(_ old: TableDefinition, _ new: TableDefinition) {
    let model = new.name
    if old.name != model { changes.append(.modelRenamed(old.name, to: model)) }
    let fields = FieldPairs(from: old, to: new, replaced)
    if fields.hasOtherKey {
      changes.append(
        .keyChanged(
          model: model, from: old.identifier?.name ?? "", to: new.identifier?.name ?? ""))
    }
    for field in fields.removed {
      changes.append(
        new.isMark(field)
          ? .fieldRetyped(
            model: model, field: field.name, from: "an optional struct", to: "a struct")
          : .fieldRemoved(model: model, field: field.name))
    }
    for (known, field) in fields.pairs {
      if known.name != field.name {
        changes.append(.fieldRenamed(model: model, field: known.name, to: field.name))
      }
      let types = (describe(known, before), describe(field, after))
      if types.0 != types.1 {
        changes.append(
          .fieldRetyped(model: model, field: field.name, from: types.0, to: types.1))
      }
    }
    for field in fields.added {
      guard new.isMark(field) else {
        changes.append(
          .fieldAdded(model: model, field: field.name, type: describe(field, after)))
        continue
      }
      changes.append(
        old.hasParts(of: field.name)
          ? .fieldRetyped(
            model: model, field: field.name, from: "a struct", to: "an optional struct")
          : .fieldAdded(model: model, field: field.name, type: "an optional struct"))
    }
    let indexes = [old, new].enumerated().map { place, table in
      table.describedIndexes { place == 0 ? fields.later($0) : $0 }
    }
    for index in indexes[0] where !indexes[1].contains(where: { $0.isLike(index) }) {
      changes.append(
        .indexRemoved(model: model, fields: index.names, isUnique: index.isUnique))
    }
    for index in indexes[1] where !indexes[0].contains(where: { $0.isLike(index) }) {
      changes.append(.indexAdded(model: model, fields: index.names, isUnique: index.isUnique))
    }
  }

  private func describe(_ field: FieldDefinition, _ catalog: Catalog) -> String {
    _FieldType.describe(
      field.type, isOptional: field.isOptional, target: catalog.table(field.target)?.name,
      field.parts)
  }
}

/// A declared index, with the numbers that its fields have in the later table.
private struct DescribedIndex {
  let names: [String]
  let index: TableIndex?

  var isUnique: Bool { index?.isUnique ?? false }

  /// Whether both are the same index; an index of a removed field equals none.
  func isLike(_ other: DescribedIndex) -> Bool {
    guard let index, let other = other.index else { return false }
    return index.isLike(other)
  }
}

extension TableDefinition {
  /// The declared indexes, described; without those of keys and the inverses of links.
  fileprivate func describedIndexes(_ later: (FieldID) -> FieldID?) -> [DescribedIndex] {
    let ofFields = fields.filter { !$0.isIdentifier && ($0.isIndexed || $0.isUnique) }
      .map { field in
        DescribedIndex(
          names: [field.name],
          index: later(field.id).map { TableIndex(of: [$0], isUnique: field.isUnique) })
      }
    return ofFields
      + indexes.map { index in
        var moved = index
        moved.fields = index.fields.compactMap(later)
        moved.condition = index.condition.compactMap { test in
          later(test.field).map { IndexCondition($0, test.test) }
        }
        let isWhole =
          moved.fields.count == index.fields.count
          && moved.condition.count == index.condition.count
        return DescribedIndex(
          names: index.fields.map { field($0)?.name ?? "" }, index: isWhole ? moved : nil)
      }
  }
}
