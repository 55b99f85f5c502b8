extension SchemaDifference {
  /// How a struct's type is called in words, which a file does not know.
  static let structName = "a struct"

  /// The step that makes a struct of a single value, or a value of a struct.
  static func structStep(
    _ model: String, _ field: String, _ stored: String, _ declared: String, _ parts: [String]
  ) -> String {
    let isDeclared = declared == SchemaDifference.structName
    let choice = parts.map { "\"\($0)\"" }.joined(separator: " or ")
    let part = parts.count == 1 ? choice : "<#\(choice)#>"
    let head = "MigrationStep(\"\(model).\(field) becomes \(declared)\") {"
    guard !stored.hasPrefix("JSON"), !declared.hasPrefix("JSON") else {
      let added = isDeclared ? parts : [field]
      let lines = added.map { name in
        "  try migration.add(\"\(name)\", to: \"\(model)\", default: <#value#>)"
      }
      return """
        \(head) migration in
          try migration.rename("\(field)", of: "\(model)", to: "<#old \(field)#>")
        \(lines.joined(separator: "\n"))
          try migration.rewrite("\(model)") { old, new in
            try new.set("\(added[0])", to: <#what `old.value("old \(field)…", as:)` says#>)
          }
        }
        """
    }
    guard !isCollection(declared) else {
      let first = parts.first?.dropFirst(field.count) ?? ""
      return """
        MigrationStep("\(model).\(field) becomes a collection") { migration in
          try migration.rename("\(field)", of: "\(model)", to: "<#old \(field)#>")
          try migration.add("\(field)", to: "\(model)", default: <#[Struct]#>())
          try migration.rewrite("\(model)") { old, new in
            // A part of an absent struct is nil.
            let part = try old.value("<#old \(field)#>\(first)", as: <#String#>?.self)
            try new.set("\(field)", to: <#part.map { [Struct($0)] } ?? []#>)
          }
          try migration.remove("<#old \(field)#>", of: "\(model)")
        }
        """
    }
    return isDeclared
      ? """
      \(head)
        try $0.rename("\(field)", of: "\(model)", to: \(part))
      }
      """
      : """
      \(head)
        try $0.rename("\(field)", of: "\(model)", to: "<#old \(field)#>")
        try $0.rename(<#"old \(field).\(parts.first?.split(separator: ".").last ?? "")"#>, of: "\(model)", to: "\(field)")
      }
      """
  }

  /// Whether a type in words is an array, a set or a dictionary.
  static func isCollection(_ type: String) -> Bool {
    type.hasPrefix("[") || type.hasPrefix("Set<")
  }
}
