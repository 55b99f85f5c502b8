import RoostEngine
import RoostTestSupport

/// Fields of the kinds that are stored as another one is: numbers as bytes, several values as one, and dictionaries.
extension QueryFixture {
  /// The numbers of these fields, behind ``marks``.
  enum Kind {
    static let serial: FieldID = 14
    static let due: FieldID = 15
    static let cost: FieldID = 16
    static let span: FieldID = 17
    static let word: FieldID = 18
    static let code: FieldID = 19
    static let amounts: FieldID = 20
    static let scores: FieldID = 21
    static let titles: FieldID = 22
    /// Those with one value, which can have an index.
    static let ordered = serial...code
  }

  static let codeParts = [
    ElementColumn(name: "letter", type: .string, isOptional: false),
    ElementColumn(name: "number", type: .uint, isOptional: true),
    ElementColumn(name: "ratio", type: .double, isOptional: false),
  ]

  /// What the elements of a collection are made of: marks, or the keys and values of a dictionary.
  static func elementColumns(_ field: FieldID) -> [ElementColumn] {
    func dictionary(_ key: FieldType, _ value: FieldType, isOptional: Bool) -> [ElementColumn] {
      [
        ElementColumn(name: "key", type: key, isOptional: false),
        ElementColumn(name: "value", type: value, isOptional: isOptional),
      ]
    }
    return switch field {
    case Kind.amounts: dictionary(.string, .uint, isOptional: true)
    case Kind.scores: dictionary(.int, .double, isOptional: false)
    case Kind.titles: dictionary(.string, .string, isOptional: false)
    default: markColumns
    }
  }

  static func kindFields(isIndexed: Bool) -> [FieldDefinition] {
    let ordered: [(String, FieldType)] = [
      ("serial", .uint), ("due", .date), ("cost", .decimal), ("span", .duration), ("word", .string),
      ("code", .compound),
    ]
    return ordered.map { name, type in
      FieldDefinition(
        name: name, type: type, isOptional: true, isIndexed: isIndexed,
        parts: type == .compound ? codeParts : [])
    }
      + [("amounts", Kind.amounts), ("scores", Kind.scores), ("titles", Kind.titles)].map {
        FieldDefinition(
          name: $0, type: .dictionary, isOptional: true, parts: elementColumns($1))
      }
  }

  // MARK: Values

  /// Decimals, ascending: `storedValuesSortAsWhatTheyMean` asserts that their bytes are.
  static let decimals = [
    "-1" + String(repeating: "0", count: 100), "-1234567890123456789012345678", "-100", "-99.99",
    "-10.5", "-10.25", "-10", "-1", "-0.5",
    "-0.05", "-0.001", "0", "0." + String(repeating: "0", count: 60) + "25", "0.001",
    "0.0010000000001", "0.05", "0.5", "0.75", "1", "1.5", "2",
    "9.99", "10", "10.25", "10.5", "99.99", "100", "101", "1000", "1234567890123456789012345678",
    "25" + String(repeating: "0", count: 90), "NaN",
  ]

  /// Durations in attoseconds, ascending.
  static let durations: [Int128] = {
    let second: Int128 = 1_000_000_000_000_000_000
    return [
      -(1 << 100), -3600 * second, -(1 << 64), -second, -second / 2, -1, 0, 1, second / 2, second,
      second + 1, 2 * second, 18 * second, (1 << 64) - 1, 1 << 64, (1 << 64) + 1, 60 * second,
      3600 * second, 86_400 * second, 1 << 100,
    ]
  }()

  static func unsigned(_ number: UInt64) -> Value { .integer(Int64(bitPattern: number ^ 1 << 63)) }

  static func duration(attoseconds: Int128) -> Value {
    let bits = UInt128(bitPattern: attoseconds) ^ 1 << 127
    return .uuid(UInt64(bits >> 64), UInt64(truncatingIfNeeded: bits))
  }

  static func code(letter: String, number: UInt64?, ratio: Double) -> Value {
    let columns = codeParts.map { ColumnBuffer(type: $0.type.physical) }
    columns[0].append(.bytes(Array(letter.utf8)))
    columns[1].append(number.map(unsigned) ?? .null)
    columns[2].append(.double(ratio))
    return .bytes(CompoundBytes.bytes(columns, as: codeParts.map(\.shape)))
  }

  /// A value of one of these fields.
  static func kindValue(_ field: FieldID, _ random: inout SeededGenerator) -> Value {
    switch field {
    case Kind.serial: return unsigned(serial(&random))
    case Kind.due:
      // The first and the last day that a text can name, what none can, and numbers that are equal.
      let special = [-63_113_904_000, 252_423_993_599.5, 1e300, -1e300, .nan, .infinity, 0, -0.0]
      return .double(
        random.chance(1, in: 8)
          ? special[Int.random(in: 0..<special.count, using: &random)]
          : Double(Int.random(in: -100..<100, using: &random)) * 43_200.25)
    case Kind.cost:
      let number = decimals[Int.random(in: 0..<decimals.count, using: &random)]
      return DecimalBytes.bytes(number).map { .bytes($0) } ?? .null
    case Kind.span:
      return duration(attoseconds: durations[Int.random(in: 0..<durations.count, using: &random)])
    case Kind.word: return .bytes(Array(word(&random).utf8))
    case Kind.code:
      let ratios = [0.5, 0, -0.0, .nan, -2.5]
      return code(
        letter: ["", "a", "a\0", "ab", "b"][Int.random(in: 0..<5, using: &random)],
        number: random.chance(1, in: 5) ? nil : serial(&random),
        ratio: ratios[Int.random(in: 0..<5, using: &random)])
    default: return dictionary(field, &random)
    }
  }

  private static func serial(_ random: inout SeededGenerator) -> UInt64 {
    let middle = UInt64(Int64.max)
    let special = [0, 1, middle - 1, middle, middle + 1, .max - 1, .max]
    return switch Int.random(in: 0..<6, using: &random) {
    case 0: random.next()
    case 1, 2: special[Int.random(in: 0..<special.count, using: &random)]
    default: UInt64.random(in: 0..<40, using: &random)
    }
  }

  /// A text of letters with marks, in one scalar or in two, and of such as change their length when their case does.
  static func word(_ random: inout SeededGenerator) -> String {
    let syllables = [
      "An", "na", "to", "E", "é", "É", "e\u{301}", "E\u{301}", "ö", "O\u{308}", "Å", "a\u{30A}",
      "a\u{323}\u{301}", "A\u{301}\u{323}", "ß", "SS", "Σ", "ς", "z", "ñ", "ø",
    ]
    return (0..<Int.random(in: 0...4, using: &random))
      .map { _ in syllables[Int.random(in: 0..<syllables.count, using: &random)] }.joined()
  }

  /// The keys that some dictionaries have, and one that none has.
  static let dictionaryKeys = ["", "en", "e\u{301}t", "nl", "zz"]

  private static func dictionary(_ field: FieldID, _ random: inout SeededGenerator) -> Value {
    let shape = elementColumns(field)
    let columns = shape.map { ColumnBuffer(type: $0.type.physical) }
    for place in 0..<4 where random.chance(1, in: 2) {
      columns[0].append(
        field == Kind.scores
          ? .integer(Int64(place) - 1) : .bytes(Array(dictionaryKeys[place].utf8)))
      switch field {
      case Kind.amounts:
        columns[1].append(random.chance(1, in: 6) ? .null : unsigned(serial(&random)))
      case Kind.scores:
        let special = [.nan, 0, -0.0, .infinity]
        columns[1].append(
          .double(
            random.chance(1, in: 4)
              ? special[Int.random(in: 0..<4, using: &random)]
              : Double(Int.random(in: -8...8, using: &random)) / 4))
      default: columns[1].append(.bytes(Array(word(&random).utf8)))
      }
    }
    return .bytes(PackedColumns.bytes(columns, as: shape.map(\.shape)))
  }
}
