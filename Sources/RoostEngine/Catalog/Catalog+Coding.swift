/// The catalog as bytes (Format.md §6).
extension Catalog {
  /// The written format: 1 without table indexes, so that libraries without support for them can read the file.
  private var format: UInt32 { tables.contains { !$0.indexes.isEmpty } ? 2 : 1 }

  private enum Flag {
    static let optional: UInt8 = 1
    static let unique: UInt8 = 2
    static let indexed: UInt8 = 4
    static let nullifies: UInt8 = 8
    static let identifier: UInt8 = 16
    static let nullifiesOnDelete: UInt8 = 32
    static let cascades: UInt8 = 64
  }

  /// The catalog's bytes.
  func encoded() -> [UInt8] {
    var out = ByteWriter()
    let format = format
    out.append(format)
    out.append(nextTable)
    out.append(nextTree)
    out.append(UInt32(tables.count))
    for table in tables {
      out.append(table.id)
      out.append(table.name)
      out.append(table.tree)
      out.append(table.nextField)
      out.append(UInt32(table.fields.count))
      for field in table.fields { Catalog.append(field, to: &out) }
      if format > 1 { Catalog.append(table.indexes, to: &out) }
    }
    return out.bytes
  }

  private static func append(_ field: FieldDefinition, to out: inout ByteWriter) {
    out.append(field.id)
    out.append(field.name)
    out.append(field.type.rawValue)
    var flags: UInt8 = 0
    if field.isOptional { flags |= Flag.optional }
    if field.isUnique { flags |= Flag.unique }
    if field.isIndexed { flags |= Flag.indexed }
    if field.nullifiesMissingTarget { flags |= Flag.nullifies }
    if field.isIdentifier { flags |= Flag.identifier }
    switch field.deleteRule {
    case .deny: break
    case .nullify: flags |= Flag.nullifiesOnDelete
    case .cascade: flags |= Flag.cascades
    }
    out.append(flags)
    out.append(field.target)
    out.append(field.indexTree)
    out.append(field.defaultValue)
    if field.type.hasParts { append(field.parts, to: &out) }
  }

  private static func append(_ parts: [ElementColumn], to out: inout ByteWriter) {
    out.append(UInt32(parts.count))
    for part in parts {
      out.append(part.name)
      out.append(part.type.rawValue)
      out.append(part.isOptional ? Flag.optional : 0)
      if part.type.hasParts { append(part.parts, to: &out) }
    }
  }

  /// Reads a catalog and checks everything in it.
  init(decoding bytes: [UInt8]) throws(EngineError) {
    var input = ByteParser(bytes)
    let format = try input.uint32()
    guard format == 1 || format == 2 else {
      throw .fileIsNewer(features: ["catalog format \(format)"])
    }
    let nextTable = try input.uint32()
    let nextTree = try input.uint32()
    let count = try input.uint32()
    var tables: [TableDefinition] = []
    // Arrays: the first set of a type of numbers costs a program some 50 µs.
    var trees: [UInt32] = []
    var names: Set<String> = []
    for _ in 0..<count {
      let id = try input.uint32()
      var table = TableDefinition(
        id: id, name: try input.string(), tree: try input.uint32(),
        nextField: try input.uint32(), fields: [])
      let fields = try input.uint32()
      guard fields <= Catalog.fieldsMax else { throw ByteParser.damaged }
      for _ in 0..<fields { table.fields.append(try Catalog.field(from: &input)) }
      if format > 1 { table.indexes = try Catalog.indexes(from: &input) }
      let isSound =
        id > (tables.last?.id ?? 0) && id < nextTable && names.insert(table.name).inserted
        && Catalog.hasSoundFields(table)
      guard isSound else { throw ByteParser.damaged }
      tables.append(table)
      trees.append(table.tree)
      for field in table.fields where field.indexTree != 0 { trees.append(field.indexTree) }
      trees += table.indexes.map(\.tree)
    }
    let hasSoundTargets = tables.allSatisfy { table in
      table.fields.allSatisfy {
        $0.type.isLink ? Catalog.contains($0.target, tables) : $0.target == 0
      }
    }
    guard nextTable > 0, nextTree > 0, trees.allSatisfy({ $0 > 0 && $0 < nextTree }),
      !trees.hasRepetition, hasSoundTargets, input.isAtEnd
    else {
      throw ByteParser.damaged
    }
    self.init(tables: tables, nextTable: nextTable, nextTree: nextTree)
  }

  /// Whether one of some tables, which ascend, has a number.
  private static func contains(_ id: UInt32, _ tables: [TableDefinition]) -> Bool {
    let place = tables.partitioningIndex { $0.id >= id }
    return place < tables.count && tables[place].id == id
  }

  /// Whether numbers and names are unique.
  private static func hasSoundFields(_ table: TableDefinition) -> Bool {
    guard table.fields.filter(\.isIdentifier).count == 1,
      !table.fields.map(\.id).hasRepetition,
      Set(table.fields.map(\.name)).count == table.fields.count
    else { return false }
    for field in table.fields {
      guard field.id < table.nextField, field.needsIndex == (field.indexTree != 0),
        field.isSound
      else { return false }
      if field.isObjectKey != (field.isIdentifier && field.type.canBeObjectKey) { return false }
      if field.isIdentifier, !field.isUnique { return false }
    }
    guard !table.indexes.isEmpty else { return true }
    // Stored fields may have any order: a dictionary avoids a search for each field of an index.
    let fields = Dictionary(
      table.fields.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    return table.indexes.allSatisfy { index in index.isSound { fields[$0] } }
  }

  private static func field(from input: inout ByteParser) throws(EngineError) -> FieldDefinition {
    let id = try input.uint32()
    let name = try input.string()
    let type = try type(from: &input)
    let flags = try input.uint8()
    let target = try input.uint32()
    let tree = try input.uint32()
    let value = try input.value()
    var field = FieldDefinition(
      name: name, type: type, isOptional: flags & Flag.optional != 0,
      isUnique: flags & Flag.unique != 0, isIndexed: flags & Flag.indexed != 0,
      nullifiesMissingTarget: flags & Flag.nullifies != 0,
      deleteRule: try Catalog.deleteRule(of: flags), isIdentifier: flags & Flag.identifier != 0,
      target: target, defaultValue: value)
    field.id = id
    field.indexTree = tree
    guard value == .null || value.type == type.physical else { throw ByteParser.damaged }
    if type.hasParts { field.parts = try parts(of: type, from: &input, depth: 1) }
    return field
  }

  private static func deleteRule(of flags: UInt8) throws(EngineError) -> ReferentialAction {
    switch (flags & Flag.nullifiesOnDelete != 0, flags & Flag.cascades != 0) {
    case (false, false): .deny
    case (true, false): .nullify
    case (false, true): .cascade
    case (true, true): throw ByteParser.damaged
    }
  }

  private static func type(from input: inout ByteParser) throws(EngineError) -> FieldType {
    let code = try input.uint8()
    guard let type = FieldType(rawValue: code) else {
      throw .fileIsNewer(features: ["field type \(code)"])
    }
    return type
  }

  private static func parts(
    of whole: FieldType, from input: inout ByteParser, depth: Int
  ) throws(EngineError) -> [ElementColumn] {
    let count = try input.uint32()
    guard count > 0, count <= fieldsMax, depth <= ElementColumn.depthMax else {
      throw ByteParser.damaged
    }
    var parts: [ElementColumn] = []
    for _ in 0..<count {
      let name = try input.string()
      let type = try type(from: &input)
      guard type.canBeElement, whole != .compound || type.canBeCompounded else {
        throw ByteParser.damaged
      }
      let flags = try input.uint8()
      var part = ElementColumn(name: name, type: type, isOptional: flags & Flag.optional != 0)
      if type.hasParts {
        part.parts = try self.parts(of: type, from: &input, depth: depth + 1)
      }
      parts.append(part)
    }
    return parts
  }
}

/// The indexes of tables.
extension Catalog {
  private enum TestCode {
    static let isNull: UInt8 = 6
    static let isNotNull: UInt8 = 7
  }

  private static func append(_ indexes: [TableIndex], to out: inout ByteWriter) {
    out.append(UInt32(indexes.count))
    for index in indexes {
      out.append(index.tree)
      out.append(index.isUnique ? Flag.unique : 0)
      out.append(UInt32(index.fields.count))
      for field in index.fields { out.append(field) }
      out.append(UInt32(index.condition.count))
      for condition in index.condition {
        out.append(condition.field)
        switch condition.test {
        case .compare(let comparison, let value):
          out.append(comparison.rawValue)
          out.append(value)
        case .isNull: out.append(TestCode.isNull)
        case .isNotNull: out.append(TestCode.isNotNull)
        }
      }
    }
  }

  private static func indexes(from input: inout ByteParser) throws(EngineError) -> [TableIndex] {
    let count = try input.uint32()
    guard count <= indexesMax else { throw ByteParser.damaged }
    var indexes: [TableIndex] = []
    for _ in 0..<count {
      let tree = try input.uint32()
      let flags = try input.uint8()
      guard flags == 0 || flags == Flag.unique else { throw ByteParser.damaged }
      var index = TableIndex(of: [], isUnique: flags == Flag.unique)
      index.tree = tree
      let fields = try input.uint32()
      guard fields <= TableIndex.fieldsMax else { throw ByteParser.damaged }
      for _ in 0..<fields { index.fields.append(try input.uint32()) }
      let conditions = try input.uint32()
      guard conditions <= TableIndex.conditionsMax else { throw ByteParser.damaged }
      for _ in 0..<conditions {
        let field = try input.uint32()
        index.condition.append(IndexCondition(field, try test(from: &input)))
      }
      indexes.append(index)
    }
    return indexes
  }

  private static func test(
    from input: inout ByteParser
  ) throws(EngineError) -> IndexCondition.Test {
    switch try input.uint8() {
    case TestCode.isNull: return .isNull
    case TestCode.isNotNull: return .isNotNull
    case let code:
      guard let comparison = Comparison(rawValue: code) else { throw ByteParser.damaged }
      return .compare(comparison, try input.value())
    }
  }
}

extension [UInt32] {
  /// Whether a number is there twice.
  fileprivate var hasRepetition: Bool {
    let numbers = map(Int64.init).ascending()
    return numbers.indices.dropFirst().contains { numbers[$0] == numbers[$0 - 1] }
  }
}
