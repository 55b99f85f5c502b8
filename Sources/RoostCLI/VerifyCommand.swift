#if Tool
import ArgumentParser
import RoostEngine

/// `roost verify`: whether everything in a store is as the format demands.
struct VerifyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify",
    abstract: "Checks everything in a store, and lists all damage.",
    discussion: """
      Reads the whole file: every checksum and pointer, the structure of tables and indexes, that the two
      agree, that links lead somewhere, and that every unit of the file belongs to one owner.
      """)

  @Argument(help: "The store's file.", completion: .file())
  var file: String

  @Option(help: "How findings are shown: table or json.")
  var format = OutputFormat.table

  func run() throws {
    let engine = try openToRead(file)
    let snapshot = engine.snapshot()
    let progress = ProgressLine()
    let findings: [Corruption]
    do {
      findings = try snapshot.verify(progress: progress.report)
      progress.end()
    } catch {
      progress.end()
      throw ToolFailure(error, path: file)
    }
    let names = TreeNames(snapshot.catalog)
    let output = Output()
    switch format {
    case .table:
      for finding in findings {
        let place = finding.tree.flatMap { names[$0] }.map { " (\($0.text))" } ?? ""
        try output.line(finding.summary + place)
      }
      if findings.isEmpty { try output.line("\(file) is sound.") }
    case .json:
      var object = JSONObject()
      object["file"] = .string(file)
      object["isSound"] = .bool(findings.isEmpty)
      object["findings"] = .array(findings.map { .object(json($0, names)) })
      try output.line(object.text)
    }
    try output.flush()
    guard findings.isEmpty else {
      let count = findings.count == 1 ? "1 finding" : "\(findings.count) findings"
      throw ToolFailure(
        "\(file) is damaged: \(count). Restore a copy, or save what can be read with `roost salvage`.",
        code: .corrupt)
    }
  }

  private func json(_ finding: Corruption, _ names: TreeNames) -> JSONObject {
    var object = JSONObject()
    object["reason"] = .string(finding.reason.rawValue)
    if let unit = finding.unit { object["unit"] = .number(unit) }
    if let tree = finding.tree {
      object["tree"] = .number(UInt64(tree))
      if let name = names[tree] {
        object["table"] = .string(name.table)
        if let field = name.field { object["index"] = .string(field) }
      }
    }
    if let keys = finding.keys {
      object["firstKey"] = .integer(keys.lowerBound)
      object["lastKey"] = .integer(keys.upperBound)
    }
    return object
  }
}

extension TreeNames.Name {
  /// The name in a listing.
  fileprivate var text: String { field.map { "index of \(table).\($0)" } ?? "table \(table)" }
}
#endif
