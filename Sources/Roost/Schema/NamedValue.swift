package import RoostEngine
internal import Synchronization

/// A value that is kept under a name: the one object of a table of its own.
struct NamedValue<Value: PropertyValue>: Model {
  let id: Int
  var value: Value

  /// The id of the one object.
  static var key: Int { 0 }

  // A generic type has no stored `static let`; what takes long of it, ``ValueBindings`` keeps.
  static var schema: Schema<Self> {
    Schema(Self.init(id:value:), Key("id", \.id), Field("value", \.value))
  }
}

extension TableDefinition {
  /// The table that keeps the value under a name. No model is called like this: a type's name has no colon.
  static func name(ofValue name: String) -> String { valuePrefix + name }

  /// Whether the table keeps a value under a name.
  package var holdsNamedValue: Bool { name.hasPrefix(Self.valuePrefix) }

  private static var valuePrefix: String { "value:" }

  /// What the names of the store's own values begin with; programs cannot use such names.
  static var ownValuePrefix: String { "roost." }
}

/// How the values that are kept under names lie in an open file, as far as they were asked for.
///
/// Other than models they are not named when a store is opened. A table follows the value's type when a value is
/// written; until then it is read as if it had.
final class ValueBindings: Sendable {
  private struct Key: Hashable {
    let name: String
    let type: ObjectIdentifier
  }

  /// The cached description and binding of one name and type.
  private struct CachedBinding {
    let description: ModelDescription
    /// The table as it was stored, and how the value lies in it.
    var binding: (stored: TableDefinition, model: ModelBinding)?
  }

  private let known = Mutex<[Key: CachedBinding]>([:])
  /// Beyond so many, all are forgotten.
  private static let countMax = 1024

  /// What must be done so that a value of a type can be written under a name.
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

  /// How the value of a type lies under a name, once its table has followed the type; nil where there is no table.
  ///
  /// - Throws: ``StoreError/schemaMismatch(model:field:stored:declared:)`` where the value there is of another type.
  func model<Value: PropertyValue>(
    _ name: String, _ type: Value.Type, in catalog: Catalog
  ) throws(StoreError) -> ModelBinding? {
    let description = try description(name, type)
    guard let stored = catalog.table(named: description.name.name) else { return nil }
    let key = Key(name: name, type: ObjectIdentifier(type))
    if let binding = known.withLock({ $0[key]?.binding }), binding.stored == stored {
      return binding.model
    }
    let evolution = try evolution(name, type, from: catalog)
    let tables = try working(on: StoreFile(path: name)) { () throws(EngineError) in
      try evolution.tablesAfterwards()
    }
    guard let table = tables.table(stored.id) else { return nil }
    let model = try ModelBinding(description, in: table)
    known.withLock { $0[key]?.binding = (stored, model) }
    return model
  }

  private func description<Value: PropertyValue>(
    _ name: String, _ type: Value.Type
  ) throws(StoreError) -> ModelDescription {
    let key = Key(name: name, type: ObjectIdentifier(type))
    if let known = known.withLock({ $0[key] }) { return known.description }
    let description = try ModelDescription(
      NamedValue<Value>.self, storedAs: TableDefinition.name(ofValue: name))
    known.withLock { known in
      if known.count >= Self.countMax { known.removeAll() }
      known[key] = CachedBinding(description: description)
    }
    return description
  }

  /// A struct all of whose parts have defaults would otherwise pass for any other struct.
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
