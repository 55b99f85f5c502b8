internal import RoostImportSQLite

/// The attributes of a Core Data store that become enums, with their values.
struct CoreDataChoices {
  /// An attribute, and those of the same tree of entities that share its column.
  private struct Attribute: Hashable {
    let root: String
    let name: String
    let place: Int
  }

  private var choices: [Attribute: EnumChoice] = [:]
  private var values: [Attribute: Set<EnumValue>] = [:]

  /// Reads the values.
  ///
  /// - Parameter enums: The attributes, of an entity or of the topmost one that it is a kind of.
  init(_ enums: [EnumChoice], _ survey: CoreDataSurvey, _ file: CopiedFile) throws {
    guard !enums.isEmpty else { return }
    for choice in enums {
      let found = survey.entities.lazy.filter { [$0.name, $0.root].contains(choice.model) }
        .compactMap { entity in
          entity.attributes.first { $0.name == choice.field }.map { (entity, $0) }
        }.first
      let isOfKind = found.map { entity, attribute in
        survey.entities.filter { $0.root == entity.root }.flatMap(\.attributes)
          .filter { $0.name == attribute.name && $0.place == attribute.place }
          .allSatisfy(\.isOfKind)
      }
      guard let (entity, attribute) = found, [.integer, .text].contains(attribute.kind),
        isOfKind == true
      else {
        throw EnumChoice.unknown([choice], "attribute", among: Self.fields(of: survey))
          ?? ModelsError("\(choice.model).\(choice.field) cannot be an enum.")
      }
      choices[Attribute(root: entity.root, name: attribute.name, place: attribute.place)] = choice
    }
    let source = try CoreDataSource(file)
    for entity in survey.entities {
      let attributes = entity.attributes.map {
        Attribute(root: entity.root, name: $0.name, place: $0.place)
      }.filter { choices[$0] != nil }
      guard !attributes.isEmpty else { continue }
      try source.forEachObject(of: entity.name) { row in
        for attribute in attributes { note(try row.value(attribute.name), of: attribute) }
      }
    }
    try source.checkUnchanged()
  }

  /// By entity, the attributes that can be enums.
  private static func fields(of survey: CoreDataSurvey) -> [String: [String]] {
    var fields: [String: [String]] = [:]
    for entity in survey.entities {
      let names = entity.attributes.filter { [.integer, .text].contains($0.kind) && $0.isOfKind }
        .map(\.name)
      fields[entity.name] = names
    }
    return fields
  }

  private mutating func note(_ value: SQLiteValue, of attribute: Attribute) {
    guard values[attribute, default: []].count <= EnumChoice.casesMax else { return }
    switch value {
    case .text(let text): values[attribute, default: []].insert(.text(text))
    case .integer(let number): values[attribute, default: []].insert(.integer(number))
    default: break
    }
  }

  /// What was asked for an attribute, and its values; nil where it becomes no enum.
  func values(
    of attribute: SurveyedAttribute, _ entity: SurveyedEntity
  ) -> (choice: EnumChoice, values: [EnumValue])? {
    let attribute = Attribute(
      root: entity.root, name: attribute.name, place: attribute.place)
    return choices[attribute].map { ($0, Array(values[attribute] ?? [])) }
  }
}
