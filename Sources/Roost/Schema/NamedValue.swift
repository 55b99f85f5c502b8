package import RoostEngine
internal import Synchronization

/// A value under a name: the only object of its own table.
struct NamedValue<Value: PropertyValue>: Model {
  let id: Int
  var value: Value

  /// The id of the only object.
  static var key: Int { 0 }

  // A generic type has no stored `static let`; ``ValueBindings`` caches the expensive results.
  static var schema: Schema<Self> {
    Schema(Self.init(id:value:), Key("id", \.id), Field("value", \.value))
  }
}

extension TableDefinition {
  /// The table of the value under a name. No model has this name: a type's name has no colon.
  static func name(ofValue name: String) -> String { valuePrefix + name }

  /// Whether the table keeps a value under a name.
  package var holdsNamedValue: Bool { name.hasPrefix(Self.valuePrefix) }

  /// The prefix of the names of the store's own values; programs cannot use these names.
  static var ownValuePrefix: String { "roost." }
}

/// How the values under names are stored in an open file, as far as they were requested.
///
/// Unlike models, they are not declared when a store is opened. A table is changed to the value's type when a value is
/// written; until then it is read as if it had been changed.
final class ValueBindings: Sendable {
  private struct Key: Hashable {
    let name: String
    let type: ObjectIdentifier
  }

  /// The cached description and binding of one name and type.
  private struct CachedBinding {
    let description: ModelDescription
    /// The stored table, and the value's binding to it.
    var binding: (stored: TableDefinition, model: ModelBinding)?
  }

  /// The cached entries, of which there are mostly none: a dictionary in its place would have the runtime look for its key's
  /// conformance in the whole program (0.1 ms) where a store that has no such values is closed.
  private final class Cache {
    var entries: [Key: CachedBinding] = [:]
  }

  private let cache = Mutex<Cache?>(nil)
  /// At this count, all cached entries are dropped.
  private static let countMax = 1024

  /// The changes needed so that a value of a type can be written under a name.
  func evolution<Value: PropertyValue>(
    _ name: String, _ type: Value.Type, from catalog: Catalog
  ) throws(StoreError) -> SchemaEvolution {
    let description = try description(name, type)
    if let table = catalog.table(named: description.name.name) {
      try check(description, sharesFieldsWith: table)
    }
    let evolution = SchemaEvolution(from: catalog, to: [description])
    if let difference = evolution.differences.first { throw difference.mismatch }
    return evolution
  }

  /// The binding of a value's type under a name, once its table has been changed to the type; nil if there is no table.
  ///
  /// - Throws: ``StoreError/schemaMismatch(model:field:stored:declared:)`` where the value there is of another type.
  func model<Value: PropertyValue>(
    _ name: String, _ type: Value.Type, in catalog: Catalog
  ) throws(StoreError) -> ModelBinding? {
    let description = try description(name, type)
    guard let stored = catalog.table(named: description.name.name) else { return nil }
    let key = Key(name: name, type: ObjectIdentifier(type))
    if let binding = cache.withLock({ $0?.entries[key]?.binding }), binding.stored == stored {
      return binding.model
    }
    let evolution = try evolution(name, type, from: catalog)
    let tables = try working(on: StoreFile(path: name)) { () throws(EngineError) in
      try evolution.tablesAfterwards()
    }
    guard let table = tables.table(stored.id) else { return nil }
    let model = try ModelBinding(description, in: table)
    cache.withLock { $0?.entries[key]?.binding = (stored, model) }
    return model
  }

  private func description<Value: PropertyValue>(
    _ name: String, _ type: Value.Type
  ) throws(StoreError) -> ModelDescription {
    let key = Key(name: name, type: ObjectIdentifier(type))
    if let known = cache.withLock({ $0?.entries[key] }) { return known.description }
    let description = try ModelDescription(
      NamedValue<Value>.self, storedAs: TableDefinition.name(ofValue: name))
    cache.withLock { cache in
      let known = cache ?? Cache()
      if known.entries.count >= Self.countMax { known.entries.removeAll() }
      known.entries[key] = CachedBinding(description: description)
      cache = known
    }
    return description
  }

  /// Without this check, a struct whose parts all have defaults would match any other struct.
  private func check(
    _ description: ModelDescription, sharesFieldsWith table: TableDefinition
  ) throws(StoreError) {
    let stored = table.fields.filter { !$0.isIdentifier }
    let declared = description.fields.filter { !$0.isKey }
    guard let first = declared.first, !stored.isEmpty,
      !declared.contains(where: { table.field(named: $0.name) != nil })
    else { return }
    throw .schemaMismatch(
      model: table.name, field: first.name,
      stored: "nothing (there are \(stored.map { "\"\($0.name)\"" }.joined(separator: ", ")))",
      declared: "\(first.type)")
  }
}
