#if Tool
import ArgumentParser
import RoostDynamic

/// `roost dump`: the whole content of a store, as lines of JSON.
struct DumpCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "dump",
    abstract: "Prints every object as a line of JSON.",
    discussion: """
      A line is {"table": …, field: value, …} with the fields in the order of the catalog. A date is its \
      seconds since 2001-01-01 00:00 UTC, data is Base64, a UUID is text, a link is the identifier of its \
      target, and a number that JSON does not know is "nan", "inf" or "-inf". A field that is called table \
      is printed as _table. Nothing is lost, but that what is damaged is left out, which the standard error \
      and exit code 3 say.
      """)

  @Argument(help: "The store's file.", completion: .file())
  var file: String

  @OptionGroup var progressing: ProgressOptions

  func run() throws {
    let snapshot = try working(on: file) { try DynamicStore(file).snapshot() }
    let output = Output()
    let progress = progressing.start(beside: output)
    var dump = snapshot.dump()
    while let part = try working(on: file, { try dump.next() }) {
      output.buffer.append(contentsOf: part.lines)
      try output.flushIfFull()
      for gap in part.gaps {
        progress.end()
        complain("roost: left out of \(gap.table.visible): \(gap.damage.summary)")
      }
      progress.show(part.table, "objects", part.done, of: part.total)
    }
    progress.end()
    try output.flush()
    let missing = dump.objectsMissing
    guard missing == 0 else {
      throw ToolFailure(
        "\(file) is damaged: \(missing) \(missing == 1 ? "object is" : "objects are") not in the"
          + " dump. Restore a copy; `roost verify` lists all damage.", code: .corrupt)
    }
  }
}
#endif
