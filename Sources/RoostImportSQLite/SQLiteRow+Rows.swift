extension SQLiteRow {
  /// What a mapping makes of the rows of another table that belong to this one: mostly, a list of structs.
  ///
  /// ```swift
  /// $0.rows("order") { row in
  ///   Order(
  ///     id: try row.id(),
  ///     lines: try row.rows("line", by: "order_id") { Line(name: try $0["name"], count: try $0["count"]) })
  /// }
  /// ```
  ///
  /// The importer need not name that table then. Its rows that belong to none, and those that are left out, are counted in the
  /// report's `omissions`.
  ///
  /// - Parameters:
  ///   - table: The other table.
  ///   - column: Its column that leads to this row: to the column that its foreign key names, else to this table's key.
  ///   - order: Its column that the rows are sorted by; else they come in the order of its key.
  ///   - make: Makes a value of a row, which it may read until it returns; nil leaves the row out.
  /// - Complexity: A search in an index of the other table. If it has none that begins with `column`, the copy gets one.
  /// - Throws: If there is no such table or column, or this table's key has several columns; what `make` throws.
  public func rows<Made>(
    _ table: String, by column: String, orderedBy order: String? = nil,
    _ make: (SQLiteRow) throws -> Made?
  ) throws -> [Made] {
    let other = try reader.table(table)
    let relation = try TableReader.Relation(
      table: other.name, column: other.named(column), order: order.map(other.named),
      owner: self.table, ownerColumn: ledTo(by: column, in: other))
    let owner = try value(ledToBy: column, in: other)
    let cursor = try reader.takeCursor(of: relation)
    defer { reader.giveBack(cursor, of: relation) }
    var made: [Made] = []
    let bytesBefore = cursor.bytesRead
    try cursor.begin(with: owner)
    while let position = try cursor.next() {
      let row = SQLiteRow(reader: reader, cursor: cursor, position: position)
      if let one = try make(row) {
        made.append(one)
      } else {
        reader.countOmission(other.name, relation.column)
      }
    }
    reader.noteBytes(
      cursor.bytesRead &- bytesBefore &+ made.count &* MemoryLayout<Made>.stride)
    return made
  }

  /// What selects the value of this table that a column of another table leads to.
  private func ledTo(by column: String, in other: Table) throws(SQLiteError) -> String {
    if let target = ownTarget(of: column, in: other) {
      return try cursor.table.named(target).quotedName
    }
    guard let key = cursor.table.singleKey else { throw Self.compoundKey(cursor.table) }
    return key
  }
}

extension Table {
  /// A column's name, as the table has it.
  func named(_ column: String) throws(SQLiteError) -> String {
    guard let place = place(of: column) else {
      throw .unknownColumn(table: name, column: column, columns: columns.map(\.name))
    }
    return columns[place].name
  }
}

extension TableReader {
  /// Rows of a table that belong to rows of another one.
  struct Relation: Hashable {
    let table: String
    let column: String
    /// The column that the rows are sorted by; nil for their key.
    let order: String?
    let owner: String
    /// What selects the owner's value that the column has.
    let ownerColumn: String
  }

  /// Takes a cursor over a relation's rows, which nobody else uses until it is given back.
  func takeCursor(of relation: Relation) throws(SQLiteError) -> RowCursor {
    if let cursor = cursors[relation]?.popLast() { return cursor }
    let table = try table(relation.table)
    if cursors[relation] == nil {
      cursors[relation] = []
      noteJoined(table.name)
      try makeIndex(of: relation.column, of: table)
    }
    var orders = table.rowID.map { [$0] } ?? table.key.map { table.columns[$0].name.quotedName }
    if let order = relation.order { orders.insert(order.quotedName, at: 0) }
    let order = orders.isEmpty ? "" : " ORDER BY " + orders.joined(separator: ", ")
    return try RowCursor(
      table, connection, where: "\(relation.column.quotedName) = ?1" + order, usesIndex: true)
  }

  /// Gives a cursor back.
  func giveBack(_ cursor: RowCursor, of relation: Relation) {
    cursors[relation, default: []].append(cursor)
  }

  /// Has the copy find the rows of a table by a column.
  func makeIndex(of column: String, of table: Table) throws(SQLiteError) {
    guard let place = table.place(of: column),
      try !FileSchema.finds(table, by: place, connection)
    else { return }
    let name = "roost \(table.name) \(column)".quotedName
    try connection.change(
      "CREATE INDEX main.\(name) ON \(table.name.quotedName) (\(table.columns[place].name.quotedName))"
    )
  }

  /// Counts the rows that belong to no row of the table that owns them, of all relations to it.
  func countOrphans(of owner: Table) throws(SQLiteError) {
    var counted: Set<String> = []
    for relation in cursors.keys
    where relation.owner == owner.name
      && counted.insert("\(relation.table)\n\(relation.column)").inserted
    {
      let statement = try connection.prepare(
        "SELECT count(*) FROM main.\(relation.table.quotedName) AS r WHERE NOT EXISTS "
          + "(SELECT 1 FROM main.\(owner.name.quotedName) AS o "
          + "WHERE o.\(relation.ownerColumn) = r.\(relation.column.quotedName))")
      guard try statement.step() else { continue }
      let orphans = try statement.integer(at: 0)
      if orphans > 0 { countOmission(relation.table, relation.column, count: orphans) }
    }
  }
}
