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
    case .table: try write(statistics, to: output)
    case .json: try output.line(json(statistics).text)
    }
    try output.flush()
  }

  private func write(
    _ statistics: StoreStatistics, to output: Output
  ) throws(ToolFailure) {
    try output.line(
      "\(file): \(ByteCount(statistics.fileBytes)), of which"
        + " \(ByteCount(statistics.usedBytes)) used and \(ByteCount(statistics.freeBytes)) free;"
        + " version \(statistics.version)")
    for version in statistics.namedVersions {
      try output.line(
        "kept: \"\(version.name)\", version \(version.version), \(ByteCount(version.bytes)) of its own"
          .visible)
    }
    guard !statistics.tables.isEmpty else { return try output.line("No tables.") }
    try output.line("")
    var table = TextTable(["name", "objects", "levels", "leaves", "size", "long values"])
    for entry in statistics.tables {
      table.measure(row(entry))
      for index in entry.indexes { table.measure(row(index)) }
    }
    try output.line(table.headerLine)
    for entry in statistics.tables {
      try output.line(table.line(row(entry)))
      for index in entry.indexes { try output.line(table.line(row(index))) }
    }
  }

  private func row(_ table: StoreStatistics.Table) -> [String] {
    [
      table.name, "\(table.objects)", "\(table.levels)", "\(table.leaves)",
      "\(ByteCount(table.bytes))", table.valueBytes > 0 ? "\(ByteCount(table.valueBytes))" : "",
    ]
  }

  private func row(_ index: StoreStatistics.Index) -> [String] {
    [
      "  \(index.isUnique ? "unique index" : "index") \(index.field)", "\(index.entries)",
      "\(index.levels)", "", "\(ByteCount(index.bytes))", "",
    ]
  }

  private func json(_ statistics: StoreStatistics) -> JSONObject {
    var object = JSONObject()
    object["file"] = .string(file)
    object["fileBytes"] = .number(statistics.fileBytes)
    object["usedBytes"] = .number(statistics.usedBytes)
    object["freeBytes"] = .number(statistics.freeBytes)
    object["version"] = .number(statistics.version)
    object["namedVersions"] = .array(statistics.namedVersions.map { .object($0.json) })
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
