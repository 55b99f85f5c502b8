#if Tool
import ArgumentParser
import RoostDynamic

/// `roost compact`: returns a store's unused space to the system.
struct CompactCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "compact",
    abstract: "Gives the space that a store does not use back to the system.",
    discussion: """
      A packed copy is written beside the file, verified and put in its place. Until then the file is as \
      it was; on an error it stays so. No other process may have the file open.
      """)

  @Argument(help: "The store's file.", completion: .file())
  var file: String

  @Flag(help: "Only when the file is over 100 MiB and less than half of it is used.")
  var ifNeeded = false

  @Option(help: "How the result is shown: table or json.")
  var format = OutputFormat.table

  @OptionGroup var progressing: ProgressOptions

  func run() throws {
    let progress = progressing.start()
    let result = try working(on: file) {
      try progress.during {
        try DynamicStore.compact(file, ifMostlyUnused: ifNeeded, progress: progress.report)
      }
    }
    let output = Output()
    switch format {
    case .table: try output.line(text(result))
    case .json: try output.line(json(result))
    }
    try output.flush()
  }

  private func text(_ result: DynamicStore.Compaction?) -> String {
    guard let result else { return "\(file): nothing to do." }
    let before = ByteCount(result.fileBytesBefore)
    let after = ByteCount(result.fileBytesAfter)
    let saved = ByteCount(
      result.fileBytesBefore - min(result.fileBytesAfter, result.fileBytesBefore))
    return "\(file): \(before) before, \(after) now, \(saved) saved."
  }

  private func json(_ result: DynamicStore.Compaction?) -> String {
    var object = JSONObject()
    object["file"] = .string(file)
    object["compacted"] = .bool(result != nil)
    if let result {
      object["bytesBefore"] = .uint(result.fileBytesBefore)
      object["bytesAfter"] = .uint(result.fileBytesAfter)
    }
    return object.text
  }
}
#endif
