#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// What a Core Data store defines, and what values its attributes have: for who makes models of it.
package struct CoreDataSurvey {
  /// The entities, subentities too, in the order of their numbers.
  package private(set) var entities: [SurveyedEntity] = []
  /// Whether the file has the model that says where relationships lead.
  package let hasModel: Bool
  /// Tables of relationships and of the app's own, of which nothing is known.
  package private(set) var otherTables: [String] = []

  /// Reads all rows.
  ///
  /// - Throws: ``SQLiteError/notCoreData(path:)`` for another SQLite file.
  package init(_ file: CopiedFile) throws(SQLiteError) {
    let reader = try CoreDataReader.open(file).reader
    hasModel = reader.schema.entities.contains { $0.properties != nil }
    for entity in reader.schema.entities {
      entities.append(try SurveyedEntity(entity, reader))
    }
    if !hasModel { otherTables = reader.tables.tables.map(\.name).filter(\.isJoinTable) }
    try file.checkUnchanged()
  }

  /// The entity of a name.
  package func entity(_ name: String) -> SurveyedEntity? { entities.first { $0.name == name } }
}

/// An entity, with what its attributes hold.
package struct SurveyedEntity {
  package let name: String
  /// The topmost parent; the entity itself if it has none.
  package let root: String
  package private(set) var attributes: [SurveyedAttribute] = []
  package private(set) var relationships: [SurveyedRelationship] = []
  /// The properties that cannot be read, and why.
  package private(set) var unreadable: [(name: String, reason: String)] = []

  init(_ entity: CoreDataEntity, _ reader: CoreDataReader) throws(SQLiteError) {
    name = entity.name
    root = reader.schema.withParents(entity).last?.name ?? entity.name
    for name in Self.attributeNames(of: entity, reader) {
      do throws(SQLiteError) {
        let column = try reader.column(of: name, in: entity)
        attributes.append(
          SurveyedAttribute(name, column, entity.table, entity.properties?[name]))
      } catch {
        guard case .unreadableProperty(_, _, let reason) = error else { throw error }
        unreadable.append((name, reason))
      }
    }
    for property in (entity.properties ?? [:]).values {
      guard case .relationship(let relationship) = property.kind else { continue }
      relationships.append(SurveyedRelationship(property.name, relationship))
    }
    relationships.sort { $0.name < $1.name }
    try readValues(entity, reader)
  }

  /// The names that attributes are read by, in the order of their columns; where no model says which are there, all columns.
  private static func attributeNames(
    of entity: CoreDataEntity, _ reader: CoreDataReader
  ) -> [String] {
    let columns = entity.table.columns.map(\.name)
    guard let properties = entity.properties else {
      return columns.filter { $0.hasPrefix("Z") && !$0.hasPrefix("Z_") }
    }
    func place(_ property: CachedModel.Property) -> Int {
      let names = property.storedNames.map(\.columnName)
      return columns.firstIndex { names.contains($0) } ?? columns.count
    }
    var names: [(name: String, place: Int)] = []
    var hasElements = false
    for property in properties.values {
      switch property.kind {
      case .attribute(type: CoreDataType.composite, _): hasElements = true
      case .attribute(_, isTransient: false): names.append((property.name, place(property)))
      case .attribute, .relationship, .fetched: break
      }
    }
    let elements = hasElements ? reader.elements(in: entity.table) : []
    return names.sorted { ($0.place, $0.name) < ($1.place, $1.name) }.map(\.name) + elements
  }

  private mutating func readValues(
    _ entity: CoreDataEntity, _ reader: CoreDataReader
  ) throws(SQLiteError) {
    let cursor = try RowCursor(
      entity.table, reader.tables.connection, where: CoreDataReader.condition(of: entity))
    while let position = try cursor.next() {
      for place in attributes.indices {
        let value = try cursor.value(at: attributes[place].place, of: position)
        attributes[place].note(value)
      }
    }
  }
}

/// An attribute, with what it holds.
package struct SurveyedAttribute {
  /// What the model says that its values are.
  package enum Kind: Sendable {
    case bool, integer, decimal, double, float, text, date, data, uuid, unknown
  }

  /// The name that it is read by.
  package let name: String
  package let kind: Kind
  /// Whether all values are as those of attributes that allow external storage.
  package let mayBeExternal: Bool
  /// Whether all values are of the kind.
  package private(set) var isOfKind = true
  /// Whether the model lets objects have no value, or one has none.
  package private(set) var isOptional: Bool
  /// The place of its column, which other entities with the same parent may have too.
  package let place: Int
  private let type: CoreDataType

  fileprivate init(
    _ name: String, _ column: CoreDataColumns.Column, _ table: Table,
    _ property: CachedModel.Property?
  ) {
    self.name = name
    type = column.type
    isOptional = property?.isOptional ?? true
    place = column.place
    mayBeExternal = column.mayBeExternal
    let declared = table.columns[column.place].declared
    if case .attribute(let number, _) = property?.kind {
      kind = Self.kinds[number] ?? .unknown
    } else {
      kind = Self.declared[declared.caseFolded] ?? .unknown
    }
  }

  private static let kinds: [Int: Kind] = [
    100: .integer, 200: .integer, 300: .integer, 400: .decimal, 500: .double, 600: .float,
    700: .text, 800: .bool, 900: .date, 1000: .data, 1100: .uuid, 1200: .text, 1800: .data,
  ]

  private static let declared: [String: Kind] = [
    "integer": .integer, "decimal": .decimal, "float": .double, "varchar": .text,
    "timestamp": .date, "blob": .data,
  ]

  fileprivate mutating func note(_ value: SQLiteValue) {
    guard value != .null else {
      isOptional = true
      return
    }
    guard isOfKind else { return }
    isOfKind =
      switch kind {
      case .bool: CoreDataRow.read(Bool.self, value, type) != nil
      case .integer: CoreDataRow.read(Int64.self, value, type) != nil
      case .decimal: CoreDataRow.read(Decimal.self, value, type) != nil
      case .double: CoreDataRow.read(Double.self, value, type) != nil
      case .float: CoreDataRow.read(Float.self, value, type) != nil
      case .text: CoreDataRow.read(String.self, value, type) != nil
      case .date: CoreDataRow.read(Date.self, value, type) != nil
      case .uuid: CoreDataRow.read(UUID.self, value, type) != nil
      case .data: if case .blob = value { true } else { false }
      case .unknown: false
      }
  }
}

/// A relationship, as the model in the file describes it.
package struct SurveyedRelationship {
  package let name: String
  /// The entity that it leads to.
  package let destination: String
  package let inverse: String?
  package let isToMany: Bool
  package let isOrdered: Bool
  /// What becomes of the objects that it leads to when the one that has it is deleted.
  package let deleteRule: DeleteRule

  package enum DeleteRule: Sendable {
    case nullify, cascade, deny
  }

  fileprivate init(_ name: String, _ relationship: CachedModel.Relationship) {
    self.name = name
    destination = relationship.destination
    inverse = relationship.inverse
    isToMany = relationship.isToMany
    isOrdered = relationship.isOrdered
    deleteRule =
      switch relationship.deleteRule {
      case 2: .cascade
      case 3: .deny
      default: .nullify
      }
  }
}
