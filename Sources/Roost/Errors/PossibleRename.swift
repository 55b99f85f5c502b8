/// Fields of a model that the file lacks, and fields of their type that it has and the model does not declare: some of these may
/// be some of those under an older name.
///
/// A step that adds them would leave the values behind.
struct PossibleRename {
  let model: String
  /// What the file lacks.
  var fields: [String]
  /// What the model does not declare.
  let olderNames: [String]

  /// The structs of the two names, if these are all in which they differ: then the struct as a whole may have another name.
  private var structs: (field: String, older: String)? {
    guard fields.count == 1, olderNames.count == 1 else { return nil }
    return Self.structs(of: fields[0], olderNames[0])
  }

  /// A template of the step that renames, with a placeholder where a name has to be chosen.
  var step: String {
    let name =
      fields.count + olderNames.count == 2
      ? "\"\(model).\(olderNames[0]) becomes \(fields[0])\"" : "<#\"name of the step\"#>"
    var (older, newer) = (olderNames, fields)
    if let structs {
      older = [structs.older] + older
      newer = [structs.field] + newer
    }
    return """
      MigrationStep(\(name)) {
        try $0.rename(\(Self.choice(older)), of: "\(model)", to: \(Self.choice(newer)))
      }
      """
  }

  /// What to do if it is one.
  var remedy: String {
    let names = Self.list(olderNames.map { "\"\($0)\"" })
    let declared = Self.list(fields.map { "\(model).\($0)" })
    let choice = fields.count == 1 ? "" : ": an older name belongs to one of them"
    let isNew = """
      If it is new, it needs no step where it is an optional or says `.default(…)`; `add` makes it in a step, and `rewrite` \
      fills it from other fields.
      """
    if let (field, older) = structs {
      return """
        If the struct \(model).\(field) was called "\(older)", declare its field with `.was("\(older)")`, or rename it in a \
        step, as below, with all its parts. If only \(declared) was called \(names), the step renames that part. \(isNew)
        """
    }
    // A part's `.was` finds the names of its struct alone.
    var formerName: String?
    for field in fields {
      for older in olderNames where formerName == nil {
        formerName = Self.formerName(older, of: field)
      }
    }
    let was =
      formerName.map { "declare it with `.was(\(olderNames.count == 1 ? "\"\($0)\"" : "…"))`, or " }
      ?? ""
    return
      "If \(declared) was called \(names), \(was)rename it in a step, as below\(choice). \(isNew)"
  }

  /// What to do about values that a new field may have under an older name.
  static func advice(_ field: String, _ older: String, of model: String) -> String {
    if let former = formerName(older, of: field) {
      return "declare it with `.was(\"\(former)\")`."
    }
    let step = "rename it in a step: `rename(\"\(older)\", of: \"\(model)\", to: \"\(field)\")`."
    guard let structs = structs(of: field, older) else { return step }
    return
      "\(step) If the whole struct \"\(structs.older)\" is \"\(structs.field)\" now, declare its field with "
      + "`.was(\"\(structs.older)\")`."
  }

  /// Which of some names may be older ones of a field: those that differ from it within its struct, or in their struct only; if
  /// there are none, those of which one is no part of a struct.
  static func likely(_ names: [String], of field: String) -> [String] {
    let field = field.split(separator: ".")
    let near = names.filter { name in
      let name = name.split(separator: ".")
      return name.last == field.last || name.dropLast() == field.dropLast()
    }
    guard near.isEmpty else { return near }
    return field.count == 1 ? names : names.filter { !$0.contains(".") }
  }

  /// A field's older name as `.was` takes it: of a part its name within the struct; nil where `.was` does not reach it.
  private static func formerName(_ older: String, of field: String) -> String? {
    guard let point = field.lastIndex(of: ".") else { return older }
    let outer = field[...point]
    return older.hasPrefix(outer) ? String(older.dropFirst(outer.count)) : nil
  }

  /// The structs of two parts of the same name.
  private static func structs(
    of field: String, _ older: String
  ) -> (field: String, older: String)? {
    guard let point = field.lastIndex(of: "."), let olderPoint = older.lastIndex(of: "."),
      field[point...] == older[olderPoint...]
    else { return nil }
    return (String(field[..<point]), String(older[..<olderPoint]))
  }

  private static func list(_ words: [String]) -> String {
    words.count < 2
      ? words.joined() : words.dropLast().joined(separator: ", ") + " or " + words[words.count - 1]
  }

  private static func choice(_ names: [String]) -> String {
    let names = names.map { "\"\($0)\"" }
    return names.count == 1 ? names[0] : "<#\(names.joined(separator: " or "))#>"
  }
}
