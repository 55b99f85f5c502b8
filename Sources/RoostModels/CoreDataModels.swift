internal import RoostImportSQLite

/// Reads the models of a Core Data or SwiftData store from its entities, and from its values what types hold them exactly.
///
/// An entity and its subentities are one model, as a relationship may lead to any of them.
struct CoreDataModels {
  private let survey: CoreDataSurvey
  private var set = ModelSet()
  private let choices: CoreDataChoices
  /// The places of the models, by topmost entity.
  private var models: [String: Int] = [:]
  /// The places of the properties of each model that are known, by what they are read from.
  private var known: [Int: [Source: Int]] = [:]

  /// What makes two properties of entities the same one.
  private struct Source: Hashable {
    var name: String
    /// The place of an attribute's column.
    var column: Int?
  }

  /// - Parameter enums: The attributes that become enums.
  init(_ file: CopiedFile, enums: [EnumChoice]) throws {
    survey = try CoreDataSurvey(file)
    choices = try CoreDataChoices(enums, survey, file)
  }

  /// The models, and how they are read.
  mutating func read() throws -> ModelSet {
    for entity in survey.entities where models[entity.root] == nil {
      var declaration = Declaration(.model, entity.root)
      declaration.source = entity.root
      var key = ModelProperty("id", .int, isKey: true)
      key.reading = .id
      declaration.properties = [key]
      models[entity.root] = set.add(declaration)
    }
    for entity in survey.entities { try addEntity(entity) }
    for (root, place) in models { finish(place, isOfSeveral: entities(of: root).count > 1) }
    for entity in survey.entities {
      for missing in entity.unreadable {
        set.remarks.append("Left out: \(entity.name).\(missing.name): \(missing.reason).")
      }
    }
    if !survey.hasModel {
      set.remarks.append(
        "The file has no model: names are those of columns, and links are the numbers of their targets."
      )
    }
    for table in survey.otherTables {
      set.remarks.append(
        "Left out: the table \(table), whose relationship the file does not describe.")
    }
    set.remarks.sort()
    set.mapping = ModelSet.Mapping(
      module: "RoostImportSQLite", objectType: nil, method: "rows", label: "of: ",
      source: ".coreData")
    return set
  }

  private func entities(of root: String) -> [SurveyedEntity] {
    survey.entities.filter { $0.root == root }
  }

  private mutating func addEntity(_ entity: SurveyedEntity) throws(ModelsError) {
    guard let place = models[entity.root] else { return }
    var variant = Declaration.Variant(source: entity.name, properties: [0])
    for attribute in entity.attributes {
      let source = Source(name: attribute.name, column: attribute.place)
      let isKnown = known[place]?[source] != nil
      let number = add(source, of: entity, to: place) { $0.property(attribute, of: entity) }
      variant.properties.insert(number)
      // Entities that have an attribute in common have the enum in common.
      guard !isKnown, let type = try cases(of: attribute, entity) else { continue }
      let old = set.declarations[place].properties[number].type
      set.declarations[place].properties[number].type = type.optional(old != old.unwrapped)
    }
    for relationship in entity.relationships {
      guard let property = property(relationship, of: entity) else { continue }
      let source = Source(name: relationship.name, column: nil)
      variant.properties.insert(add(source, of: entity, to: place) { _ in property })
    }
    set.declarations[place].variants.append(variant)
  }

  /// The enum of an attribute's values, if it is to be one.
  private mutating func cases(
    of attribute: SurveyedAttribute, _ entity: SurveyedEntity
  ) throws(ModelsError) -> SwiftType? {
    guard let (choice, values) = choices.values(of: attribute, entity) else { return nil }
    var declaration = Declaration(.cases(try choice.cases(values)), attribute.name)
    declaration.qualifier = entity.root
    return .declared(set.add(declaration))
  }

  /// Adds a property of an entity, unless another entity of the model has it already; returns its place.
  private mutating func add(
    _ source: Source, of entity: SurveyedEntity, to place: Int,
    _ make: (inout CoreDataModels) -> ModelProperty
  ) -> Int {
    if let found = known[place]?[source] {
      // Some other entity's objects may have no value.
      let other = make(&self).type
      if other != other.unwrapped {
        let type = set.declarations[place].properties[found].type
        set.declarations[place].properties[found].type = .optional(type.unwrapped)
      }
      return found
    }
    var property = make(&self)
    // Two subentities may have different properties of one name.
    if set.declarations[place].properties.contains(where: { $0.name == property.name }) {
      property.shownName = "\(entity.name) \(property.name)"
    }
    if property.name == "id" { property.shownName = "identifier" }
    let found = set.declarations[place].properties.count
    set.declarations[place].properties.append(property)
    known[place, default: [:]][source] = found
    return found
  }

  /// Makes what some entities of a model do not have optional, and notes of which entity an object is.
  private mutating func finish(_ place: Int, isOfSeveral: Bool) {
    guard isOfSeveral else {
      set.declarations[place].variants = []
      return
    }
    let variants = set.declarations[place].variants
    for number in set.declarations[place].properties.indices {
      let type = set.declarations[place].properties[number].type
      if case .links = type { continue }
      if variants.contains(where: { !$0.properties.contains(number) }) {
        set.declarations[place].properties[number].type = .optional(type.unwrapped)
      }
    }
    var entity = ModelProperty("entity", .string)
    entity.reading = .entity
    let number = set.declarations[place].properties.count
    set.declarations[place].properties.append(entity)
    for variant in variants.indices {
      set.declarations[place].variants[variant].properties.insert(number)
    }
  }

  // MARK: Attributes

  private mutating func property(
    _ attribute: SurveyedAttribute, of entity: SurveyedEntity
  ) -> ModelProperty {
    let entities = entities(of: entity.root)
    // What entities have in common has to hold the values of all.
    let same = entities.flatMap(\.attributes).filter {
      $0.name == attribute.name && $0.place == attribute.place
    }
    guard same.allSatisfy(\.isOfKind) else {
      var property = ModelProperty(attribute.name, .declared(any()))
      property.reading = .value(attribute.name)
      return property
    }
    let isExternal = attribute.mayBeExternal
    var property = ModelProperty(
      attribute.name, Self.type(attribute.kind).optional(attribute.isOptional || isExternal))
    property.reading = isExternal ? .externalData(attribute.name) : .value(attribute.name)
    if !survey.hasModel, attribute.name.hasPrefix("Z") {
      property.shownName = attribute.name.dropFirst().lowercased()
    }
    return property
  }

  private static func type(_ kind: SurveyedAttribute.Kind) -> SwiftType {
    switch kind {
    case .bool: .bool
    case .integer: .int
    case .decimal: .decimal
    case .double: .double
    case .float: .float
    case .text: .string
    case .date: .date
    case .data, .unknown: .data
    case .uuid: .uuid
    }
  }

  /// The helper for values of several types.
  private mutating func any() -> Int {
    set.declarations.firstIndex { $0.kind == .helper(.sqliteValue) }
      ?? set.add(Declaration(.helper(.sqliteValue), "AnyValue"))
  }

  // MARK: Relationships

  private func property(
    _ relationship: SurveyedRelationship, of entity: SurveyedEntity
  ) -> ModelProperty? {
    guard let target = survey.entity(relationship.destination), let place = models[target.root]
    else { return nil }
    let back = relationship.inverse.flatMap { name in
      target.relationships.first { $0.name == name }
    }
    guard relationship.isToMany else {
      var property = ModelProperty(relationship.name, .optional(.link(place)))
      property.reading = .link(relationship.name)
      switch back?.deleteRule {
      case .cascade: property.deleteRule = "cascade"
      case .deny: break
      case .nullify, nil: property.deleteRule = "nullify"
      }
      if let back, back.isToMany, !back.isOrdered { property.inverseName = back.name }
      return property
    }
    if let back, isStored(by: back, of: target, insteadOf: relationship, of: entity) { return nil }
    var property = ModelProperty(relationship.name, .links(place))
    property.reading = .links(relationship.name)
    if let back, back.isToMany, !back.isOrdered, back.name != relationship.name {
      property.inverseName = back.name
    }
    return property
  }

  /// Whether what leads back says all that a to-many relationship does, which is then the other direction of that.
  private func isStored(
    by back: SurveyedRelationship, of target: SurveyedEntity,
    insteadOf relationship: SurveyedRelationship, of entity: SurveyedEntity
  ) -> Bool {
    // An order is in the list alone.
    guard !relationship.isOrdered else { return false }
    guard back.isToMany, !back.isOrdered else { return true }
    return (target.root, back.name) < (entity.root, relationship.name)
  }
}
