internal import RoostDynamic

/// The tables of a store whose program has some models, as the printed text declares them.
struct ModelTables {
  let set: ModelSet
  let names: Names
  /// The places of the models among the declarations.
  let models: [Int]

  init(_ set: ModelSet) {
    self.set = set
    names = Names(set, keepsIdentifiers: false)
    models = set.declarations.indices.filter { set.declarations[$0].kind == .model }
  }

  /// The name of the table of a model.
  func name(of model: Int) -> String { names.types[model] }

  /// The tables of all models.
  var tables: [DynamicTable] {
    models.map {
      DynamicTable(
        name(of: $0), fields: fields(of: $0, within: nil, isOptional: false),
        indexes: indexes(of: $0))
    }
  }

  /// The indexes of several fields.
  private func indexes(of model: Int) -> [DynamicIndex] {
    let fields = Dictionary(
      properties(of: model).map { ($0.property.name, $0.name) },
      uniquingKeysWith: { first, _ in first })
    return set.declarations[model].indexes.map { index in
      DynamicIndex(index.fields.flatMap(\.self).compactMap { fields[$0] }, isUnique: index.isUnique)
    }
  }

  /// The property that is the key of a model.
  func key(of model: Int) -> ModelProperty? {
    set.declarations[model].properties.first(where: \.isKey)
  }

  /// The properties of a declaration, with the names of their fields.
  func properties(of place: Int) -> [(property: ModelProperty, name: String)] {
    Array(zip(set.declarations[place].properties, names.properties[place]))
  }

  /// The embedded struct that a property is; nil for another type.
  func embedded(_ type: SwiftType) -> Int? {
    guard case .declared(let place) = type.unwrapped, set.declarations[place].kind == .embedded
    else { return nil }
    return place
  }

  // MARK: Fields

  /// The fields of a model or of an embedded struct.
  ///
  /// - Parameters:
  ///   - path: The name of the field that the struct is.
  ///   - isOptional: Whether the struct may be missing.
  private func fields(
    of place: Int, within path: String?, isOptional: Bool
  ) -> [DynamicField] {
    var fields: [DynamicField] = []
    for (property, ownName) in properties(of: place) {
      let name = path.map { "\($0).\(ownName)" } ?? ownName
      if let part = embedded(property.type) {
        let mayBeMissing = property.type != property.type.unwrapped
        if mayBeMissing {
          fields.append(
            DynamicField(
              name, .bool, isOptional: isOptional, defaultValue: isOptional ? .null : .bool(false)))
        }
        fields += self.fields(of: part, within: name, isOptional: isOptional || mayBeMissing)
      } else {
        fields.append(field(property, name, isOptional: isOptional))
      }
    }
    return fields
  }

  private func field(
    _ property: ModelProperty, _ name: String, isOptional: Bool
  ) -> DynamicField {
    let isList = if case .links = property.type { true } else { false }
    var field = DynamicField(
      name, type(property.type.unwrapped),
      isOptional: !isList && (isOptional || property.type != property.type.unwrapped),
      isKey: property.isKey, isUnique: property.isUnique,
      isIndexed: property.isIndexed && !property.isUnique)
    switch property.deleteRule {
    case "nullify": field.deleteRule = .nullify
    case "cascade": field.deleteRule = .cascade
    default: field.deleteRule = isList ? .nullify : .deny
    }
    return field
  }

  private func type(_ type: SwiftType) -> DynamicType {
    switch type {
    case .library(let name, _): Self.type(named: name)
    case .declared(let place): self.type(declared: place)
    case .link(let place): .link(to: name(of: place))
    case .links(let place): .links(to: name(of: place))
    case .optional(let type): self.type(type)
    case .array(let type): .list(element(type))
    case .set(let type): .set(element(type))
    case .dictionary(let key, let value): .dictionary(key: element(key), value: element(value))
    }
  }

  private func element(_ type: SwiftType) -> DynamicElement {
    DynamicElement(self.type(type.unwrapped), isOptional: type != type.unwrapped)
  }

  private func type(declared place: Int) -> DynamicType {
    switch set.declarations[place].kind {
    case .model: .int
    case .embedded:
      .record(
        fields(of: place, within: nil, isOptional: false).map {
          DynamicPart($0.name, $0.type, isOptional: $0.isOptional)
        })
    case .compoundKey:
      .compound(
        properties(of: place).map { property, name in
          DynamicPart(
            name, type(property.type.unwrapped),
            isOptional: property.type != property.type.unwrapped)
        })
    case .cases(let values): if case .integer = values.first { .int } else { .string }
    case .caseNamed, .helper: .json
    }
  }

  private static func type(named name: String) -> DynamicType {
    switch name {
    case "Bool": .bool
    case "Int": .int
    case "UInt64": .uint
    case "Double": .double
    case "Float": .float
    case "Duration": .duration
    case "Date": .date
    case "UUID": .uuid
    case "Decimal": .decimal
    case "Blob": .blob
    case "Data", "RealmValue.Timestamp", "RealmValue.Decimal128": .data
    // Texts, and ObjectIds, which are stored as such.
    default: .string
    }
  }
}
