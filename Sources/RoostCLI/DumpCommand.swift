#if Tool
import ArgumentParser
import RoostEngine

/// `roost dump`: everything that a store holds, as lines of JSON.
struct DumpCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "dump",
    abstract: "Prints every object as a line of JSON.",
    discussion: """
      A line is {"table": …, field: value, …} with the fields in the order of the catalog. A date is its
      seconds since 2001-01-01 00:00 UTC, data is Base64, a UUID is text, a link is the identifier of its
      target, and a number that JSON does not know is "nan", "inf" or "-inf". A field that is called table
      is printed as _table. Nothing is lost, but that what is damaged is left out, which the standard error
      and exit code 3 say.
      """)

  @Argument(help: "The store's file.", completion: .file())
  var file: String

  func run() throws {
    let engine = try openToRead(file)
    try ObjectDump(engine.snapshot(), path: file, to: Output()).run()
  }
}
#endif
