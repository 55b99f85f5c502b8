#if Tool
import ArgumentParser

/// How a command prints its results.
enum OutputFormat: String, ExpressibleByArgument, CaseIterable {
  /// Text for people.
  case table
  /// One JSON object on one line.
  case json
}
#endif
