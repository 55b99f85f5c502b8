#if Tool
import ArgumentParser
import RoostDynamic
import RoostInterchange
import RoostTool

/// `roost set`: gives fields of objects new values.
struct SetCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "set",
    abstract: "Gives fields of the objects that a query finds new values.",
    discussion: """
      roost set app.roost 'Person where id == 7' name=Ann age=41 note=nil

      It shows what changes, then asks. A value is a text as it is, a number, true or false, a date as in 2013-01-31T05:00:00Z, nil, or \
      else in the form of `roost dump`. In an optional field null is nil, too. A text in double quotes is read without them, with the \
      escapes of JSON: 'note="null"' stores the word. No other process may have the file open.
      """)

  @Argument(help: "The store's file.", completion: .file())
  var file: String

  @Argument(help: "The query for the objects.")
  var query: String

  @Argument(help: ArgumentHelp("A field and its new value.", valueName: "field=value"))
  var assignments: [String]

  @Flag(help: "Do not ask.")
  var yes = false

  func run() throws {
    try changing(file) { transaction, snapshot in
      let query = DynamicQuery(query)
      let objects = try snapshot.objects(query)
      let values = try values(of: objects.table, in: snapshot)
      var lines: [String] = []
      for object in objects.prefix(shownMax) {
        let changes = try values.map { name, value in
          "\(name) \(try object[name].json.fitting(40)) → \(value.json.fitting(40))"
        }
        lines.append("\(objects.table) \(try object.key.json): \(changes.joined(separator: ", "))")
      }
      if objects.count > shownMax { lines.append("and \(objects.count - shownMax) more") }
      let new = Dictionary(values) { _, last in last }
      let count = try transaction.update(query, new)
      try confirm(lines, "Change \(count) \(count == 1 ? "object" : "objects")?", yes)
      return "\(count) changed"
    }
  }

  private func values(
    of model: String, in snapshot: DynamicSnapshot
  ) throws -> [(String, DynamicValue)] {
    try assignments.map { text in
      let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2 else {
        throw ToolFailure(
          "\(text.visible) is no assignment: write a field, = and its value.", code: .usage)
      }
      let name = String(parts[0])
      guard let field = snapshot.table(model)?.field(name) else {
        let known = snapshot.table(model)?.fields.map(\.name) ?? []
        throw ToolFailure(
          "\(model) has no field \(name)."
            + NearestName.question(name, among: known, else: " `roost schema` lists the fields."),
          in: text, at: 0)
      }
      let value = String(parts[1])
      guard let new = CellValue.assigned(value, of: field, in: snapshot.tables) else {
        throw ToolFailure(
          "\(model).\(name) takes \(field.type.writtenForm)\(field.isOptional ? ", or nil" : "").",
          in: text, at: name.utf8.count + 1)
      }
      return (name, new)
    }
  }
}

/// `roost delete`: deletes objects.
struct DeleteCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "delete",
    abstract: "Deletes the objects that a query finds.",
    discussion: """
      It shows which they are, and how many others go with them by the rules of links, then asks. No other process may have the \
      file open.
      """)

  @Argument(help: "The store's file.", completion: .file())
  var file: String

  @Argument(help: "The query for the objects.")
  var query: String

  @Flag(help: "Do not ask.")
  var yes = false

  func run() throws {
    try changing(file) { transaction, snapshot in
      let query = DynamicQuery(query)
      let objects = try snapshot.objects(query)
      var lines: [String] = []
      for object in objects.prefix(shownMax) {
        lines.append("\(objects.table) \(try object.key.json)")
      }
      if objects.count > shownMax { lines.append("and \(objects.count - shownMax) more") }
      let models = snapshot.tables.map(\.name)
      let before = try models.map { try transaction.count(.all($0)) }
      let count = try transaction.delete(query)
      for (model, before) in zip(models, before) {
        let own = model == objects.table ? count : 0
        let others = before - (try transaction.count(.all(model))) - own
        if others > 0 { lines.append("\(others) of \(model), by the rules of their links") }
      }
      try confirm(lines, "Delete \(count) \(count == 1 ? "object" : "objects")?", yes)
      return "\(count) deleted"
    }
  }
}

/// The most objects that are shown before a change.
private let shownMax = 10

/// Changes a file in a transaction, and says what was done.
private func changing(
  _ file: String, _ body: (DynamicTransaction, DynamicSnapshot) throws -> String
) throws {
  let done = try working(on: file) {
    let store = try DynamicStore(file, access: .write)
    let snapshot = try store.snapshot()
    return try store.write { try body($0, snapshot) }
  }
  let output = Output()
  try output.line("\(file): \(done).")
  try output.flush()
}

/// Shows what changes, and asks whether it may, unless that is said already.
func confirm(_ lines: [String], _ question: String, _ isSaid: Bool) throws {
  for line in lines { complain(line.visible) }
  guard !isSaid else { return }
  guard isInputWatched else {
    throw ToolFailure("Nothing was changed: say --yes where nobody can be asked.", code: .usage)
  }
  Output.replaceLine("\(question) [y/N] ")
  guard let answer = readLine(), ["y", "yes"].contains(answer.lowercased()) else {
    throw ToolFailure("Nothing was changed.")
  }
}
#endif
