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
      The size is what a version has alone, and what dropping it would free. Those that a migration kept by itself go after \
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
      Nothing is copied: what is written later leaves the version's bytes in the file. `restore` goes back to it. --drop shows \
      what the version is, then asks. No other process may have the file open.
      """)

  @Argument(help: "The store's file.", completion: .file())
  var file: String

  @Argument(help: "The name.")
  var name: String

  @Flag(help: "Drop the name, and free what the version alone has.")
  var drop = false

  @Flag(help: "Do not ask.")
  var yes = false

  func validate() throws {
    if yes && !drop { throw ValidationError("--yes is for --drop, which asks.") }
  }

  func run() throws {
    try working(on: file) {
      let store = try DynamicStore(file, access: .write)
      guard drop else { return try store.keep(name) }
      guard let kept = try store.versions.first(where: { $0.name == name }) else {
        throw StoreError.unknownVersion(name: name)
      }
      let line =
        "\"\(name)\" of \(kept.date.formatted(.iso8601)), which has \(ByteCount(kept.bytes)) alone"
      try confirm([line, "What only this version has cannot be restored then"], "Drop it?", yes)
      try store.drop(version: name)
    }
    let output = Output()
    try output.line("\(file): \"\(name)\" \(drop ? "dropped" : "kept").".visible)
    try output.flush()
  }
}

/// `roost restore`: goes back to a named version, or writes it to a file of its own.
struct RestoreCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "restore",
    abstract: "Goes back to a version that is kept under a name, or writes it to a new file.",
    discussion: """
      roost restore app.roost "before the import"

      A new version gets the models and objects of that one; all that was written since is gone, unless `keep` has kept it. \
      Steps of migrations that were run since are run again when the program opens the file. It shows how the numbers of \
      objects change, then asks. No other process may have the file open.

      roost restore app.roost "before the import" old.roost

      With another path the file stays as it is, and the new one has that version alone, packed.
      """)

  @Argument(help: "The store's file.", completion: .file())
  var file: String

  @Argument(help: "The version's name; `versions` lists them. Not with --before.")
  var name: String?

  @Argument(help: "Where a new file with the version is to lie.", completion: .file())
  var out: String?

  @Option(
    help: ArgumentHelp(
      "The step of a migration before which the version was kept by itself, instead of a name.",
      valueName: "step"))
  var before: String?

  @Flag(help: "Replace a file that is there.")
  var force = false

  @Flag(help: "Do not ask.")
  var yes = false

  @OptionGroup var progressing: ProgressOptions

  func validate() throws {
    guard name != nil || before != nil, before == nil || out == nil else {
      throw ValidationError("Say either the version's name or `--before STEP`.")
    }
    if force && newFile == nil { throw ValidationError("--force is for a new file.") }
  }

  /// The new file, which takes the place of the name where there is none.
  private var newFile: String? { before == nil ? out : name }

  func run() throws {
    let version = before.map { DynamicStore.versionName(before: $0) } ?? name ?? ""
    let output = Output()
    if let newFile {
      try write(version, to: newFile)
      try output.line("\(newFile): \"\(version)\" of \(file).".visible)
    } else {
      try goBack(to: version)
      try output.line("\(file): restored \"\(version)\".".visible)
    }
    try output.flush()
  }

  /// Goes back to a version, after a question.
  private func goBack(to version: String) throws {
    try working(on: file) {
      let store = try DynamicStore(file, access: .write)
      let (now, then) = (try store.snapshot(), try store.snapshot(of: version))
      var lines: [String] = []
      for name in Set((now.tables + then.tables).map(\.name)).sorted()
      where !name.hasPrefix("value:roost.") {
        let before = now.table(name) == nil ? 0 : try now.count(of: name)
        let after = then.table(name) == nil ? 0 : try then.count(of: name)
        lines.append("\(name): \(before) \(before == 1 ? "object" : "objects") → \(after)")
      }
      lines.append("What was written since that version goes, unless another kept version has it")
      try confirm(lines, "Restore \"\(version.visible)\"?", yes)
      try store.restore(version)
    }
  }

  /// Writes a version to a file of its own.
  private func write(_ version: String, to out: String) throws {
    // While it is open here, no other process writes to it.
    let source = try working(on: file) {
      let store = try DynamicStore(file)
      _ = try store.snapshot(of: version)
      return store
    }
    let progress = progressing.start()
    try writeNewFile(out, replacing: force) { path in
      defer { progress.end() }
      do { try FileManager.default.copyItem(atPath: file, toPath: path) } catch {
        throw ToolFailure(
          "\(out) cannot be written: check the path, its permissions, and whether the disk is full."
        )
      }
      try working(on: out) {
        let copy = try DynamicStore(path, access: .write)
        try copy.restore(version)
        for kept in try copy.versions { try copy.drop(version: kept.name) }
        copy.close()
        _ = try progress.during {
          try DynamicStore.compact(path, progress: progress.report)
        }
      }
    }
    source.close()
  }
}
#endif
