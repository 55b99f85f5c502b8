import RoostEngine
import RoostMaintenance
import RoostTestSupport
import Testing

/// What verifying finds in the values of fields, long and short, and in the catalog.
@Suite struct FieldValueTests {
  private static func fields() -> [FieldDefinition] {
    func list(_ name: String, _ part: ElementColumn) -> FieldDefinition {
      FieldDefinition(name: name, type: .list, isOptional: true, parts: [part])
    }
    var nested = ElementColumn(name: "element", type: .list, isOptional: true)
    nested.parts = [ElementColumn(name: "element", type: .string, isOptional: false)]
    return [
      FieldDefinition(name: "id", type: .int, isIdentifier: true),
      list("texts", ElementColumn(name: "element", type: .string, isOptional: true)),
      list("flags", ElementColumn(name: "element", type: .bool, isOptional: false)),
      list("nested", nested),
      FieldDefinition(name: "number", type: .decimal, isOptional: true),
      FieldDefinition(
        name: "pair", type: .compound, isOptional: true,
        parts: [
          ElementColumn(name: "text", type: .string, isOptional: false),
          ElementColumn(name: "flag", type: .bool, isOptional: false),
        ]),
    ]
  }

  /// A list of one column of bytes.
  static func packed(_ contents: [[UInt8]?], isOptional: Bool) -> [UInt8] {
    let column = ColumnBuffer(type: .bytes)
    for content in contents { column.append(content.map { .bytes($0) } ?? .null) }
    return PackedColumns.bytes([column], as: [.init(.bytes, isOptional: isOptional)])
  }

  static func packed(_ numbers: [Int64]) -> [UInt8] {
    let column = ColumnBuffer(type: .integer)
    for number in numbers { column.append(number) }
    return PackedColumns.bytes([column], as: [.init(.integer, isOptional: false)])
  }

  static func compound(_ text: [UInt8], _ flag: Int64) -> [UInt8] {
    let columns = [ColumnBuffer(type: .bytes), ColumnBuffer(type: .integer)]
    columns[0].append(.bytes(text))
    columns[1].append(flag)
    return CompoundBytes.bytes(
      columns,
      as: [.init(.bytes, isOptional: false), .init(.integer, isOptional: false)])
  }

  /// Values of a field, and whether it can hold them.
  private static func values() -> [(field: Int, bytes: [UInt8], isSound: Bool)] {
    let word = Array("Lumière ".utf8)
    func words(_ count: Int, last: [UInt8]? = nil) -> [[UInt8]?] {
      (0..<count).map { $0 % 7 == 3 ? nil : word } + [last]
    }
    var values: [(field: Int, bytes: [UInt8], isSound: Bool)] = []
    // Short ones, those of one extent, and those of several chunks.
    for count in [3, 500, 200_000] {
      values += [
        (0, packed(words(count), isOptional: true), true),
        (0, packed(words(count, last: [0xC3]), isOptional: true), false),
        (0, packed(words(count), isOptional: true).dropLast(), false),
        (0, packed(words(count), isOptional: true) + [0], false),
        (
          2,
          packed(
            [nil, packed([word, word], isOptional: false)]
              + (0..<count).map { _ in
                packed([word], isOptional: false)
              }, isOptional: true), true
        ),
        (
          2,
          packed(
            (0..<count).map { _ in packed([word], isOptional: false) } + [
              packed([word, [0xFF]], isOptional: false)
            ], isOptional: true), false
        ),
        (
          2,
          packed(
            (0..<count).map { _ in packed([word], isOptional: false) } + [
              [2, 1]
            ], isOptional: true), false
        ),
      ]
    }
    for count in [10, 3000, 1_500_000] {
      let numbers = (0..<count).map { Int64($0 % 3 == 0 ? 1 : 0) }
      let text = (0..<count).map { UInt8($0 % 100) }
      let compound = compound(text, 1)
      values += [
        (1, packed(numbers), true), (1, packed(numbers + [2]), false),
        (1, packed(numbers + [1000]), false),
        (4, compound, true), (4, self.compound(text + [0xC3], 1), false),
        (4, self.compound(text, 2), false), (4, compound.dropLast(), false),
        (4, compound + [0], false), (4, [0, 7] + compound, false),
      ]
    }
    let digits = [UInt8](repeating: 45, count: 2000)
    values += [
      (3, [3, 128, 1, 45], true), (3, [3, 128, 1] + digits, false),
      (3, [1, 127, 254] + digits + [255], false),
    ]
    return values
  }

  @Test func findsValuesThatTheirFieldsCannotHoldHoweverLongTheyAre() throws {
    let engine = try Engine.open("values.roost", in: MemoryFileSystem())
    try engine.write { (transaction) throws(EngineError) in
      try transaction.addTables([TableDraft(name: "Thing", fields: Self.fields())])
    }
    for (key, value) in Self.values().enumerated() {
      try engine.write { (transaction) throws(EngineError) in
        let batch = try transaction.batch(for: 1)
        for (place, column) in batch.columns.enumerated() {
          column.append(place == value.field ? .bytes(value.bytes) : .null)
        }
        try transaction.insertRow(into: 1, key: Int64(key))
      }
      let found = try engine.snapshot().verify()
      #expect(
        found.map(\.reason) == (value.isSound ? [] : [.fieldValue]),
        "value \(key): field \(value.field), \(value.bytes.count) bytes")
      #expect(found.allSatisfy { $0.keys == Int64(key)...Int64(key) && $0.unit != nil })
      try engine.write { (transaction) throws(EngineError) in
        _ = try transaction.delete(from: 1, key: Int64(key))
      }
    }
  }

  // MARK: The catalog

  /// A store whose first table has a text, a number and a link with a delete rule.
  private func image() throws -> FileImage {
    let disk = SimulatedDisk()
    do {
      let engine = try Engine.open(Library.path, in: disk)
      try engine.write { (transaction) throws(EngineError) in
        try transaction.addTables([
          TableDraft(
            name: "First",
            fields: [
              FieldDefinition(name: "identity", type: .string, isIdentifier: true),
              FieldDefinition(name: "number", type: .int),
              FieldDefinition(
                name: "partner", type: .link, isOptional: true, deleteRule: .nullify),
            ], linkTargets: ["partner": "Other"]),
          TableDraft(
            name: "Other",
            fields: [FieldDefinition(name: "serial", type: .int, isIdentifier: true)]),
        ])
      }
    }
    return FileImage(disk)
  }

  /// What is found in a file with another catalog, or why it is not opened.
  private func found(
    _ change: (inout FileImage, (String) -> Int) -> Void
  ) throws -> [Corruption.Reason] {
    var image = try image()
    image.changeExtent(pointerAt: image.slot + 88) { image, start in
      let bytes = Array(image.bytes[start..<start + Unit.bytes])
      change(&image) { name in
        let name = Array(name.utf8)
        // Behind the name.
        let place = bytes.indices.first { bytes[$0...].starts(with: name) }
        return start + (place ?? 0) + name.count
      }
    }
    return try found(in: image)
  }

  private func found(in image: FileImage) throws -> [Corruption.Reason] {
    var options = Library.options()
    options.isReadOnly = true
    do throws(EngineError) {
      return try Engine.open(Library.path, in: image.disk, options: options).snapshot().verify()
        .map(\.reason)
    } catch {
      guard case .corrupt(let corruption) = error else { throw error }
      return [corruption.reason]
    }
  }

  @Test func findsTablesOfOneName() throws {
    #expect(try found { _, _ in } == [])
    let reasons = try found { image, end in
      for (place, byte) in "First".utf8.enumerated() {
        image.bytes[end("Other") - 5 + place] = byte
      }
    }
    #expect(reasons == [.catalog])
  }

  @Test func findsTargetsOfFieldsThatAreNoLinks() throws {
    for target in [1, 2, 77, .max] as [UInt32] {
      // Behind a field's name come its type and flags.
      #expect(try found { $0.set(target, at: $1("number") + 2) } == [.catalog])
      #expect(
        try found { $0.set(target == 2 ? 0 : target | 64, at: $1("partner") + 2) } == [.catalog])
    }
  }

  @Test func findsAnIntegerIdentifierThatIsNoObjectKeyAndATextWithoutAnIndex() throws {
    #expect(try found { $0.set(1 as UInt32, at: $1("serial") - 14) } == [.catalog])
    // The identifier is no longer unique.
    #expect(try found { $0.bytes[$1("identity") + 1] &= ~2 } == [.catalog])
  }

  @Test func findsDeleteRulesWithoutTheirFeature() throws {
    var image = try image()
    #expect(image.number(UInt64.self, at: image.slot + 56) == 1)
    image.set(0 as UInt64, at: image.slot + 56)
    image.sealSlot()
    #expect(try found(in: image) == [.catalog])
  }

  @Test func findsAMarkThatNamesAnotherSlot() throws {
    let disk = SimulatedDisk()
    let library = try Library(disk, ringUnits: 0)
    for round in 0..<6 {
      try library.fill(books: 1, authors: 1, from: Int64(round), seed: UInt64(round))
    }
    let sound = FileImage(disk)
    #expect(try found(in: sound) == [])
    let newest = sound.slot
    var changed = 0
    for slot in [16_384, 32_768, 49_152] {
      let mark = (slot == 49_152 ? 16_384 : slot + 16_384) + 4096
      guard sound.number(UInt64.self, at: mark + 8) == sound.number(UInt64.self, at: slot + 8)
      else { continue }
      var image = sound
      image.set(sound.number(UInt64.self, at: mark + 16) ^ 4, at: mark + 16)
      image.sealMark(at: mark)
      #expect(
        try found(in: image) == [slot == newest ? .confirmedVersionLost : .confirmMark])
      changed += 1
    }
    #expect(changed >= 2)
  }
}
