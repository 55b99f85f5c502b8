internal import RoostInterchange

/// A class of a source, and where its records are.
struct TextClass {
  let name: String
  let path: String
  let form: Form

  enum Form {
    /// An array of objects within a JSON text, or one object or an array that is the text.
    case array(at: TextScanner.Position?)
    /// JSON, an object per line.
    case lines
    case csv(CSVForm)
  }

  /// The name of the class whose objects a table of Realm has.
  static func name(ofTable table: String) -> String {
    let prefix = "class_"
    return table.hasPrefix(prefix) ? String(table.dropFirst(prefix.count)) : table
  }
}

/// How a CSV is written.
struct CSVForm: Sendable {
  var separator: UInt8
  /// Words that mean "no value", besides an empty field.
  var missing: Set<String>
}
