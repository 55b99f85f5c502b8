internal import RoostEngine

/// A model whose objects link to one object of another, and the members that a text of them has.
package struct LinkingModel: Sendable {
  package let name: String
  /// The members besides the key and the link.
  package let members: Set<String>
  /// Those of them that no text of an object can lack.
  package let required: Set<String>

  /// Nil if the model has no single link to the target.
  init?(_ model: ModelBinding, to target: ModelBinding) {
    let fields = zip(model.fields, model.isKind)
      .compactMap { id, isKind in isKind ? nil : model.table.field(id) }
    func isLink(_ field: FieldDefinition) -> Bool {
      field.type == .link && field.target == target.tableID
    }
    guard fields.contains(where: isLink) else { return nil }
    var members: Set<String> = []
    var required: Set<String> = []
    for field in fields where !field.isIdentifier && !isLink(field) {
      let path = field.name.split(separator: ".")
      guard let member = path.first.map(String.init) else { continue }
      members.insert(member)
      let isOfOptional = fields.contains { $0.name == member } && path.count > 1
      let isPresence = fields.contains { $0.name.hasPrefix("\(field.name).") }
      if !isOfOptional, !isPresence, Self.isRequired(field) { required.insert(member) }
    }
    name = model.name.name
    self.members = members
    self.required = required
  }

  private static func isRequired(_ field: FieldDefinition) -> Bool {
    switch field.type {
    case .list, .set, .dictionary, .links: false
    default: !field.isOptional && field.defaultValue == .null
    }
  }
}
