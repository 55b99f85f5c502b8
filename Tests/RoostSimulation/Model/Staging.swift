import RoostEngine
import RoostTestSupport

/// One transaction: each change is made to the store and to the oracle alike.
struct Staging {
  private let transaction: EngineTransaction
  /// What the store must hold if the transaction is committed.
  private(set) var model: Model
  private let workload: Workload
  /// What the transaction began from.
  private let base: Model
  /// Whether the transaction has begun on trees, so that its base can get a name.
  private let isOnTrees: Bool

  init(
    _ transaction: EngineTransaction, _ model: Model, _ workload: Workload, isOnTrees: Bool = false
  ) {
    self.isOnTrees = isOnTrees
    self.transaction = transaction
    self.model = model
    base = model
    self.workload = workload
  }

  /// Adds the tables that the workload begins with.
  mutating func makeTables() throws {
    try transaction.addTables(workload.tables.map(\.draft))
    for table in workload.tables { model.add(table) }
  }

  /// Makes that many random changes.
  mutating func change(_ count: Int, _ random: inout SeededGenerator) throws {
    let total = workload.changes.reduce(0) { $0 + $1.weight }
    for _ in 0..<count {
      var choice = Int.random(in: 0..<total, using: &random)
      let change = workload.changes.first { entry in
        choice -= entry.weight
        return choice < 0
      }
      let place = Int.random(in: 0..<model.tables.count, using: &random)
      try make(change?.change ?? .look, in: place, &random)
    }
  }

  /// A link that leads to nothing, for which the commit must be refused.
  var danglingLink: String? {
    for table in model.tables {
      for (position, field) in table.fields.enumerated()
      where !(field.definition.nullifiesMissingTarget) {
        guard let target = field.target, let targets = model.table(named: target)?.rows else {
          continue
        }
        for (key, row) in table.rows {
          for link in row[position].linkTargets where targets[link] == nil {
            return "\(table.name) \(key) links to \(target) \(link), which is gone"
          }
        }
      }
    }
    return nil
  }

  /// Makes links that lead to nothing null, as the commit does.
  mutating func endLinks() {
    for (place, table) in model.tables.enumerated() {
      for (position, field) in table.fields.enumerated()
      where field.definition.nullifiesMissingTarget {
        guard let targets = model.table(named: field.target ?? "")?.rows else { continue }
        for (key, row) in table.rows {
          guard case .integer(let target) = row[position], targets[target] == nil else { continue }
          model.change(place) { $0.set(key, position, to: .null) }
        }
      }
    }
  }

  private mutating func make(
    _ change: Workload.Change, in place: Int, _ random: inout SeededGenerator
  ) throws {
    switch change {
    case .insert: try insert(place, &random)
    case .insertMany: try insertMany(place, &random)
    case .replace: try replace(place, &random)
    case .update: try update(place, &random)
    case .updateMany:
      for _ in 0..<40 { try update(place, &random) }
    case .delete: try delete(place, &random)
    case .deleteMany: try deleteMany(place, &random)
    case .look: try look(place, &random)
    case .view:
      guard try transaction.view().catalog.tables.count == model.tables.count else {
        throw Wrong("the transaction's view has other tables")
      }
    case .addField: try addField(place, &random)
    case .removeField: try removeField(place, &random)
    case .changeIndex: try changeIndex(place, &random)
    case .addTable: try addTable(&random)
    case .removeTable: try removeTable(place)
    case .keep: try keep(&random)
    case .drop: try drop(&random)
    case .restore: try restore(&random)
    }
  }

  // MARK: Versions with names

  private mutating func keep(_ random: inout SeededGenerator) throws {
    let name = "version \(random.next() % 1000)"
    guard !base.tables.isEmpty, model.named.count < 3, isOnTrees else { return }
    let isTaken = model.named.contains { $0.name == name }
    do {
      try transaction.keepBase(as: name, date: 0)
      guard !isTaken else { throw Wrong("\(name) was kept twice") }
      model.keep(base, as: name)
    } catch EngineError.version(named: name, .taken) where isTaken {}
  }

  private mutating func drop(_ random: inout SeededGenerator) throws {
    guard let version = model.named.randomElement(using: &random) else { return }
    try transaction.dropVersion(named: version.name)
    model.drop(version.name)
  }

  private mutating func restore(_ random: inout SeededGenerator) throws {
    // The names count that there were before: the transaction may have dropped one, and given it to another version.
    guard let name = base.named.randomElement(using: &random)?.name else { return }
    try transaction.restoreVersion(named: name)
    model.restore(name, keptIn: base)
  }

  // MARK: Objects

  private func table(_ place: Int) throws -> TableDefinition {
    let name = model.tables[place].name
    guard let table = transaction.catalog.table(named: name) else { throw Wrong("no \(name)") }
    return table
  }

  private func row(_ place: Int, _ random: inout SeededGenerator) -> [Value] {
    model.tables[place].fields.map { field in
      var keys: [Int64] = []
      if let target = field.target, let rows = model.table(named: target)?.rows {
        // One link in twenty may lead to nothing where the commit makes it null.
        if field.definition.nullifiesMissingTarget, random.chance(1, in: 20) {
          keys = [workload.keys * 1000 + 7]
        } else {
          keys = someKeys(rows, &random)
        }
      }
      return field.value(&random, linkingTo: keys)
    }
  }

  /// An object or none, in an order that does not depend on that of the dictionary.
  private func someKeys(
    _ rows: [Int64: [Value]], _ random: inout SeededGenerator
  ) -> [Int64] {
    guard !rows.isEmpty else { return [] }
    for _ in 0..<20 {
      let key = Int64.random(in: 0..<max(workload.keys, 1), using: &random)
      if rows[key] != nil { return [key] }
    }
    return rows.keys.min().map { [$0] } ?? []
  }

  private func append(_ row: [Value], to table: UInt32) throws {
    let batch = try transaction.batch(for: table)
    for (column, value) in zip(batch.columns, row) { column.append(value) }
  }

  private mutating func insert(_ place: Int, _ random: inout SeededGenerator) throws {
    let table = try table(place)
    let known = model.tables[place]
    let row = row(place, &random)
    let key = Int64.random(in: 0..<workload.keys, using: &random)
    let isTaken =
      (known.hasIntegerKey && known.rows[key] != nil) || known.isTaken(row, except: nil)
    try append(row, to: table.id)
    do {
      let given = try transaction.insertRow(into: table.id, key: known.hasIntegerKey ? key : nil)
      guard !isTaken else { throw Wrong("\(known.name) \(key) was inserted twice") }
      guard known.hasIntegerKey ? given == key : known.rows[given] == nil else {
        throw Wrong("a new \(known.name) got the key \(given)")
      }
      guard known.hasIntegerKey || given >= known.nextKey else {
        throw Wrong("a new \(known.name) got the key \(given), which another one had")
      }
      model.change(place) { $0.set(given, to: row) }
    } catch EngineError.duplicate where isTaken {
      return
    }
  }

  private mutating func insertMany(_ place: Int, _ random: inout SeededGenerator) throws {
    let known = model.tables[place]
    guard known.hasIntegerKey else { return try insert(place, &random) }
    let table = try table(place)
    let first = Int64.random(in: 0..<workload.keys, using: &random)
    let keys = ColumnBuffer(type: .integer)
    var added = known
    var isTaken = false
    for key in first..<min(workload.keys, first + Int64.random(in: 1...60, using: &random))
    where known.rows[key] == nil {
      let row = row(place, &random)
      try append(row, to: table.id)
      keys.append(key)
      isTaken = isTaken || added.isTaken(row, except: nil)
      if !isTaken { added.set(key, to: row) }
    }
    do {
      try transaction.insertRows(into: table.id, count: keys.count, keys: keys)
      guard !isTaken else { throw Wrong("several \(known.name) have one value") }
    } catch EngineError.duplicate where isTaken {}
    model.change(place) { $0 = added }
  }

  private mutating func replace(_ place: Int, _ random: inout SeededGenerator) throws {
    let table = try table(place)
    let known = model.tables[place]
    let key = anyKey(place, &random)
    let row = row(place, &random)
    try append(row, to: table.id)
    let isTaken = known.rows[key] != nil && known.isTaken(row, except: key)
    do {
      let isThere = try transaction.replaceRow(in: table.id, key: key)
      guard isThere == (known.rows[key] != nil), !isTaken else {
        throw Wrong("\(known.name) \(key) was replaced: \(isThere)")
      }
      if isThere { model.change(place) { $0.set(key, to: row) } }
    } catch EngineError.duplicate where isTaken {
      return
    }
  }

  private mutating func update(_ place: Int, _ random: inout SeededGenerator) throws {
    let table = try table(place)
    let known = model.tables[place]
    guard !known.fields.isEmpty else { return }
    let key = anyKey(place, &random)
    let position = Int.random(in: 0..<known.fields.count, using: &random)
    let value = row(place, &random)[position]
    let type = known.fields[position].definition.type
    if type == .blob, case .bytes(let bytes)? = known.rows[key]?[position],
      case .bytes(let added) = value, random.chance(3, in: 4)
    {
      return try edit(place, table, key, position, bytes, added, &random)
    }
    if type == .links, let row = known.rows[key], random.chance(2, in: 3) {
      return try edit(
        place, table, key, position, row[position].linkTargets, value.linkTargets, &random)
    }
    try set(place, table, key, position, to: value)
  }

  /// Edits a list of links in place.
  ///
  /// - Parameter added: Links that may be added.
  private mutating func edit(
    _ place: Int, _ table: TableDefinition, _ key: Int64, _ position: Int, _ links: [Int64],
    _ added: [Int64], _ random: inout SeededGenerator
  ) throws {
    guard let field = table.field(named: model.tables[place].fields[position].definition.name)
    else { throw Wrong("no list \(position) of \(table.name)") }
    var links = links
    let lower = Int.random(in: 0...links.count, using: &random)
    let upper = Int.random(in: lower...min(links.count, lower + 8), using: &random)
    let range = UInt64(lower)..<UInt64(upper)
    switch Int.random(in: 0..<4, using: &random) {
    case 0:
      try transaction.removeLinks(in: range, table.id, key: key, field: field.id)
      links.removeSubrange(lower..<upper)
    case 1:
      let moved = Array(links[lower..<upper])
      try transaction.moveLinks(in: range, to: 0, table.id, key: key, field: field.id)
      links.removeSubrange(lower..<upper)
      links.insert(contentsOf: moved, at: 0)
    default:
      try transaction.insertLinks(
        added, at: UInt64(lower), table.id, key: key, field: field.id)
      links.insert(contentsOf: added, at: lower)
    }
    let found = try transaction.linkCount(table.id, key: key, field: field.id)
    guard found == UInt64(links.count) else {
      throw Wrong("\(table.name) \(key).\(field.name) has \(found) links, not \(links.count)")
    }
    model.change(place) { $0.set(key, position, to: .bytes(LinkList.bytes(links))) }
  }

  /// Edits a blob in place.
  ///
  /// - Parameter added: Bytes that may be added.
  private mutating func edit(
    _ place: Int, _ table: TableDefinition, _ key: Int64, _ position: Int, _ bytes: [UInt8],
    _ added: [UInt8], _ random: inout SeededGenerator
  ) throws {
    guard let field = table.field(named: model.tables[place].fields[position].definition.name)
    else { throw Wrong("no blob \(position) of \(table.name)") }
    var bytes = bytes
    let lower =
      random.chance(1, in: 3) ? bytes.count : Int.random(in: 0...bytes.count, using: &random)
    let most = random.chance(1, in: 4) ? bytes.count : 3000
    let upper = Int.random(in: lower...min(bytes.count, lower + most), using: &random)
    let range = UInt64(lower)..<UInt64(upper)
    switch Int.random(in: 0..<4, using: &random) {
    case 0:
      try transaction.removeBlobBytes(in: range, table.id, key: key, field: field.id)
      bytes.removeSubrange(lower..<upper)
    case 1:
      let other = (lower..<upper).map { UInt8(truncatingIfNeeded: $0) }
      try transaction.replaceBlobBytes(
        other, at: range.lowerBound, table.id, key: key, field: field.id)
      bytes.replaceSubrange(lower..<upper, with: other)
    default:
      try transaction.insertBlobBytes(
        added, at: range.lowerBound, table.id, key: key, field: field.id)
      bytes.insert(contentsOf: added, at: lower)
    }
    let end = min(lower + 100, bytes.count)
    let found = try transaction.blobBytes(
      table.id, key: key, field: field.id, in: range.lowerBound..<UInt64(end))
    let length = try transaction.blobLength(table.id, key: key, field: field.id)
    guard length == UInt64(bytes.count), found == Array(bytes[lower..<end]) else {
      throw Wrong("\(table.name) \(key).\(field.name) has \(length) bytes, or other ones")
    }
    model.change(place) { $0.set(key, position, to: .bytes(bytes)) }
  }

  private mutating func set(
    _ place: Int, _ table: TableDefinition, _ key: Int64, _ position: Int, to value: Value
  ) throws {
    let known = model.tables[place]
    guard let field = table.field(named: known.fields[position].definition.name) else {
      throw Wrong("no field \(known.fields[position].definition.name)")
    }
    var isTaken = false
    if var row = known.rows[key] {
      row[position] = value
      isTaken = known.isTaken(row, except: key)
    }
    do {
      let isThere = try transaction.update(table.id, key: key, field: field.id, to: value)
      guard isThere == (known.rows[key] != nil), !isTaken else {
        throw Wrong("\(known.name) \(key).\(field.name) was changed: \(isThere)")
      }
      if isThere { model.change(place) { $0.set(key, position, to: value) } }
    } catch EngineError.duplicate where isTaken {
      return
    }
  }

  private mutating func delete(_ place: Int, _ random: inout SeededGenerator) throws {
    let key = anyKey(place, &random)
    let table = try table(place)
    let isThere = model.tables[place].rows[key] != nil
    if isThere { try unlink(key, place, mayRefuse: random.chance(1, in: 40)) }
    guard try transaction.delete(from: table.id, key: key) == isThere else {
      throw Wrong("\(table.name) \(key) was deleted: \(!isThere)")
    }
    model.change(place) { $0.remove(key) }
  }

  private mutating func deleteMany(_ place: Int, _ random: inout SeededGenerator) throws {
    let table = try table(place)
    let first = anyKey(place, &random)
    let last = first + Int64.random(in: 1..<max(2, workload.keys / 2), using: &random)
    let keys = ColumnBuffer(type: .integer)
    var count = 0
    for key in first..<last {
      keys.append(key)
      guard model.tables[place].rows[key] != nil else { continue }
      try unlink(key, place, mayRefuse: false)
      count += 1
    }
    guard try transaction.delete(from: table.id, keys: keys) == count else {
      throw Wrong("not \(count) of \(table.name) were deleted")
    }
    for key in first..<last { model.change(place) { $0.remove(key) } }
  }

  /// Makes the links to an object null, or leaves them, and then the commit must be refused.
  private mutating func unlink(_ key: Int64, _ place: Int, mayRefuse: Bool) throws {
    let name = model.tables[place].name
    let links = model.links(to: key, of: name).filter { !($0.table == place && $0.key == key) }
    guard !links.isEmpty else { return }
    if mayRefuse,
      !links.contains(where: {
        model.tables[$0.table].fields[$0.field].definition.nullifiesMissingTarget
      })
    {
      return
    }
    for link in links {
      guard let row = model.tables[link.table].rows[link.key] else { continue }
      try set(
        link.table, try table(link.table), link.key, link.field,
        to: row[link.field].unlinked(from: key))
    }
  }

  private func look(_ place: Int, _ random: inout SeededGenerator) throws {
    let table = try table(place)
    let known = model.tables[place]
    let key = anyKey(place, &random)
    let found = try transaction.row(in: table.id, key: key)
    guard let row = known.rows[key] else {
      guard found == nil else { throw Wrong("\(known.name) \(key) is there") }
      return
    }
    guard let found else { throw Wrong("\(known.name) \(key) is not there") }
    for (field, value) in zip(known.fields, row) {
      guard let definition = table.field(named: field.definition.name) else { continue }
      let there = try found.value(of: definition.id)
      guard ContentHash.of(there) == ContentHash.of(value) else {
        throw Wrong("\(known.name) \(key).\(definition.name) is \(there), not \(value)")
      }
    }
  }

  /// Mostly the key of an object.
  private func anyKey(_ place: Int, _ random: inout SeededGenerator) -> Int64 {
    let rows = model.tables[place].rows
    for _ in 0..<4 {
      let key = Int64.random(in: 0..<workload.keys, using: &random)
      if rows[key] != nil { return key }
    }
    return Int64.random(in: 0..<workload.keys, using: &random)
  }

  // MARK: Tables and fields

  private mutating func addField(_ place: Int, _ random: inout SeededGenerator) throws {
    let table = try table(place)
    guard model.tables[place].fields.count < 12 else { return }
    let name = "added \(random.next() % 1000)"
    guard table.field(named: name) == nil else { return }
    let field: ModelField
    switch Int.random(in: 0..<5, using: &random) {
    case 0: field = ModelField(name, .int, indexed: true, variety: 30, default: .integer(5))
    case 1: field = ModelField(name, .string, optional: true, sizes: 0...1500)
    case 2: field = ModelField(name, .link, optional: true, to: model.tables[0].name)
    case 3: field = ModelField(name, .double, default: .double(1.5))
    default: field = ModelField(name, .string, indexed: true, default: .bytes([110, 101, 119]))
    }
    try transaction.addField(field.definition, to: table.id, linkingTo: field.target)
    model.change(place) { $0.add(field) }
  }

  private mutating func removeField(_ place: Int, _ random: inout SeededGenerator) throws {
    let table = try table(place)
    let known = model.tables[place]
    guard known.fields.count > 1 else { return }
    let position = Int.random(in: 0..<known.fields.count, using: &random)
    let field = known.fields[position].definition
    guard !field.isIdentifier, let id = table.field(named: field.name)?.id else { return }
    try transaction.removeField(id, from: table.id)
    model.change(place) { $0.removeField(position) }
  }

  private mutating func changeIndex(_ place: Int, _ random: inout SeededGenerator) throws {
    let table = try table(place)
    let known = model.tables[place]
    guard !known.fields.isEmpty else { return }
    let position = Int.random(in: 0..<known.fields.count, using: &random)
    let field = known.fields[position].definition
    guard !field.isIdentifier, !field.type.isLink, known.fields[position].sizes.upperBound < 900,
      let id = table.field(named: field.name)?.id
    else { return }
    // Two NaN are one to an index, and none is another to Swift.
    let isNumber = field.type.physical == .double || field.type.physical == .float
    let isUnique =
      random.chance(1, in: 4) && !isNumber && known.hasDistinctValues(position)
    let isIndexed = random.chance(1, in: 2)
    try transaction.changeField(
      id, of: table.id, isIndexed: isIndexed, isUnique: isUnique,
      nullifiesMissingTarget: field.nullifiesMissingTarget, deleteRule: field.deleteRule)
    model.change(place) {
      $0.changeField(position, isIndexed: isIndexed, isUnique: isUnique)
    }
  }

  private mutating func addTable(_ random: inout SeededGenerator) throws {
    let name = "Added\(random.next() % 100)"
    guard model.tables.count < 8, model.table(named: name) == nil else { return }
    let table = ModelTable(
      name,
      fields: [
        ModelField("text", .string, indexed: true),
        ModelField("first", .link, optional: true, to: model.tables[0].name),
        ModelField("number", .int, variety: 9),
      ])
    try transaction.addTables([table.draft])
    model.add(table)
  }

  private mutating func removeTable(_ place: Int) throws {
    let table = try table(place)
    let isTarget = model.tables.contains { other in
      other.name != table.name && other.fields.contains { $0.target == table.name }
    }
    guard !isTarget, model.tables.count > workload.tables.count else { return }
    try transaction.removeTable(table.id)
    model.removeTable(named: table.name)
  }
}
