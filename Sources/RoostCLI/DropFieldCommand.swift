#if Tool
import ArgumentParser
import RoostEngine

/// `roost drop-field`: removes a field with all of its values.
struct DropFieldCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "drop-field",
    abstract: "Removes a field of a model with all of its values.",
    discussion: """
      For a field that no version of the program needs any more: opening a store never removes one. Its
      index, and every index that uses it, goes too. A program that declares the field adds it again, with
      its default. The space is used again; `compact` gives it back. No other process may have the file open.
      """)

  @Argument(help: "The store's file.", completion: .file())
  var file: String

  @Argument(help: "The model.")
  var model: String

  @Argument(help: "The field; with points where it is a part of an embedded struct.")
  var field: String

  func run() throws {
    let dropped = try working(on: file) { () throws(EngineError) in
      try drop(in: try Engine.open(file, options: EngineOptions(createsFile: false)))
    }
    let output = Output()
    switch dropped {
    case .bytes(let bytes): try output.line("\(model).\(field): \(ByteCount(bytes)) dropped.")
    case .unknown:
      throw ToolFailure(
        "\(file) has no field \(model).\(field); `roost stats` lists the models.".visible)
    case .key:
      throw ToolFailure("\(model).\(field) is the key of its objects and cannot go.".visible)
    }
    try output.flush()
  }

  private enum Dropped {
    case bytes(UInt64)
    case unknown
    case key
  }

  private func drop(in engine: Engine) throws(EngineError) -> Dropped {
    let transaction = try engine.beginWrite()
    defer { transaction.rollback() }
    guard let table = transaction.catalog.table(named: model),
      let known = table.field(named: field)
    else { return .unknown }
    guard !known.isIdentifier else { return .key }
    let bytes = try transaction.view().byteCount(of: known, in: table.id)
    try transaction.removeField(known.id, from: table.id)
    try transaction.commit()
    return .bytes(bytes)
  }
}
#endif
