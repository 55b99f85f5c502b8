#if Tool
import ArgumentParser
import RoostDynamic
import RoostExport

/// `roost import`: objects from a text into the models of a store.
struct ImportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Reads objects from JSON, lines of JSON or CSV into the models of a store.",
    discussion: """
      roost import app.roost people.csv --model Person

      The store has the models already; values have the form that `roost export` writes. Everything is read in one transaction: an
      error names the line, and leaves the file as it was. A hyphen is the standard input. No other process may have the file open.
      Realm and SQLite files are imported by a program: see `roost models`.
      """)

  @Argument(help: "The store's file.", completion: .file())
  var file: String

  @Argument(help: "The text to read.", completion: .file())
  var input: String

  @Option(help: "json, ndjson or csv; by default as the text's ending says.")
  var format: FileFormat?

  @Option(help: "The model of all objects, where the text does not say it.")
  var model: String?

  @Flag(help: "Change objects that are there already, instead of an error.")
  var update = false

  func validate() throws {
    guard let format = format ?? FileFormat(ofPath: input) else {
      throw ValidationError("Say the --format: json, ndjson or csv.")
    }
    guard format.text != nil else {
      throw ValidationError("SQLite files are imported by a program: see `roost models`.")
    }
  }

  func run() throws {
    let format = (format ?? FileFormat(ofPath: input))?.text ?? .ndjson
    let store = try working(on: file) { try DynamicStore(file, access: .write) }
    let bytes = try readInput(input)
    let counts = try working(on: file) {
      try store.write { transaction in
        do {
          var reading = try TextImport(transaction, into: model, updates: update)
          try reading.read(bytes, as: format)
          return (inserted: reading.inserted, updated: reading.updated)
        } catch let error as ExportError {
          throw ToolFailure("\(input): \(error.description.visible)")
        }
      }
    }
    let output = Output()
    try output.line("\(file): \(counts.inserted) inserted, \(counts.updated) updated.")
    try output.flush()
  }
}
#endif
