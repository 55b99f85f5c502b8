internal import RoostEngine

/// A model's schema without its Swift type: the information that a store needs to lay it out in a file.
struct ModelDescription: Sendable {
  let name: ModelName
  let fields: [FieldDescription]
  /// The indexes other than those of single fields.
  let indexes: [TableIndexDraft]
  /// The position of the key among the fields.
  let keyPosition: Int

  /// Describes a model, and finds the errors in its schema.
  ///
  /// - Parameter name: The name under which it is stored; nil for its type's.
  init<M: Model>(_ model: M.Type, storedAs name: String? = nil) throws(StoreError) {
    let schema = M.schema
    self.name = ModelName(model, storedAs: name)
    // No query needs the kinds of a value under a name: a file may lack them.
    fields = name == nil ? schema.fields : schema.fields.map(\.withOptionalKind)
    let keys = fields.indices.filter { schema.fields[$0].isKey }
    guard let key = keys.first, keys.count == 1 else { throw .missingKey(model: self.name.name) }
    keyPosition = key
    indexes = try Index.drafts(M.indexes, of: self.name, fields)
    if let refusal = schema.refusal { throw .schemaInvalid(model: self.name.name, reason: refusal) }
    try checkNames()
    try checkTypes()
    try checkDefaults()
    if let error = schema.orderError { throw error }
  }

  /// Whether an object's id is its key in the file; otherwise the file numbers the objects.
  var hasIntegerKey: Bool { fields[keyPosition].type.kind.canBeObjectKey }

  private func checkNames() throws(StoreError) {
    for field in fields {
      if field.name.isEmpty || field.name.utf8.count > 1024 {
        throw .schemaInvalid(
          model: name.name,
          reason: "a field's name has 1 to 1024 bytes, and \"\(field.name)\" has not.")
      }
    }
    let dates = fields.filter(\.isCacheDate)
    if dates.count > 1 {
      throw .schemaInvalid(
        model: name.name,
        reason:
          "\"\(dates[0].name)\" and \"\(dates[1].name)\" are both its `.cacheDate`; there is one at most."
      )
    }
    if fields.count > 1024 {
      throw .schemaInvalid(
        model: name.name, reason: "it has \(fields.count) fields; 1024 are the most.")
    }
  }

  private func checkDefaults() throws(StoreError) {
    for field in fields {
      guard case .bytes(let content) = field.defaultValue,
        content.count > Catalog.defaultBytesMax
      else { continue }
      throw .schemaInvalid(
        model: name.name,
        reason: "the default of \"\(field.name)\" has \(content.count) bytes; "
          + "\(Catalog.defaultBytesMax) are the most.")
    }
  }

  private func checkTypes() throws(StoreError) {
    let key = fields[keyPosition]
    switch key.type.kind {
    case _ where key.type.isOptional:
      throw .schemaInvalid(model: name.name, reason: "the key \"\(key.name)\" may not be optional.")
    case let kind where !kind.canBeKey:
      throw .schemaInvalid(
        model: name.name,
        reason: "the key \"\(key.name)\" is a \(key.type), which cannot be one; "
          + "an integer, a text or a UUID can.")
    default: break
    }
  }
}

extension FieldType {
  /// Whether objects can be identified by values of this type.
  var canBeKey: Bool {
    switch self {
    case .bool, .double, .float, .link, .json, .list, .set, .dictionary, .links, .blob: false
    case .int, .string, .data, .date, .uuid, .uint, .duration, .decimal, .compound: true
    }
  }
}

extension TableDefinition {
  /// Whether it has parts of a struct.
  func hasParts(of name: String) -> Bool {
    fields.contains { $0.name.hasPrefix("\(name).") }
  }

  /// Whether a field says whether a struct is present of which the table has parts.
  func isMark(_ field: FieldDefinition) -> Bool {
    field.type == .bool && hasParts(of: field.name)
  }

  /// Whether it has an optional struct, or one that was not optional.
  func hasStruct(_ presence: String?) -> Bool {
    guard let presence else { return false }
    return field(named: presence) != nil || hasParts(of: presence)
  }
}

extension SchemaEvolution {
  /// The type of a stored field in Swift syntax.
  func describe(_ field: FieldDefinition) -> String {
    _FieldType.describe(
      field.type, isOptional: field.isOptional, target: stored.table(field.target)?.name,
      field.parts)
  }

  /// The difference where a property is a struct in the model and a single value in the file, or the other way round, and which it
  /// is; nil for any other field, and where a rename that is proposed moves all of the values.
  func otherStruct(
    _ field: FieldDescription, in table: TableDefinition, _ model: ModelDescription
  ) -> (name: String, difference: SchemaDifference)? {
    func parts(of name: String, _ names: [String]) -> [String] {
      names.filter { $0.hasPrefix("\(name).") }
    }
    let known = table.field(named: field.name)
    let declared = model.fields.map(\.name)
    let stored = table.fields.map(\.name)
    func other(_ name: String, _ isStored: String, _ isDeclared: String, _ parts: [String]) -> (
      name: String, difference: SchemaDifference
    )? {
      parts.isEmpty
        ? nil
        : (
          name,
          .otherStruct(
            model: table.name, field: name, stored: isStored, declared: isDeclared, parts: parts)
        )
    }
    let name = SchemaDifference.structName
    if field.isPresence, let known, known.type != .bool {
      return other(field.name, describe(known), name, parts(of: field.name, declared))
    }
    if !field.isPresence, field.kindOf == nil, field.type.kind != .bool,
      known?.type == .bool || known == nil && field.takesStructs
    {
      return other(field.name, name, "\(field.type)", parts(of: field.name, stored))
    }
    // A struct that is always there has no field of its own.
    guard known == nil, let point = field.name.lastIndex(of: "."),
      let value = table.field(named: String(field.name[..<point])), value.type == .json,
      !declared.contains(value.name)
    else { return nil }
    return other(value.name, describe(value), name, parts(of: value.name, declared))
  }
}
