#if Tool
import ArgumentParser
import RoostDynamic

/// `roost query`: the objects or the groups of a query.
struct QueryCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "query",
    abstract: "Prints the objects or the groups that a query finds.",
    discussion: """
      roost query app.roost 'Person where age >= 18 && name contains[i] "an" sort name limit 20'

      A query names a model; where, sort, limit and offset may follow. Conditions are joined by &&, || and !, \
      and go through links: owner.city == "Delft", dogs contains { age > 3 }, (Dog by owner).count > 2.

      roost query app.roost 'Person group mood, group.name select count, max(age) having count > 2 sort count desc'

      Behind the objects, group and select ask for groups, or for figures of all objects; having, sort, limit and \
      offset may follow. A hyphen instead of the query reads it from the standard input.

      On a terminal objects are a table that is as wide as it, of 100 rows at most; elsewhere they are lines of JSON in the form of \
      `roost dump`, without the model. Groups are a table.
      """)

  @Argument(help: "The store's file.", completion: .file())
  var file: String

  @Argument(help: "The query.")
  var query: String

  @Option(help: "How results are shown: table, json (an array), ndjson (a line for each) or csv.")
  var format: QueryFormat?

  @Option(
    help: "The most rows that are shown, 0 for all; in a table on a terminal 100, elsewhere all.")
  var limit: Int?

  @Flag(help: "Prints how many objects or groups there are, and none of them.")
  var count = false

  @Flag(help: "Prints how the query was answered, and no object.")
  var explain = false

  func validate() throws {
    if count && explain { throw ValidationError("Ask for --count or for --explain.") }
    if let limit, limit < 0 { throw ValidationError("The --limit is 0 or more.") }
  }

  func run() throws {
    let snapshot = try working(on: file) { try DynamicStore(file).snapshot() }
    let output = Output()
    let query = DynamicQuery(try text())
    if explain {
      for line in try working(on: file, { try snapshot.explain(query) }) { try output.line(line) }
    } else if count {
      try output.line("\(try working(on: file) { try snapshot.count(query) })")
    } else {
      try working(on: file) { try write(query, of: snapshot, to: output) }
    }
    try output.flush()
    if let remark = query.remark { complain("roost: \(remark)") }
  }

  /// The query's text, without the line breaks at its end.
  private func text() throws -> String {
    guard query == "-" else { return query }
    let text = String(decoding: try readInput("-"), as: UTF8.self)
    return String(text.reversed().drop { $0.isNewline }.reversed())
  }

  private func write(
    _ query: DynamicQuery, of snapshot: DynamicSnapshot, to output: Output
  ) throws {
    let results: any QueryResults
    if query.asksForGroups {
      results = GroupResults(try snapshot.groups(query))
    } else {
      let objects = try snapshot.objects(query)
      guard let table = snapshot.table(objects.table) else { return }
      let isLines = format == .ndjson || format == nil && !output.isTerminal
      if isLines, limit ?? 0 == 0 { return try write(objects.lines(), to: output) }
      results = ObjectResults(objects, of: table)
      if isLines { return try writer(results, output, limit).write(as: .ndjson) }
    }
    let format = format ?? .table
    let usual = format == .table && output.isTerminal ? 100 : nil
    try writer(results, output, limit ?? usual).write(as: format)
  }

  private func writer(
    _ results: any QueryResults, _ output: Output, _ limit: Int?
  ) -> ResultsWriter {
    ResultsWriter(results: results, limit: limit == 0 ? nil : limit, output: output)
  }

  private func write(_ lines: DynamicLines, to output: Output) throws {
    var lines = lines
    while let text = try lines.next() {
      output.buffer.append(contentsOf: text)
      try output.flushIfFull()
    }
  }
}
#endif
