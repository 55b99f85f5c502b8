#if Tool
import ArgumentParser
import RoostDynamic
import RoostModels
import RoostTool

/// `roost import`: objects from a text into the models of a store, or a store of another library's file.
struct ImportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract:
      "Reads JSON, lines of JSON or CSV into a store, or makes one of a Realm or SQLite file.",
    discussion: """
      roost import app.roost people.csv --model Person

      The store has the models already, because a program made it; values have the form that `roost export` writes. Everything \
      is read in one transaction: mistakes are listed with their lines and columns, and leave the file as it was. Cases of enums are the exception: a store \
      does not know them, so any text or number is taken, and a program that lacks the case says so when it reads the object. A \
      hyphen is the standard input. No other process may have the file open.

      roost import app.roost planes.csv --model Plane --missing NA --column tailnum=id --leave-out-others

      CSV of other programs may have another --separator, words for no value, and columns of other names.

      roost import app.roost old.realm

      Of a Realm or an SQLite file, a new store is made, with the models that `roost models old.realm` prints: a program that has \
      them opens it. The file itself is only read; no program may write to it meanwhile.

      roost import --raw old.realm

      --raw prints what a Realm file holds as JSON, one object a line, with every bit of each value.
      """)

  @Argument(help: "The store's file; with --raw the Realm file.", completion: .file())
  var file: String

  @Argument(help: "The file to read.", completion: .file())
  var input: String?

  @Option(help: "json, ndjson or csv; by default as the text's ending says.")
  var format: FileFormat?

  @Option(help: "The model of all objects, where the text does not say it.")
  var model: String?

  @Flag(help: "Change objects that are there already, instead of an error.")
  var update = false

  @Option(help: ArgumentHelp("The character between the fields of CSV.", valueName: "character"))
  var separator: String?

  @Option(help: ArgumentHelp("A word that stands for no value in CSV.", valueName: "word"))
  var missing: [String] = []

  @Option(help: ArgumentHelp("A column of CSV, and the field it goes to.", valueName: "name=field"))
  var column: [String] = []

  @Flag(help: "Leave out columns of CSV that no field is named after, instead of an error.")
  var leaveOutOthers = false

  @Flag(help: "Print what a Realm file holds, and make no store.")
  var raw = false

  @Flag(help: "Replace a store that is there by that of a Realm or SQLite file.")
  var force = false

  @OptionGroup var keys: KeyOptions

  @OptionGroup var progressing: ProgressOptions

  func validate() throws {
    let isForText = format != nil || model != nil || update || isForCSV
    if raw {
      guard input == nil, !isForText, !force else {
        throw ValidationError("--raw takes one file, and only its key besides.")
      }
      return
    }
    guard let input else { throw ValidationError("Say which file is to be read.") }
    guard isText(input) else {
      if isForText {
        throw ValidationError(
          "--format, --model, --update and those of CSV are for texts; \(input) becomes a new store."
        )
      }
      return
    }
    guard let text = (format ?? FileFormat(ofPath: input))?.text else {
      throw ValidationError("Say the --format: json, ndjson or csv.")
    }
    guard text == .csv || !isForCSV else {
      throw ValidationError("--separator, --missing, --column and --leave-out-others are for CSV.")
    }
    _ = try form()
    if force { throw ValidationError("--force is for Realm and SQLite files.") }
  }

  private var isForCSV: Bool {
    separator != nil || !missing.isEmpty || !column.isEmpty || leaveOutOthers
  }

  /// How a table of CSV is written.
  private func form() throws -> TextImport.CSVForm {
    var form = TextImport.CSVForm()
    if let separator {
      // A tab is hard to type.
      let character = separator == "\\t" ? "\t" : separator
      guard character.utf8.count == 1, let byte = character.utf8.first, byte < 128,
        !character.contains(where: {
          $0.isLetter || $0.isNumber || $0.isNewline || "\".+-:".contains($0)
        })
      else {
        throw ValidationError(
          "--separator takes one character that values do not have, such as ';' or '\\t'.")
      }
      form.separator = byte
    }
    form.missing = Set(missing)
    for pair in column {
      guard let sign = pair.lastIndex(of: "="), sign != pair.startIndex else {
        throw ValidationError("--column takes a column and a field: tailnum=id.")
      }
      form.fields[String(pair[..<sign])] = String(pair[pair.index(after: sign)...])
    }
    form.leavesOutOthers = leaveOutOthers
    return form
  }

  /// Whether objects are read from a text, and no store is made.
  private func isText(_ input: String) -> Bool {
    if keys.isGiven { return false }
    if let format { return format.text != nil }
    if input.hasSuffix(".realm") { return false }
    if let named = FileFormat(ofPath: input) { return named.text != nil }
    return FileKind(input) == .store
  }

  func run() throws {
    let output = Output()
    if raw {
      try ForeignFile(file, key: try keys.key(of: file)).printNotation(to: output)
    } else if let input, !isText(input) {
      let source = ForeignFile(input, key: try keys.key(of: input))
      try source.makeStore(file, replacing: force, output, progressing.start())
    } else {
      try importText(input ?? "-", output)
    }
    try output.flush()
  }

  private func importText(_ input: String, _ output: Output) throws {
    let format = (format ?? FileFormat(ofPath: input))?.text ?? .ndjson
    let form = try form()
    let store = try working(on: file) {
      do { return try DynamicStore(file, access: .write) } catch StoreError.fileNotFound {
        throw ToolFailure(
          "there is no store \(file), and a text does not say which models it has: it is read into a store that a program has made. "
            + "Of a Realm or SQLite file `roost import` makes a new one.")
      }
    }
    let text = try InputFile(input)
    let progress = progressing.start()
    defer { progress.end() }
    let counts = try working(on: file) {
      try store.write { transaction in
        do {
          var reading = try TextImport(transaction, into: model, updates: update, form: form)
          try reading.read(as: format) {
            let part = try text.next()
            progress.show("reading", "bytes", text.bytesRead, of: text.byteCount)
            return part
          }
          return (inserted: reading.inserted, updated: reading.updated)
        } catch let error as ExportError {
          throw ToolFailure(
            "\(input.visible): \(error.description.escapedForTerminal(keepsLineFeeds: true))")
        }
      }
    }
    try output.line("\(file): \(counts.inserted) inserted, \(counts.updated) updated.")
  }
}
#endif
