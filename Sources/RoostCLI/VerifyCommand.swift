#if Tool
import ArgumentParser
import RoostDynamic

/// `roost verify`: checks a whole store against the format.
struct VerifyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify",
    abstract: "Checks everything in a store, and lists all damage.",
    discussion: """
      Reads the whole file: every checksum and pointer, the structure of tables and indexes, that the two \
      agree, that links lead somewhere, and that every unit of the file belongs to one owner.
      """)

  @Argument(help: "The store's file.", completion: .file())
  var file: String

  @Option(help: "How findings are shown: table or json.")
  var format = OutputFormat.table

  @OptionGroup var progressing: ProgressOptions

  func run() throws {
    let store = try openToRead(file)
    let progress = progressing.start()
    let findings = try working(on: file) {
      try progress.during { try store.verify(progress: progress.report) }
    }
    let output = Output()
    switch format {
    case .table:
      for finding in findings { try output.line(finding.summary) }
      if findings.isEmpty { try output.line("\(file) is sound.") }
    case .json:
      var object = JSONObject()
      object["file"] = .string(file)
      object["isSound"] = .bool(findings.isEmpty)
      object["findings"] = .list(findings.map { json($0).value })
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

  private func json(_ finding: StoreDamage) -> JSONObject {
    var object = JSONObject()
    object["reason"] = .string(finding.code)
    if let unit = finding.unit { object["unit"] = .uint(unit) }
    if let tree = finding.tree {
      object["tree"] = .uint(UInt64(tree))
      if let model = finding.model { object["table"] = .string(model) }
      if let index = finding.index { object["index"] = .string(index) }
    }
    if let keys = finding.keys {
      object["firstKey"] = .int(keys.lowerBound)
      object["lastKey"] = .int(keys.upperBound)
    }
    return object
  }
}
#endif
