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

  /// Whether it has an optional struct, or one that was not optional.
  func hasStruct(_ presence: String?) -> Bool {
    guard let presence else { return false }
    return field(named: presence) != nil || hasParts(of: presence)
  }
}
