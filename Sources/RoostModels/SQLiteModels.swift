internal import RoostImport
internal import RoostImportSQLite

/// Reads the models of an SQLite file from its tables, and from its values what types hold them exactly.
struct SQLiteModels {
  private let tables: [SurveyedTable]
  private let definitions: [ImportReport.Definition]
  private var set = ModelSet()
  private var choices: Set<EnumChoice>
  /// The places of the models, by table.
  private var models: [String: Int] = [:]
  /// The tables that are between two others, and nothing more.
  private var joins: [String: Join] = [:]

  /// A table between two others.
  private struct Join {
    let from: SurveyedTable.ForeignKey
    let to: SurveyedTable.ForeignKey
    /// The name of the list; nil where it is called after its targets.
    var field: String?
    /// The column with the places in the list; nil for the order of the rows.
    var position: String?
  }

  /// - Parameter enums: The columns that become enums.
  init(_ file: CopiedFile, enums: [EnumChoice]) throws {
    let survey = try FileSurvey(file, valuesMax: enums.isEmpty ? 0 : EnumChoice.casesMax + 1)
    tables = survey.tables
    definitions = survey.definitions
    choices = Set(enums)
  }

  /// The models of a file, which may be a Core Data store, and how they are read.
  ///
  /// - Parameter enums: The columns that become enums.
  static func read(_ file: CopiedFile, enums: [EnumChoice]) throws -> ModelSet {
    do {
      var models = try CoreDataModels(file, enums: enums)
      return try models.read()
    } catch SQLiteError.notCoreData {
      var models = try SQLiteModels(file, enums: enums)
      return try models.read()
    }
  }

  /// The models, and how they are read.
  private mutating func read() throws -> ModelSet {
    for table in tables { findJoin(table) }
    for table in tables where joins[table.name] == nil {
      guard hasUsableKey(table) || table.hasRowID else {
        set.remarks.append("Left out: \(table.name), whose rows have no key that Roost could have.")
        continue
      }
      var declaration = Declaration(.model, table.name)
      declaration.source = table.name
      models[table.name] = set.add(declaration)
    }
    for table in tables {
      guard let place = models[table.name] else { continue }
      set.declarations[place].properties = try properties(of: table)
      addIndexes(of: table, to: place)
    }
    for one in definitions {
      switch one.kind {
      case .view: set.remarks.append("Left out: the view \(one.name).")
      case .trigger: set.remarks.append("Left out: the trigger \(one.name) of \(one.table ?? "").")
      case .virtualTable: set.remarks.append("Left out: the virtual table \(one.name).")
      default: break
      }
    }
    var known: [String: [String]] = [:]
    for table in tables where models[table.name] != nil {
      known[table.name] = table.columns.filter { [.string, .int].contains(self.type(of: $0)) }
        .map(\.name)
    }
    if let error = EnumChoice.unknown(choices, "column", among: known) { throw error }
    set.mapping = ModelSet.Mapping(
      module: "RoostImportSQLite", objectType: nil, method: "rows", source: ".sqlite")
    return set
  }

  /// Whether the table has a key that an object can have; else its id is the rowid, and its key's columns are fields.
  private func hasUsableKey(_ table: SurveyedTable) -> Bool {
    !table.key.isEmpty
      && table.key.allSatisfy { place in
        let column = table.columns[place]
        return column.isReadable && !isRaw(column) && ![.double, .bool].contains(type(of: column))
      }
  }

  /// A table by its name, whatever the case of its letters.
  private func table(_ name: String) -> SurveyedTable? {
    tables.first { $0.name.lowercased() == name.lowercased() }
  }

  /// The table that a foreign key of one column leads to, if it is by that table's key.
  private func target(of key: SurveyedTable.ForeignKey) -> SurveyedTable? {
    guard key.columns.count == 1, let target = table(key.table), target.key.count == 1,
      hasUsableKey(target)
    else { return nil }
    guard let column = key.targets.first ?? nil else { return target }
    return column.lowercased() == target.columns[target.key[0]].name.lowercased() ? target : nil
  }

  private mutating func findJoin(_ table: SurveyedTable) {
    let keys = table.foreignKeys.sorted { $0.columns.first ?? "" < $1.columns.first ?? "" }
    let position = positionColumn(of: table)
    guard keys.count == 2, table.columns.count == 2 || position != nil,
      Set(keys.flatMap(\.columns)).count == 2, keys.allSatisfy({ target(of: $0) != nil }),
      !tables.contains(where: { other in
        other.foreignKeys.contains { $0.table.lowercased() == table.name.lowercased() }
      })
    else { return }
    // The table that the first column leads to has the list.
    let first = table.columns[0].name
    let from = keys[0].columns == [first] ? 0 : 1
    joins[table.name] = Join(from: keys[from], to: keys[1 - from])
    guard let position else { return }
    joins[table.name]?.position = position
    joins[table.name]?.field = String(table.name.dropFirst(keys[from].table.count + 1))
  }

  /// The column with the places in the list, of a table as `roost export` writes it for a list of links: `Playlist.songs`.
  private func positionColumn(of table: SurveyedTable) -> String? {
    let position = "position"
    guard table.columns.map(\.name) == ["source", position, "target"], table.key == [0, 1],
      let source = table.foreignKeys.first(where: { $0.columns == ["source"] }),
      table.foreignKeys.contains(where: { $0.columns == ["target"] }),
      table.name.hasPrefix(source.table + "."), table.name.count > source.table.count + 1
    else { return nil }
    return position
  }

  // MARK: Properties

  private mutating func properties(of table: SurveyedTable) throws -> [ModelProperty] {
    var properties: [ModelProperty] = []
    let keyPlaces = hasUsableKey(table) ? table.key : []
    switch keyPlaces.count {
    case 0:
      var key = ModelProperty("id", .int, isKey: true)
      key.reading = table.key.isEmpty ? .id : .rowID
      properties.append(key)
      if !table.key.isEmpty {
        let columns = table.key.map { table.columns[$0].name }.joined(separator: ", ")
        set.remarks.append(
          "The id of \(table.name) is its rowid, for its key (\(columns)) is none that Roost could have."
        )
      }
    case 1: break
    default: properties.append(try compoundKey(of: table))
    }
    for (place, column) in table.columns.enumerated() {
      guard column.isReadable else {
        set.remarks.append("Left out: \(table.name).\(column.name), which SQLite cannot calculate.")
        continue
      }
      if keyPlaces == [place] {
        var key = try property(column, of: table, isKey: true, keepsDates: true)
        key.isKey = true
        key.reading = .id
        properties.append(key)
      } else if let link = link(column, of: table) {
        properties.append(link)
      } else if keyPlaces.count < 2 || !keyPlaces.contains(place) {
        properties.append(try property(column, of: table, isKey: false))
      }
    }
    return properties + lists(of: table)
  }

  private mutating func compoundKey(of table: SurveyedTable) throws -> ModelProperty {
    var declaration = Declaration(.compoundKey, table.name + " key")
    declaration.source = table.name
    for place in table.key {
      let column = table.columns[place]
      declaration.properties.append(try property(column, of: table, isKey: true))
    }
    let place = set.add(declaration)
    var key = ModelProperty("id", .declared(place), isKey: true)
    key.reading = .parts(place)
    return key
  }

  /// - Parameter keepsDates: Whether dates stay the texts that they are: links have ids as the file has them.
  private mutating func property(
    _ column: SurveyedColumn, of table: SurveyedTable, isKey: Bool, keepsDates: Bool = false
  ) throws -> ModelProperty {
    var reading = Reading.value(column.name)
    var type = type(of: column)
    if type == .date, keepsDates {
      type = .string
    } else if type == .date, let form = column.textDates.first {
      reading = .date(column.name, form: form.rawValue)
    } else if type == .string,
      column.declared.contains("date") || column.declared.contains("timestamp"),
      let odd = column.oddDate
    {
      set.remarks.append(
        "\(table.name).\(column.name), declared \(column.declared), is a text: not all of its texts are dates in one form, "
          + "as 2026-05-06 07:08:09 in UTC or 2026-05-06T07:08:09Z. The first that is not: \(odd).")
    }
    let choice = EnumChoice(model: table.name, field: column.name)
    if [.string, .int].contains(type), choices.remove(choice) != nil {
      let values = column.values.compactMap { value -> EnumValue? in
        switch value {
        case .text(let text): .text(text)
        case .integer(let number): .integer(number)
        default: nil
        }
      }
      var declaration = Declaration(.cases(try choice.cases(values)), column.name)
      declaration.qualifier = table.name
      type = .declared(set.add(declaration))
    }
    if isRaw(column) {
      var property = ModelProperty(column.name, .declared(any()))
      property.reading = reading
      return property
    }
    // SQLite lets keys be NULL, which no id can be.
    var property = ModelProperty(column.name, type.optional(!column.isRequired && !isKey))
    property.reading = reading
    return property
  }

  /// The link for a column with a foreign key to a table's key.
  private func link(_ column: SurveyedColumn, of table: SurveyedTable) -> ModelProperty? {
    let key = table.foreignKeys.first {
      $0.columns.map { $0.lowercased() } == [column.name.lowercased()]
    }
    guard let key, let target = target(of: key), let place = models[target.name] else { return nil }
    var property = ModelProperty(column.name, SwiftType.link(place).optional(!column.isRequired))
    property.reading = .link(column.name)
    // A column is called after the key, a link after the object.
    for ending in ["_id", "_ID", "Id", "ID"]
    where column.name.hasSuffix(ending) && column.name != ending {
      property.shownName = property.shownName ?? String(column.name.dropLast(ending.count))
    }
    switch key.onDelete.uppercased() {
    case "CASCADE": property.deleteRule = "cascade"
    case "SET NULL" where !column.isRequired: property.deleteRule = "nullify"
    default: break
    }
    return property
  }

  /// The lists of links that tables between this one and others make.
  private func lists(of table: SurveyedTable) -> [ModelProperty] {
    tables.compactMap { join in
      guard let keys = joins[join.name], keys.from.table.lowercased() == table.name.lowercased(),
        let target = target(of: keys.to), let place = models[target.name]
      else { return nil }
      var property = ModelProperty(keys.field ?? join.name, .links(place))
      if keys.field == nil { property.shownName = SwiftName.plural(target.name) }
      property.reading = .linksThrough(
        table: join.name, from: keys.from.columns[0], to: keys.to.columns[0],
        orderedBy: keys.position)
      return property
    }
  }

  // MARK: Types

  /// The type that holds all values of a column; where it has none, the declared one.
  private func type(of column: SurveyedColumn) -> SwiftType {
    func declares(_ words: String...) -> Bool { words.contains { column.declared.contains($0) } }
    switch (column.hasInteger, column.hasReal, column.hasText, column.hasBlob) {
    case (false, false, false, false):
      if declares("bool") { return .bool }
      if declares("int") { return .int }
      if declares("char", "clob", "text") { return .string }
      if declares("real", "floa", "doub") { return .double }
      // Nothing says which form a date would have.
      return declares("date", "time") ? .string : .data
    case (true, false, false, false): return declares("bool") && column.areBools ? .bool : .int
    case (_, true, false, false): return .double
    case (false, false, true, false):
      if declares("date", "time"), !column.textDates.isEmpty { return .date }
      return declares("uuid", "guid") && column.areUUIDs ? .uuid : .string
    default: return declares("uuid", "guid") && column.areUUIDs ? .uuid : .data
    }
  }

  /// Whether no type holds all values of a column.
  private func isRaw(_ column: SurveyedColumn) -> Bool {
    let kinds = [
      column.hasInteger || column.hasReal, column.hasText, column.hasBlob,
      column.hasMalformedText,
    ]
    let isMixed = kinds.count { $0 } > 1 || column.hasMalformedText
    let isInexact = column.hasInteger && column.hasReal && !column.areDoubles
    return (isMixed || isInexact) && type(of: column) != .uuid
  }

  /// The helper for values of several types.
  private mutating func any() -> Int {
    set.declarations.firstIndex { $0.kind == .helper(.sqliteValue) }
      ?? set.add(Declaration(.helper(.sqliteValue), "AnyValue"))
  }

  // MARK: Indexes

  private mutating func addIndexes(of table: SurveyedTable, to place: Int) {
    // A unique index finds all that another one of the same columns does.
    let ofKey =
      table.key.isEmpty || hasUsableKey(table)
      ? []
      : [SurveyedTable.Index(columns: table.key.map { table.columns[$0].name }, isUnique: true)]
    for index in ofKey + table.indexes.filter(\.isUnique)
      + table.indexes.filter({ !$0.isUnique })
    {
      let known = set.declarations[place].indexes
      guard let found = modelIndex(index, of: table, place),
        found.fields.count <= Self.indexFieldsMax, known.count < Self.indexesMax
      else {
        set.remarks.append(
          "Left out: the index of \(index.columns.joined(separator: ", ")) of \(table.name).")
        continue
      }
      if found.fields.count == 1 {
        mark(found.fields[0], of: place, isUnique: found.isUnique)
      } else if found.fields.count > 1, !known.contains(where: { $0.fields == found.fields }) {
        set.declarations[place].indexes.append(found)
      }
    }
    for name in table.otherIndexes {
      set.remarks.append(
        "Left out: the index \(name) of \(table.name), of expressions or of some rows.")
    }
  }

  /// Notes that a property has an index of its own.
  private mutating func mark(_ field: [String], of place: Int, isUnique: Bool) {
    let properties = set.declarations[place].properties
    guard let found = properties.firstIndex(where: { [$0.name] == field }),
      !properties[found].isKey
    else { return }
    set.declarations[place].properties[found].isIndexed = true
    if isUnique { set.declarations[place].properties[found].isUnique = true }
  }

  /// The index of a model for one of its table, which may have no fields; nil if a column is no field that an index can have.
  private func modelIndex(
    _ index: SurveyedTable.Index, of table: SurveyedTable, _ place: Int
  ) -> ModelIndex? {
    var found = ModelIndex(fields: [], isUnique: index.isUnique)
    for name in index.columns {
      let property = set.declarations[place].properties.first {
        $0.name.lowercased() == name.lowercased() && !$0.type.isList
      }
      let column = table.columns.first { $0.name.lowercased() == name.lowercased() }
      guard let property, let column, !isRaw(column) else { return nil }
      if property.isKey, isInteger(property.type) {
        // Objects with the same values before it are in the order of their keys by themselves, and each key is there once.
        found.isUnique = false
        return found
      }
      if !found.fields.contains([property.name]) { found.fields.append([property.name]) }
    }
    return found
  }

  private func isInteger(_ type: SwiftType) -> Bool {
    if case .declared(let place) = type, case .cases(let values) = set.declarations[place].kind,
      case .integer = values.first
    {
      return true
    }
    return type == .int
  }

  /// The most fields of an index of a model, and the most of such indexes.
  private static let (indexFieldsMax, indexesMax) = (16, 64)
}

extension SwiftType {
  /// Whether it is a list of links.
  fileprivate var isList: Bool { if case .links = self { true } else { false } }
}
