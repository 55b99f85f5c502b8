package import RoostDynamic

/// New values of fields, made whole for objects with optional structs and with kinds.
///
/// A file has an optional struct as a field that marks whether it is there, and its parts as fields of their own; a program
/// does not see parts whose struct is not there. So a struct is removed with all its parts, and made with all of them.
package struct Assignments {
  private let table: DynamicTable
  /// The given values; of a struct that is removed null, by the name of the struct.
  private var given: [String: DynamicValue] = [:]

  /// - Parameters:
  ///   - values: The values by the names of fields, in the order in which they are given.
  ///   - table: The table that has the fields.
  /// - Throws: ``AssignmentError`` for a struct that is given a value or whose parts are given while it is removed, and for
  ///   the kind of a value.
  package init(_ values: [(String, DynamicValue)], of table: DynamicTable) throws(AssignmentError) {
    self.table = table
    for (name, value) in values {
      if let whole = table.valueField(ofKind: name) {
        throw AssignmentError(
          name,
          "\(table.name).\(name) is the kind of \(whole), and a program finds it by the value: "
            + "set \(whole).")
      }
      let parts = table.parts(ofStruct: name)
      guard parts.isEmpty || value == .null else {
        let first = parts[0].name
        throw AssignmentError(
          name,
          "\(table.name).\(name) is a struct: set its parts, such as \(first)=…, or \(name)=nil.")
      }
      given[name] = value
    }
    for (name, _) in values {
      guard let removed = table.structs(around: name).first(where: { given[$0] != nil }) else {
        continue
      }
      throw AssignmentError(
        name, "\(name) is a part of \(removed), which is to be nil: set one of them.")
    }
  }

  /// Whether the fields get other values by the object's own.
  package var dependOnObject: Bool {
    given.keys.contains { name in
      !table.structs(around: name).isEmpty || !table.parts(ofStruct: name).isEmpty
    }
  }

  /// The values without regard to an object.
  package var values: [String: DynamicValue] {
    var values = given
    addKinds(to: &values)
    return values
  }

  /// The values of which a program finds the kinds when it opens the file; until then they have none.
  package var kindsToFind: [String] {
    table.fields.map(\.name).filter { name in
      table.valueField(ofKind: name).flatMap { given[$0] }.map { $0 != .null } ?? false
    }
  }

  /// The values for an object.
  ///
  /// - Throws: ``AssignmentError`` where a struct is not there, and some of its parts are not given.
  package func values(for object: DynamicObject) throws -> [String: DynamicValue] {
    var values = given
    var isThere: [String: Bool] = [:]
    for field in table.fields {
      let name = field.name
      let parts = table.parts(ofStruct: name)
      guard !parts.isEmpty else { continue }
      let isAroundThere = table.structs(around: name).last.map { isThere[$0] ?? false } ?? true
      let isThereNow = try object[name] == .bool(true) && isAroundThere
      isThere[name] = isThereNow
      if table.structs(around: name).contains(where: { given[$0] != nil }) {
        isThere[name] = false
      } else if given[name] != nil {
        isThere[name] = false
        values[name] = isAroundThere || !field.isOptional ? .bool(false) : .null
        for part in parts where part.isOptional { values[part.name] = .null }
      } else if !isThereNow, parts.contains(where: { given[$0.name].map { $0 != .null } ?? false })
      {
        let missing = missing(of: name, parts)
        guard missing.isEmpty else {
          throw AssignmentError(
            parts.first { given[$0.name] != nil }?.name ?? name,
            "\(table.name) \(try object.key.json) has no \(name). Give all of its parts, also "
              + missing.map { $0 + "=…" }.joined(separator: " ")
              + "; or ask for objects with \(name) != nil.")
        }
        isThere[name] = true
        values[name] = .bool(true)
      }
    }
    addKinds(to: &values)
    return values
  }

  /// The parts of a struct that are not given.
  private func missing(of name: String, _ parts: [DynamicField]) -> [String] {
    parts.map(\.name).filter { part in
      guard given[part] == nil, table.structs(around: part).last == name,
        table.valueField(ofKind: part) == nil
      else { return false }
      // A struct within is given by its parts.
      return !table.parts(ofStruct: part).contains { given[$0.name].map { $0 != .null } ?? false }
    }
  }

  /// The kind of no value is none; that of another value becomes unknown, as its field is not given.
  private func addKinds(to values: inout [String: DynamicValue]) {
    for field in table.fields where field.isOptional && values[field.name] == nil {
      if let whole = table.valueField(ofKind: field.name), values[whole] == .null {
        values[field.name] = .null
      }
    }
  }
}

/// A value that a field cannot be given.
package struct AssignmentError: Error, Equatable {
  /// The name of the field.
  package let field: String
  /// What is wrong, and what to do.
  package let reason: String

  init(_ field: String, _ reason: String) {
    self.field = field
    self.reason = reason
  }
}

extension DynamicTable {
  /// The parts of the optional struct that a field marks, those of structs within it too; empty for other fields.
  package func parts(ofStruct name: String) -> [DynamicField] {
    guard field(name)?.type == .bool else { return [] }
    return fields.filter { $0.name.hasPrefix(name + ".") }
  }

  /// The names of the optional structs around a part, the outermost first.
  package func structs(around part: String) -> [String] {
    let names = part.split(separator: ".", omittingEmptySubsequences: false)
    guard names.count > 1 else { return [] }
    return (1..<names.count).map { names.prefix($0).joined(separator: ".") }
      .filter { field($0)?.type == .bool }
  }

  /// The field with the values whose kinds are in a field; nil for fields without kinds.
  package func valueField(ofKind name: String) -> String? {
    guard name.hasSuffix(".kind"), field(name) != nil else { return nil }
    let value = String(name.dropLast(".kind".count))
    return field(value)?.type == .json ? value : nil
  }
}
