import RoostDynamic
import RoostInterchange

#if canImport(Darwin)
internal import Darwin
#elseif canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#endif

/// Why a command failed: one line with advice, and an exit code.
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

  /// The failure for a mistake in a text: with the text, and a sign under the byte where the mistake begins.
  init(_ reason: String, in text: String, at offset: Int, code: Code = .failed) {
    let before = String(decoding: text.utf8.prefix(offset), as: UTF8.self).visible
    self.init(
      "\(reason.visible)\n  \(text.visible)\n  " + String(repeating: " ", count: before.columns)
        + "^", code: code)
  }

  /// The failure for a model that a file does not have.
  init(unknownModel model: String, in file: String, among tables: [DynamicTable]) {
    let known = tables.filter { !$0.holdsNamedValue }.map(\.name)
    self.init(
      "\(file) has no model \(model).".visible
        + NearestName.question(model, among: known, else: " `roost schema` lists them.").visible)
  }

  /// The end of a command that nobody listens to any more.
  static let quiet = ToolFailure("", code: .done)

  /// The failure for a store error on the file at `path`.
  init(_ error: StoreError, path: String) {
    switch error {
    case .fileNotFound, .io(_, _, errno: ENOENT):
      self.init("there is no file \(path): check the path.")
    case .diskFull:
      self.init("\(path): the disk is full; make room and try again. The file is as it was.")
    case .permissionDenied(let operation, let path, let errno),
      .io(let operation, let path, let errno):
      self.init(operation, path, errno)
    case .directoryNotFound(let path):
      self.init("there is no directory \(path): create it before.")
    case .isDirectory(let path): self.init(.open, path, EISDIR)
    case .corrupt(_, let damage):
      self.init(
        "\(path) is damaged (\(damage.summary)); run `roost verify` to see all of it, and"
          + " restore a copy.", code: .corrupt)
    case .notARoostFile:
      self.init("\(path) is not a Roost file: check the path.")
    case .fileTruncated:
      self.init("\(path) is cut off; restore a whole copy.", code: .corrupt)
    case .fileIsNewer(_, let features, []):
      self.init(
        "\(path) needs \(features.joined(separator: ", ").visible), which this roost does not know; use a"
          + " newer one.")
    case .fileIsOlder(_, let format):
      self.init("\(path) has format \(format), which this roost no longer reads; use an older one.")
    case .locked:
      self.init("\(path) is in use by another process; close it there and try again.")
    case .unknownVersion(let name):
      self.init(
        "\(path) has no version \"\(name)\"; `roost versions` lists those that are kept.".visible)
    case .versionNameTaken(let name):
      self.init(
        "\(path) has a version \"\(name)\" already; drop it with `--drop`, or take another name."
          .visible)
    case .limitExceeded(let limit): self.init("\(path): there can be no more than \(limit).")
    case .readOnly:
      self.init("\(path) can only be read by this roost; use a newer one to write to it.")
    case .queryMalformed(let text, let reason, let offset):
      self.init(reason, in: text, at: offset, code: .usage)
    default:
      self.init("\(path): \(error.message)")
    }
  }

  /// The failure for a system error.
  private init(_ operation: FileOperation, _ path: String, _ errno: Int32) {
    let words = operation == .setPermissions ? "set the permissions of" : operation.rawValue
    let reason = unsafe String(cString: strerror(errno))
    self.init(
      "cannot \(words) \"\(path)\": \(reason) (\(errno)); check the path and its permissions.")
  }
}

extension StoreDamage {
  /// A short description of the damage and its place.
  var summary: String {
    var parts = [code]
    if let unit { parts.append("unit \(unit)") }
    if let model {
      parts.append(index.map { "index of \(model).\($0)" } ?? model)
    } else if let tree {
      parts.append("tree \(tree)")
    }
    if let keys {
      parts.append(
        keys.lowerBound == keys.upperBound
          ? "object \(keys.lowerBound)" : "objects \(keys.lowerBound)…\(keys.upperBound)")
    }
    return parts.joined(separator: ", ").visible
  }
}

extension String {
  /// The text, with characters that would control a terminal escaped.
  var visible: String { escapedForTerminal() }
}

/// Runs `body` for the file at a path, and converts store errors to tool failures.
func working<Result>(
  on path: String, _ body: () throws -> Result
) throws(ToolFailure) -> Result {
  do { return try body() } catch let failure as ToolFailure {
    throw failure
  } catch let error as StoreError {
    throw ToolFailure(error, path: path)
  } catch {
    throw ToolFailure("\(path): \("\(error)".visible)")
  }
}

/// Opens a file to read it.
func openToRead(_ path: String) throws(ToolFailure) -> DynamicStore {
  try working(on: path) { try DynamicStore(path) }
}
