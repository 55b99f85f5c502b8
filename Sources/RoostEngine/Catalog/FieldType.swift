/// The type of a field's values, which determines their storage.
///
/// The raw values are those of the file (Format.md §6).
package enum FieldType: UInt8, Hashable, Sendable, CaseIterable {
  case bool = 1
  case int
  case double
  case float
  case string
  case data
  case date
  case uuid
  case link
  /// An unsigned integer, stored as a signed integer with the highest bit flipped, so that both sort alike.
  case uint
  /// Attoseconds: a signed integer of 128 bits, with its highest bit flipped, as two big-endian halves.
  case duration
  /// A decimal number as ``DecimalBytes``.
  case decimal
  /// JSON text.
  case json
  /// Elements in their order, as ``PackedColumns``.
  case list
  /// Elements, each once, in the order of their bytes, as ``PackedColumns``.
  case set
  /// Keys and values, in the order of the keys' bytes, as ``PackedColumns``.
  case dictionary
  /// Object keys of another table in a given order, 8 bytes each.
  case links
  /// Several values that form one key, as ``CompoundBytes``.
  case compound
  /// Bytes that are read and changed in ranges, never as a whole.
  case blob = 19

  /// The physical type of stored values.
  package var physical: PhysicalType {
    switch self {
    case .bool, .int, .link, .uint: .integer
    case .double, .date: .double
    case .float: .float
    case .string, .data, .decimal, .json, .list, .set, .dictionary, .links, .compound, .blob:
      .bytes
    case .uuid, .duration: .uuid
    }
  }

  /// The physical type of the values in an index; for a list of links, these are its targets.
  var indexed: PhysicalType { self == .links ? .integer : physical }

  /// The most bytes of a part of a long value that is edited in place; nil if values are only replaced.
  var partBytesMax: Int? {
    switch self {
    case .links: Unit.bytes
    case .blob: ValueLayout.blobPartBytes
    default: nil
    }
  }

  /// Whether values are links to objects of another table.
  package var isLink: Bool { self == .link || self == .links }

  /// Whether a column of a collection's elements can be of this type.
  package var canBeElement: Bool { !isLink && self != .blob }

  /// Whether values are collections, whose elements a definition's parts describe.
  package var isCollection: Bool { self == .list || self == .set || self == .dictionary }

  /// Whether values have parts, which a definition describes.
  package var hasParts: Bool { isCollection || self == .compound }

  /// Whether values may be parts of a compound value.
  package var canBeCompounded: Bool { !hasParts && canBeElement && self != .json }

  /// Whether an identifier of this type is the object key itself.
  package var canBeObjectKey: Bool { self == .int || self == .uint }

  /// The type's name in messages and listings.
  package var name: String {
    switch self {
    case .bool: "Bool"
    case .int: "Int"
    case .double: "Double"
    case .float: "Float"
    case .string: "String"
    case .data: "Data"
    case .date: "Date"
    case .uuid: "UUID"
    case .link: "Link"
    case .uint: "UInt"
    case .duration: "Duration"
    case .decimal: "Decimal"
    case .json: "JSON"
    case .list: "Array"
    case .set: "Set"
    case .dictionary: "Dictionary"
    case .links: "Links"
    case .compound: "CompoundKey"
    case .blob: "Blob"
    }
  }
}

extension FieldType {
  /// The highest bit of an unsigned integer, which is flipped to convert it to its stored signed form and back.
  package static let signBit: UInt64 = 1 << 63

  /// A stored value of this type, for display.
  package func text(_ value: Value) -> String {
    switch (self, value) {
    case (.bool, .integer(let number)): number == 0 ? "false" : "true"
    case (.uint, .integer(let number)): "\(UInt64(bitPattern: number) ^ Self.signBit)"
    case (.duration, .uuid(let high, let low)): Self.seconds(high, low)
    case (.date, .double(let seconds)):
      TimeText.text(seconds).map { String(decoding: $0, as: UTF8.self) } ?? "\(value)"
    case (.decimal, .bytes(let bytes)):
      bytes.withByteView { DecimalBytes.text($0) } ?? "\(value)"
    default: "\(value)"
    }
  }

  /// A duration in seconds, with up to eighteen decimals and no trailing zeros.
  package static func seconds(_ high: UInt64, _ low: UInt64) -> String {
    let attoseconds = Int128(Int64(bitPattern: high ^ signBit)) << 64 | Int128(low)
    let (whole, part) = attoseconds.magnitude.quotientAndRemainder(
      dividingBy: 1_000_000_000_000_000_000)
    var text = attoseconds < 0 ? "-\(whole)" : "\(whole)"
    guard part != 0 else { return text }
    let digits = String(part)
    text += "." + String(repeating: "0", count: 18 - digits.count) + digits
    while text.last == "0" { text.removeLast() }
    return text
  }
}

extension NumberForm {
  /// The form of a field's values.
  init(_ type: FieldType?) {
    switch type {
    case .uint: self = .unsigned
    case .decimal: self = .decimal
    default: self = .plain
    }
  }
}
