import RoostEngine

/// Why a command did not do what it was asked: one line that says what to do next, and an exit code.
struct ToolFailure: Error, Equatable {
  /// The exit codes of the tool.
  enum Code: Int32 {
    case done = 0
    case failed = 1
    case usage = 2
    case corrupt = 3
  }

  let message: String
  let code: Code

  init(_ message: String, code: Code = .failed) {
    self.message = message
    self.code = code
  }

  /// What the engine threw while it worked on the file at `path`.
  init(_ error: EngineError, path: String) {
    switch error {
    case .file(let error) where error.meaning == .missingFile:
      self.init("there is no file \(path): check the path.")
    case .file(let error) where error.meaning == .outOfSpace:
      self.init("\(path): the disk is full; make room and try again. The file is as it was.")
    case .file(let error):
      self.init("\(error.description); check the path and its permissions.")
    case .corrupt(let corruption):
      self.init(
        "\(path) is damaged (\(corruption.summary)); run `roost verify` to see all of it, and"
          + " restore a copy.", code: .corrupt)
    case .notARoostFile:
      self.init("\(path) is not a Roost file: check the path.")
    case .truncated:
      self.init("\(path) is cut off; restore a whole copy.", code: .corrupt)
    case .fileIsNewer(let features):
      self.init(
        "\(path) needs \(features.joined(separator: ", ").visible), which this roost does not know; use a"
          + " newer one.")
    case .fileIsOlder(let format):
      self.init("\(path) has format \(format), which this roost no longer reads; use an older one.")
    case .locked:
      self.init("\(path) is open in another process; close it there and try again.")
    case .version(let name, .unknown):
      self.init(
        "\(path) has no version \"\(name)\"; `roost versions` lists those that are kept.".visible)
    case .version(let name, .taken):
      self.init(
        "\(path) has a version \"\(name)\" already; drop it with `--drop`, or take another name."
          .visible)
    case .limit(let limit): self.init("\(path): there can be no more than \(limit).")
    case .readOnly:
      self.init("\(path) can only be read by this roost; use a newer one to write to it.")
    default:
      self.init("\(path): \("\(error)".visible)")
    }
  }
}

extension Corruption {
  /// What is wrong, and where, in a few words.
  var summary: String {
    var parts = [reason.rawValue]
    if let unit { parts.append("unit \(unit)") }
    if let tree { parts.append("tree \(tree)") }
    if let keys {
      parts.append(
        keys.lowerBound == keys.upperBound
          ? "object \(keys.lowerBound)" : "objects \(keys.lowerBound)…\(keys.upperBound)")
    }
    return parts.joined(separator: ", ")
  }
}

/// Runs engine operations on the file at a path; what they throw becomes the tool's.
func working<Result>(
  on path: String, _ body: () throws(EngineError) -> Result
) throws(ToolFailure) -> Result {
  do { return try body() } catch { throw ToolFailure(error, path: path) }
}

/// Opens a file to read it.
func openToRead(_ path: String) throws(ToolFailure) -> Engine {
  try working(on: path) { () throws(EngineError) in
    try Engine.open(path, options: EngineOptions(isReadOnly: true, createsFile: false))
  }
}
