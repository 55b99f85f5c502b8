internal import RoostDynamic

/// Writes models as Swift.
struct ModelWriter {
  let set: ModelSet
  let names: Names
  /// The enum that everything is in; nil for none.
  let namespace: String?
  /// The name of the file, for the first line.
  let fileName: String

  /// The whole text.
  func text() -> String {
    var text = SwiftText()
    text.comment(
      "The models of \(fileName), as `roost models` prints them.".escapedForTerminal(), "//")
    for remark in set.remarks { text.comment(remark.escapedForTerminal(), "//") }
    text.line()
    for module in modules { text.line("import \(module)") }
    if let namespace {
      text.line()
      text.block("enum \(SwiftName.declared(namespace))") { write(&$0) }
    } else {
      text.line()
      write(&text)
    }
    return text.text
  }

  private var modules: [String] {
    var modules: Set<String> = ["Roost"]
    func use(_ type: SwiftType) {
      switch type {
      case .library(_, let module): if module != "Swift" { modules.insert(module) }
      case .optional(let type), .array(let type), .set(let type): use(type)
      case .dictionary(let key, let value):
        use(key)
        use(value)
      case .declared, .link, .links: break
      }
    }
    for declaration in set.declarations {
      for property in declaration.properties { use(property.type) }
      if case .helper(let helper) = declaration.kind { modules.formUnion(helper.modules) }
    }
    for value in set.namedValues { use(value.type) }
    if let mapping = set.mapping {
      modules.formUnion(["Foundation", "RoostImport", mapping.module])
    }
    let literals =
      set.declarations.flatMap(\.indexes).flatMap(\.conditions).map(\.value)
      + set.declarations.flatMap(\.properties).compactMap(\.defaultValue)
    for case .literal(let literal) in literals
    where ["Date(", "UUID(", "Data(", "Decimal("].contains(where: { literal.contains($0) }) {
      modules.insert("Foundation")
    }
    return modules.sorted()
  }

  private func write(_ text: inout SwiftText) {
    for place in set.declarations.indices {
      if place > 0 { text.line() }
      write(place, &text)
    }
    let models = set.declarations.indices.filter { set.declarations[$0].kind == .model }
    if !models.isEmpty {
      if let mapping = set.mapping {
        write(mapping, models, &text)
      } else {
        writeOpening(models, &text)
      }
    }
    guard !set.namedValues.isEmpty else { return }
    text.line()
    text.comment("What is kept under names:", "//")
    for value in set.namedValues {
      let call =
        "try snapshot.value(\(value.name.swiftLiteral), as: \(names.text(value.type)).self)"
      text.comment("  " + call, "//")
    }
  }

  private func write(_ place: Int, _ text: inout SwiftText) {
    let declaration = set.declarations[place]
    if let comment = declaration.comment { text.comment(comment.escapedForTerminal()) }
    let name = SwiftName.declared(names.types[place])
    switch declaration.kind {
    case .model: writeStruct(place, "Model", "Schema", "schema", &text)
    case .embedded: writeStruct(place, "Embedded", "Fields", "fields", &text)
    case .compoundKey: writeStruct(place, "CompoundKey", "KeyParts", "parts", &text)
    case .cases(let values): write(place, values, &text)
    case .caseNamed:
      for line in Helper.caseNamed(name, json: json, names) { text.line(String(line)) }
    case .helper(let helper):
      for line in helper.lines(name, names) { text.line(String(line)) }
    }
  }

  /// The name of the type of JSON values.
  private var json: String {
    let place = set.declarations.firstIndex { $0.kind == .helper(.json) }
    return place.map { SwiftName.declared(names.types[$0]) } ?? "JSON"
  }

  // MARK: Structs

  private func writeStruct(
    _ place: Int, _ conformance: String, _ list: String, _ member: String, _ text: inout SwiftText
  ) {
    let declaration = set.declarations[place]
    let name = SwiftName.declared(names.types[place])
    text.block("struct \(name): \(names.library(conformance, "Roost"))") { text in
      for (property, propertyName) in zip(declaration.properties, names.properties[place]) {
        text.line(self.declaration(property, propertyName, in: declaration.kind))
      }
      for inverse in names.inverses[place] {
        let path = inverse.path.joined(separator: ".")
        let source = SwiftName.declared(names.types[inverse.source])
        // The name that it has in nested texts, unless a field has it; that of a list has none.
        let hasNone =
          inverse.isOfList || declaration.properties.contains { $0.name == inverse.name }
        let member = hasNone ? "" : ", \(inverse.name.swiftLiteral)"
        text.line(
          "static let \(SwiftName.declared(inverse.name)) = \(names.library("Inverse", "Roost"))"
            + "(\\\(source).\(path)\(member))")
      }
      let arguments = zip(declaration.properties, names.properties[place]).map {
        argument($0, $1, in: declaration)
      }
      text.call(
        "static let \(member) = \(names.library(list, "Roost"))", [name + ".init"] + arguments)
      writeIndexes(place, &text)
    }
  }

  private func declaration(
    _ property: ModelProperty, _ name: String, in kind: Declaration.Kind
  ) -> String {
    let keyword = property.isKey || kind == .compoundKey ? "let" : "var"
    let start = "\(keyword) \(SwiftName.declared(name))"
    let type = names.text(property.type)
    // Structs with a value for each part would have two initializers.
    guard kind == .model else { return "\(start): \(type)" }
    return switch property.type {
    case .links: "\(start): \(type) = []"
    case .library("Blob", _): "\(start) = \(type)()"
    default: "\(start): \(type)"
    }
  }

  /// `Field("name", \.name, .indexed)`.
  private func argument(
    _ property: ModelProperty, _ name: String, in declaration: Declaration
  ) -> String {
    let function =
      switch declaration.kind {
      case .embedded: "Part"
      case .compoundKey: "KeyPart"
      default: property.isKey ? "Key" : "Field"
      }
    // What is yet to be stored has the names of the program.
    let stored = declaration.source == nil ? property.name : name
    var arguments = [stored.swiftLiteral, "\\.\(name)"]
    if property.isUnique {
      arguments.append(".unique")
    } else if property.isIndexed {
      arguments.append(".indexed")
    }
    if let value = property.defaultValue {
      arguments.append(".default(\(literal(value, of: property.type)))")
    }
    if let rule = property.deleteRule { arguments.append(".onTargetDelete(.\(rule))") }
    if property.nullifiesMissingTarget { arguments.append(".onMissingTarget(.nullify)") }
    return "\(names.library(function, "Roost"))(\(arguments.joined(separator: ", ")))"
  }

  private func literal(_ value: DefaultValue, of type: SwiftType) -> String {
    switch value {
    case .literal(let literal): return literal
    case .value(let value):
      guard case .declared(let place) = type.unwrapped, let name = names.cases[place][value] else {
        return "nil"
      }
      return "." + name
    }
  }

  // MARK: Indexes

  private func writeIndexes(_ place: Int, _ text: inout SwiftText) {
    let indexes = set.declarations[place].indexes
    guard !indexes.isEmpty else { return }
    let index = names.library("Index", "Roost")
    let name = SwiftName.declared(names.types[place])
    let lines = indexes.map { one in
      "\(one.isUnique ? ".unique" : index)(\(arguments(of: one, in: place).joined(separator: ", ")))"
    }
    let head = "static let indexes: [\(index)<\(name)>] = ["
    if lines.count == 1 { return text.line("\(head)\(lines[0])]") }
    text.line(head)
    text.indented { text in
      for line in lines { text.line(line + ",") }
    }
    text.line("]")
  }

  private func arguments(of index: ModelIndex, in place: Int) -> [String] {
    var arguments = index.fields.map { "\\" + path(to: $0, in: place).text }
    guard !index.conditions.isEmpty else { return arguments }
    let conditions = index.conditions.map { condition in
      let path = path(to: condition.field, in: place)
      let value = literal(condition.value, of: path.type ?? .int)
      // Conditions look through optionals by themselves.
      return "$0\(path.text.replacing("?", with: "")) \(condition.sign) \(value)"
    }
    arguments.append("where: { \(conditions.joined(separator: " && ")) }")
    return arguments
  }

  /// The key path of a field, from its model: `.address?.city`; and its type.
  private func path(to field: [String], in place: Int) -> (text: String, type: SwiftType?) {
    var text = ""
    var place: Int? = place
    var type: SwiftType?
    for (step, name) in field.enumerated() {
      if case .optional = type { text += "?" }
      guard let current = place,
        let found = set.declarations[current].properties.firstIndex(where: { $0.name == name })
      else {
        // The kind of a value.
        return (text + "." + name, nil)
      }
      text += "." + names.properties[current][found]
      type = set.declarations[current].properties[found].type
      if step < field.count - 1, case .declared(let next) = type?.unwrapped { place = next }
    }
    return (text, type)
  }

  // MARK: Enums

  private func write(_ place: Int, _ values: [EnumValue], _ text: inout SwiftText) {
    var isText = true
    if case .integer = values.first { isText = false }
    var conformances = [
      names.library(isText ? "String" : "Int", "Swift"), names.library("Sortable", "Roost"),
    ]
    switch set.mapping?.module {
    case "RoostImport": conformances.append("RealmDecodable")
    case "RoostImportSQLite": conformances.append("SQLiteDecodable")
    default: break
    }
    let name = SwiftName.declared(names.types[place])
    text.block("enum \(name): \(conformances.joined(separator: ", "))") { text in
      for value in values {
        let name = names.cases[place][value] ?? ""
        switch value {
        case .text(let raw) where raw == name: text.line("case \(SwiftName.declared(name))")
        case .text(let raw):
          text.line("case \(SwiftName.declared(name)) = \(raw.swiftLiteral)")
        case .integer(let raw): text.line("case \(SwiftName.declared(name)) = \(raw)")
        }
      }
    }
  }

  // MARK: Opening

  private var function: String { namespace == nil ? "func" : "static func" }

  private func typeList(_ models: [Int]) -> [String] {
    models.enumerated().map { number, place in
      (number == 0 ? "models: " : "") + SwiftName.declared(names.types[place]) + ".self"
    }
  }

  /// The name of the step that renames models: another one than those of the steps that were run.
  private var renamingStep: String {
    let name = "Names of models for Swift"
    let free = (1...).lazy.map { $0 == 1 ? name : "\(name) \($0)" }
    return free.first { !set.steps.contains($0) } ?? name
  }

  private func writeOpening(_ models: [Int], _ text: inout SwiftText) {
    let store = names.library("Store", "Roost")
    text.line()
    text.comment("Opens a store with all of these models.")
    text.block("\(function) openStore(_ path: \(names.text(.string))) throws -> \(store)") { text in
      guard !names.renamed.isEmpty || !set.steps.isEmpty else {
        return text.filledCall("try \(store)", ["path"] + typeList(models))
      }
      let step = names.library("MigrationStep", "Roost")
      text.filledCall("try \(store)", ["path"] + typeList(models), end: " {")
      text.indented { text in
        if !set.steps.isEmpty {
          text.comment("Run in this file already. For other files, write what it does.", "//")
        }
        for name in set.steps { text.line("\(step)(\(name.swiftLiteral)) { _ in }") }
        guard !names.renamed.isEmpty else { return }
        text.block("\(step)(\(renamingStep.swiftLiteral))") { text in
          for model in names.renamed {
            text.line(
              "try $0.renameModel(\(model.stored.swiftLiteral), to: \(model.name.swiftLiteral))")
          }
        }
      }
      text.line("}")
    }
  }

  private func write(_ mapping: ModelSet.Mapping, _ models: [Int], _ text: inout SwiftText) {
    let store = names.library("Store", "Roost")
    text.line()
    text.comment("Makes a store of the file, or opens the one that is there.")
    text.line("\(function) openStore(")
    text.indented { text in
      text.line(
        "_ path: \(names.text(.string)), importing url: \(names.library("URL", "Foundation"))"
          + (mapping.takesKey ? ", key: \(names.text(.data))" : ""))
    }
    text.block(") async throws -> \(store)") { text in
      text.filledCall(
        "try await \(store).open",
        [".file(path)"] + typeList(models)
          + [
            "importing: \(mapping.source)(url\(mapping.takesKey ? ", key: key" : ""))",
            "importObjects",
          ])
    }
    text.line()
    text.comment("What the objects of the file become.")
    let importer = names.library("Importer", "RoostImport")
    text.block("\(function) importObjects(_ importer: inout \(importer))") { text in
      for place in models { write(place, mapping, &text) }
      for name in mapping.ignored { text.line("importer.ignore(\(name.swiftLiteral))") }
    }
    writeReading(mapping, &text)
  }

  private func write(_ place: Int, _ mapping: ModelSet.Mapping, _ text: inout SwiftText) {
    for source in set.declarations[place].sources {
      let name = mapping.label + source.source.swiftLiteral
      text.block("importer.\(mapping.method)(\(name))") { text in
        text.call(
          SwiftName.declared(names.types[place]), readings(of: place, from: "$0", source.properties)
        )
      }
    }
  }

  /// The arguments of an initializer, each read from an object of the file.
  ///
  /// - Parameter known: The places of the properties that the object has; nil for all.
  private func readings(
    of place: Int, from object: String, _ known: Set<Int>? = nil
  ) -> [String] {
    zip(set.declarations[place].properties, names.properties[place]).enumerated().map {
      (number, pair) in
      let (property, name) = pair
      let label = SwiftName.label(name)
      if let known, !known.contains(number) {
        if case .links = property.type { return "\(label): []" }
        return "\(label): nil"
      }
      guard case .parts(let key) = property.reading else {
        return "\(label): \(property.reading?.text(of: object, names) ?? "")"
      }
      let parts = readings(of: key, from: object).joined(separator: ", ")
      return "\(label): \(SwiftName.declared(names.types[key]))(\(parts))"
    }
  }

  /// The functions that read embedded structs.
  private func writeReading(_ mapping: ModelSet.Mapping, _ text: inout SwiftText) {
    guard let object = mapping.objectType else { return }
    for (place, declaration) in set.declarations.enumerated()
    where declaration.kind == .embedded && declaration.source != nil {
      let name = names.types[place]
      let type = SwiftName.declared(name)
      text.line()
      text.block("\(function) read\(name)(_ object: \(object)) throws -> \(type)") { text in
        text.call(type, readings(of: place, from: "object"))
      }
    }
  }
}
