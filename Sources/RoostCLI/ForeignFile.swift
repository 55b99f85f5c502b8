#if Tool
import RoostDynamic
import RoostModels

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A file of another library.
struct ForeignFile {
  let path: String
  /// The key of an encrypted Realm file.
  private let key: Data?

  init(_ path: String, key: Data?) {
    self.path = path
    self.key = key
  }

  /// Prints what the file is, and which tables it has.
  func printOverview(as format: OutputFormat, to output: Output) throws {
    var overview: ForeignOverview?
    try reading { overview = try ForeignOverview(of: path, key: key) }
    guard let overview else { return }
    guard format == .table else {
      var object = JSONObject()
      object["file"] = .string(path)
      object["kind"] = .string(overview.kind)
      object["tables"] = .list(
        overview.tables.map { table in
          var object = JSONObject()
          object["name"] = .string(table.name)
          object["kind"] = .string(table.kind)
          object["objects"] = .int(Int64(table.objects))
          return object.value
        })
      return try output.line(object.text)
    }
    try output.line("\(path): \(overview.kind)")
    try output.line("")
    let rows = overview.tables.map { [$0.name, $0.kind, "\($0.objects)"] }
    var table = TextTable(["table", "kind", "objects"], leftCount: 2)
    for row in rows { table.measure(row) }
    if rows.isEmpty { try output.line("No tables.") } else { try output.line(table.headerLine) }
    for row in rows { try output.line(table.line(row)) }
    complain(
      "`roost import NEW \(path)` makes a store of it, `roost models` prints its models.".visible)
  }

  /// Prints all that a Realm file has.
  func printNotation(to output: Output) throws {
    try check([.realm], "a Realm file, which --raw prints")
    try reading {
      try RealmNotation.print(path, key: key) { bytes in
        output.buffer.append(contentsOf: bytes)
        try output.flushIfFull()
      }
    }
  }

  /// Makes a new store of the file.
  func makeStore(
    _ file: String, replacing isReplacing: Bool, _ output: Output, _ progress: ProgressLine
  ) throws {
    try check([.realm, .sqlite], "a Realm or an SQLite file")
    var result: ForeignImport?
    try writeNewFile(file, replacing: isReplacing) { unfinished in
      defer { progress.end() }
      do {
        try reading {
          progress.show("looking at all values", "objects", 0, of: nil)
          result = try ForeignImport(of: path, key: key, to: unfinished) { source, done, total in
            progress.show(source, "objects", UInt64(done), of: UInt64(max(total, done)))
          }
        }
      } catch let error as StoreError {
        let failure = ToolFailure(error, path: file)
        throw ToolFailure(failure.message.replacing(unfinished, with: file), code: failure.code)
      }
    }
    guard let result else { return }
    for remark in result.remarks { complain(remark.visible) }
    var table = TextTable(["from", "model", "objects"], leftCount: 2)
    let rows = result.counts.map { [$0.source, $0.model, "\($0.objects)"] }
    for row in rows { table.measure(row) }
    try output.line(table.headerLine)
    for row in rows { try output.line(table.line(row)) }
  }

  /// Throws unless the file is of one of some kinds.
  private func check(_ kinds: [FileKind], _ words: String) throws(ToolFailure) {
    guard key == nil, !kinds.contains(FileKind(path)) else { return }
    // Opening it says why a file cannot be read.
    do throws(StoreError) { try DynamicStore(path).close() } catch {
      guard case .notARoostFile = error else { throw ToolFailure(error, path: path) }
    }
    throw ToolFailure("\(path) is not \(words): check the path.")
  }

  private func reading(_ body: () throws -> Void) throws {
    do { try body() } catch let error as ModelsError { throw ToolFailure(error, path: path) }
  }
}

extension ToolFailure {
  /// The failure for an error on a file of another library.
  init(_ error: ModelsError, path: String) {
    self.init(
      (error.namesFile ? "" : "\(path): ") + error.description.visible,
      code: error.isDamage ? .corrupt : .failed)
  }
}
#endif
