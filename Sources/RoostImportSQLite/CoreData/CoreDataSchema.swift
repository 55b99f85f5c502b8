/// The entities of a Core Data store, and the tables of their objects.
struct CoreDataSchema {
  private(set) var entities: [CoreDataEntity] = []
  /// The tables of the framework's own entities: those of the history of changes and of CloudKit.
  private(set) var ownTables: Set<String> = []
  private var byName: [String: Int] = [:]
  private var byNumber: [Int: Int] = [:]

  /// The most entities that a store may have; more are damage.
  private static let countMax = 10_000

  /// - Parameter path: The file, for errors.
  init(_ tables: TableReader, path: String) throws(SQLiteError) {
    guard let stored = try Self.stored(tables, path: path) else { throw .notCoreData(path: path) }
    let model = try Self.cachedModel(tables)
    var numbers: [Int: Stored] = [:]
    for entity in stored { numbers[entity.number] = entity }
    for entity in stored {
      guard let root = Self.root(of: entity, numbers) else { continue }
      guard
        let table = tables.table(ofEntity: root.name)
          ?? model?.entity(stored: root.name).flatMap({ tables.table(ofEntity: $0.name) })
      else {
        // The tables of the framework's own entities begin with an A instead of the Z.
        ownTables.insert("A" + entity.name.uppercased())
        continue
      }
      let known = model?.entity(stored: entity.name)
      let found = CoreDataEntity(
        name: known?.name ?? entity.name, number: entity.number, parent: entity.parent,
        table: table, properties: known?.properties)
      byNumber[entity.number] = entities.count
      byName[found.name] = entities.count
      entities.append(found)
    }
  }

  /// A row of the table of entities.
  private struct Stored {
    var number: Int
    var name: String
    /// The parent's number; 0 for none.
    var parent: Int
  }

  /// nil if the file has no table of entities.
  private static func stored(
    _ tables: TableReader, path: String
  ) throws(SQLiteError) -> [Stored]? {
    guard let table = try? tables.table("Z_PRIMARYKEY"),
      ["Z_ENT", "Z_NAME", "Z_SUPER"].allSatisfy({ table.place(of: $0) != nil })
    else { return nil }
    let statement = try tables.connection.prepare(
      "SELECT Z_ENT, Z_NAME, Z_SUPER FROM main.Z_PRIMARYKEY NOT INDEXED ORDER BY 1")
    var stored: [Stored] = []
    // 0 stands for no parent, and an entity has one number and one parent.
    var numbers: Set<Int> = [0]
    while try statement.step() {
      let number = try statement.integer(at: 0)
      guard let name = try statement.text(at: 1), numbers.insert(number).inserted else { continue }
      guard stored.count < countMax else {
        throw .damaged(path: path, reason: "it names more than \(countMax) entities")
      }
      stored.append(Stored(number: number, name: name, parent: try statement.integer(at: 2)))
    }
    return stored
  }

  /// The model in the file; nil if it has none that can be read.
  private static func cachedModel(_ tables: TableReader) throws(SQLiteError) -> CachedModel? {
    guard let table = try? tables.table("Z_MODELCACHE"), table.place(of: "Z_CONTENT") != nil else {
      return nil
    }
    let statement = try tables.connection.prepare("SELECT Z_CONTENT FROM main.Z_MODELCACHE LIMIT 1")
    guard try statement.step(), case .blob(let content) = try statement.value(at: 0) else {
      return nil
    }
    return CachedModel(Array(content))
  }

  /// The topmost parent, which the table is named after; nil if parents form a circle, or one is missing.
  private static func root(of entity: Stored, _ numbers: [Int: Stored]) -> Stored? {
    var root = entity
    var steps = 0
    while root.parent != 0 {
      guard let parent = numbers[root.parent], steps < numbers.count else { return nil }
      root = parent
      steps += 1
    }
    return root
  }

  /// The entities whose objects are in a table.
  func entities(in table: Table) -> [CoreDataEntity] {
    entities.filter { $0.table.name == table.name }
  }

  /// The entity of a name; nil if there is none.
  func entity(_ name: String) -> CoreDataEntity? { byName[name].map { entities[$0] } }

  /// The entity of a name.
  func found(_ name: String) throws(SQLiteError) -> CoreDataEntity {
    guard let entity = entity(name) else {
      throw .unknownEntity(name, entities: entities.map(\.name))
    }
    return entity
  }

  /// The entity of a number; nil if there is none.
  func entity(number: Int) -> CoreDataEntity? { byNumber[number].map { entities[$0] } }

  /// An entity and its parents, the nearest first.
  func withParents(_ entity: CoreDataEntity) -> [CoreDataEntity] {
    var found = [entity]
    while let last = found.last, let parent = self.entity(number: last.parent) {
      found.append(parent)
    }
    return found
  }

  /// The numbers of an entity and all its subentities, sorted.
  func numbers(from entity: CoreDataEntity) -> [Int] {
    var children: [Int: [Int]] = [:]
    for entity in entities { children[entity.parent, default: []].append(entity.number) }
    var found = [entity.number]
    var place = 0
    while place < found.count {
      found += children[found[place]] ?? []
      place += 1
    }
    return found.sorted()
  }
}

/// An entity of a Core Data store.
struct CoreDataEntity {
  /// The name in the model, or in the file if that has no model.
  let name: String
  /// The value of `Z_ENT` in the rows of its objects.
  let number: Int
  /// The parent's number; 0 for none.
  let parent: Int
  /// The table of its objects, and of those of all entities that have the same topmost parent.
  let table: Table
  /// The properties, with those of its parents, by name; nil if the file has no model.
  let properties: [String: CachedModel.Property]?
}

extension TableReader {
  /// The table of the objects of a root entity; nil if there is none.
  func table(ofEntity name: String) -> Table? {
    guard let table = try? table("Z" + name.uppercased()), let key = table.key.first,
      table.key.count == 1, table.columns[key].name.caseFolded == "z_pk",
      table.place(of: "Z_ENT") != nil
    else { return nil }
    return table
  }
}
