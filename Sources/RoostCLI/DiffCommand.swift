#if Tool
import ArgumentParser
import RoostDynamic
import RoostTool

/// `roost diff`: what differs between two stores, or two versions of one.
struct DiffCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "diff",
    abstract: "Lists what differs between two stores, or between two versions of one.",
    discussion: """
      roost diff yesterday.roost today.roost
      roost diff app.roost --from "before the import"

      Objects are compared by key: + is new, - is gone, ~ has other values. The exit code is 1 where something differs.
      """)

  @Argument(help: "The store's file.", completion: .file())
  var file: String

  @Argument(help: "The other store's file; by default the same.", completion: .file())
  var other: String?

  @Option(
    help: ArgumentHelp("A version of the first file; by default the newest.", valueName: "name"))
  var from: String?

  @Option(
    help: ArgumentHelp("A version of the second file; by default the newest.", valueName: "name"))
  var to: String?

  @Option(
    help: "How differences are shown: table, a line for each, or json, an object on each line.")
  var format = OutputFormat.table

  func validate() throws {
    if other == nil && from == to {
      throw ValidationError("Say another file, or a version: --from NAME.")
    }
  }

  func run() throws {
    let before = try snapshot(of: file, version: from)
    let after = try snapshot(of: other ?? file, version: to)
    let output = Output()
    var isEqual = true
    try working(on: file) {
      try StoreDifference(from: before, to: after).forEach { change in
        isEqual = false
        try output.line(format == .table ? change.text : change.json.text)
      }
    }
    try output.flush()
    if !isEqual { throw ExitCode(ToolFailure.Code.failed.rawValue) }
  }

  private func snapshot(of path: String, version: String?) throws -> DynamicSnapshot {
    try working(on: path) {
      let store = try DynamicStore(path)
      return try version.map { try store.snapshot(of: $0) } ?? store.snapshot()
    }
  }
}
#endif
