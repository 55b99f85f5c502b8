#if Tool
import ArgumentParser
import RoostEngine
import RoostQueryText

/// `roost query`: the objects that a text asks for, as lines of JSON.
struct QueryCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "query",
    abstract: "Prints the objects that a query finds, each as a line of JSON.",
    discussion: """
      roost query app.roost 'Person where age >= 18 && name contains[i] "an" sort name limit 20'

      A query names a model; where, sort, limit and offset may follow. Conditions are joined by &&, || and !,
      and go through links: owner.city == "Delft", dogs contains { age > 3 }, (Dog by owner).count > 2. A line
      has the form of `roost dump`, without the table.
      """)

  @Argument(help: "The store's file.", completion: .file())
  var file: String

  @Argument(help: "The query.")
  var query: String

  @Flag(help: "Prints how many objects there are, and none of them.")
  var count = false

  @Flag(help: "Prints how the query was answered, and no object.")
  var explain = false

  func validate() throws {
    if count && explain { throw ValidationError("Ask for --count or for --explain.") }
  }

  func run() throws {
    let snapshot = try openToRead(file).snapshot()
    let query = try read(in: snapshot.catalog)
    let output = Output()
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
    try output.flush()
  }

  private func read(in catalog: Catalog) throws(ToolFailure) -> ObjectQuery {
    do { return try ObjectQuery(query, in: catalog) } catch {
      let place = query.utf8.prefix(error.offset)
      throw ToolFailure(
        "\(error.message)\n  \(query)\n  "
          + String(repeating: " ", count: String(decoding: place, as: UTF8.self).count) + "^",
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
