#if Tool
import ArgumentParser
import RoostDynamic

/// `roost salvage`: saves the readable content of a damaged store.
struct SalvageCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "salvage",
    abstract: "Writes everything that can be read of a damaged store to a new file.",
    discussion: """
      What cannot be read of an object is null where its field is optional; else the object is lost, and \
      with it the objects that must link to it. The damaged file stays as it is. The exit code is 3 where \
      something was lost, 0 where everything was saved.
      """)

  @Argument(help: "The damaged store's file.", completion: .file())
  var file: String

  @Argument(help: "Where the new file is to lie; there must be none.", completion: .file())
  var out: String

  @Option(help: "How the result is shown: table or json.")
  var format = OutputFormat.table

  @OptionGroup var progressing: ProgressOptions

  func run() throws {
    let progress = progressing.start()
    let report = try working(on: file) {
      try progress.during {
        try DynamicStore.salvage(file, to: out, progress: progress.report)
      }
    }
    let output = Output()
    switch format {
    case .table: try print(report, to: output)
    case .json: try output.line(json(report))
    }
    try output.flush()
    guard report.isComplete else {
      throw ToolFailure(
        "\(file) is damaged: not everything could be saved to \(out).", code: .corrupt)
    }
  }

  private func print(_ report: DynamicStore.Salvage, to output: Output) throws {
    var table = TextTable(["Table", "saved", "lost"])
    for entry in report.tables { table.measure(row(entry)) }
    try output.line(table.headerLine)
    for entry in report.tables { try output.line(table.line(row(entry))) }
    for loss in report.losses { try output.line(text(loss)) }
    if report.isFromUnconfirmedVersion {
      try output.line("The newest version could not be opened: its last changes may be lost.")
    }
  }

  private func row(_ table: DynamicStore.Salvage.Table) -> [String] {
    let lost = table.objectsBefore - min(table.objectsSaved, table.objectsBefore)
    return [table.name, "\(table.objectsSaved)", "\(lost)"]
  }

  private func text(_ loss: DynamicStore.Salvage.Loss) -> String {
    let what = loss.field.map { "\(loss.table).\($0) of" } ?? "\(loss.table):"
    let keys =
      loss.keys.lowerBound == loss.keys.upperBound
      ? "object \(loss.keys.lowerBound)"
      : loss.keys == Int64.min...Int64.max
        ? "all objects" : "objects \(loss.keys.lowerBound)…\(loss.keys.upperBound)"
    return "lost: \(what) \(keys) (\(cause(of: loss)))"
  }

  private func cause(of loss: DynamicStore.Salvage.Loss) -> String {
    guard case .corrupt(_, let damage) = loss.cause else { return "\(loss.cause)" }
    return damage.code + (damage.unit.map { ", unit \($0)" } ?? "")
  }

  private func json(_ report: DynamicStore.Salvage) -> String {
    var object = JSONObject()
    object["file"] = .string(file)
    object["out"] = .string(out)
    object["isComplete"] = .bool(report.isComplete)
    object["isFromUnconfirmedVersion"] = .bool(report.isFromUnconfirmedVersion)
    object["tables"] = .list(
      report.tables.map { entry in
        var table = JSONObject()
        table["name"] = .string(entry.name)
        table["objectsSaved"] = .uint(entry.objectsSaved)
        table["objectsBefore"] = .uint(entry.objectsBefore)
        return table.value
      })
    object["losses"] = .list(
      report.losses.map { loss in
        var lost = JSONObject()
        lost["table"] = .string(loss.table)
        if let field = loss.field { lost["field"] = .string(field) }
        lost["firstKey"] = .int(loss.keys.lowerBound)
        lost["lastKey"] = .int(loss.keys.upperBound)
        lost["cause"] = .string(cause(of: loss))
        return lost.value
      })
    return object.text
  }
}
#endif
