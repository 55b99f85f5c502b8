#if Tool
import ArgumentParser
import RoostDynamic
import RoostInterchange
import RoostModels

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// `roost FILE`: an overview of a file.
struct InfoCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "info",
    abstract: "Shows what a file holds; also where no command is named.",
    discussion: """
      Models with the numbers of their objects, values under names, kept versions, and how the space is used. `schema` lists the \
      fields of the models, `stats` the space of each index.

      Of a Realm, an SQLite or a Core Data file it lists the classes, tables or entities with the numbers of their objects.
      """)

  @Argument(help: "The store's file.", completion: .file())
  var file: String?

  @Option(help: "How it is shown: table or json.")
  var format = OutputFormat.table

  @OptionGroup var keys: KeyOptions

  func run() throws {
    guard let file else { throw CleanExit.helpRequest() }
    let output = Output()
    if keys.isGiven || FileKind(file) != .store {
      try ForeignFile(file, key: try keys.key(of: file)).printOverview(as: format, to: output)
      return try output.flush()
    }
    let store: DynamicStore
    do { store = try openToRead(file) } catch {
      // What was meant as a command.
      guard !file.contains("."), !file.contains("/"), error.message.hasPrefix("there is no file")
      else { throw error }
      throw ToolFailure(
        "there is neither a command nor a file \(file.visible)."
          + NearestName.question(file, among: RoostCommand.names, else: " See `roost --help`."),
        code: .usage)
    }
    let overview = try working(on: file) { try Overview(store) }
    switch format {
    case .table: try write(overview, of: file, to: output)
    case .json: try output.line(json(overview, of: file).text)
    }
    try output.flush()
  }

  /// What is shown.
  private struct Overview {
    let statistics: DynamicStore.Statistics
    let tables: [DynamicTable]
    let history: [AppliedStep]

    init(_ store: DynamicStore) throws {
      statistics = try store.statistics()
      tables = try store.snapshot().tables
      history = try store.history
    }

    /// The models, each with its figures.
    var models: [(table: DynamicTable, figures: DynamicStore.Statistics.Table)] {
      zip(tables, statistics.tables).filter { !$0.0.holdsNamedValue }.map { ($0, $1) }
    }

    /// The names of the values that the program keeps.
    var values: [String] {
      tables.filter(\.holdsNamedValue).map { String($0.name.drop { $0 != ":" }.dropFirst()) }
        .filter { !$0.hasPrefix("roost.") }
    }

    /// The bytes of a model and its indexes.
    static func bytes(_ figures: DynamicStore.Statistics.Table) -> UInt64 {
      figures.indexes.reduce(figures.bytes + figures.valueBytes) { $0 + $1.bytes }
    }
  }

  private func write(_ overview: Overview, of file: String, to output: Output) throws {
    let statistics = overview.statistics
    try output.line(
      "\(file): format \(storeFormat), version \(statistics.version);"
        + " \(ByteCount(statistics.fileBytes)), of which \(ByteCount(statistics.usedBytes)) used and"
        + " \(ByteCount(statistics.freeBytes)) free")
    try output.line("")
    if overview.models.isEmpty { try output.line("No models.") }
    var table = TextTable(["model", "key", "fields", "objects", "size"], leftCount: 2)
    for model in overview.models { table.measure(row(model)) }
    if !overview.models.isEmpty { try output.line(table.headerLine) }
    for model in overview.models { try output.line(table.line(row(model))) }
    if !overview.values.isEmpty {
      try output.line("")
      try output.line("values: " + overview.values.joined(separator: ", "))
    }
    if let last = overview.history.last {
      try output.line("")
      let count = overview.history.count
      try output.line("\(count) \(count == 1 ? "step" : "steps"), the last one \"\(last.name)\"")
    }
    guard !statistics.versions.isEmpty else { return }
    try output.line("")
    for version in statistics.versions {
      try output.line(
        "kept: \"\(version.name)\", \(version.date.formatted(.iso8601)), \(ByteCount(version.bytes)) of its own"
      )
    }
  }

  private func row(
    _ model: (table: DynamicTable, figures: DynamicStore.Statistics.Table)
  ) -> [String] {
    [
      model.table.name, model.table.key.map { "\($0.name): \($0.typeText)" } ?? "",
      "\(model.table.fields.count)", "\(model.figures.objects)",
      "\(ByteCount(Overview.bytes(model.figures)))",
    ]
  }

  private func json(_ overview: Overview, of file: String) -> JSONObject {
    var object = JSONObject()
    object["file"] = .string(file)
    object["format"] = .uint(UInt64(storeFormat))
    object["version"] = .uint(overview.statistics.version)
    object["fileBytes"] = .uint(overview.statistics.fileBytes)
    object["usedBytes"] = .uint(overview.statistics.usedBytes)
    object["freeBytes"] = .uint(overview.statistics.freeBytes)
    object["models"] = .list(
      overview.models.map { model in
        var object = JSONObject()
        object["name"] = .string(model.table.name)
        object["key"] = .string(model.table.key?.name ?? "")
        object["fields"] = .int(Int64(model.table.fields.count))
        object["objects"] = .uint(model.figures.objects)
        object["bytes"] = .uint(Overview.bytes(model.figures))
        return object.value
      })
    object["values"] = .list(overview.values.map { .string($0) })
    object["steps"] = .list(overview.history.map { .string($0.name) })
    object["namedVersions"] = .list(overview.statistics.versions.map { $0.json.value })
    return object
  }
}
#endif
