internal import RoostEngine

extension DynamicType {
  /// The stored form of a field of the type; nil if no field can have the type.
  var stored: (type: FieldType, parts: [ElementColumn])? {
    switch self {
    case .bool: (.bool, [])
    case .int: (.int, [])
    case .uint: (.uint, [])
    case .double: (.double, [])
    case .float: (.float, [])
    case .string: (.string, [])
    case .data: (.data, [])
    case .date: (.date, [])
    case .uuid: (.uuid, [])
    case .duration: (.duration, [])
    case .decimal: (.decimal, [])
    case .json: (.json, [])
    case .blob: (.blob, [])
    case .link: (.link, [])
    case .links: (.links, [])
    case .list(let element): element.columns(named: "element").map { (.list, $0) }
    case .set(let element): element.columns(named: "element").map { (.set, $0) }
    case .dictionary(let key, let value): Self.dictionary(key, value).map { (.dictionary, $0) }
    case .compound(let parts): Self.compound(parts).map { (.compound, $0) }
    case .record: nil
    }
  }

  private static func dictionary(
    _ key: DynamicElement, _ value: DynamicElement
  ) -> [ElementColumn]? {
    guard let keys = key.columns(named: "key"), keys.count == 1,
      let values = value.columns(named: "value")
    else { return nil }
    return keys + values
  }

  private static func compound(_ parts: [DynamicPart]) -> [ElementColumn]? {
    var columns: [ElementColumn] = []
    for part in parts {
      guard let (type, inner) = part.type.stored, type.canBeCompounded else { return nil }
      columns.append(
        ElementColumn(name: part.name, type: type, isOptional: part.isOptional, parts: inner))
    }
    return columns.isEmpty || Set(columns.map(\.name)).count < columns.count ? nil : columns
  }

  /// The table of a link's targets.
  var target: String? {
    switch self {
    case .link(let target), .links(let target): target
    default: nil
    }
  }
}

extension DynamicElement {
  /// The columns of elements of the type; nil if no collection can have them.
  fileprivate func columns(named name: String) -> [ElementColumn]? {
    guard case .record(let parts) = type else {
      guard let (type, inner) = type.stored, type.canBeElement else { return nil }
      return [ElementColumn(name: name, type: type, isOptional: isOptional, parts: inner)]
    }
    guard !parts.isEmpty, Set(parts.map(\.name)).count == parts.count else { return nil }
    // The column before the parts stores whether there is a struct.
    var columns =
      isOptional ? [ElementColumn(name: name, type: .bool, isOptional: false)] : []
    for part in parts {
      guard let (type, inner) = part.type.stored, type.canBeElement else { return nil }
      columns.append(
        ElementColumn(
          name: "\(name).\(part.name)", type: type, isOptional: part.isOptional || isOptional,
          parts: inner))
    }
    return columns
  }
}
