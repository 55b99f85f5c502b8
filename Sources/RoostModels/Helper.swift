/// A type for values that a file has and Swift has no type for, with its text.
enum Helper: Equatable {
  /// A value in JSON.
  case json

  /// The modules that it uses.
  var modules: [String] {
    switch self {
    case .json: []
    }
  }
}
