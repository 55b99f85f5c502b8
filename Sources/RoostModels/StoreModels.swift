internal import Roost
internal import RoostDynamic
internal import RoostEngine

/// Reads the models of a store from its tables.
struct StoreModels {
  private let snapshot: DynamicSnapshot
  private var set = ModelSet()
  private var choices: Set<EnumChoice> = []
  /// The places of the models, by their names.
  private var places: [String: Int] = [:]

  /// The struct that is being described.
  private struct Context {
    /// The table, for messages and queries.
    var table: String
    /// The names in front of the parts; nil in elements of collections, which queries cannot count.
    var path: String? = ""
    /// The field that says whether the struct is there, if it may be missing.
    var presence: String?
    /// The name for what is called `value`, in the table of a value under a name.
    var valueName: String?

    func name(of part: String) -> String? {
      path.map { $0.isEmpty ? part : $0 + "." + part }
    }
  }

  init(_ snapshot: DynamicSnapshot) { self.snapshot = snapshot }

  /// The models, some fields of which become enums.
  mutating func read(enums: [EnumChoice]) throws -> ModelSet {
    choices = Set(enums)
    let tables = snapshot.tables
    let models = tables.filter { !$0.holdsNamedValue }
    for table in models {
      places[table.name] = set.add(Declaration(.model, table.name))
    }
    for (place, table) in models.enumerated() {
      set.declarations[place].properties = try properties(
        FieldTree(leaves(of: table)), Context(table: table.name))
      set.declarations[place].indexes = indexes(of: table.name)
    }
    for table in tables where table.holdsNamedValue { try addValue(table) }
    var known: [String: [String]] = [:]
    for table in models {
      known[table.name] = table.fields.filter { [.string, .int].contains($0.type) }.map(\.name)
    }
    if let error = EnumChoice.unknown(choices, "field", among: known) { throw error }
    return set
  }

  private func leaves(of table: DynamicTable) -> [FieldTree.Leaf] {
    table.fields.filter { $0.name != FieldDefinition.writeTimeName }.map { FieldTree.Leaf($0) }
  }

  /// Adds a value that is kept under a name; those of the store itself are no business of models.
  private mutating func addValue(_ table: DynamicTable) throws {
    let name = String(table.name.drop { $0 != ":" }.dropFirst())
    guard !name.hasPrefix("roost.") else { return }
    var context = Context(table: table.name)
    context.valueName = name
    let found = try properties(FieldTree(leaves(of: table)), context).filter { !$0.isKey }
    if let value = found.first { set.namedValues.append((name, value.type.unwrapped)) }
  }

  // MARK: Properties

  private mutating func properties(
    _ tree: FieldTree, _ context: Context
  ) throws -> [ModelProperty] {
    var properties: [ModelProperty] = []
    for node in tree.nodes {
      if var property = try property(node, context) {
        property.name = node.name
        properties.append(property)
      }
    }
    return properties
  }

  private mutating func property(
    _ node: FieldTree.Node, _ context: Context
  ) throws -> ModelProperty? {
    guard let leaf = node.leaf else {
      return ModelProperty(node.name, .declared(try embedded(node, context)))
    }
    if node.parts.nodes.isEmpty { return try value(node, leaf, context) }
    if leaf.type == .bool {
      var inner = context
      inner.presence = context.name(of: node.name)
      return ModelProperty(node.name, .optional(.declared(try embedded(node, inner))))
    }
    if leaf.type == .json, node.parts.nodes.count == 1, let kind = node.parts.nodes.first,
      kind.name == "kind", kind.leaf?.type == .string
    {
      return caseNamed(node, leaf, context)
    }
    let names = node.parts.nodes.map { "\(context.table).\(leaf.name).\($0.name)" }
    set.remarks.append(
      "Left out, for \(leaf.name) is a value itself: \(names.joined(separator: ", ")).")
    return try value(node, leaf, context)
  }

  /// The property of a field that is no struct.
  private mutating func value(
    _ node: FieldTree.Node, _ leaf: FieldTree.Leaf, _ context: Context
  ) throws -> ModelProperty {
    let field = leaf.field
    var type = try type(leaf.type, node.name, context)
    if let field, let chosen = try chosen(field, node, context) { type = .declared(chosen) }
    let isNullified = field?.deleteRule == .nullify || field?.nullifiesMissingTarget == true
    var isOptional = leaf.isOptional
    if isOptional, !isNullified { isOptional = try isMissing(node.name, context) }
    var property = ModelProperty(
      node.name, type.optional(isOptional), isKey: field?.isKey ?? false)
    guard let field else { return property }
    if !field.isKey {
      property.isUnique = field.isUnique
      property.isIndexed = field.isIndexed
    }
    property.nullifiesMissingTarget = field.nullifiesMissingTarget && leaf.type.isSingleLink
    property.deleteRule =
      switch (field.deleteRule, isList(leaf.type)) {
      case (.cascade, _): "cascade"
      case (.nullify, false): "nullify"
      case (.deny, true): "deny"
      case (.nullify, true), (.deny, false): nil
      }
    property.defaultValue = defaultValue(field, type)
    return property
  }

  private func isList(_ type: DynamicType) -> Bool { if case .links = type { true } else { false } }

  /// Whether a field that may be null has to be so: within a struct that may be missing, the file does not say it, and where no
  /// struct lacks the part, it is not optional.
  private func isMissing(_ part: String, _ context: Context) throws -> Bool {
    guard let presence = context.presence, let name = context.name(of: part) else { return true }
    return try snapshot.count(
      "\(name: context.table) where \(name: presence) != nil && \(name: name) == nil") > 0
  }

  private func defaultValue(_ field: DynamicField, _ type: SwiftType) -> DefaultValue? {
    // Lists of links and blobs are empty.
    if field.defaultValue == .null || field.type == .blob || isList(field.type) { return nil }
    if case .declared = type {
      return EnumValue(field.defaultValue).map { .value($0) }
    }
    return field.defaultValue.swiftLiteral.map { .literal($0) }
  }

  // MARK: Types

  private mutating func type(
    _ type: DynamicType, _ name: String, _ context: Context
  ) throws -> SwiftType {
    switch type {
    case .bool: return .bool
    case .int: return .int
    case .uint: return .uint
    case .double: return .double
    case .float: return .float
    case .string: return .string
    case .data: return .data
    case .date: return .date
    case .uuid: return .uuid
    case .duration: return .duration
    case .decimal: return .decimal
    case .blob: return .blob
    case .json: return .declared(json())
    case .link(let target): return .link(places[target] ?? 0)
    case .links(let target): return .links(places[target] ?? 0)
    case .list(let element): return .array(try self.element(element, name, context))
    case .set(let element): return .set(try self.element(element, name, context))
    case .dictionary(let key, let value):
      return .dictionary(
        key: try element(key, name, context), value: try element(value, name, context))
    case .compound(let parts): return .declared(try compound(parts, name, context))
    case .record(let parts):
      return .declared(
        try embedded(
          FieldTree.Node(
            name: Self.singular(name), parts: FieldTree(parts.map { FieldTree.Leaf($0) })),
          Context(table: context.table, path: nil)))
    }
  }

  private mutating func element(
    _ element: DynamicElement, _ name: String, _ context: Context
  ) throws -> SwiftType {
    try type(element.type, name, context).optional(element.isOptional)
  }

  private mutating func json() -> Int {
    helper(.json, "JSON")
  }

  private mutating func helper(_ helper: Helper, _ name: String) -> Int {
    set.declarations.firstIndex { $0.kind == .helper(helper) }
      ?? set.add(Declaration(.helper(helper), name))
  }

  /// The struct of a node's parts; the same one where a struct of this name has the same parts.
  private mutating func embedded(_ node: FieldTree.Node, _ context: Context) throws -> Int {
    var inner = context
    inner.path = context.name(of: node.name)
    inner.valueName = nil
    let name = node.name == "value" ? context.valueName ?? node.name : node.name
    let properties = try properties(node.parts, inner)
    return declare(.embedded, name, properties, context)
  }

  private mutating func compound(
    _ parts: [DynamicPart], _ name: String, _ context: Context
  ) throws -> Int {
    let properties = try properties(
      FieldTree(parts.map { FieldTree.Leaf($0) }), Context(table: context.table, path: nil))
    let isKey = snapshot.table(context.table)?.key?.name == name
    return declare(.compoundKey, isKey ? context.table + "Key" : name, properties, context)
  }

  private mutating func caseNamed(
    _ node: FieldTree.Node, _ leaf: FieldTree.Leaf, _ context: Context
  ) -> ModelProperty {
    _ = json()
    let place = declare(.caseNamed, node.name, [], context)
    return ModelProperty(node.name, SwiftType.declared(place).optional(leaf.isOptional))
  }

  private mutating func declare(
    _ kind: Declaration.Kind, _ name: String, _ properties: [ModelProperty], _ context: Context
  ) -> Int {
    let known = set.declarations.firstIndex {
      $0.kind == kind && $0.name == name && $0.properties == properties
    }
    if let known { return known }
    var declaration = Declaration(kind, name)
    declaration.qualifier = context.table
    declaration.properties = properties
    return set.add(declaration)
  }

  /// The singular of a name, for the elements of a collection.
  private static func singular(_ name: String) -> String {
    if name.hasSuffix("ies") { return name.dropLast(3) + "y" }
    if ["sses", "xes", "ches", "shes"].contains(where: name.hasSuffix) {
      return String(name.dropLast(2))
    }
    return name.hasSuffix("s") && !name.hasSuffix("ss") ? String(name.dropLast()) : name
  }

  // MARK: Enums

  /// The enum for a field, if one is asked for.
  private mutating func chosen(
    _ field: DynamicField, _ node: FieldTree.Node, _ context: Context
  ) throws -> Int? {
    let choice = EnumChoice(model: context.table, field: field.name)
    guard [.string, .int].contains(field.type), choices.remove(choice) != nil else { return nil }
    let groups = try snapshot.groups(
      "\(name: context.table) group \(name: field.name) limit \(EnumChoice.casesMax + 2)")
    var values: [EnumValue] = []
    for row in 0..<groups.count {
      if let value = try groups.row(row).first { values += [EnumValue(value)].compactMap(\.self) }
    }
    values += [EnumValue(field.defaultValue)].compactMap(\.self)
    values += compared(with: field.name, in: context.table)
    let cases = try choice.cases(values)
    return declare(.cases(cases), node.name, [], context)
  }

  /// The constants that conditions of indexes compare a field with.
  private func compared(with field: String, in table: String) -> [EnumValue] {
    guard let table = snapshot.catalog.table(named: table), let field = table.field(named: field)
    else { return [] }
    return table.indexes.flatMap(\.condition).compactMap { condition in
      guard condition.field == field.id, case .compare(_, let value) = condition.test else {
        return nil
      }
      return EnumValue(DynamicValue(stored: value, field.type, field.parts))
    }
  }

  // MARK: Indexes

  private mutating func indexes(of name: String) -> [ModelIndex] {
    guard let table = snapshot.catalog.table(named: name) else { return [] }
    var indexes: [ModelIndex] = []
    for index in table.indexes {
      var found = ModelIndex(fields: index.fields.map { Self.path(table.field($0)?.name ?? "") })
      found.isUnique = index.isUnique
      let conditions = index.condition.map { condition($0, in: table) }
      found.conditions = conditions.compactMap(\.self)
      guard found.conditions.count == conditions.count else {
        set.remarks.append("Left out: the index \(table.name(of: index)) of \(name).")
        continue
      }
      indexes.append(found)
    }
    return indexes
  }

  private static func path(_ name: String) -> [String] {
    name.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
  }

  private func condition(
    _ condition: IndexCondition, in table: TableDefinition
  ) -> ModelIndex.Condition? {
    guard let field = table.field(condition.field) else { return nil }
    let path = Self.path(field.name)
    switch condition.test {
    case .isNull: return ModelIndex.Condition(field: path, sign: "==", value: .literal("nil"))
    case .isNotNull: return ModelIndex.Condition(field: path, sign: "!=", value: .literal("nil"))
    case .compare(let comparison, let constant):
      let value = DynamicValue(stored: constant, field.type, field.parts)
      let literal: DefaultValue?
      if isEnum(path, of: table.name) {
        literal = EnumValue(value).map { .value($0) }
      } else if field.type == .link {
        let target = snapshot.catalog.table(field.target)?.identifier
        literal =
          target?.isObjectKey == true
          ? DynamicValue(stored: constant, target?.type ?? .int, []).swiftLiteral.map {
            .literal("Link(id: \($0))")
          } : nil
      } else {
        literal = value.swiftLiteral.map { .literal($0) }
      }
      return literal.map {
        ModelIndex.Condition(field: path, sign: comparison.sign, value: $0)
      }
    }
  }

  /// Whether a field has become an enum.
  private func isEnum(_ path: [String], of table: String) -> Bool {
    var place = places[table]
    for name in path {
      guard let current = place,
        let property = set.declarations[current].properties.first(where: { $0.name == name }),
        case .declared(let next) = property.type.unwrapped
      else { return false }
      place = next
    }
    guard let place, case .cases = set.declarations[place].kind else { return false }
    return true
  }
}

extension DynamicType {
  fileprivate var isSingleLink: Bool { if case .link = self { true } else { false } }
}

extension EnumValue {
  /// The value as that of a case; nil for one that no case can have.
  init?(_ value: DynamicValue) {
    switch value {
    case .string(let text): self = .text(text)
    case .int(let number): self = .integer(number)
    default: return nil
    }
  }
}
