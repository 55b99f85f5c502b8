/// A difference between a file and the models that needs a migration step.
@nonexhaustive
public enum SchemaDifference: Hashable, Sendable {
  /// A step was not run in the file yet, and this program is read-only, or may not run it.
  case pendingStep(String)
  /// A model, or a field of it, differs between the file and the program, and this program is read-only, or may not
  /// change the file's models.
  case pendingChange(model: String, field: String?)
  /// The model requires a field that the file lacks, and there is no default for the existing objects.
  ///
  /// - Parameters:
  ///   - undeclared: The fields of the same type that the file has and the model does not declare: one of them may be this one
  ///     under its old name.
  ///   - others: Such fields of other types, with these: what this one holds may have been in one of them.
  case missingField(
    model: String, field: String, declared: String, undeclared: [String], others: [String: String])
  /// The file stores a field with another type.
  case otherType(model: String, field: String, stored: String, declared: String)
  /// A property is a struct in the program and a single value in the file, or the other way round: `parts` are the fields of the
  /// struct.
  case otherStruct(model: String, field: String, stored: String, declared: String, parts: [String])
  /// The field's links lead to another model of the file, which no model of the program is named after.
  case otherTarget(model: String, field: String, stored: String, declared: String, isList: Bool)
  /// The file's objects have another key: `stored` is its name and type.
  ///
  /// - Parameter isStored: Whether the file has the declared key as a field, in its type.
  case otherKey(model: String, stored: String, field: String, declared: String, isStored: Bool)
  /// The model requires a field that has no value in some objects.
  case missingValues(model: String, field: String, objects: UInt64, declared: String)
  /// The model declares a field as unique, or several together, and several objects have the same value, `value` among those.
  case duplicateValues(model: String, field: String, value: String)
  /// The field is new, and declared as unique: all objects that the file has would get its default.
  case duplicateDefault(model: String, field: String, declared: String)
  /// The model declares a field as ``CaseNamed``, and the file has its values without their kinds, or with kinds of another
  /// type.
  case missingKind(model: String, field: String, declared: String)
  /// A step that was tried names a model, or a field behind its model, that the file does not have.
  case unknownName(String, step: String)

  /// Whether a type in words has structs, which have no names in a file: `[(x: Int, y: Int)]`, and of one part `[x: Int]`.
  private static func hasStructs(_ type: String) -> Bool {
    type.contains("(") || type.hasPrefix("[") && type.dropFirst().first?.isLowercase == true
  }

  /// The calls of a step that add a link or a list of links, and give it these values, else such as the reader finds.
  private static func linkCalls(
    _ model: String, _ field: String, _ declared: String, values: String? = nil
  ) -> String {
    let target = target(declared)
    let (made, option) = isList(declared) ? ("[\(target)]", ", isList: true") : (target, "")
    return """
        try migration.addLink("\(field)", to: "\(model)", target: "\(target)"\(option))
        try migration.rewrite("\(model)") { old, new in
          try new.set("\(field)", to: \(values ?? "<#\(made) found by `migration.object(of:id:)`#>"))
        }
      """
  }

  /// The step that adds a link or a list of links, of the objects that one of the other fields has links to, if any does.
  private static func newLinkStep(
    _ model: String, _ field: String, _ declared: String, _ others: [String: String]
  ) -> String {
    let older = others.sorted { $0.key < $1.key }
      .first { isLink($0.value) && target($0.value) == target(declared) }
    let values = older.map { linkedObjects($0.key, asList: isList(declared)) }
    return """
      // Before it, `addModel` adds \(target(declared)), if that is new.
      MigrationStep("add \(model).\(field)") { migration in
      \(linkCalls(model, field, declared, values: values))
      }
      """
  }

  /// The expression in a step for the objects that a link or a list of links has, as a value of a list or of a link.
  static func linkedObjects(_ field: String, asList: Bool) -> String {
    "old.object\(asList ? "s" : "")(\"\(field)\")"
  }

  /// The step that makes a field a link or a list of links, of what its values say.
  private static func linkStep(
    _ model: String, _ field: String, _ declared: String, of stored: String
  ) -> String {
    let old = "<#old \(field)#>"
    let values: String? =
      isLink(stored) && target(stored) == target(declared)
      ? linkedObjects(old, asList: isList(declared)) : nil
    return """
      // Before it, `addModel` adds \(target(declared)), if that is new.
      MigrationStep("\(model).\(field) becomes \(declared)") { migration in
        try migration.rename("\(field)", of: "\(model)", to: "\(old)")
      \(linkCalls(model, field, declared, values: values))
        try migration.remove("\(old)", of: "\(model)")
      }
      """
  }

  /// The model that a link leads to, of the link's type in words.
  static func target(_ declared: String) -> String {
    String(declared.drop { $0 != "<" }.dropFirst().prefix { $0 != ">" })
  }

  /// The type in a step: of what is stored as JSON, the program knows the type.
  private static func type(_ name: String) -> String {
    name.hasPrefix("JSON") ? "<#the Opaque type#>" + name.dropFirst(4) : name
  }

  /// A placeholder for a value, as which a literal has the type, too.
  private static func value(_ type: String) -> String {
    let takesOtherLiterals = ["Double", "Float", "Decimal"].contains {
      $0 == type || $0 + "?" == type
    }
    let name = type.hasPrefix("JSON") ? "a value of the Opaque type" : type
    return takesOtherLiterals ? "<#\(name)#> as \(name)" : "<#\(name)#>"
  }

  /// Whether a type in words is a link, or a list of them.
  static func isLink(_ type: String) -> Bool {
    type.hasPrefix("Link<") || type.hasPrefix("Links<")
  }

  /// Whether a type in words is a list of links.
  static func isList(_ type: String) -> Bool { type.hasPrefix("Links<") }

  /// Whether one of two types in words is a blob's, and the other is not: no step makes blobs.
  private static func isBlob(_ stored: String, _ declared: String) -> Bool {
    (stored == "Blob") != (declared == "Blob")
  }

  /// A template of the step that resolves it: of a field that may have another name in the file, one that renames, with a
  /// placeholder where a name has to be chosen.
  public var step: String? {
    switch self {
    case .pendingStep, .pendingChange, .unknownName: nil
    case .missingField(let model, let field, _, let undeclared, _) where !undeclared.isEmpty:
      PossibleRename(model: model, fields: [field], olderNames: undeclared).step
    case .missingField(let model, let field, let declared, _, let others)
    where Self.isLink(declared):
      Self.newLinkStep(model, field, declared, others)
    case .missingField(let model, let field, let declared, _, let others) where !others.isEmpty:
      """
      // If it was \(others.keys.sorted().map { "\"\($0)\"" }.joined(separator: " or ")): `rename`, then `convert`, in place of `add`.
      MigrationStep("add \(model).\(field)") {
        try $0.add("\(field)", to: "\(model)", default: \(Self.value(declared)))
      }
      """
    case .missingField(let model, let field, let declared, _, _):
      """
      MigrationStep("add \(model).\(field)") {
        try $0.add("\(field)", to: "\(model)", default: \(Self.value(declared)))
      }
      """
    case .otherType(let model, let field, let stored, let declared)
    where Self.hasStructs(stored) || Self.hasStructs(declared):
      """
      // Keep the struct as older releases had it, under another name: `.was` does not reach into lists.
      MigrationStep("<#name of the step#>") {
        try $0.convert("\(field)", of: "\(model)", from: <#[OldStruct]#>.self, to: <#[Struct]#>.self) { <#$0.map { Struct($0) }#> }
      }
      """
    case .otherType(let model, let field, let stored, let declared)
    where Self.isLink(declared):
      Self.linkStep(model, field, declared, of: stored)
    case .otherType(let model, let field, let stored, let declared) where Self.isLink(stored):
      """
      MigrationStep("\(model).\(field) becomes \(declared)") { migration in
        try migration.rename("\(field)", of: "\(model)", to: "<#old \(field)#>")
        try migration.add("\(field)", to: "\(model)", default: \(Self.value(declared)))
        try migration.rewrite("\(model)") { old, new in
          try new.set("\(field)", to: <#what `old.object\(stored.hasPrefix("Links") ? "s" : "")("old \(field)")` says#>)
        }
        try migration.remove("<#old \(field)#>", of: "\(model)")
      }
      """
    case .otherType(let model, let field, let stored, let declared)
    where Self.isBlob(stored, declared):
      """
      MigrationStep("\(model).\(field) becomes \(declared)") {
        try $0.rename("\(field)", of: "\(model)", to: "<#old \(field)#>")
      }
      """
    case .otherType(let model, let field, let stored, let declared):
      """
      MigrationStep("\(model).\(field) becomes \(declared)") {
        try $0.convert("\(field)", of: "\(model)", from: \(Self.type(stored)).self, to: \(Self.type(declared)).self) { \(Self.conversion(stored, declared)) }
      }
      """
    case .otherStruct(let model, let field, let stored, let declared, let parts):
      Self.structStep(model, field, stored, declared, parts)
    case .otherTarget(_, _, let stored, let declared, _):
      """
      MigrationStep("\(stored) becomes \(declared)") { try $0.renameModel("\(stored)", to: "\(declared)") }
      """
    case .otherKey(let model, _, let field, _, true):
      """
      MigrationStep("\(field) becomes the key of \(model)") {
        try $0.changeKey(of: "\(model)", to: "\(field)")
      }
      """
    case .otherKey(let model, _, let field, let declared, false):
      """
      MigrationStep("\(field) becomes the key of \(model)") {
        try $0.add("\(field)", to: "\(model)", default: \(Self.value(declared)))
        try $0.rewrite("\(model)") { old, new in try new.set("\(field)", to: \(Self.value(declared))) }
        try $0.changeKey(of: "\(model)", to: "\(field)")
      }
      """
    case .missingKind(let model, let field, let declared):
      """
      MigrationStep("kinds of \(model).\(field)", .compatible) {
        try $0.addKind(of: "\(field)", in: "\(model)", as: \(declared).self)
      }
      """
    case .duplicateValues(let model, let field, _) where field.contains(","):
      """
      MigrationStep("\(model).\(field) are unique") {
        try $0.rewrite("\(model)") { old, new in
          <#where another object has the same, as a set of those seen says: other values, or new.delete()#>
        }
      }
      """
    case .duplicateValues(let model, let field, _):
      """
      MigrationStep("\(model).\(field) is unique") {
        try $0.makeUnique("\(field)", of: "\(model)") { first, other in <#try other.set(…), or other.delete()#> }
      }
      """
    case .duplicateDefault(let model, let field, let declared):
      """
      MigrationStep("add \(model).\(field)") { migration in
        try migration.add("\(field)", to: "\(model)", default: \(Self.value(declared)))
        try migration.rewrite("\(model)") { old, new in try new.set("\(field)", to: <#a value of its own#>) }
      }
      """
    case .missingValues(let model, let field, _, let declared) where Self.isLink(declared):
      """
      MigrationStep("require \(model).\(field)") { migration in
        try migration.rewrite("\(model)") { old, new in
          guard try old.object("\(field)") == nil else { return }
          try new.set("\(field)", to: <#one found by `migration.object(of:id:)`#>)
        }
      }
      """
    case .missingValues(let model, let field, _, let declared):
      """
      MigrationStep("require \(model).\(field)") {
        try $0.makeRequired("\(field)", of: "\(model)", default: \(Self.value(declared)))
      }
      """
    }
  }
}

extension SchemaDifference {
  /// The body of a closure that makes a value of another type, with a placeholder where somebody has to decide.
  private static func conversion(_ stored: String, _ declared: String) -> String {
    guard !stored.hasSuffix("?") else { return "<#$0.map { … }#>" }
    // An optional wraps what the closure returns.
    let isOptional = declared.hasSuffix("?")
    let made = isOptional ? String(declared.dropLast()) : declared
    func orElse(_ value: String) -> String { "\(value) ?? <#\(isOptional ? "nil" : made)#>" }
    let (wholes, floats) = (["Int", "UInt"], ["Double", "Float"])
    switch (stored, made) {
    case ("Bool", _): return "$0 ? <#\(made)#> : <#\(made)#>"
    case (_, "Bool") where (wholes + floats + ["Decimal"]).contains(stored): return "<#$0 != 0#>"
    case (_, "Int"), (_, "UInt"):
      if (wholes + floats).contains(stored) { return orElse("\(made)(exactly: $0)") }
      if stored == "String" { return orElse("\(made)($0)") }
    case (_, "Double"), (_, "Float"):
      if (wholes + floats).contains(stored) { return "<#\(made)($0)#>" }
      if stored == "String" { return orElse("\(made)($0)") }
    case (_, "Decimal"):
      if wholes.contains(stored) { return "<#Decimal($0)#>" }
      if floats.contains(stored) { return orElse("Decimal(exactly: \"\\($0)\")") }
      if stored == "String" { return orElse("Decimal(exactly: $0)") }
    case ("String", "Bool"): return orElse("Bool($0)")
    case ("String", "UUID"): return orElse("UUID(uuidString: $0)")
    case ("UUID", "String"): return "<#$0.uuidString#>"
    case (_, "String") where (wholes + floats).contains(stored): return "<#String($0)#>"
    default: break
    }
    return "<#a \(made) for $0#>"
  }

  /// What resolves it without a step, as a sentence.
  var otherRemedy: String? {
    switch self {
    case .missingField(let model, let field, _, let undeclared, _) where undeclared.isEmpty:
      "\(model).\(field) needs no step if its field says `.default(…)`, or if it is an optional."
    case .missingValues(let model, let field, _, let declared):
      "\(model).\(field) needs no step if "
        + (Self.isLink(declared) ? "it is an optional." : "its field says `.default(…)`.")
    case .duplicateDefault(let model, let field, _):
      "\(model).\(field) needs no step if it is an optional: objects without a value are not the same."
    case .otherType(let model, let field, let stored, let declared)
    where Self.isBlob(stored, declared):
      "No step reads or makes a blob: rename \(model).\(field), declare it under its old name as an optional beside the new "
        + "one, and copy the bytes in a `write`, once the store is open."
    case .otherStruct(let model, let field, _, Self.structName, _):
      "What the struct \(model).\(field) needs beside that, a further step adds."
    case .otherStruct(let model, let field, _, let declared, _)
    where !Self.isCollection(declared):
      "\(model).\(field) must be an optional where the struct was one: objects without the struct have no value."
    case .missingField, .pendingStep, .pendingChange, .otherType, .otherStruct, .otherTarget,
      .otherKey, .duplicateValues, .missingKind, .unknownName:
      nil
    }
  }
}

extension SchemaDifference {
  /// The fields of some differences that may be older ones: those of a model that may have the same older names are one.
  static func possibleRenames(in differences: [SchemaDifference]) -> [PossibleRename] {
    var renames: [PossibleRename] = []
    for case .missingField(let model, let field, _, let names, _) in differences
    where !names.isEmpty {
      let known = renames.firstIndex { $0.model == model && $0.olderNames == names }
      if let known {
        renames[known].fields.append(field)
      } else {
        renames.append(PossibleRename(model: model, fields: [field], olderNames: names))
      }
    }
    return renames
  }

  /// The one of some possible renames that is about its field.
  func rename(among renames: [PossibleRename]) -> PossibleRename? {
    guard case .missingField(let model, let field, _, let names, _) = self else { return nil }
    return renames.first {
      $0.model == model && $0.olderNames == names && $0.fields.contains(field)
    }
  }
}

extension SchemaDifference: CustomStringConvertible {
  /// The difference in words.
  public var description: String {
    switch self {
    case .unknownName(let name, let step):
      "The step \"\(step)\" names \(name), which the file does not have: it did nothing there."
    case .pendingStep(let name): "The step \"\(name)\" was not run in the file yet."
    case .pendingChange(let model, let field?):
      "\(model).\(field) was not brought to what the program declares yet."
    case .pendingChange(let model, nil): "The model \(model) is not in the file yet."
    case .missingField(let model, let field, let declared, let undeclared, let others):
      "\(model).\(field) is declared as \(declared), and the file has no such field."
        + Self.undeclared(undeclared, others, of: model)
    case .otherType(let model, let field, let stored, let declared):
      "\(model).\(field) is declared as \(declared), and stored as \(stored)."
    case .otherStruct(let model, let field, let stored, let declared, let parts):
      "\(model).\(field) is declared as \(declared), and stored as \(stored). The struct has "
        + parts.map { "\"\($0)\"" }.joined(separator: ", ") + "."
    case .duplicateDefault(let model, let field, _):
      "\(model).\(field) is new and declared as unique, and all objects would get its default."
    case .otherTarget(let model, let field, let stored, let declared, let isList):
      "\(model).\(field) is declared as \(Self.link(to: declared, isList: isList)), and stored with links to "
        + "\(stored), which is none of the models."
    case .otherKey(let model, let stored, let field, let declared, _):
      "The key of \(model) is declared as \"\(field)\", \(declared), and stored as \(stored)."
    case .duplicateValues(let model, let field, let value):
      "\(model).\(field) is declared as unique, and several objects have the same, \(value) among those."
    case .missingKind(let model, let field, let declared):
      "\(model).\(field) is declared as \(declared), and the file does not have the kinds of its values."
    case .missingValues(let model, let field, let objects, let declared):
      "\(model).\(field) is declared as \(declared), and \(objects) \(objects == 1 ? "object has" : "objects have") no value."
    }
  }

  /// What else the file has of a model that lacks a field.
  private static func undeclared(
    _ names: [String], _ others: [String: String], of model: String
  ) -> String {
    let found =
      names.isEmpty
      ? others.sorted { $0.key < $1.key }.map { "\"\($0.key)\" (\($0.value))" }
      : names.map { "\"\($0)\"" }
    guard !found.isEmpty else { return "" }
    let type = names.isEmpty ? "" : " of that type"
    return " It has \(found.joined(separator: ", "))\(type), which \(model) does not declare."
  }

  /// The type of a link, or of a list of them.
  static func link(to target: String, isList: Bool) -> String {
    let type = isList ? "Links" : "Link"
    return "\(type)<\(target)>"
  }
}
