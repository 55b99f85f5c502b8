#if Tool
import ArgumentParser

/// How a command shows what it found.
enum OutputFormat: String, ExpressibleByArgument, CaseIterable {
  /// Text for people.
  case table
  /// One JSON object on one line.
  case json
}
#endif
