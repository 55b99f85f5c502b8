#if Tool
import ArgumentParser

/// How a command prints its results.
enum OutputFormat: String, ExpressibleByArgument, CaseIterable {
  /// Text for people.
  case table
  /// One JSON object on one line.
  case json
}

/// How a query prints its results.
enum QueryFormat: String, ExpressibleByArgument, CaseIterable {
  /// Text for people.
  case table
  /// An array of objects.
  case json
  /// A JSON object on each line.
  case ndjson
  /// Comma-separated values.
  case csv
}
#endif
