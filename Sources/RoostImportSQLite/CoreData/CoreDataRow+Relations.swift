public import Roost

extension CoreDataRow {
  /// Names an object of a Core Data store.
  public struct Reference: Hashable, Sendable {
    /// The object's own entity, which may be a subentity of the one that a relationship leads to.
    public var entity: String
    /// The object's number; see ``CoreDataRow/id(as:)``.
    public var id: Int64

    /// Names the object of an entity that has this number.
    public init(entity: String, id: Int64) {
      self.entity = entity
      self.id = id
    }
  }

  /// A link to the object that a to-one relationship leads to: a `Link`, or a `Link?` that is nil for none. Also an id.
  ///
  /// - Parameters:
  ///   - relationship: The relationship.
  ///   - entity: The entity that it leads to. It counts only where the file has no model that says so.
  ///   - attribute: The attribute that is the id of the other entity's model; without it, the id is that of ``id(as:)``.
  ///   - skippingDangling: Whether a link to an object that does not exist is nil, counted in the report's `omissions`, and not an
  ///     error.
  /// - Complexity: One search by the other object's number.
  /// - Throws: If the relationship leads to an object that does not exist, or it is not known where to; as the subscript does.
  public func link<Result: SQLiteDecodable>(
    _ relationship: String, in entity: String? = nil, by attribute: String? = nil,
    skippingDangling: Bool = false
  ) throws(SQLiteError) -> Result {
    let path = CoreDataRelation.Path(
      relationship: relationship, target: entity, attribute: attribute, isToMany: false)
    guard let target = try targets(path, skippingDangling).first else {
      return try decoded(.null, relationship, .other("relationship"))
    }
    return try decoded(target.id, relationship, target.idType)
  }

  /// Links to the objects that a to-many relationship leads to: in its order if it is ordered, else in that of their numbers.
  ///
  /// A to-many relationship whose inverse is a to-one needs no field in the new store: link the to-one, and let `Inverse` lead back.
  ///
  /// - Parameters:
  ///   - relationship: The relationship.
  ///   - entity: The entity that it leads to. It counts only where the file has no model that says so.
  ///   - inverse: The relationship that leads back. It counts only where the file has no model that says so.
  ///   - attribute: The attribute that is the id of the other entity's model; without it, the id is that of ``id(as:)``.
  ///   - skippingDangling: Whether links to objects that do not exist are left out, counted in the report's `omissions`, and not an
  ///     error.
  /// - Complexity: A search in an index, and one by each other object's number. If the file has no such index, the copy gets one.
  /// - Throws: As ``link(_:in:by:skippingDangling:)``.
  public func links<Target: Model>(
    _ relationship: String, in entity: String? = nil, inverse: String? = nil,
    by attribute: String? = nil, skippingDangling: Bool = false
  ) throws(SQLiteError) -> Links<Target> where Target.ID: SQLiteDecodable {
    let path = CoreDataRelation.Path(
      relationship: relationship, target: entity, inverse: inverse, attribute: attribute,
      isToMany: true)
    var ids: [Target.ID] = []
    for target in try targets(path, skippingDangling) {
      ids.append(try decoded(target.id, relationship, target.idType))
    }
    return Links(ids: ids)
  }

  /// The object that a to-one relationship leads to; nil for none. It tells which entity the object has, where subentities become
  /// models of their own.
  ///
  /// - Throws: As ``link(_:in:by:skippingDangling:)``.
  public func reference(
    _ relationship: String, in entity: String? = nil, skippingDangling: Bool = false
  ) throws(SQLiteError) -> Reference? {
    let path = CoreDataRelation.Path(relationship: relationship, target: entity, isToMany: false)
    return try targets(path, skippingDangling).first?.reference
  }

  /// The objects that a to-many relationship leads to, in the order of ``links(_:in:inverse:by:skippingDangling:)``.
  ///
  /// - Throws: As ``link(_:in:by:skippingDangling:)``.
  public func references(
    _ relationship: String, in entity: String? = nil, inverse: String? = nil,
    skippingDangling: Bool = false
  ) throws(SQLiteError) -> [Reference] {
    let path = CoreDataRelation.Path(
      relationship: relationship, target: entity, inverse: inverse, isToMany: true)
    return try targets(path, skippingDangling).map(\.reference)
  }
}

extension CoreDataRow {
  /// An object that a relationship leads to.
  private struct Target {
    var reference: Reference
    /// Its id in a link.
    var id: SQLiteValue
    var idType: CoreDataType
  }

  private func targets(
    _ path: CoreDataRelation.Path, _ skippingDangling: Bool
  ) throws(SQLiteError) -> [Target] {
    let relation = try reader.relation(path, from: own)
    let start = if let column = relation.column { try value(at: column.place) } else { try number }
    guard start != .null else { return [] }
    let statement = relation.statement
    try statement.begin(with: start)
    var targets: [Target] = []
    while try statement.step() {
      guard case .integer(let id) = try statement.value(at: 0),
        let entity = reader.schema.entity(number: try statement.integer(at: 1))
      else {
        try noteDangling(try statement.value(at: 3), path, relation, skippingDangling)
        continue
      }
      targets.append(
        Target(
          reference: Reference(entity: entity.name, id: id), id: try statement.value(at: 2),
          idType: relation.idType))
    }
    if targets.isEmpty, !path.isToMany {
      try noteDangling(start, path, relation, skippingDangling)
    }
    return targets
  }

  private func noteDangling(
    _ found: SQLiteValue, _ path: CoreDataRelation.Path, _ relation: CoreDataRelation,
    _ skippingDangling: Bool
  ) throws(SQLiteError) {
    guard skippingDangling else {
      throw .dangling(
        table: own.name, column: path.relationship, row: row.keyInWords, found: found.words,
        target: relation.target.name, line: path.lineWithoutDangling)
    }
    reader.tables.countOmission(own.name, path.relationship)
  }
}
