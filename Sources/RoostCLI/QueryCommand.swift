#if Tool
import ArgumentParser
import RoostDynamic

/// `roost query`: the objects of a query as lines of JSON, or its groups as a table or lines of JSON.
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
    let snapshot = try working(on: file) { try DynamicStore(file).snapshot() }
    let output = Output()
    let query = DynamicQuery(query)
    if !query.asksForGroups, format == .table {
      // Report a malformed query first.
      _ = try working(on: file) { try snapshot.objects(query) }
      throw ToolFailure("objects are shown as json; groups can be a table.", code: .usage)
    }
    if explain {
      for line in try working(on: file, { try snapshot.explain(query) }) { try output.line(line) }
    } else if count {
      try output.line("\(try working(on: file) { try snapshot.count(query) })")
    } else if query.asksForGroups {
      let groups = GroupLines(try working(on: file) { try snapshot.groups(query) })
      if format == .json {
        try groups.writeJSON(of: file, to: output)
      } else {
        try groups.writeTable(of: file, to: output)
      }
    } else {
      var lines = try working(on: file) { try snapshot.objects(query).lines() }
      while let text = try working(on: file, { try lines.next() }) {
        output.buffer.append(contentsOf: text)
        try output.flushIfFull()
      }
    }
    try output.flush()
  }
}
#endif
