/// Fields of a model that the file lacks, and fields of their type that it has and the model does not declare: some of these may
/// be some of those under an older name.
///
/// A step that adds them would leave the values behind.
struct PossibleRename: Equatable {
  let model: String
  /// What the file lacks.
  var fields: [String]
  /// What the model does not declare.
  let olderNames: [String]

  /// A template of the step that renames, with a placeholder where a name has to be chosen.
  var step: String {
    let name =
      fields.count + olderNames.count == 2
      ? "\"\(model).\(olderNames[0]) becomes \(fields[0])\"" : "<#\"name of the step\"#>"
    return """
      MigrationStep(\(name)) {
        try $0.rename(\(Self.choice(olderNames)), of: "\(model)", to: \(Self.choice(fields)))
      }
      """
  }

  /// What to do if it is one.
  var remedy: String {
    let names = Self.list(olderNames.map { "\"\($0)\"" })
    let declared = Self.list(fields.map { "\(model).\($0)" })
    let old = olderNames.count == 1 ? "\"\(Self.name(olderNames[0], beside: fields[0]))\"" : "…"
    let choice = fields.count == 1 ? "" : ": an older name belongs to one of them"
    return """
      If \(declared) was called \(names), declare it with `.was(\(old))`, or rename it in a step, as below\(choice). If it is \
      new, it needs no step where it is an optional or says `.default(…)`; `add` makes it in a step, and `rewrite` fills it \
      from other fields.
      """
  }

  /// Whether two names differ within their struct, or in their struct only.
  static func isLikely(_ a: String, _ b: String) -> Bool {
    let (a, b) = (a.split(separator: "."), b.split(separator: "."))
    return a.last == b.last || a.dropLast() == b.dropLast()
  }

  /// A field's older name as `.was` takes it: of a part in the same struct its own name.
  static func name(_ older: String, beside field: String) -> String {
    let outer = field.lastIndex(of: ".").map { field[...$0] } ?? ""
    return older.hasPrefix(outer) ? String(older.dropFirst(outer.count)) : older
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
