internal import RoostEngine

/// The names of a model's fields that are called otherwise in a text.
package struct TextNames: Sendable {
  /// By the path of a field, without the model before it.
  private var names: [String: String]

  /// - Parameter names: By the path of a field, such as `address.city`, with the model before it or without.
  package init(_ names: [String: String], of model: String) {
    self.names = names
    for (path, name) in names where path.hasPrefix(model + ".") {
      self.names[String(path.dropFirst(model.count + 1))] = name
    }
  }

  /// The name in the text of the field with a path; nil where it is its own.
  func name(of path: String) -> String? { names[path] }

  /// The name in the text of a member that is no field.
  func member(_ name: String) -> String { self.name(of: name) ?? name }

  /// What a text without a field's member has, for errors.
  func absence(of path: String) -> String {
    name(of: path).map { "no member \"\($0)\"" } ?? "no such member"
  }

  /// The shape of an object in the text.
  func shape(_ shape: RecordShape) -> RecordShape {
    names.isEmpty ? shape : shape.renamed(names)
  }

  /// The names of the columns of CSV.
  func columns(of shape: RecordShape, prefix: String = "") -> [String] {
    shape.members.flatMap { member -> [String] in
      let path = prefix + member.name
      let name = name(of: path) ?? path
      guard case .record(let record, let presence) = member.content else { return [name] }
      return (presence == nil ? [] : [name]) + columns(of: record, prefix: path + ".")
    }
  }

  /// What is wrong with names of which one is of no field; nil if all are of some.
  ///
  /// A name of another model, such as `Author.name`, may be of a text that is read elsewhere: it is refused only if it is close
  /// to a path here.
  /// - Parameter paths: By model, the paths of its fields.
  static func mistake(in names: [String: String], _ paths: [String: Set<String>]) -> String? {
    guard !names.isEmpty else { return nil }
    let models = paths.keys.sorted()
    let known = models.flatMap { model in
      (paths[model] ?? []).flatMap { [$0, model + "." + $0] }
    }
    let isKnown = Set(known)
    for path in names.keys.sorted() where !isKnown.contains(path) {
      let first = path.prefix { $0 != "." }
      let isElsewhere =
        first.count < path.count && !models.contains(String(first))
        && !isKnown.contains(String(first))
      let question = NearestName.question(path, among: known.sorted())
      guard question.isEmpty, isElsewhere else {
        // Of a struct with such a name, its parts are nearer than itself.
        let parts = known.sorted().filter { $0.hasPrefix(first + ".") }
        let isNear = parts.isEmpty || question.contains("\"\(first).")
        return "\"\(path)\" is no field of \(models.joined(separator: " or "))."
          + (isNear ? question : " \(first) has \(parts.joined(separator: ", ")).")
      }
    }
    return nil
  }

  /// A name that two members of an object have.
  static func shared(in shape: RecordShape) -> String? {
    var known: Set<[UInt8]> = []
    for member in shape.members {
      guard known.insert(member.key).inserted else {
        return String(decoding: member.key, as: UTF8.self)
      }
      if case .record(let record, _) = member.content, let name = shared(in: record) {
        return name
      }
    }
    return nil
  }
}

extension RecordShape {
  /// The paths of all members, those of structs and of elements among them: `address.city`.
  package func paths(in parent: String = "") -> [String] {
    members.flatMap { member -> [String] in
      let path = parent + member.name
      return [path] + member.content.paths(in: path + ".")
    }
  }
}

extension RecordShape.Content {
  fileprivate func paths(in parent: String) -> [String] {
    switch self {
    case .record(let record, _): record.paths(in: parent)
    case .value(_, let shape): shape.elements?.element.paths(in: parent) ?? []
    }
  }
}
