#if Tool
import ArgumentParser
import RoostDynamic

/// The command line tool `roost`: one file per command beside this one.
@main
struct RoostCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "roost",
    abstract: "Looks into Roost stores: what they hold, and whether they are sound.",
    discussion: """
      Files are only read, but for `compact`, `delete`, `drop-field`, `import`, `keep`, `restore` and `set`. Data goes to the standard output, everything else to the
      standard error. Exit codes: 0 done, 1 failed, 2 wrong usage, 3 the file is damaged.
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
      complain(fullMessage(for: error))
      Self.exit(withError: ExitCode(ToolFailure.Code.usage.rawValue))
    }
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
