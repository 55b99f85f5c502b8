#if Tool
import ArgumentParser
import RoostDynamic
import RoostExport

/// `roost export`: a store as a file that other programs read.
struct ExportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Writes a store as an SQLite file.",
    discussion: """
      roost export app.roost app.sqlite

      Each model is a table with its key, foreign keys and indexes, and each list of links one between two. Parts of structs are
      columns with points in their names. Dates are texts as GRDB writes them, with every digit; UUIDs, durations and decimal
      numbers are texts; collections and what is JSON are JSON; an unsigned number of 64 bits is a text where SQLite has no such
      integer, and NaN is the text nan.
      """)

  @Argument(help: "The store's file.", completion: .file())
  var file: String

  @Argument(help: "Where the new file is to lie.", completion: .file())
  var out: String

  @Flag(help: "Replace a file that is there.")
  var force = false

  func run() throws {
    let snapshot = try working(on: file) { try DynamicStore(file).snapshot() }
    let progress = ProgressLine()
    try writeNewFile(out, replacing: force) { path in
      defer { progress.end() }
      do {
        try SQLiteExport(snapshot).write(to: path) { model, done, total in
          progress.show(model, UInt64(done), of: UInt64(total))
        }
      } catch let error as ExportError {
        throw ToolFailure("\(out): \(error.description.visible)")
      } catch let error as StoreError {
        throw ToolFailure(error, path: file)
      }
    }
  }
}
#endif
