import Foundation

/// A model as Core Data keeps it in a store: an archive of `NSKeyedArchiver`, compressed.
struct ModelCache: Sendable {
  struct Entity: Sendable {
    var name: String
    var renamingIdentifier: String?
    var properties: [Property]

    init(_ name: String, renaming: String? = nil, _ properties: [Property]) {
      self.name = name
      renamingIdentifier = renaming
      self.properties = properties
    }
  }

  struct Property: Sendable {
    var name: String
    var fields: [(String, Value)]
    var renamingIdentifier: String?

    static func attribute(
      _ name: String, _ type: Int, isTransient: Bool = false, renaming: String? = nil
    ) -> Property {
      var fields: [(String, Value)] = [("NSAttributeType", .integer(type))]
      if isTransient { fields.append(("NSIsTransient", .boolean(true))) }
      return Property(name: name, fields: fields, renamingIdentifier: renaming)
    }

    static func toOne(
      _ name: String, _ entity: String, inverse: String? = nil, renaming: String? = nil
    ) -> Property {
      relationship(name, entity, inverse, count: 1, renaming)
    }

    static func toMany(
      _ name: String, _ entity: String, inverse: String? = nil, isOrdered: Bool = false,
      renaming: String? = nil
    ) -> Property {
      relationship(
        name, entity, inverse, count: isOrdered ? -1 : 0, renaming, isOrdered: isOrdered)
    }

    private static func relationship(
      _ name: String, _ entity: String, _ inverse: String?, count: Int, _ renaming: String?,
      isOrdered: Bool = false
    ) -> Property {
      var fields: [(String, Value)] = [
        ("_NSDestinationEntityName", .text(entity)),
        ("_NSInverseRelationshipName", inverse.map { .text($0) } ?? .null),
        ("NSMinCount", .integer(0)), ("NSMaxCount", .integer(count)),
      ]
      if isOrdered { fields.append(("NSIsOrdered", .boolean(true))) }
      return Property(name: name, fields: fields, renamingIdentifier: renaming)
    }

    static func fetched(_ name: String) -> Property {
      Property(
        name: name, fields: [("_NSFetchRequestEntityName", .text("Person"))],
        renamingIdentifier: nil)
    }
  }

  indirect enum Value: Sendable {
    case null, boolean(Bool), integer(Int), text(String), archived(Int), array([Value])
    case dictionary([(String, Value)])
  }

  var entities: [Entity]
  /// How often the model refers to each entity.
  var references = 1

  /// The archive as a property list.
  var archive: [UInt8] {
    let parts = parts(padding: 0)
    return parts.objects + parts.table
  }

  /// The objects of the property list, and the table of them, between which there are unused bytes.
  private func parts(padding: Int) -> (objects: [UInt8], table: [UInt8]) {
    var archiver = Archiver()
    let root = archiver.add([])
    var names: [Value] = []
    var objects: [Value] = []
    for entity in entities {
      names.append(archiver.add(.text(entity.name)))
      objects += Array(repeating: archiver.add(entity), count: references)
    }
    let keys = archiver.add([("NS.objects", .array(names))])
    let values = archiver.add([("NS.objects", .array(objects))])
    let mapping = archiver.add([("keys", keys), ("length", .integer(names.count))])
    let dictionary = archiver.add([("searchMapping", mapping), ("values", values)])
    archiver.objects[1] = .dictionary([("NSEntities", dictionary)])
    var list = ListWriter()
    return list.parts(
      of: .dictionary([
        ("$version", .integer(100_000)), ("$archiver", .text("NSKeyedArchiver")),
        ("$top", .dictionary([("root", root)])), ("$objects", .array(archiver.objects)),
      ]), padding: padding)
  }

  /// The content of the table with unused bytes in the model: a zero, and so many repetitions of 258 of them.
  func content(repetitions: Int) -> [UInt8] {
    let parts = parts(padding: 1 + 258 * repetitions)
    var start = Self.stored(parts.objects)
    // It is not the last block.
    start[0] = 0
    // A block of the fixed code: a zero, and matches of 258 bytes at a distance of 1.
    var bits = Array("01000110000".utf8)
    for _ in 0..<repetitions { bits += Array("1100010100000".utf8) }
    // Its end, and the beginning of the last block.
    bits += Array("0000000100".utf8)
    var bytes = [UInt8](repeating: 0, count: (bits.count + 7) / 8)
    for (place, bit) in bits.enumerated() { bytes[place / 8] |= (bit & 1) << UInt8(place % 8) }
    return start + bytes + Self.stored(parts.table).dropFirst()
  }

  /// The content of the table.
  var content: [UInt8] { Self.stored(archive) }

  /// Bytes in blocks of DEFLATE that compress nothing.
  static func stored(_ bytes: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    var rest = bytes[...]
    repeat {
      let block = rest.prefix(60_000)
      rest = rest.dropFirst(60_000)
      let (low, high) = (UInt8(block.count & 255), UInt8(block.count >> 8))
      result += [rest.isEmpty ? 1 : 0, low, high, ~low, ~high] + block
    } while !rest.isEmpty
    return result
  }

  /// The objects of an archive.
  private struct Archiver {
    var objects: [Value] = [.text("$null")]

    mutating func add(_ value: Value) -> Value {
      if case .null = value { return .archived(0) }
      objects.append(value)
      return .archived(objects.count - 1)
    }

    /// Adds an object with fields, of which texts are objects of their own.
    mutating func add(_ fields: [(String, Value)]) -> Value {
      add(
        .dictionary(
          fields.map { name, value in
            switch value {
            case .text, .null: (name, add(value))
            default: (name, value)
            }
          }))
    }

    mutating func add(_ entity: Entity) -> Value {
      var names: [Value] = []
      var properties: [Value] = []
      for property in entity.properties {
        names.append(add(.text(property.name)))
        properties.append(
          add(
            [
              ("NSPropertyName", .text(property.name)),
              ("NSRenamingIdentifier", .text(property.renamingIdentifier ?? property.name)),
            ] + property.fields))
      }
      let dictionary = add([("NS.keys", .array(names)), ("NS.objects", .array(properties))])
      return add([
        ("NSEntityName", .text(entity.name)),
        ("NSRenamingIdentifier", .text(entity.renamingIdentifier ?? entity.name)),
        ("NSProperties", dictionary),
      ])
    }
  }
}

/// Writes a binary property list.
private struct ListWriter {
  private var objects: [[UInt8]] = []

  mutating func parts(
    of top: ModelCache.Value, padding: Int
  ) -> (objects: [UInt8], table: [UInt8]) {
    let place = add(top)
    var bytes = Array("bplist00".utf8)
    var offsets: [Int] = []
    for object in objects {
      offsets.append(bytes.count)
      bytes += object
    }
    var table = offsets.flatMap { Self.number($0, 4) }
    table += [0, 0, 0, 0, 0, 0, 4, 2] + Self.number(objects.count, 8) + Self.number(place, 8)
    return (bytes, table + Self.number(bytes.count + padding, 8))
  }

  private static func number(_ number: Int, _ count: Int) -> [UInt8] {
    (0..<count).reversed().map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
  }

  private static func head(_ kind: UInt8, _ count: Int) -> [UInt8] {
    count < 15
      ? [kind << 4 | UInt8(count)] : [kind << 4 | 15, 0x11] + number(count, 2)
  }

  private mutating func add(_ value: ModelCache.Value) -> Int {
    var bytes: [UInt8]
    switch value {
    case .null: bytes = [0]
    case .boolean(let boolean): bytes = [boolean ? 9 : 8]
    case .integer(let integer):
      bytes = integer < 0 ? [0x13] + Self.number(integer, 8) : [0x12] + Self.number(integer, 4)
    case .text(let text):
      bytes =
        text.utf8.allSatisfy { $0 < 128 }
        ? Self.head(5, text.utf8.count) + text.utf8
        : Self.head(6, text.utf16.count) + text.utf16.flatMap { Self.number(Int($0), 2) }
    case .archived(let place): bytes = [0x81] + Self.number(place, 2)
    case .array(let values):
      bytes = Self.head(10, values.count)
      for value in values { bytes += Self.number(add(value), 2) }
    case .dictionary(let fields):
      bytes = Self.head(13, fields.count)
      for (name, _) in fields { bytes += Self.number(add(.text(name)), 2) }
      for (_, value) in fields { bytes += Self.number(add(value), 2) }
    }
    objects.append(bytes)
    return objects.count - 1
  }
}

extension Sequence<UInt8> {
  /// The bytes as a literal in SQL.
  var sqlLiteral: String { "x'\(map { String(format: "%02x", $0) }.joined())'" }
}
