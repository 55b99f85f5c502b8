#if Tool
import ArgumentParser
import RoostEngine
import RoostQueryText

/// `roost query`: the objects that a text asks for, as lines of JSON, or the groups, as a table or such lines.
struct QueryCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "query",
    abstract: "Prints the objects or the groups that a query finds.",
    discussion: """
      roost query app.roost 'Person where age >= 18 && name contains[i] "an" sort name limit 20'

      A query names a model; where, sort, limit and offset may follow. Conditions are joined by &&, || and !,
      and go through links: owner.city == "Delft", dogs contains { age > 3 }, (Dog by owner).count > 2. Each object
      is a line of JSON in the form of `roost dump`, without the table.

      roost query app.roost 'Person group mood, group.name select count, max(age) having count > 2 sort count desc'

      Behind the objects, group and select ask for groups, or for figures of all objects; having, sort, limit and
      offset may follow. Groups are a table, or lines of JSON with --format json.
      """)

  @Argument(help: "The store's file.", completion: .file())
  var file: String

  @Argument(help: "The query.")
  var query: String

  @Option(help: "How groups are shown: table (by default) or json. Objects are shown as json.")
  var format: OutputFormat?

  @Flag(help: "Prints how many objects or groups there are, and none of them.")
  var count = false

  @Flag(help: "Prints how the query was answered, and no object.")
  var explain = false

  func validate() throws {
    if count && explain { throw ValidationError("Ask for --count or for --explain.") }
  }

  func run() throws {
    let snapshot = try openToRead(file).snapshot()
    let output = Output()
    if GroupQuery.isAsked(by: query) {
      let groups = try read { (text) throws(QueryTextError) in
        try GroupQuery(text, in: snapshot.catalog)
      }
      try answer(groups, in: snapshot, to: output)
    } else {
      let objects = try read { (text) throws(QueryTextError) in
        try ObjectQuery(text, in: snapshot.catalog)
      }
      guard format != .table else {
        throw ToolFailure("objects are shown as json; groups can be a table.", code: .usage)
      }
      try answer(objects, in: snapshot, to: output)
    }
    try output.flush()
  }

  private func answer(
    _ query: ObjectQuery, in snapshot: Snapshot, to output: Output
  ) throws(ToolFailure) {
    if explain {
      let plan = try working(on: file) { () throws(EngineError) in
        try snapshot.view.explain(query)
      }
      for line in plan.lines { try output.line(line) }
      try output.line(LiveResults.explanation(of: query))
    } else if count {
      let count = try working(on: file) { () throws(EngineError) in
        try snapshot.view.count(query)
      }
      try output.line("\(count)")
    } else {
      try print(query, in: snapshot, to: output)
    }
  }

  private func answer(
    _ query: GroupQuery, in snapshot: Snapshot, to output: Output
  ) throws(ToolFailure) {
    if explain {
      let plan = try working(on: file) { () throws(EngineError) in
        try snapshot.view.explain(query.objects)
      }
      for line in plan.lines { try output.line(line) }
      return
    }
    let groups = try working(on: file) { () throws(EngineError) in
      try snapshot.view.groups(query)
    }
    guard !count else { return try output.line("\(groups.count)") }
    let lines = try working(on: file) { () throws(EngineError) in
      try GroupLines(groups, of: query, in: snapshot)
    }
    if format == .json {
      for row in 0..<groups.count {
        try working(on: file) { () throws(EngineError) in
          try lines.addLine(row, to: &output.buffer)
        }
        try output.flushIfFull()
      }
    } else {
      try lines.writeTable(of: file, to: output)
    }
  }

  /// What the text asks for.
  private func read<Question>(
    _ question: (String) throws(QueryTextError) -> Question
  ) throws(ToolFailure) -> Question {
    do { return try question(query) } catch {
      let place = query.utf8.prefix(error.offset)
      throw ToolFailure(
        "\(error.message.visible)\n  \(query.visible)\n  "
          + String(repeating: " ", count: String(decoding: place, as: UTF8.self).visible.count)
          + "^",
        code: .usage)
    }
  }

  private func print(
    _ query: ObjectQuery, in snapshot: Snapshot, to output: Output
  ) throws(ToolFailure) {
    guard let table = snapshot.catalog.table(query.table) else { return }
    let lines = ObjectLines(of: snapshot, path: file)
    let form = try lines.form(of: table, isNamed: false)
    let results = try working(on: file) { () throws(EngineError) in
      try snapshot.view.matches(query)
    }
    var cursor = results.cursor()
    while true {
      let isMore = try working(on: file) { () throws(EngineError) in
        guard let batch = try cursor.next() else { return false }
        let columns = try lines.columns(of: batch.leaf, form)
        for row in batch.rows {
          try lines.add(row, of: batch.leaf, columns, form, to: &output.buffer)
        }
        return true
      }
      guard isMore else { return withExtendedLifetime(results) {} }
      try output.flushIfFull()
    }
  }
}
#endif
