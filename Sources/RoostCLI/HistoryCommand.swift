#if Tool
import ArgumentParser
import RoostDynamic

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// `roost history`: the migration steps that were applied to a file.
struct HistoryCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "history",
    abstract: "Lists the steps of migrations that a file has behind it.",
    discussion: """
      A fingerprint stands for the models and fields that the file had then: where two are equal, these were. A step with \
      equal fingerprints before and after it is older than the file.
      """)

  @Argument(help: "The store's file.", completion: .file())
  var file: String

  @Option(help: "How the steps are shown: table or json, a line for each.")
  var format = OutputFormat.table

  func run() throws {
    let store = try openToRead(file)
    let steps: [AppliedStep]
    do { steps = try store.history } catch { throw ToolFailure(error.message) }
    let output = Output()
    switch format {
    case .json: for step in steps { try output.line(json(step).text) }
    case .table where steps.isEmpty: try output.line("\(file): no steps.")
    case .table:
      var table = TextTable(["step", "date", "roost", "before", "after"], leftCount: 5)
      for step in steps { table.measure(row(step)) }
      try output.line(table.headerLine)
      for step in steps { try output.line(table.line(row(step))) }
    }
    try output.flush()
  }

  private func row(_ step: AppliedStep) -> [String] {
    [
      step.name, step.date.formatted(.iso8601), step.library, step.fingerprintBefore,
      step.fingerprintAfter,
    ]
  }

  private func json(_ step: AppliedStep) -> JSONObject {
    var object = JSONObject()
    object["step"] = .string(step.name)
    object["date"] = .string(step.date.formatted(.iso8601))
    object["roost"] = .string(step.library)
    object["before"] = .string(step.fingerprintBefore)
    object["after"] = .string(step.fingerprintAfter)
    object["compatible"] = .bool(step.isCompatible)
    return object
  }
}
#endif
