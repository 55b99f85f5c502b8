import Foundation
import RealmFile
import RoostImport

/// A file's content in the notation of the samples' README, one object a line.
struct RealmText {
  private let source: RealmSource
  private var lines: [String] = []

  /// The lines, without the first one, which says what wrote the file.
  static func lines(of source: RealmSource) throws -> [String] {
    var text = RealmText(source: source)
    for definition in source.classes.sorted(by: { Array($0.name.utf8).precedes($1.name.utf8) }) {
      if !text.lines.isEmpty { text.lines[text.lines.count - 1] += "," }
      try text.append(definition)
    }
    if !text.lines.isEmpty { text.lines[text.lines.count - 1] += "]}" }
    return text.lines
  }

  private init(source: RealmSource) { self.source = source }

  private mutating func append(_ definition: RealmSource.Class) throws {
    let primaryKey = definition.primaryKey.map { Self.quoted($0) } ?? "null"
    lines.append(
      "{\"name\":\(Self.quoted(definition.name)),\"kind\":\"\(definition.kind)\","
        + "\"primaryKey\":\(primaryKey),\"columns\":[")
    for (property, column) in zip(definition.properties, definition.table.columns) {
      lines.append(" " + Self.text(of: property, isEnumerated: column.isEnumerated) + ",")
    }
    closeList()
    lines[lines.count - 1] += ","
    lines.append("\"objects\":[")
    var objects = try source.objects(definition.name)
    while let object = try objects.next() {
      let values = try Self.values(of: object)
      let sources = try backlinks(to: object)
      lines.append("[\(object.key),\(values)\(sources.isEmpty ? "" : ",{\(sources)}")],")
    }
    closeList()
    lines[lines.count - 1] += "}"
  }

  /// The values of an object in brackets, in the order of its class's properties.
  static func values(of object: RealmSource.Object) throws -> String {
    "[" + (try object.values.map(Self.text(of:)).joined(separator: ",")) + "]"
  }

  /// Ends a list whose elements ended with a comma each.
  private mutating func closeList() {
    if lines[lines.count - 1].hasSuffix(",") { lines[lines.count - 1].removeLast() }
    lines[lines.count - 1] += "]"
  }

  private func backlinks(to object: RealmSource.Object) throws -> String {
    var entries: [(name: String, keys: String)] = []
    for inverse in object.class.inverses {
      let keys = try object.sources(in: inverse.className, by: inverse.property).map(\.key)
      guard !keys.isEmpty else { continue }
      entries.append(
        (
          Self.quoted(inverse.className + "." + inverse.property),
          keys.sorted().map(String.init).joined(separator: ",")
        ))
    }
    entries.sort { Array($0.name.utf8).precedes($1.name.utf8) }
    return entries.map { "\($0.name):[\($0.keys)]" }.joined(separator: ",")
  }

  private static func text(of property: RealmSource.Property, isEnumerated: Bool) -> String {
    var target = "null"
    let type: String
    switch property.type {
    case .link(let name), .embedded(let name):
      type = "link"
      target = quoted(name)
    case .objectID: type = "objectId"
    default: type = "\(property.type)"
    }
    let collection = property.collection.map { "\"\($0)\"" } ?? "null"
    let index = property.index == .fullText ? "fulltext" : "\(property.index)"
    return
      "{\"name\":\(quoted(property.name)),\"type\":\"\(type)\",\"nullable\":\(property.isOptional),"
      + "\"collection\":\(collection),\"target\":\(target),\"index\":\"\(index)\","
      + "\"enumerated\":\(isEnumerated)}"
  }

  private static func text(of value: RealmValue) -> String {
    switch value {
    case .null: "null"
    case .bool(let bool): "\(bool)"
    case .int(let integer): "\(integer)"
    case .float(let float): "{\"$float\":\"\(hex(UInt64(float.bitPattern), 8))\"}"
    case .double(let double): "{\"$double\":\"\(hex(double.bitPattern, 16))\"}"
    case .string(let string): quoted(string)
    case .malformedString(let data): "{\"$malformed\":\"\(data.base64EncodedString())\"}"
    case .data(let data): "{\"$data\":\"\(data.base64EncodedString())\"}"
    case .date(let time): "{\"$date\":[\(time.seconds),\(time.nanoseconds)]}"
    case .decimal(let number):
      "{\"$decimal\":\"\(hex(number.high, 16))\(hex(number.low, 16))\",\"text\":\"\(text(of: number))\"}"
    case .objectID(let id): "{\"$oid\":\"\(id)\"}"
    case .uuid(let uuid): "{\"$uuid\":\"\(uuid.uuidString.lowercased())\"}"
    case .link(let link), .embedded(let link):
      "{\"$link\":[\(quoted(link.className)),\(link.key)]}"
    case .list(let values): "[" + values.map(text(of:)).joined(separator: ",") + "]"
    case .set(let values): "[" + sorted(values.map(text(of:))).joined(separator: ",") + "]"
    case .dictionary(let entries):
      "{\"$dict\":["
        + sorted(entries.map { "[\(text(of: $0.key)),\(text(of: $0.value))]" }).joined(
          separator: ",") + "]}"
    }
  }

  /// A decimal as Realm writes it: with a power of ten wherever the number is below 1, which we do not.
  private static func text(of number: RealmValue.Decimal128) -> String {
    let sign = number.isNegative ? "-" : ""
    if number.isNaN { return "NaN" }
    if number.isInfinite { return sign + "Inf" }
    let digits = Array(String(number.coefficient))
    guard number.coefficient <= UInt128(UInt64.max) else {
      return
        "\(number.isNegative ? "-" : "+")\(String(digits))E\(number.exponent < 0 ? "" : "+")\(number.exponent)"
    }
    let pointPlace = digits.count + number.exponent
    if number.exponent <= 0, pointPlace > 0 {
      let fraction = pointPlace < digits.count ? "." + String(digits[pointPlace...]) : ""
      return sign + String(digits[..<pointPlace]) + fraction
    }
    let fraction = digits.count > 1 ? "." + String(digits[1...]) : ""
    return "\(sign)\(digits[0])\(fraction)E\(pointPlace - 1)"
  }

  private static func sorted(_ texts: [String]) -> [String] {
    texts.map { Array($0.utf8) }.sorted { $0.precedes($1) }.map {
      String(decoding: $0, as: UTF8.self)
    }
  }

  private static func hex(_ bits: UInt64, _ digits: Int) -> String {
    let text = String(bits, radix: 16)
    return String(repeating: "0", count: digits - text.count) + text
  }

  private static func quoted(_ text: String) -> String {
    var result: [UInt8] = [UInt8(ascii: "\"")]
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): result += [UInt8(ascii: "\\"), byte]
      case UInt8(ascii: "\n"): result += Array("\\n".utf8)
      case UInt8(ascii: "\r"): result += Array("\\r".utf8)
      case UInt8(ascii: "\t"): result += Array("\\t".utf8)
      case 0..<32: result += Array("\\u00\(byte < 16 ? "0" : "")\(String(byte, radix: 16))".utf8)
      default: result.append(byte)
      }
    }
    result.append(UInt8(ascii: "\""))
    return String(decoding: result, as: UTF8.self)
  }
}

extension Sequence<UInt8> {
  /// Whether the bytes come before others.
  fileprivate func precedes(_ other: some Sequence<UInt8>) -> Bool {
    lexicographicallyPrecedes(other)
  }
}
