import RoostEngine

/// What a store must hold: the oracle of every class of fault.
struct Model: Sendable {
  private(set) var tables: [ModelTable] = []
  /// The versions that are kept under names, the oldest first.
  private(set) var named: [(name: String, tables: [ModelTable])] = []

  /// A number that a store with this content, and hardly any other, has too.
  var digest: UInt64 {
    named.reduce(tableDigest) { digest, version in
      digest &+ ContentHash.mix(ContentHash.of(version.name), Self.digest(of: version.tables))
    }
  }

  /// The part of ``digest`` that the tables make.
  var tableDigest: UInt64 { Self.digest(of: tables) }

  static func digest(of tables: [ModelTable]) -> UInt64 {
    tables.reduce(0) { $0 &+ ContentHash.mix($1.digest, 11) }
  }

  // MARK: Versions with names

  /// Keeps what another model holds under a name.
  mutating func keep(_ other: Model, as name: String) { named.append((name, other.tables)) }

  /// Drops a name.
  mutating func drop(_ name: String) { named.removeAll { $0.name == name } }

  /// Makes the tables those that are kept under a name in another model; no key is given again that was given since.
  mutating func restore(_ name: String, keptIn other: Model) {
    guard let kept = other.named.first(where: { $0.name == name }) else { return }
    let newer = tables
    tables = kept.tables.map { table in
      var table = table
      table.nextKey = max(
        table.nextKey, newer.first { $0.name == table.name }?.nextKey ?? table.nextKey)
      return table
    }
  }

  // MARK: Tables

  /// The table of this name.
  func table(named name: String) -> ModelTable? { tables.first { $0.name == name } }

  /// Adds an empty table.
  mutating func add(_ table: ModelTable) { tables.append(table) }

  /// Removes a table.
  mutating func removeTable(named name: String) { tables.removeAll { $0.name == name } }

  /// Changes a table in place.
  mutating func change<Result>(
    _ place: Int, _ body: (inout ModelTable) throws -> Result
  ) rethrows -> Result {
    try body(&tables[place])
  }

  /// The links to an object: table, field and key of each.
  func links(to key: Int64, of target: String) -> [(table: Int, field: Int, key: Int64)] {
    var links: [(table: Int, field: Int, key: Int64)] = []
    for (place, table) in tables.enumerated() {
      for (position, field) in table.fields.enumerated() where field.target == target {
        for (owner, row) in table.rows where row[position].linkTargets.contains(key) {
          links.append((place, position, owner))
        }
      }
    }
    return links.sorted { ($0.table, $0.field, $0.key) < ($1.table, $1.field, $1.key) }
  }
}

/// One table of a ``Model``.
struct ModelTable: Sendable {
  let name: String
  /// The identifier: an integer that is the object key, or a field among the others.
  let identifier: FieldDefinition
  /// The fields, but for an identifier that is the object key.
  private(set) var fields: [ModelField]
  /// The values of the fields by the object's key.
  private(set) var rows: [Int64: [Value]] = [:]
  /// Below this one every key that the store gives was given before.
  fileprivate(set) var nextKey: Int64 = 1
  /// The objects by their values of each field that is unique.
  private var owners: [Int: [Value: Int64]] = [:]

  init(_ name: String, fields: [ModelField]) {
    self.name = name
    let text = fields.first(where: \.definition.isIdentifier)?.definition
    identifier = text ?? FieldDefinition(name: "id", type: .int, isUnique: true, isIdentifier: true)
    self.fields = fields
    for position in fields.indices where fields[position].definition.isUnique {
      owners[position] = [:]
    }
  }

  /// Whether the identifier is the object key.
  var hasIntegerKey: Bool { identifier.type == .int }

  /// The table as the engine is asked to make it.
  var draft: TableDraft {
    let definitions = fields.map(\.definition)
    let targets = fields.compactMap { field in field.target.map { (field.definition.name, $0) } }
    return TableDraft(
      name: name, fields: hasIntegerKey ? [identifier] + definitions : definitions,
      linkTargets: Dictionary(targets, uniquingKeysWith: { first, _ in first }),
      indexes: indexes)
  }

  /// Indexes of several fields and of some objects, which change nothing that the model knows of.
  private var indexes: [TableIndexDraft] {
    let ordered = fields.map(\.definition).filter { $0.type.canBeCompounded || $0.type == .link }
    guard ordered.count > 1 else { return [] }
    return [
      TableIndexDraft(of: [ordered[1].name, ordered[0].name]),
      TableIndexDraft(of: [ordered[0].name], where: [.init(ordered[1].name, .isNotNull)]),
    ]
  }

  /// See ``Model/digest``.
  var digest: UInt64 {
    var description = name
    if hasIntegerKey { description += identifier.description(target: nil) }
    for field in fields { description += field.definition.description(target: field.target) }
    let hashes = fields.map { ContentHash.of($0.definition.name) }
    var sum = ContentHash.of(description)
    for (key, row) in rows {
      var hash = UInt64(bitPattern: key)
      for (position, value) in row.enumerated() {
        hash &+= ContentHash.mix(hashes[position], ContentHash.of(value))
      }
      sum &+= ContentHash.mix(hash, 7)
    }
    return sum
  }

  /// Whether another object than this one has the same value of a unique field.
  func isTaken(_ row: [Value], except key: Int64?) -> Bool {
    owners.contains { position, owners in
      row[position] != .null && owners[row[position]].map { $0 != key } ?? false
    }
  }

  /// Gives an object all its values.
  mutating func set(_ key: Int64, to row: [Value]) {
    forgetValues(of: key)
    if !hasIntegerKey { nextKey = max(nextKey, key + 1) }
    rows[key] = row
    for position in Array(owners.keys) where row[position] != .null {
      owners[position]?[row[position]] = key
    }
  }

  /// Gives one field of an object another value.
  mutating func set(_ key: Int64, _ position: Int, to value: Value) {
    guard owners[position] == nil else {
      guard var row = rows[key] else { return }
      row[position] = value
      return set(key, to: row)
    }
    rows[key]?[position] = value
  }

  /// Removes an object.
  mutating func remove(_ key: Int64) {
    forgetValues(of: key)
    rows[key] = nil
  }

  private mutating func forgetValues(of key: Int64) {
    guard !owners.isEmpty, let row = rows[key] else { return }
    for position in Array(owners.keys) { owners[position]?[row[position]] = nil }
  }

  // MARK: Fields

  /// Adds a field that all objects have the default of.
  mutating func add(_ field: ModelField) {
    fields.append(field)
    for key in Array(rows.keys) { rows[key]?.append(field.definition.defaultValue) }
  }

  /// Removes a field.
  mutating func removeField(_ position: Int) {
    fields.remove(at: position)
    for key in Array(rows.keys) { rows[key]?.remove(at: position) }
    findOwners()
  }

  /// Changes whether a field is indexed and unique.
  mutating func changeField(_ position: Int, isIndexed: Bool, isUnique: Bool) {
    fields[position].definition.isIndexed = isIndexed
    fields[position].definition.isUnique = isUnique
    findOwners()
  }

  /// Whether no two objects have one value of a field.
  func hasDistinctValues(_ position: Int) -> Bool {
    var seen: Set<Value> = []
    return rows.values.allSatisfy { $0[position] == .null || seen.insert($0[position]).inserted }
  }

  private mutating func findOwners() {
    owners = [:]
    for position in fields.indices where fields[position].definition.isUnique {
      var known: [Value: Int64] = [:]
      for (key, row) in rows where row[position] != .null { known[row[position]] = key }
      owners[position] = known
    }
  }
}

extension Value {
  /// The object keys that a link or a list of links leads to.
  var linkTargets: [Int64] {
    switch self {
    case .integer(let target): [target]
    case .bytes(let bytes): LinkList.targets(bytes)
    default: []
    }
  }

  /// A link or a list without the links to an object.
  func unlinked(from target: Int64) -> Value {
    guard case .bytes(let bytes) = self else { return .null }
    return .bytes(LinkList.bytes(LinkList.targets(bytes).filter { $0 != target }))
  }
}

/// A field of a ``ModelTable``, and what its random values are like.
struct ModelField: Sendable {
  var definition: FieldDefinition
  /// The table that a link leads into.
  var target: String?
  /// How many bytes a text has.
  var sizes = 0...24
  /// How many values there are; 0 for any.
  var variety: Int64 = 0

  init(
    _ name: String, _ type: FieldType, optional: Bool = false, unique: Bool = false,
    indexed: Bool = false, identifier: Bool = false, to target: String? = nil,
    nullifying: Bool = false, sizes: ClosedRange<Int> = 0...24, variety: Int64 = 0,
    default: Value = .null
  ) {
    // The engine makes every identifier unique.
    definition = FieldDefinition(
      name: name, type: type, isOptional: optional, isUnique: unique || identifier,
      isIndexed: indexed, nullifiesMissingTarget: nullifying, isIdentifier: identifier,
      defaultValue: `default`)
    self.target = target
    self.sizes = sizes
    self.variety = variety
  }
}
