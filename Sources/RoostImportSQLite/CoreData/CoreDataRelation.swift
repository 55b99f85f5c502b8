/// How the objects are found that a relationship leads to.
struct CoreDataRelation {
  /// Selects of each target its number, its entity's number, and its id in a link; last the number that led there. The parameter is
  /// the value of ``column``, or the number of the object that the relationship is followed from.
  let statement: Statement
  /// The column of a to-one relationship; nil for a to-many one.
  let column: CoreDataColumns.Column?
  /// The entity that it leads to.
  let target: CoreDataEntity
  /// How the ids are read.
  let idType: CoreDataType

  /// What a mapping says of a relationship.
  struct Path: Hashable {
    var relationship: String
    /// The entity that it leads to, where the file does not say.
    var target: String?
    /// The relationship back, where the file does not say.
    var inverse: String?
    /// The attribute that is the targets' id; nil for their numbers.
    var attribute: String?
    var isToMany: Bool

    /// The line that follows it, with more arguments.
    func line(_ arguments: [(label: String, value: String?)], _ more: String = "") -> String {
      let words = arguments.map { label, value in
        value.map { ", \(label): \($0.swiftLiteral)" } ?? ""
      }
      return
        "`try row.\(isToMany ? "links" : "link")(\(relationship.swiftLiteral)\(words.joined())\(more))`"
    }

    /// The line for a file that does not describe the relationship.
    var lineWithTarget: String {
      line([("in", "Entity"), ("inverse", isToMany ? "relationship" : nil)])
    }

    /// The line that leaves out targets that do not exist.
    var lineWithoutDangling: String {
      line(
        [("in", target), ("inverse", inverse), ("by", attribute)], ", skippingDangling: true")
    }
  }
}

/// Finds out how a relationship of an entity is stored.
struct CoreDataRelationFinder {
  let columns: CoreDataColumns
  let entity: CoreDataEntity

  func relation(_ path: CoreDataRelation.Path) throws(SQLiteError) -> CoreDataRelation {
    let known = try known(path)
    guard let targetName = known?.destination ?? path.target else {
      throw columns.unreadable(
        path.relationship, entity, "the file does not say where it leads: \(path.lineWithTarget)")
    }
    let target = try columns.schema.found(targetName)
    let search = Search(
      target: target, id: try idColumn(path, target), numbers: columns.schema.numbers(from: target))
    let column = path.isToMany ? nil : try columns.column(of: path.relationship, in: entity)
    let sql =
      column != nil ? search.sql("t.Z_PK = ?1") : try sqlOfToMany(path, known, search)
    return CoreDataRelation(
      statement: try columns.tables.connection.prepare(sql), column: column, target: target,
      idType: search.id.type)
  }

  private func sqlOfToMany(
    _ path: CoreDataRelation.Path, _ known: CachedModel.Relationship?, _ search: Search
  ) throws(SQLiteError) -> String {
    let name = path.relationship
    let isOrdered = known?.isOrdered ?? false
    if let known, known.inverse == nil {
      return try ofColumnWithoutInverse(name, isOrdered, search)
    }
    guard let inverse = known?.inverse ?? path.inverse else {
      throw columns.unreadable(
        name, entity, "the file does not say what leads back: \(path.lineWithTarget)")
    }
    let target = search.target
    let back = try columns.kind(of: inverse, in: target)
    if back?.isToMany ?? (target.table.place(of: inverse.columnName) == nil) {
      return try ofJoinTable(name, inverse, back, isOrdered, search)
    }
    let column = try columns.column(of: inverse, in: target)
    let columnName = target.table.columns[column.place].name
    return try ofColumn(
      column.place, order: "Z_FOK_" + columnName.dropFirst(), name, isOrdered, search)
  }

  /// What the model says of the relationship; nil if the file has no model.
  private func known(
    _ path: CoreDataRelation.Path
  ) throws(SQLiteError) -> CachedModel.Relationship? {
    let name = path.relationship
    let known = try columns.kind(of: name, in: entity)
    if let known, known.isToMany != path.isToMany {
      let line = "`try row.\(known.isToMany ? "links" : "link")(\(name.swiftLiteral))`"
      throw columns.unreadable(
        name, entity, "it is \(known.isToMany ? "to-many" : "to-one"): \(line)")
    }
    guard known != nil || entity.properties == nil else {
      throw .unknownProperty(
        entity: entity.name, property: name, properties: columns.names(of: entity))
    }
    return known
  }

  private func idColumn(
    _ path: CoreDataRelation.Path, _ target: CoreDataEntity
  ) throws(SQLiteError) -> (sql: String, type: CoreDataType) {
    guard let attribute = path.attribute else { return ("Z_PK", .other("Integer 64")) }
    let column = try columns.column(of: attribute, in: target)
    return (target.table.columns[column.place].name.quotedName, column.type)
  }

  /// A search in the table of the targets.
  private struct Search {
    var target: CoreDataEntity
    var id: (sql: String, type: CoreDataType)
    /// The numbers of the target's entity and its subentities.
    var numbers: [Int]

    var table: String { "main.\(target.table.name.quotedName) AS t" }
    /// The table has objects of other entities, too.
    var isOfEntity: String { "t.Z_ENT IN (\(numbers.sqlList))" }

    func sql(_ condition: String, order: String = "t.Z_PK") -> String {
      "SELECT t.Z_PK, t.Z_ENT, t.\(id.sql), ?1 FROM \(table) WHERE \(condition) AND \(isOfEntity) ORDER BY \(order)"
    }
  }

  /// A to-many relationship without an inverse: the targets have a column that is named after the number of this entity.
  private func ofColumnWithoutInverse(
    _ name: String, _ isOrdered: Bool, _ search: Search
  ) throws(SQLiteError) -> String {
    let parents = columns.schema.withParents(entity)
    for owner in [columns.top(of: name, from: entity)] + parents {
      for stored in columns.storedNames(of: name, in: entity) {
        let column = "\(owner.number)\(stored.uppercased())"
        guard let place = search.target.table.place(of: "Z" + column) else { continue }
        return try ofColumn(place, order: "Z_FOK_" + column, name, isOrdered, search)
      }
    }
    throw columns.unreadable(
      name, entity, "no column of \(search.target.table.name) is known to have it")
  }

  /// A to-many relationship to the rows that have this object's number in a column.
  private func ofColumn(
    _ place: Int, order: String, _ name: String, _ isOrdered: Bool, _ search: Search
  ) throws(SQLiteError) -> String {
    let table = search.target.table
    try index(table, place)
    let column = table.columns[place].name.quotedName
    let order = try orderColumn(order, in: table, name, isOrdered)
    return search.sql("t.\(column) = ?1", order: order.map { "t.\($0), t.Z_PK" } ?? "t.Z_PK")
  }

  private func orderColumn(
    _ column: String, in table: Table, _ name: String, _ isOrdered: Bool
  ) throws(SQLiteError) -> String? {
    if let place = table.place(of: column) { return table.columns[place].name.quotedName }
    guard !isOrdered else {
      throw columns.unreadable(name, entity, "its order has no column \(column) in \(table.name)")
    }
    return nil
  }

  /// A relationship that is to-many in both directions, which has a table of its own.
  private func ofJoinTable(
    _ name: String, _ inverse: String, _ back: CachedModel.Relationship?, _ isOrdered: Bool,
    _ search: Search
  ) throws(SQLiteError) -> String {
    let join = try joinTable(name, inverse, back, search.target)
    let order = try orderColumn("Z_FOK_" + join.other.dropFirst(2), in: join.table, name, isOrdered)
    let (own, other) = (join.own.quotedName, join.other.quotedName)
    for column in join.isReflexive ? [join.own, join.other] : [join.own] {
      if let place = join.table.place(of: column) { try index(join.table, place) }
    }
    let table = "main." + join.table.name.quotedName
    // A relationship that is its own inverse may have a row for each direction, or one for both.
    let rows =
      join.isReflexive
      ? "(SELECT \(own) AS own, \(other) AS other FROM \(table) WHERE \(own) = ?1 UNION "
        + "SELECT \(other), \(own) FROM \(table) WHERE \(other) = ?1)"
      : "(SELECT \(other) AS other\(order.map { ", \($0) AS place" } ?? "") FROM \(table) WHERE \(own) = ?1)"
    return
      "SELECT t.Z_PK, t.Z_ENT, t.\(search.id.sql), j.other FROM \(rows) AS j "
      + "LEFT JOIN \(search.table) ON t.Z_PK = j.other AND \(search.isOfEntity) "
      + "ORDER BY \(order != nil && !join.isReflexive ? "j.place, " : "")j.other"
  }

  private struct JoinTable {
    var table: Table
    /// The columns of this object, and of the target.
    var own: String
    var other: String
    /// Whether the relationship is its own inverse.
    var isReflexive: Bool
  }

  /// The table of a many-to-many relationship. A column is named after the relationship to the objects in it, and the number of the
  /// entity that this relationship leads to.
  private func joinTable(
    _ name: String, _ inverse: String, _ back: CachedModel.Relationship?, _ target: CoreDataEntity
  ) throws(SQLiteError) -> JoinTable {
    let owners = back.flatMap { columns.schema.entity($0.destination) }.map { [$0] }
    let isReflexive = name == inverse && owners?.first?.number == target.number
    var found: [JoinTable] = []
    let others = owners == nil ? columns.schema.withParents(target) : [target]
    let otherNames = Self.joinColumns(columns.storedNames(of: name, in: entity), of: others)
    let ownNames =
      isReflexive
      ? ["REFLEXIVE"]
      : Self.joinColumns(
        columns.storedNames(of: inverse, in: target),
        of: owners ?? columns.schema.withParents(entity))
    for table in columns.tables.tables where table.name.isJoinTable {
      for own in ownNames where table.place(of: own) != nil {
        for other in otherNames where table.place(of: other) != nil {
          found.append(JoinTable(table: table, own: own, other: other, isReflexive: isReflexive))
        }
      }
    }
    guard let join = found.first else {
      throw columns.unreadable(name, entity, "no table is known to have it")
    }
    guard found.count == 1 else {
      let names = found.map(\.table.name).joined(separator: ", ")
      throw columns.unreadable(name, entity, "several tables may have it: \(names)")
    }
    return join
  }

  private static func joinColumns(
    _ relationships: [String], of entities: [CoreDataEntity]
  ) -> [String] {
    entities.flatMap { entity in
      relationships.map { "Z_\(entity.number)\($0.uppercased())" }
    }
  }

  /// Makes an index of a column in the copy, unless there is one.
  private func index(_ table: Table, _ place: Int) throws(SQLiteError) {
    let connection = columns.tables.connection
    guard try !FileSchema.finds(table, by: place, connection) else { return }
    let column = table.columns[place].name
    try connection.change(
      "CREATE INDEX IF NOT EXISTS main.\("roost \(table.name) \(column)".quotedName) "
        + "ON \(table.name.quotedName) (\(column.quotedName))")
  }
}
