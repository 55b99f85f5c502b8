#if Tool
import ArgumentParser
import RoostDynamic
import RoostInterchange

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The command line tool `roost`: one file per command beside this one.
@main
struct RoostCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "roost",
    abstract: "Looks into Roost stores: what they hold, and whether they are sound.",
    discussion: """
      Files are only read, but for `browse --write`, `compact`, `delete`, `drop-field`, `import`, `keep`, `restore` and `set`. \
      Data goes to the standard output, everything else to the standard error. Exit codes: 0 done, 1 failed, 2 wrong usage, 3 the file is damaged.
      """,
    version: roostVersion,
    subcommands: [
      InfoCommand.self, BrowseCommand.self, SchemaCommand.self, QueryCommand.self,
      ModelsCommand.self,
      ExportCommand.self, ImportCommand.self, SetCommand.self, DeleteCommand.self, DiffCommand.self,
      StatsCommand.self, VerifyCommand.self,
      DumpCommand.self,
      SalvageCommand.self, CompactCommand.self, DropFieldCommand.self, HistoryCommand.self,
      VersionsCommand.self, KeepCommand.self, RestoreCommand.self, WatchCommand.self,
      ManualCommand.self,
    ], defaultSubcommand: InfoCommand.self)

  static func main() {
    do {
      var command = try parseAsRoot()
      try command.run()
    } catch let failure as ToolFailure {
      if failure != .quiet { complain("roost: \(failure.message)") }
      Self.exit(withError: ExitCode(failure.code.rawValue))
    } catch {
      // A request for help is not a failure; any other error of the parser is a usage error.
      guard exitCode(for: error) != .success, !(error is ExitCode) else {
        Self.exit(withError: error)
      }
      complain(message(for: error, Array(CommandLine.arguments.dropFirst())))
      Self.exit(withError: ExitCode(ToolFailure.Code.usage.rawValue))
    }
  }

  /// The names of the commands.
  static var names: [String] {
    configuration.subcommands.compactMap { $0.configuration.commandName }
  }

  /// What is wrong with arguments, and what was probably meant.
  private static func message(for error: any Error, _ arguments: [String]) -> String {
    let message = fullMessage(for: error)
    guard let first = arguments.first, !first.hasPrefix("-") else { return message }
    if !names.contains(first), first != "help", !FileManager.default.fileExists(atPath: first),
      let meant = NearestName.nearest(to: first, among: names)
    {
      // Without a command, the parser speaks of the default one.
      return "roost: there is no command \(first.visible). Did you mean \"\(meant)\"?"
    }
    let words = arguments.dropFirst(2).filter { !$0.hasPrefix("-") }
    guard first == "query" || first == "delete", words.count > 1,
      message.contains("unexpected argument"), let file = arguments.dropFirst().first
    else { return message }
    return "roost: the query has \(words.count) words: put it in quotation marks.\n  "
      + "roost \(first) \(file.visible) '\(words.joined(separator: " ").visible)'"
  }
}

#else
/// Replaces the tool if its trait is off, so that clients of the library do not fetch the tool's dependencies.
@main
enum RoostCommand {
  static func main() {
    print("This roost was built without its commands. Build it with:")
    print("  swift build -c release --traits Tool --product roost")
  }
}
#endif
