#if Tool
import ArgumentParser
import RoostDynamic
import RoostTool

/// A form of files that stores are exported to and imported from.
enum FileFormat: String, ExpressibleByArgument, CaseIterable {
  case sqlite
  case json
  case ndjson
  case csv

  /// The format that a path's ending says.
  init?(ofPath path: String) {
    let endings: [(String, FileFormat)] = [
      (".sqlite", .sqlite), (".sqlite3", .sqlite), (".db", .sqlite), (".json", .json),
      (".ndjson", .ndjson), (".jsonl", .ndjson), (".csv", .csv),
    ]
    guard let found = endings.first(where: { path.hasSuffix($0.0) }) else { return nil }
    self = found.1
  }

  /// The format for what is text.
  var text: TextExport.Format? { TextExport.Format(rawValue: rawValue) }
}

/// `roost export`: a store as a file that other programs read.
struct ExportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Writes a store as SQLite, JSON, lines of JSON or CSV.",
    discussion: """
      roost export app.roost app.sqlite

      In SQLite each model is a table with its key, foreign keys and indexes, and each list of links one between two. Parts of structs \
      are columns with points in their names. Dates are texts as GRDB writes them, with every digit; UUIDs, durations and decimal \
      numbers are texts; collections and what is JSON are JSON; an unsigned number of 64 bits is a text where SQLite has no such \
      integer, and NaN is the text nan.

      roost export app.roost --format csv --model Person > people.csv

      JSON has the values in the form of `roost dump`. In CSV nil is an empty cell, an empty text a pair of quotation marks, and a \
      date as in 2013-01-31T05:00:00Z.
      """)

  @Argument(help: "The store's file.", completion: .file())
  var file: String

  @Argument(
    help: "Where the new file is to lie; else the text goes to the standard output.",
    completion: .file())
  var out: String?

  @Option(help: "sqlite, json, ndjson or csv; by default as the new file's ending says.")
  var format: FileFormat?

  @Option(name: .customLong("model"), help: "A model; by default all. Not for SQLite.")
  var models: [String] = []

  @Flag(help: "In CSV, put an apostrophe before texts that a spreadsheet would take for formulas.")
  var quoteFormulas = false

  @Flag(help: "Replace a file that is there.")
  var force = false

  @OptionGroup var progressing: ProgressOptions

  func validate() throws {
    guard let format = format ?? out.flatMap(FileFormat.init(ofPath:)) else {
      throw ValidationError("Say the --format: sqlite, json, ndjson or csv.")
    }
    if format == .sqlite && out == nil {
      throw ValidationError("SQLite needs a file to write to.")
    }
    if format == .sqlite && !models.isEmpty {
      throw ValidationError("SQLite is of all models: leave out --model.")
    }
  }

  func run() throws {
    let format = format ?? out.flatMap(FileFormat.init(ofPath:)) ?? .ndjson
    let snapshot = try working(on: file) { try DynamicStore(file).snapshot() }
    guard let out else {
      let output = Output()
      let progress = progressing.start(beside: output)
      defer { progress.end() }
      try write(snapshot, format, to: output, progress)
      return try output.flush()
    }
    let progress = progressing.start()
    try writeNewFile(out, replacing: force) { path in
      defer { progress.end() }
      guard format == .sqlite else {
        return try writing(to: path) { try write(snapshot, format, to: $0, progress) }
      }
      try exporting {
        try SQLiteExport(snapshot).write(to: path) { model, done, total in
          progress.show(model, "objects", UInt64(done), of: UInt64(max(done, total)))
        }
      }
    }
  }

  private func write(
    _ snapshot: DynamicSnapshot, _ format: FileFormat, to output: Output,
    _ progress: ProgressLine
  ) throws {
    guard let format = format.text else { return }
    try exporting {
      try TextExport(snapshot, models, as: format, quotesFormulas: quoteFormulas) { bytes in
        output.buffer.append(contentsOf: bytes)
        try output.flushIfFull()
      }.run { model, done, total in
        progress.show(model, "objects", UInt64(done), of: UInt64(max(done, total)))
      }
    }
  }

  private func exporting(_ body: () throws -> Void) throws {
    do { try body() } catch let error as ExportError {
      throw ToolFailure("\(out ?? file): \(error.description.visible)")
    } catch let error as StoreError {
      throw ToolFailure(error, path: file)
    }
  }
}
#endif
