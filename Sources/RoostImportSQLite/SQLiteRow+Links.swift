public import Roost

extension SQLiteRow {
  /// A link to the row that a column leads to: a `Link`, or a `Link?` that is nil for NULL. Also an id.
  ///
  /// The column's foreign key says where it leads; the id is that row's key, also where the foreign key leads to another
  /// column. A foreign key of several columns is not read: make the link of their values, `Link(id: …)`.
  ///
  /// - Parameters:
  ///   - column: The column.
  ///   - table: The table that it leads to, by its key, where the column has no foreign key.
  ///   - skippingDangling: Whether a link to a row that does not exist is nil, counted in the report's `omissions`, and not an
  ///     error; of a link that has no nil, it is one.
  /// - Complexity: One search in an index of the other table.
  /// - Throws: If the column leads to a row that does not exist, or to none that is known; as the subscript does.
  public func link<Result: SQLiteDecodable>(
    _ column: String, in table: String? = nil, skippingDangling: Bool = false
  ) throws(SQLiteError) -> Result {
    let stored = try value(column)
    guard stored != .null else { return try decoded(stored, column) }
    let own = cursor.table
    let statement = try reader.statement(
      .key(table: own.name, column: column, target: table)
    ) { () throws(SQLiteError) in
      let target = try target(of: column, in: own, named: table) {
        "`try row.link(\(column.swiftLiteral), in: \"table\")`"
      }
      return
        "SELECT \(target.key) FROM main.\(target.table.quotedName) WHERE \(target.column) = ?1 LIMIT 1"
    }
    try statement.begin(with: stored)
    if try statement.step() {
      let key = try statement.value(at: 0)
      if key != .null { return try decoded(key, column) }
    }
    let link = "try row.link(\(column.swiftLiteral)\(named(table)), skippingDangling: true)"
    var line = "`\(link)`"
    if case .exact(let none) = Result.decode(sqlite: .null) {
      guard !skippingDangling else {
        reader.countOmission(own.name, column)
        return none
      }
    } else {
      // A row cannot do without such a link.
      line =
        "`guard let target = \(link) as \(Self.words(Result.self))? else { return nil }` in a closure "
        + "`{ row -> <#Model#>? in … }`, which leaves the row out"
    }
    throw dangling(column, in: own, named: table, stored, line: line)
  }

  /// Links to the rows that a table between two others leads to.
  ///
  /// ```swift
  /// $0.rows("person") { row in Person(id: try row.id(), tags: try row.links(through: "person_tag", from: "person_id", to: "tag_id")) }
  /// ```
  ///
  /// A mapping need not name the table between; where it says more than the two keys, make a model of it. Rows of it that
  /// lead to nothing, as `to` is NULL, are no links.
  ///
  /// - Parameters:
  ///   - table: The table between.
  ///   - from: Its column that leads to this row: to the column that its foreign key names, else to this table's key.
  ///   - to: Its column that leads to the others.
  ///   - target: The table that `to` leads to, by its key, where it has no foreign key.
  ///   - order: Its column that the links are sorted by; else they come in the order of its key.
  ///   - skippingDangling: Whether links to rows that do not exist are left out, counted in the report's `omissions`, and not an
  ///     error.
  /// - Complexity: A search in an index of each table. If the table between has no index that begins with `from`, the copy gets
  ///   one.
  /// - Throws: As ``link(_:in:skippingDangling:)``.
  public func links<Target: Model>(
    through table: String, from: String, to: String, in target: String? = nil,
    orderedBy order: String? = nil, skippingDangling: Bool = false
  ) throws(SQLiteError) -> Links<Target> where Target.ID: SQLiteDecodable {
    Links(
      ids: try keys(
        through: table, from: from, to: to, in: target, orderedBy: order,
        skippingDangling: skippingDangling))
  }

  /// The ids of ``links(through:from:to:in:orderedBy:skippingDangling:)``.
  package func keys<Key: SQLiteDecodable>(
    through table: String, from: String, to: String, in target: String? = nil,
    orderedBy order: String? = nil, skippingDangling: Bool = false
  ) throws(SQLiteError) -> [Key] {
    let join = try reader.table(table)
    let lookup = TableReader.Lookup.joined(
      table: join.name, from: from, to: to, target: target, orderedBy: order)
    let statement = try reader.statement(lookup) { () throws(SQLiteError) in
      try joinedKeys(join, from: from, to: to, target, order)
    }
    reader.noteJoined(join.name)
    try statement.begin(with: try value(ledToBy: from, in: join))
    var ids: [Key] = []
    while try statement.step() {
      let key = try statement.value(at: 0)
      if key != .null {
        ids.append(try decoded(key, "\(join.name).\(to)"))
        continue
      }
      let found = try statement.value(at: 1)
      if found == .null { continue }
      if skippingDangling {
        reader.countOmission(join.name, to)
        continue
      }
      throw dangling(
        to, in: join, named: target, found,
        line:
          "`try row.links(through: \(table.swiftLiteral), from: \(from.swiftLiteral), to: \(to.swiftLiteral)\(named(target)), "
          + "skippingDangling: true)`")
    }
    reader.noteBytes(ids.count &* 32)
    return ids
  }

  private func named(_ table: String?) -> String { table.map { ", in: \($0.swiftLiteral)" } ?? "" }

  /// Where a column leads: the table, the column there, and what selects that table's key.
  private struct Led {
    var table: String
    var column: String
    var key: String
  }

  private func target(
    of column: String, in table: Table, named: String?, _ line: () -> String
  ) throws(SQLiteError) -> Led {
    let foreign = table.foreignKey(of: column)
    guard let name = named ?? foreign?.table else {
      throw .noForeignKey(table: table.name, column: column, line: line())
    }
    let target = try reader.table(name)
    guard let key = target.singleKey else { throw Self.compoundKey(target) }
    guard named == nil, let to = foreign?.targets.first ?? nil else {
      return Led(table: target.name, column: key, key: key)
    }
    guard let place = target.place(of: to) else {
      throw .unknownColumn(
        table: target.name, column: to, columns: target.columns.map(\.name))
    }
    return Led(table: target.name, column: target.columns[place].name.quotedName, key: key)
  }

  private func joinedKeys(
    _ join: Table, from: String, to: String, _ target: String?, _ order: String?
  ) throws(SQLiteError) -> String {
    let fromColumn = try join.named(from).quotedName
    let toColumn = try join.named(to).quotedName
    let led = try self.target(of: to, in: join, named: target) {
      "`try row.links(through: \(join.name.swiftLiteral), from: \(from.swiftLiteral), to: \(to.swiftLiteral), in: \"table\")`"
    }
    try reader.makeIndex(of: from, of: join)
    var orders =
      join.rowID.map { ["j." + $0] } ?? join.key.map { "j." + join.columns[$0].name.quotedName }
    if let order { orders.insert("j." + (try join.named(order).quotedName), at: 0) }
    return "SELECT t.\(led.key), j.\(toColumn) FROM main.\(join.name.quotedName) AS j "
      + "LEFT JOIN main.\(led.table.quotedName) AS t ON t.\(led.column) = j.\(toColumn) "
      + "WHERE j.\(fromColumn) = ?1"
      + (orders.isEmpty ? "" : " ORDER BY " + orders.joined(separator: ", "))
  }

  /// The value of this row that a column of another table leads to.
  func value(ledToBy column: String, in join: Table) throws(SQLiteError) -> SQLiteValue {
    if let target = ownTarget(of: column, in: join) { return try value(target) }
    return try ownKey().value
  }

  /// The column of this table that the foreign key of another one's column names; nil for the key.
  func ownTarget(of column: String, in other: Table) -> String? {
    guard let foreign = other.foreignKey(of: column), foreign.table.caseFolded == table.caseFolded
    else { return nil }
    return foreign.targets.first ?? nil
  }

  private func dangling(
    _ column: String, in table: Table, named target: String?, _ found: SQLiteValue, line: String
  ) -> SQLiteError {
    .dangling(
      table: table.name, column: column, row: keyInWords, found: found.words,
      target: target ?? table.foreignKey(of: column)?.table ?? "", line: line)
  }
}
