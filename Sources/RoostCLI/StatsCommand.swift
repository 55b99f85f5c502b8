#if Tool
import ArgumentParser
import RoostEngine
import RoostMaintenance

/// `roost stats`: how large a store is, and what its space is used for.
struct StatsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "stats", abstract: "Shows how large a store is, table by table and index by index."
  )

  @Argument(help: "The store's file.", completion: .file())
  var file: String

  @Option(help: "How the figures are shown: table or json.")
  var format = OutputFormat.table

  func run() throws {
    let engine = try openToRead(file)
    let statistics = try working(on: file) { () throws(EngineError) in try engine.statistics() }
    let output = Output()
    switch format {
    case .table: for line in lines(statistics) { try output.line(line) }
    case .json: try output.line(json(statistics).text)
    }
    try output.flush()
  }

  private func lines(_ statistics: StoreStatistics) -> [String] {
    var table = TextTable(["name", "objects", "levels", "leaves", "size", "long values"])
    for entry in statistics.tables {
      table.add([
        entry.name, "\(entry.objects)", "\(entry.levels)", "\(entry.leaves)",
        "\(ByteCount(entry.bytes))", entry.valueBytes > 0 ? "\(ByteCount(entry.valueBytes))" : "",
      ])
      for index in entry.indexes {
        table.add([
          "  \(index.isUnique ? "unique index" : "index") \(index.field)", "\(index.entries)",
          "\(index.levels)", "", "\(ByteCount(index.bytes))", "",
        ])
      }
    }
    return [
      "\(file): \(ByteCount(statistics.fileBytes)), of which"
        + " \(ByteCount(statistics.usedBytes)) used and \(ByteCount(statistics.freeBytes)) free;"
        + " version \(statistics.version)"
    ] + (statistics.tables.isEmpty ? ["No tables."] : [""] + table.lines)
  }

  private func json(_ statistics: StoreStatistics) -> JSONObject {
    var object = JSONObject()
    object["file"] = .string(file)
    object["fileBytes"] = .number(statistics.fileBytes)
    object["usedBytes"] = .number(statistics.usedBytes)
    object["freeBytes"] = .number(statistics.freeBytes)
    object["version"] = .number(statistics.version)
    object["tables"] = .array(statistics.tables.map { .object(json($0)) })
    return object
  }

  private func json(_ table: StoreStatistics.Table) -> JSONObject {
    var object = JSONObject()
    object["name"] = .string(table.name)
    object["objects"] = .number(table.objects)
    object["levels"] = .number(UInt64(table.levels))
    object["leaves"] = .number(table.leaves)
    object["bytes"] = .number(table.bytes)
    object["valueBytes"] = .number(table.valueBytes)
    object["indexes"] = .array(
      table.indexes.map { index in
        var object = JSONObject()
        object["field"] = .string(index.field)
        object["unique"] = .bool(index.isUnique)
        object["entries"] = .number(index.entries)
        object["levels"] = .number(UInt64(index.levels))
        object["bytes"] = .number(index.bytes)
        return .object(object)
      })
    return object
  }
}
#endif
