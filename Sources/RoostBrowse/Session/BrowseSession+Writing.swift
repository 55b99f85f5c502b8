internal import Roost
internal import RoostDynamic
internal import RoostTool

extension BrowseSession {
  /// How many transactions can be taken back.
  private static let undoMax = 100

  /// What would be undone; nil where there is nothing.
  var undoTitle: DynamicValue? { undoable.last.map { .string($0.title) } }

  /// The value that an operation which writes answers with; nil where there is none of that name.
  func writingValue(_ operation: String, _ arguments: Arguments) throws -> DynamicValue? {
    let body: (Arguments) throws -> DynamicValue
    switch operation {
    case "set": body = set
    case "add": body = add
    case "delete": body = delete
    case "consequences": body = consequences
    case "undo": body = { _ in try self.undo() }
    default: return nil
    }
    guard isWritable else {
      throw BrowseError("The file is only read: start `roost browse` with --write to change it.")
    }
    return try body(arguments)
  }

  /// Runs a transaction that can be undone.
  private func change(
    _ title: String, _ body: (DynamicTransaction) throws -> Void
  ) throws -> DynamicValue {
    let before = try store.snapshot()
    try store.write { try body($0) }
    let after = try store.snapshot()
    let step = try? UndoStep(title, from: before, to: after)
    // What came before cannot be taken back once this cannot.
    if let step { undoable.append(step) } else { undoable.removeAll() }
    if undoable.count > Self.undoMax { undoable.removeFirst() }
    return answer(after)
  }

  private func answer(_ snapshot: DynamicSnapshot) -> DynamicValue {
    .members(["version": .uint(snapshot.version), "undo": undoTitle])
  }

  private func value(
    _ text: String?, of field: DynamicField, in version: Version
  ) throws -> DynamicValue {
    guard let text else {
      guard field.isOptional else { throw BrowseError("\(field.name) needs a value.") }
      return .null
    }
    return try DynamicValue.value(text, of: field, in: version.snapshot.tables)
  }

  /// Gives a field of an object another value.
  private func set(_ arguments: Arguments) throws -> DynamicValue {
    let version = try version(.newest)
    let (object, table) = try found(arguments, in: version)
    let field = try field(try arguments.text("field"), of: table)
    let value = try value(arguments.optionalText("value"), of: field, in: version)
    let values = try values(of: field, value, for: object, of: table)
    let key = try object.key
    return try change("the change of \(field.name) of \(table.name) \(key.plainText)") {
      guard try $0.update(key, of: table.name, values) else {
        throw BrowseError("The object was deleted meanwhile.")
      }
    }
  }

  /// The values for a field that gets a value: a struct is removed with its parts, and no part is set where there is no struct.
  private func values(
    of field: DynamicField, _ value: DynamicValue, for object: DynamicObject, of table: DynamicTable
  ) throws -> [String: DynamicValue] {
    for name in table.structs(around: field.name) where try object[name] != .bool(true) {
      throw BrowseError("There is no \(name) to have a \(field.name): set \(name) to true before.")
    }
    let isStruct = !table.parts(ofStruct: field.name).isEmpty
    if isStruct, value == .bool(true) { return [field.name: value] }
    do {
      let assignments = try Assignments([(field.name, isStruct ? .null : value)], of: table)
      return try assignments.values(for: object)
    } catch let error as AssignmentError { throw BrowseError(error.reason) }
  }

  /// Adds an object; a field that is not given has its default.
  private func add(_ arguments: Arguments) throws -> DynamicValue {
    let version = try version(.newest)
    let table = try table(try arguments.text("model"), in: version)
    var values: [String: DynamicValue] = [:]
    for (name, text) in arguments.values("values") {
      let field = try field(name, of: table)
      values[name] = try value(text, of: field, in: version)
    }
    for (name, value) in values where value != .null {
      for around in table.structs(around: name) where values[around] != .bool(true) {
        throw BrowseError("There is no \(around) to have a \(name): set \(around) to true, too.")
      }
    }
    let given = values
    let key = table.key.flatMap { given[$0.name]?.plainText } ?? ""
    return try change("adding \(table.name) \(key)") { try $0.insert(given, into: table.name) }
  }

  /// Deletes an object.
  private func delete(_ arguments: Arguments) throws -> DynamicValue {
    let (object, table) = try found(arguments, in: try version(.newest))
    let key = try object.key
    return try change("the deletion of \(table.name) \(key.plainText)") {
      guard try $0.delete(key, from: table.name) else {
        throw BrowseError("The object was deleted meanwhile.")
      }
    }
  }

  /// What goes with an object that is deleted, by the rules of links; nothing is.
  private func consequences(_ arguments: Arguments) throws -> DynamicValue {
    /// Ends the transaction without its changes.
    struct Preview: Error {
      let counts: [(model: String, count: Int)]
    }
    let version = try version(.newest)
    let (object, table) = try found(arguments, in: version)
    let key = try object.key
    let models = version.snapshot.tables.map(\.name)
    do {
      try store.write { transaction in
        let before = try models.map { try transaction.count(.all($0)) }
        try transaction.delete(key, from: table.name)
        let after = try models.map { try transaction.count(.all($0)) }
        let counts = zip(models, zip(before, after)).map { model, counts in
          (model, counts.0 - counts.1 - (model == table.name ? 1 : 0))
        }
        throw Preview(counts: counts.filter { $0.1 > 0 })
      }
    } catch let preview as Preview {
      return .members([
        "deleted": .list(
          preview.counts.map { .members(["model": .string($0.model), "count": .count($0.count)]) })
      ])
    }
    return .members(["deleted": .list([])])
  }

  /// Takes the last transaction of the page back.
  private func undo() throws -> DynamicValue {
    guard let step = undoable.last else { throw BrowseError("There is nothing to undo.") }
    try store.write { try step.apply(to: $0) }
    undoable.removeLast()
    return answer(try store.snapshot())
  }
}
