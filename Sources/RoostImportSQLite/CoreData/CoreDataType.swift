/// How values of a property are read.
enum CoreDataType {
  case date, decimal
  /// Another type, in words.
  case other(String)

  /// The number of composite attributes in a model.
  static let composite = 2100

  /// - Parameter declared: What the column declares, which counts if the model does not say what the property is.
  init(_ property: CachedModel.Property?, declared: String) {
    switch property?.kind {
    case .attribute(900, _): self = .date
    case .attribute(400, _): self = .decimal
    case .attribute(let type, _): self = .other(Self.names[type] ?? "type \(type)")
    case .relationship, .fetched: self = .other("relationship")
    case nil:
      switch declared.caseFolded {
      case "timestamp": self = .date
      case "decimal": self = .decimal
      default: self = .other(declared)
      }
    }
  }

  private static let names = [
    100: "Integer 16", 200: "Integer 32", 300: "Integer 64", 500: "Double", 600: "Float",
    700: "String", 800: "Boolean", 1000: "Binary Data", 1100: "UUID", 1200: "URI",
    1800: "Transformable",
  ]

  /// Whether values are bytes as the app has them.
  var isBinary: Bool {
    if case .other(let words) = self { words == "Binary Data" || words == "BLOB" } else { false }
  }

  /// The type in words.
  var words: String {
    switch self {
    case .date: "Date"
    case .decimal: "Decimal"
    case .other(let words): words
    }
  }
}
