#if Tool
import ArgumentParser
import RoostDynamic

/// `roost stats`: the size of a store, and how its space is used.
struct StatsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "stats", abstract: "Shows how large a store is, table by table and index by index."
  )

  @Argument(help: "The store's file.", completion: .file())
  var file: String

  @Option(help: "How the figures are shown: table or json.")
  var format = OutputFormat.table

  func run() throws {
    let store = try openToRead(file)
    let statistics = try working(on: file) { try store.statistics() }
    let output = Output()
    switch format {
    case .table: try write(statistics, to: output)
    case .json: try output.line(json(statistics).text)
    }
    try output.flush()
  }

  private func write(
    _ statistics: DynamicStore.Statistics, to output: Output
  ) throws(ToolFailure) {
    try output.line(
      "\(file): \(ByteCount(statistics.fileBytes)), of which"
        + " \(ByteCount(statistics.usedBytes)) used and \(ByteCount(statistics.freeBytes)) free;"
        + " version \(statistics.version)")
    if let ring = statistics.ring {
      try output.line(
        "ring: \(ByteCount(ring.bytes)); \(ByteCount(ring.recordedBytes)) in records since version"
          + " \(ring.slotVersion)")
    }
    for version in statistics.versions {
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

  private func row(_ table: DynamicStore.Statistics.Table) -> [String] {
    [
      table.name, "\(table.objects)", "\(table.levels)", "\(table.leaves)",
      "\(ByteCount(table.bytes))", table.valueBytes > 0 ? "\(ByteCount(table.valueBytes))" : "",
    ]
  }

  private func row(_ index: DynamicStore.Statistics.Index) -> [String] {
    [
      "  \(index.isUnique ? "unique index" : "index") \(index.name)", "\(index.entries)",
      "\(index.levels)", "", "\(ByteCount(index.bytes))", "",
    ]
  }

  private func json(_ statistics: DynamicStore.Statistics) -> JSONObject {
    var object = JSONObject()
    object["file"] = .string(file)
    object["fileBytes"] = .uint(statistics.fileBytes)
    object["usedBytes"] = .uint(statistics.usedBytes)
    object["freeBytes"] = .uint(statistics.freeBytes)
    object["version"] = .uint(statistics.version)
    if let ring = statistics.ring {
      var entry = JSONObject()
      entry["bytes"] = .uint(ring.bytes)
      entry["slotVersion"] = .uint(ring.slotVersion)
      entry["recordedBytes"] = .uint(ring.recordedBytes)
      object["ring"] = entry.value
    }
    object["namedVersions"] = .list(statistics.versions.map { $0.json.value })
    object["tables"] = .list(statistics.tables.map { json($0).value })
    return object
  }

  private func json(_ table: DynamicStore.Statistics.Table) -> JSONObject {
    var object = JSONObject()
    object["name"] = .string(table.name)
    object["objects"] = .uint(table.objects)
    object["levels"] = .uint(UInt64(table.levels))
    object["leaves"] = .uint(table.leaves)
    object["bytes"] = .uint(table.bytes)
    object["valueBytes"] = .uint(table.valueBytes)
    object["indexes"] = .list(
      table.indexes.map { index in
        var object = JSONObject()
        object["field"] = .string(index.name)
        object["unique"] = .bool(index.isUnique)
        object["entries"] = .uint(index.entries)
        object["levels"] = .uint(UInt64(index.levels))
        object["bytes"] = .uint(index.bytes)
        return object.value
      })
    return object
  }
}
#endif
