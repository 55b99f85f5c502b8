/// Finds the columns that a Core Data store has the values of properties in.
struct CoreDataColumns {
  let schema: CoreDataSchema
  let tables: TableReader

  /// A column that has the values of a property.
  struct Column {
    var place: Int
    /// How its values are read.
    var type: CoreDataType
    /// Whether all values begin as those of an attribute that allows external storage.
    var mayBeExternal = false
  }

  /// The column of an attribute, or of a to-one relationship.
  ///
  /// - Parameter name: A property's name, or that of a column, as `ZNAME1`.
  func column(of name: String, in entity: CoreDataEntity) throws(SQLiteError) -> Column {
    let property = entity.properties?[name]
    if let property { try checkHasColumn(property, in: entity) }
    for stored in storedNames(of: name, in: entity) {
      if let place = try place(named: stored, of: name, in: entity) {
        return try column(at: place, of: property, in: entity)
      }
    }
    guard property == nil else {
      throw unreadable(name, entity, "no column of \(entity.table.name) is known to have it")
    }
    guard let place = entity.table.place(of: name) else {
      throw .unknownProperty(entity: entity.name, property: name, properties: names(of: entity))
    }
    return try column(at: place, of: nil, in: entity)
  }

  /// Throws if the values of a property are not in one column.
  private func checkHasColumn(
    _ property: CachedModel.Property, in entity: CoreDataEntity
  ) throws(SQLiteError) {
    let reason: String
    switch property.kind {
    case .attribute(_, isTransient: true): reason = "it is transient, and not in the file"
    case .attribute(type: CoreDataType.composite, _):
      let columns = columnsOfNoProperty(entity.table).joined(separator: ", ")
      reason =
        "it is a composite attribute, whose elements are read by the names of their columns, which are among: \(columns)"
    case .fetched: reason = "it is a fetched property, and not in the file"
    case .relationship(let relationship) where relationship.isToMany:
      reason = "it is a to-many relationship: `try row.links(\(property.name.swiftLiteral))`"
    case .attribute, .relationship: return
    }
    throw unreadable(property.name, entity, reason)
  }

  /// The names that a store may have a property under.
  func storedNames(of name: String, in entity: CoreDataEntity) -> [String] {
    entity.properties?[name]?.storedNames ?? [name]
  }

  private func column(
    at place: Int, of property: CachedModel.Property?, in entity: CoreDataEntity
  ) throws(SQLiteError) -> Column {
    let type = CoreDataType(property, declared: entity.table.columns[place].declared)
    return Column(
      place: place, type: type,
      mayBeExternal: type.isBinary ? try mayBeExternal(place, in: entity) : false)
  }

  /// Whether all values of a column begin as those of an attribute that allows external storage.
  private func mayBeExternal(
    _ place: Int, in entity: CoreDataEntity
  ) throws(SQLiteError) -> Bool {
    let column = entity.table.columns[place].name.quotedName
    let statement = try tables.connection.prepare(
      "SELECT count(*), count(CASE WHEN hex(substr(\(column), 1, 1)) IN ('01', '02') THEN 1 END) "
        + "FROM main.\(entity.table.name.quotedName) NOT INDEXED WHERE \(column) IS NOT NULL")
    guard try statement.step() else { return false }
    let count = try statement.integer(at: 0)
    let external = try statement.integer(at: 1)
    return count > 0 && external == count
  }

  func unreadable(_ property: String, _ entity: CoreDataEntity, _ reason: String) -> SQLiteError {
    .unreadableProperty(entity: entity.name, property: property, reason: reason)
  }

  /// What the model says of a relationship; nil if the file has no model.
  func kind(
    of relationship: String, in entity: CoreDataEntity
  ) throws(SQLiteError) -> CachedModel.Relationship? {
    guard let property = entity.properties?[relationship] else { return nil }
    guard case .relationship(let known) = property.kind else {
      throw unreadable(relationship, entity, "it is no relationship")
    }
    return known
  }

  /// The names that values of an entity are read by.
  func names(of entity: CoreDataEntity) -> [String] {
    if let properties = entity.properties { return properties.keys.sorted() }
    return entity.table.columns.map(\.name).filter(\.isOfProperty)
  }
}

// Entities of which neither is a parent of the other, but which have the same topmost parent, may each have a property of the same
// name. Their columns are then called ZNAME, ZNAME1, ZNAME2, and the file does not say which one is whose.
extension CoreDataColumns {
  private func place(
    named name: String, of property: String, in entity: CoreDataEntity
  ) throws(SQLiteError) -> Int? {
    let base = name.columnName
    guard let place = entity.table.place(of: base) else { return nil }
    var places = [place]
    while let next = entity.table.place(of: base + "\(places.count)") { places.append(next) }
    return entity.properties == nil
      ? try placeWithoutModel(places, of: property, in: entity)
      : try placeByModel(places, base, of: property, in: entity)
  }

  private func placeWithoutModel(
    _ places: [Int], of property: String, in entity: CoreDataEntity
  ) throws(SQLiteError) -> Int? {
    guard places.count > 1, schema.entities(in: entity.table).count > 1 else { return places.first }
    let filled = try filled(places, in: entity, [entity.number])
    guard filled.isEmpty || filled.first == places.first else {
      throw ambiguous(property, entity, places)
    }
    return places.first
  }

  private func placeByModel(
    _ places: [Int], _ base: String, of property: String, in entity: CoreDataEntity
  ) throws(SQLiteError) -> Int? {
    let owners = owners(in: entity.table)
    let isShared = { (column: String) in owners[column, default: []].count > 1 }
    // ZNAME1 may be the column of a property `name1`, or one of several of `name`.
    let stem = base.withoutDigits
    let isPropertyToo = { (place: Int) in owners[entity.table.columns[place].name] != nil }
    if stem != base && isShared(stem)
      || isShared(base) && places.dropFirst().contains(where: isPropertyToo)
    {
      throw ambiguous(property, entity, places)
    }
    guard places.count > 1, isShared(base) else { return places.first }
    let numbers = schema.numbers(from: top(of: property, from: entity))
    let filled = try filled(places, in: entity, numbers)
    guard filled.count < 2 else { throw ambiguous(property, entity, filled) }
    return filled.first ?? places.first
  }

  private func ambiguous(
    _ property: String, _ entity: CoreDataEntity, _ places: [Int]
  ) -> SQLiteError {
    let names = places.map { entity.table.columns[$0].name }
    let line = "`try row[\((names.first ?? "").swiftLiteral)]`"
    return unreadable(
      property, entity,
      "several columns may have its values: \(names.joined(separator: ", ")). Read one by its name: \(line)"
    )
  }

  /// The topmost entities that have a property, by the name of its column without a digit.
  private func owners(in table: Table) -> [String: Set<Int>] {
    var owners: [String: Set<Int>] = [:]
    for entity in schema.entities(in: table) {
      for name in (entity.properties ?? [:]).keys {
        owners[name.columnName, default: []].insert(top(of: name, from: entity).number)
      }
    }
    return owners
  }

  /// The topmost parent that has a property.
  func top(of property: String, from entity: CoreDataEntity) -> CoreDataEntity {
    schema.withParents(entity).last { $0.properties?[property] != nil } ?? entity
  }

  /// Those of several columns that objects of some entities have values in.
  private func filled(
    _ places: [Int], in entity: CoreDataEntity, _ numbers: [Int]
  ) throws(SQLiteError) -> [Int] {
    var filled: [Int] = []
    for place in places {
      let statement = try tables.connection.prepare(
        "SELECT 1 FROM main.\(entity.table.name.quotedName) WHERE Z_ENT IN (\(numbers.sqlList)) "
          + "AND \(entity.table.columns[place].name.quotedName) IS NOT NULL LIMIT 1")
      if try statement.step() { filled.append(place) }
    }
    return filled
  }

  /// The columns of a table that no property is named after.
  func columnsOfNoProperty(_ table: Table) -> [String] {
    var named: Set<String> = []
    for entity in schema.entities(in: table) {
      for property in (entity.properties ?? [:]).values {
        named.formUnion(property.storedNames.map(\.columnName))
      }
    }
    return table.columns.map(\.name).filter { $0.isOfProperty && !named.contains($0) }
  }
}

extension [Int] {
  /// The numbers, with commas between them.
  var sqlList: String { map(String.init).joined(separator: ", ") }
}

extension String {
  /// The column of a property of this name.
  var columnName: String { "Z" + uppercased() }

  /// Whether a column has values of a property. Those of the framework's own begin with `Z_`.
  fileprivate var isOfProperty: Bool { hasPrefix("Z") && !hasPrefix("Z_") }

  fileprivate var withoutDigits: String {
    String(reversed().drop { $0.isASCII && $0.isNumber }.reversed())
  }
}
