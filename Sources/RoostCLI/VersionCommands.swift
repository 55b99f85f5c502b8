#if Tool
import ArgumentParser
import RoostDynamic

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// `roost versions`: the named versions.
struct VersionsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "versions",
    abstract: "Lists the versions that are kept under names.",
    discussion: """
      The size is what a version has alone, and what dropping it would free. Those that a migration kept by itself go after
      so many openings of the file by the program.
      """)

  @Argument(help: "The store's file.", completion: .file())
  var file: String

  @Option(help: "How the versions are shown: table or json, a line for each.")
  var format = OutputFormat.table

  func run() throws {
    let store = try openToRead(file)
    let versions = try working(on: file) { try store.versions }
    let output = Output()
    switch format {
    case .json: for version in versions { try output.line(version.json.text) }
    case .table where versions.isEmpty: try output.line("\(file): no versions.")
    case .table:
      var table = TextTable(["name", "date", "version", "size", "openings"], leftCount: 2)
      for version in versions { table.measure(version.row) }
      try output.line(table.headerLine)
      for version in versions { try output.line(table.line(version.row)) }
    }
    try output.flush()
  }
}

extension KeptVersion {
  var row: [String] {
    [
      name, date.formatted(.iso8601), "\(version)", "\(ByteCount(bytes))",
      openings.map { "\($0)" } ?? "",
    ]
  }

  var json: JSONObject {
    var object = JSONObject()
    object["name"] = .string(name)
    object["date"] = .string(date.formatted(.iso8601))
    object["version"] = .uint(version)
    object["bytes"] = .uint(bytes)
    if let openings { object["openings"] = .int(Int64(openings)) }
    return object
  }
}

/// `roost keep`: keeps the newest version under a name.
struct KeepCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "keep",
    abstract: "Keeps the newest version under a name, or drops a name.",
    discussion: """
      Nothing is copied: what is written later leaves the version's bytes in the file. `rollback` goes back to it. No other
      process may have the file open.
      """)

  @Argument(help: "The store's file.", completion: .file())
  var file: String

  @Argument(help: "The name.")
  var name: String

  @Flag(help: "Drop the name, and free what the version alone has.")
  var drop = false

  func run() throws {
    try working(on: file) {
      let store = try DynamicStore(file, access: .write)
      if drop { try store.drop(version: name) } else { try store.keep(name) }
    }
    let output = Output()
    try output.line("\(file): \"\(name)\" \(drop ? "dropped" : "kept").".visible)
    try output.flush()
  }
}

/// `roost rollback`: restores a named version.
struct RollbackCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rollback",
    abstract: "Goes back to a version that is kept under a name.",
    discussion: """
      A new version gets the models and objects of that one; all that was written since is gone, unless `keep` has kept it.
      Steps of migrations that were run since are run again when the program opens the file. No other process may have the
      file open.
      """)

  @Argument(help: "The store's file.", completion: .file())
  var file: String

  @Option(help: ArgumentHelp("The version's name; `versions` lists them.", valueName: "name"))
  var to: String?

  @Option(
    help: ArgumentHelp(
      "The step of a migration before which the version was kept by itself.", valueName: "step"))
  var before: String?

  func validate() throws {
    guard (to == nil) != (before == nil) else {
      throw ValidationError("Say either `--to NAME` or `--before STEP`.")
    }
  }

  func run() throws {
    let name = before.map { DynamicStore.versionName(before: $0) } ?? to ?? ""
    try working(on: file) { try DynamicStore(file, access: .write).restore(name) }
    let output = Output()
    try output.line("\(file): rolled back to \"\(name)\".".visible)
    try output.flush()
  }
}
#endif
