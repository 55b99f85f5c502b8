#if Tool
import ArgumentParser
import RoostDynamic
import RoostModels

/// `roost schema`: the models of a store, with their fields.
struct SchemaCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "schema",
    abstract: "Lists the models of a store, with their fields and indexes.",
    discussion: """
      Parts of a struct within an object are fields with points in their names. `roost models` prints the same as Swift.
      """)

  @Argument(help: "The store's file.", completion: .file())
  var file: String

  @Option(help: "How the models are shown: table or json, a line for each.")
  var format = OutputFormat.table

  func run() throws {
    let tables = try working(on: file) { try DynamicStore(file).snapshot().tables }
    let output = Output()
    switch format {
    case .json: for table in tables { try output.line(json(table).text) }
    case .table where tables.isEmpty: try output.line("\(file): no models.")
    case .table: try write(tables, to: output)
    }
    try output.flush()
  }

  private func write(_ tables: [DynamicTable], to output: Output) throws {
    var lines = TextTable(["name", "type", ""], leftCount: 3)
    for table in tables { for row in rows(table) { lines.measure(row) } }
    for (place, table) in tables.enumerated() {
      if place > 0 { try output.line("") }
      try output.line(table.holdsNamedValue ? "\(table.name) (kept under a name)" : table.name)
      for row in rows(table) { try output.line(lines.line(row)) }
    }
  }

  private func rows(_ table: DynamicTable) -> [[String]] {
    let fields = table.fields.map { field in
      ["  " + field.name, field.typeText, field.options.joined(separator: ", ")]
    }
    let indexes = table.indexes.map { index in
      ["  \(index.name)", index.isUnique ? "unique index" : "index", ""]
    }
    return fields + indexes
  }

  private func json(_ table: DynamicTable) -> JSONObject {
    var object = JSONObject()
    object["name"] = .string(table.name)
    object["isValue"] = .bool(table.holdsNamedValue)
    object["fields"] = .list(table.fields.map { json($0).value })
    object["indexes"] = .list(
      table.indexes.map { index in
        var object = JSONObject()
        object["name"] = .string(index.name)
        object["fields"] = .list(index.fields.map { .string($0) })
        object["isUnique"] = .bool(index.isUnique)
        return object.value
      })
    return object
  }

  private func json(_ field: DynamicField) -> JSONObject {
    var object = JSONObject()
    object["name"] = .string(field.name)
    object["type"] = .string(field.typeText)
    object["isKey"] = .bool(field.isKey)
    object["isUnique"] = .bool(field.isUnique)
    object["isIndexed"] = .bool(field.isIndexed)
    if field.isLink {
      object["onTargetDelete"] = .string("\(field.deleteRule)")
      object["nullifiesMissingTarget"] = .bool(field.nullifiesMissingTarget)
    }
    if field.defaultValue != .null { object["default"] = field.defaultValue }
    return object
  }
}
#endif
