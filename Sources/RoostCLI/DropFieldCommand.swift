#if Tool
import ArgumentParser
import RoostDynamic
import RoostInterchange

/// `roost drop-field`: removes a field and all its values.
struct DropFieldCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "drop-field",
    abstract: "Removes a field of a model with all of its values.",
    discussion: """
      For a field that no version of the program needs any more: opening a store never removes one. Its \
      index, and every index that uses it, goes too. A program that declares the field adds it again, with \
      its default. The space is used again; `compact` gives it back. It shows what goes, then asks. No other \
      process may have the file open.
      """)

  @Argument(help: "The store's file.", completion: .file())
  var file: String

  @Argument(help: "The model.")
  var model: String

  @Argument(help: "The field; with points where it is a part of an embedded struct.")
  var field: String

  @Flag(help: "Do not ask.")
  var yes = false

  func run() throws {
    let bytes = try working(on: file) {
      try DynamicStore(file, access: .write).write { transaction in
        let tables = try transaction.tables
        guard let table = tables.first(where: { $0.name == model }) else {
          throw ToolFailure(unknownModel: model, in: file, among: tables)
        }
        guard let known = table.field(field) else {
          throw ToolFailure(
            "\(file) has no field \(model).\(field).".visible
              + NearestName.question(
                field, among: table.fields.map(\.name), else: " `roost schema` lists the fields."
              ).visible)
        }
        guard !known.isKey else {
          throw ToolFailure("\(model).\(field) is the key of its objects and cannot go.".visible)
        }
        let count = try transaction.count(.all(model))
        let bytes = try transaction.removeField(field, from: model)
        let objects = "\(count) \(count == 1 ? "object" : "objects")"
        var lines = ["\(model).\(field) of \(objects), \(ByteCount(bytes))"]
        for index in table.indexes where index.fields.contains(field) {
          lines.append("the index on \(index.name)")
        }
        try confirm(lines, "Drop the field?", yes)
        return bytes
      }
    }
    let output = Output()
    try output.line("\(model).\(field): \(ByteCount(bytes)) dropped.")
    try output.flush()
  }
}
#endif
