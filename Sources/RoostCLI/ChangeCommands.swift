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
      escapes of JSON: 'note="null"' stores the word. An optional struct is removed by address=nil, with all its parts; where \
      there is none, all of its parts make one: address.city=Delft address.zip=nil. The kind of an enum with payloads, as \
      status.kind, is found by the program, and is set by nobody else. No other process may have the file open.
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
      guard let table = snapshot.table(objects.table) else { return "0 changed" }
      var lines: [String] = []
      for object in objects.prefix(shownMax) {
        let changes = try values.map { name, value in
          let before = try object.shownValue(of: name, in: table)
          return "\(name) \(before.listed(fitting: 40)) → \(value.listed(fitting: 40))"
        }
        lines.append("\(objects.table) \(try object.key.json): \(changes.joined(separator: ", "))")
      }
      if objects.count > shownMax { lines.append("and \(objects.count - shownMax) more") }
      let count = try update(objects, values, transaction)
      for name in try Assignments(values, of: table).kindsToFind {
        lines.append("\(name) is empty until a program opens the file, which finds the kinds")
      }
      try confirm(lines, "Change \(count) \(count == 1 ? "object" : "objects")?", yes)
      return "\(count) changed"
    }
  }

  /// Gives objects their new values; returns how many objects there are.
  private func update(
    _ objects: DynamicObjects, _ values: [(String, DynamicValue)],
    _ transaction: DynamicTransaction
  ) throws -> Int {
    guard let table = try transaction.tables.first(where: { $0.name == objects.table }) else {
      return 0
    }
    do {
      let assignments = try Assignments(values, of: table)
      guard assignments.dependOnObject else {
        return try transaction.update(DynamicQuery(query), assignments.values)
      }
      for object in objects {
        let new = try assignments.values(for: object)
        try transaction.update(try object.key, of: table.name, new)
      }
      return objects.count
    } catch let error as AssignmentError {
      let text = assignments.last { $0.hasPrefix(error.field + "=") } ?? error.field
      throw ToolFailure(error.reason, in: text, at: 0)
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
      // A struct takes nil; `Assignments` refuses anything else.
      if snapshot.table(model)?.parts(ofStruct: name).isEmpty == false {
        return (name, ["nil", "null"].contains(value) ? .null : .string(value))
      }
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

extension DynamicObject {
  /// The value of a field for people; of an optional struct its parts, or null.
  fileprivate func shownValue(of name: String, in table: DynamicTable) throws -> DynamicValue {
    let parts = table.parts(ofStruct: name)
    guard !parts.isEmpty else { return try self[name] }
    guard try self[name] == .bool(true) else { return .null }
    return .record(
      try parts.map { .init(String($0.name.dropFirst(name.count + 1)), try self[$0.name]) })
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
