#if Tool
import ArgumentParser

/// The command line tool `roost`: one file per command beside this one.
@main
struct RoostCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "roost",
    abstract: "Looks into Roost stores: what they hold, and whether they are sound.",
    version: "0.1.0")
}
#else
/// Stands in for the tool where its trait is off, so that clients of the library fetch no dependency of the tool.
@main
enum RoostCommand {
  static func main() {
    print("This roost was built without its commands. Build it with:")
    print("  swift build -c release --traits Tool --product roost")
  }
}
#endif
