internal import Roost
internal import RoostDynamic

extension BrowseSession {
  /// The bytes of a text that the view of an object shows at first.
  private static let longTextMax = 64 << 10
  /// The links of a list, or of an inverse, in an answer.
  private static let linksMax = 100
  /// The bytes of an answer.
  private static let bytesMax = 1 << 20

  /// An object: its fields, and who links to it.
  func object(_ arguments: Arguments) throws -> DynamicValue {
    let version = try version(arguments.version)
    let (object, table) = try found(arguments, in: version)
    let cells = Cells(
      snapshot: version.snapshot, textMax: Self.longTextMax, linksMax: Self.linksMax)
    let fields = table.fields.map { field -> DynamicValue in
      do { return .members(["v": try cells.value(field, of: object)]) } catch {
        return .members(["e": .string(BrowseError(error).message)])
      }
    }
    var inverses: [DynamicValue] = []
    for source in version.snapshot.tables {
      for field in source.fields {
        switch field.type {
        case .link(table.name), .links(table.name): break
        default: continue
        }
        let sources = try object.sources(in: source.name, by: field.name)
        inverses.append(
          .members([
            "model": .string(source.name), "field": .string(field.name),
            "count": .count(sources.count),
            "first": .list(try sources.prefix(20).map { try cells.link(to: $0) }),
            "condition": try linkCondition(field, to: object, of: table).map { .string($0) },
          ]))
      }
    }
    return .members([
      "version": version.value, "key": .string(try object.key.plainText),
      "label": try cells.label(of: object).map { .string($0) },
      "fields": .list(fields), "inverses": .list(inverses),
    ])
  }

  /// More targets of a list of links, or, where a model is named, more objects that link to this one.
  func sources(_ arguments: Arguments) throws -> DynamicValue {
    let version = try version(arguments.version)
    let (object, table) = try found(arguments, in: version)
    let name = try arguments.text("field")
    let cells = Cells(snapshot: version.snapshot, textMax: Self.longTextMax, linksMax: 0)
    let from = arguments.number("from", max: Int(Int32.max))
    let places = from..<from + Self.linksMax
    let (found, count): (DynamicObjects.SubSequence, Int)
    if let source = arguments.optionalText("source") {
      let sources = try object.sources(in: source, by: name)
      (found, count) = (sources[places.clamped(to: 0..<sources.count)], sources.count)
    } else {
      let field = try field(name, of: table).name
      let (targets, all) = try object.targets(of: field, in: places)
      (found, count) = (targets[...], all)
    }
    return .members([
      "version": version.value, "count": .count(count),
      "first": .list(try found.map { try cells.link(to: $0) }),
    ])
  }

  /// Bytes of a text, of data or of a blob.
  func bytes(_ arguments: Arguments) throws -> [UInt8] {
    let version = try version(arguments.version)
    let (object, table) = try found(arguments, in: version)
    let field = try field(try arguments.text("field"), of: table)
    let from = arguments.number("from", max: .max)
    let count = arguments.number("count", max: Self.bytesMax)
    if field.type == .blob {
      let start = UInt64(from)
      return try object.bytes(of: field.name, in: start..<start + UInt64(count))
    }
    switch try object[field.name] {
    case .null: return []
    case .data(let data): return Array(data.dropFirst(from).prefix(count))
    case let value: return Array(value.plainText.utf8.dropFirst(from).prefix(count))
    }
  }

  // MARK: Conditions

  /// The most bytes of a text that becomes a part of a condition.
  private static let literalMax = 2_000

  /// The condition that a field has the value that it has in an object.
  func condition(_ arguments: Arguments) throws -> DynamicValue {
    let version = try version(arguments.version)
    let (object, table) = try found(arguments, in: version)
    let field = try field(try arguments.text("field"), of: table)
    let value = try object[field.name]
    guard let text = try condition(field, value, in: version) else {
      throw BrowseError("Values of \(field.name) cannot be compared in a query.")
    }
    guard text.utf8.count <= Self.literalMax else {
      throw BrowseError("The value is too long for a query.")
    }
    return .members(["condition": .string(text)])
  }

  /// The condition that a field has a value; nil where no query says so.
  func condition(
    _ field: DynamicField, _ value: DynamicValue, in version: Version
  ) throws -> String? {
    let name: DynamicQuery = "\(name: field.name)"
    if value == .null { return "\(name.text) == nil" }
    switch field.type {
    case .link(let target):
      guard let key = version.snapshot.table(target)?.key else { return nil }
      if case .compound = key.type { return nil }
      let query: DynamicQuery = "\(name: field.name).\(name: key.name) == \(value)"
      return query.text
    case .list, .set, .dictionary, .links, .blob, .record, .compound, .json: return nil
    default:
      let query: DynamicQuery = "\(name: field.name) == \(value)"
      return query.text
    }
  }

  /// The condition that a field links to an object.
  private func linkCondition(
    _ field: DynamicField, to object: DynamicObject, of table: DynamicTable
  ) throws -> String? {
    guard let key = table.key else { return nil }
    if case .compound = key.type { return nil }
    let value = try object.key
    if case .links = field.type {
      let query: DynamicQuery =
        "\(name: field.name) contains { \(name: key.name) == \(value) }"
      return query.text
    }
    let query: DynamicQuery = "\(name: field.name).\(name: key.name) == \(value)"
    return query.text
  }

  // MARK: Values of a column

  /// How many values are shown.
  private static let topMax = 100

  /// The values of a field that most objects of a query have, and what its numbers come to.
  func topValues(_ arguments: Arguments) throws -> DynamicValue {
    let version = try version(arguments.version)
    let query = try PageQuery(arguments)
    let table = try table(query.model, in: version)
    let field = try field(try arguments.text("field"), of: table)
    guard !query.text(with: "").asksForGroups else {
      throw BrowseError("Groups have no values of a field.")
    }
    let name: DynamicQuery = "\(name: field.name)"
    let cells = Cells(snapshot: version.snapshot, textMax: 400, linksMax: 0)
    let count = try query.placing { try version.snapshot.count(query.text(with: "")) }
    let text = " group \(name.text) select count sort count desc limit \(Self.topMax)"
    let groups = try query.placing { try version.snapshot.groups(query.text(with: text)) }
    let rows = try (0..<groups.count).map { place -> DynamicValue in
      let row = try groups.row(place)
      let value = row.first ?? .null
      let condition = try condition(field, value, in: version)
      let isShort = (condition?.utf8.count ?? 0) <= Self.literalMax
      return .members([
        "v": cells.plain(value), "n": row.last,
        "condition": isShort ? condition.map { .string($0) } : nil,
      ])
    }
    var figures: DynamicValue?
    switch field.type {
    case .int, .uint, .double, .float, .decimal:
      let select = " select min(\(name.text)), max(\(name.text)), average(\(name.text))"
      let found = try? version.snapshot.groups(query.text(with: select))
      if let found, found.count > 0 {
        figures = .list(try found.row(0).map { .string($0.plainText) })
      }
    default: break
    }
    return .members([
      "version": version.value, "count": .count(count), "rows": .list(rows), "figures": figures,
      "isCut": .bool(groups.count == Self.topMax),
    ])
  }
}
