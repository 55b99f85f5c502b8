#if Tool
import ArgumentParser
import RoostDynamic
import RoostModels

/// `roost models`: Swift models for the data of a file.
struct ModelsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "models",
    abstract: "Prints Swift models for what a file holds, ready to compile.",
    discussion: """
      roost models app.roost > Models.swift

      A program with these models opens the file. Names that Swift does not allow are changed, and the names in the file stay: a \
      model that is called otherwise comes with the step of a migration. What a file does not say is not printed: keys that the \
      store assigns, and the types behind JSON.

      roost models app.roost --enum Person.mood --in Shop

      --enum makes an enum of the values that a field has, 100 at most.

      For a Realm or an SQLite file, the mapping that makes a store of it comes with the models. All values are read then, for they \
      decide which types hold them.
      """)

  @Argument(help: "The file: a store, a Realm file or an SQLite file.", completion: .file())
  var file: String

  @Option(
    name: .customLong("enum"),
    help: ArgumentHelp("A field that is to be an enum of its values.", valueName: "Model.field"))
  var enums: [String] = []

  @Option(
    name: .customLong("in"),
    help: ArgumentHelp("The enum that the models are to be put in.", valueName: "name"))
  var namespace: String?

  @OptionGroup var keys: KeyOptions

  func validate() throws {
    if let namespace, !ModelsText.isName(namespace) {
      throw ValidationError("\(namespace) cannot be the name of an enum.")
    }
  }

  func run() throws {
    let key = try keys.key(of: file)
    var options = ModelsText.Options()
    options.enums = enums
    options.namespace = namespace
    let text = try working(on: file) {
      do { return try ModelsText(of: file, key: key, options).text } catch let error
        as ModelsError
      {
        throw ToolFailure(error, path: file)
      }
    }
    let output = Output()
    output.buffer.append(contentsOf: text.utf8)
    try output.flush()
  }
}
#endif
