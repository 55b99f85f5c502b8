internal import RoostEngine

extension SchemaEvolution {
  /// The parts that some objects do not have of an optional struct that they have: a step may have set another part of it alone.
  ///
  /// - Complexity: A scan for each part that such a struct needs.
  static func missingParts(
    of models: [ModelDescription], in view: ReadView
  ) throws(EngineError) -> [SchemaDifference] {
    var differences: [SchemaDifference] = []
    for model in models {
      guard let table = view.catalog.table(named: model.name.name) else { continue }
      for field in model.fields where field.isRequiredPart {
        guard let part = table.field(named: field.name), part.isOptional,
          let presence = field.presence.flatMap({ table.field(named: $0) }), presence.type == .bool
        else { continue }
        let isMissing = Predicate.and([
          .compare(presence.id, .equal, .integer(1)), .isNull(part.id),
        ])
        let count = try view.count(ObjectQuery(table: table.id, predicate: isMissing))
        guard count > 0 else { continue }
        differences.append(
          .missingValues(
            model: table.name, field: field.name, objects: UInt64(count), declared: field.ownType))
      }
    }
    return differences
  }
}
