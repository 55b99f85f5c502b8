import Foundation
import RoostDynamic
import RoostInterchange
import Testing

/// A text that says what a sample holds, read without what reads Realm files.
struct SampleText {
  struct Column {
    var name: String
    var target: String?
    var collection: String?
  }

  struct Table {
    var name: String
    var kind: String
    var primaryKey: String?
    var columns: [Column]
    /// The cells of the objects, by object key.
    var objects: [Int64: [SampleValue]]

    /// Whether an app knows it as a class.
    var isClass: Bool { name.hasPrefix("class_") }
    var className: String { String(name.dropFirst("class_".count)) }
    /// The place of the primary key.
    var keyPlace: Int? { columns.firstIndex { $0.name == primaryKey } }
    /// Whether an object's primary key is null.
    var hasNullKey: Bool {
      keyPlace.map { place in objects.values.contains { $0[place].isNull } } ?? false
    }
  }

  private(set) var tables: [String: Table] = [:]

  init(_ bytes: [UInt8]) throws {
    guard case .object(let file) = try JSONValue(bytes), case .array(let tables) = file["tables"]
    else { throw Misread() }
    for case .object(let table) in tables {
      guard case .string(let name) = table["name"], case .string(let kind) = table["kind"],
        case .array(let columns) = table["columns"], case .array(let objects) = table["objects"]
      else { throw Misread() }
      var read = Table(
        name: name, kind: kind, primaryKey: table["primaryKey"]?.text,
        columns: columns.compactMap(Self.column), objects: [:])
      for case .array(let object) in objects {
        guard object.count >= 2, case .integer(let key) = object[0],
          case .array(let cells) = object[1]
        else { throw Misread() }
        read.objects[key] = try cells.map { try SampleValue($0) }
      }
      self.tables[name] = read
    }
  }

  private static func column(_ json: JSONValue) -> Column? {
    guard case .object(let column) = json, let name = column["name"]?.text else { return nil }
    return Column(
      name: name, target: column["target"]?.text, collection: column["collection"]?.text)
  }

  /// What identifies an object: its primary key, or its object key where an object of the table has no other.
  func key(of object: Int64, in table: Table) -> DynamicValue {
    guard let place = table.keyPlace, !table.hasNullKey, let cell = table.objects[object]?[place]
    else { return .int(object) }
    return switch cell {
    case .int(let number): .int(number)
    case .string(let text): .string(text)
    case .text("$oid", let text): .string(text)
    case .text("$uuid", let text): UUID(uuidString: text).map { .uuid($0) } ?? .null
    default: .null
    }
  }
}

/// A text that is not as its notation says.
struct Misread: Error {}

extension JSONValue {
  fileprivate var text: String? { if case .string(let text) = self { text } else { nil } }
}

/// A value in the notation of the samples.
indirect enum SampleValue {
  case null
  case bool(Bool)
  case int(Int64)
  case uint(UInt64)
  case number(Double)
  case string(String)
  case list([SampleValue])
  case dictionary([(key: SampleValue, value: SampleValue)])
  case link(table: String, key: Int64)
  case date(seconds: Int64, nanoseconds: Int64)
  /// A member such as `$double`, with its text.
  case text(String, String)
  /// An object in JSON that is none of these.
  case object([String: SampleValue])

  var isNull: Bool { if case .null = self { true } else { false } }
  var link: (table: String, key: Int64)? {
    if case .link(let table, let key) = self { (table, key) } else { nil }
  }

  init(_ json: [UInt8]) throws { try self.init(JSONValue(json)) }

  init(_ json: JSONValue) throws {
    switch json {
    case .null: self = .null
    case .bool(let bool): self = .bool(bool)
    case .integer(let integer): self = .int(integer)
    case .unsigned(let integer): self = .uint(integer)
    case .number(let number): self = .number(number)
    case .string(let text): self = .string(text)
    case .array(let elements): self = .list(try elements.map { try SampleValue($0) })
    case .object(let members): self = try Self.value(members)
    }
  }

  private static func value(_ members: [String: JSONValue]) throws -> SampleValue {
    switch (members["$link"], members["$date"], members["$dict"]) {
    case (.array(let link), _, _):
      guard case .string(let table) = link.first, case .integer(let key) = link.last else {
        throw Misread()
      }
      return .link(table: table, key: key)
    case (_, .array(let date), _):
      guard case .integer(let seconds) = date.first, case .integer(let rest) = date.last else {
        throw Misread()
      }
      return .date(seconds: seconds, nanoseconds: rest)
    case (_, _, .array(let entries)):
      return .dictionary(
        try entries.map { entry in
          guard case .array(let pair) = entry, pair.count == 2 else { throw Misread() }
          return (try SampleValue(pair[0]), try SampleValue(pair[1]))
        })
    default:
      // A decimal number has its text beside it.
      if let (name, value) = members.first(where: { $0.key.hasPrefix("$") }), let text = value.text
      {
        return .text(name, text)
      }
      return .object(try members.mapValues { try SampleValue($0) })
    }
  }

  // MARK: Values of a store

  /// Whether a store has the value, which is no collection and no link.
  ///
  /// - Parameter isElement: Whether it is an element of a collection, where a store has one zero alone.
  func isEqual(_ value: DynamicValue, isElement: Bool = false) -> Bool {
    switch (self, value) {
    case (.text("$float", "80000000"), .float(0)),
      (.text("$double", "8000000000000000"), .double(0)):
      return isElement || value.json == "-0.0"
    default: break
    }
    return switch (self, value) {
    case (.bool(let bool), .bool(let other)): bool == other
    case (.int(let integer), .int(let other)): integer == other
    case (.string(let text), .string(let other)): Array(text.utf8) == Array(other.utf8)
    case (.text("$float", let bits), .float(let float)):
      UInt32(bits, radix: 16) == float.bitPattern
    case (.text("$double", let bits), .double(let double)):
      UInt64(bits, radix: 16) == double.bitPattern
    case (.text("$data", let text), .data(let data)): Data(base64Encoded: text) == data
    case (.text("$oid", let text), .string(let other)): text == other
    case (.text("$uuid", let text), .uuid(let uuid)): text.uppercased() == uuid.uuidString
    case (.text("$decimal", let bits), .data(let data)):
      bits == data.map { String(format: "%02x", $0) }.joined()
    case (.text("$decimal", let bits), .decimal(let decimal)): Self.decimal(bits) == decimal
    case (.date(let seconds, let nanoseconds), .data(let data)):
      Self.stored(seconds, nanoseconds) == data
    case (.date(let seconds, let nanoseconds), .date(let date)):
      // 978,307,200 seconds lie between 1970 and 2001.
      ((date.timeIntervalSinceReferenceDate - Double(seconds - 978_307_200)) * 1e9
        - Double(nanoseconds)).magnitude < 1
    default: false
    }
  }

  /// The number of a decimal's bits, in the binary encoding of IEEE 754.
  private static func decimal(_ bits: String) -> Decimal? {
    guard let high = UInt64(bits.prefix(16), radix: 16),
      let low = UInt64(bits.suffix(16), radix: 16)
    else { return nil }
    let exponent = Int(high >> 49 & 0x3FFF) - 6176
    let digits = UInt128(high & 0x1_FFFF_FFFF_FFFF) << 64 | UInt128(low)
    return Decimal(string: "\(high >> 63 == 1 ? "-" : "")\(digits)e\(exponent)")
  }

  /// A time as twelve bytes that have its order.
  private static func stored(_ seconds: Int64, _ nanoseconds: Int64) -> Data {
    let high = UInt64(bitPattern: seconds) &+ 1 << 63
    let low = UInt32(truncatingIfNeeded: nanoseconds &+ 1 << 31)
    let text = String(format: "%016lx%08x", high, low)
    var bytes = Data()
    for place in stride(from: 0, to: 24, by: 2) {
      bytes.append(UInt8(text.dropFirst(place).prefix(2), radix: 16) ?? 0)
    }
    return bytes
  }

  // MARK: Values of any type

  /// Whether a value of any type in a store, `{"int":{"_0":7}}`, is this one.
  func isAny(_ any: SampleValue) -> Bool {
    guard case .object(let object) = any, let (name, payload) = object.first,
      case .object(let parts) = payload
    else { return false }
    return switch (name, self, parts["_0"]) {
    case ("null", .null, nil): true
    case ("bool", .bool(let bool), .bool(let other)?): bool == other
    case ("int", .int(let integer), .int(let other)?): integer == other
    case ("string", .string(let text), .string(let other)?): Array(text.utf8) == Array(other.utf8)
    case ("float", .text("$float", let bits), let number?):
      // The text of a Float has fewer digits than that of a Double.
      Self.isSame(
        UInt32(bits, radix: 16).map { Double(Float(bitPattern: $0)) }, number.roundedToFloat)
    case ("double", .text("$double", let bits), let number?):
      Self.isSame(UInt64(bits, radix: 16).map { Double(bitPattern: $0) }, number)
    case ("data", .text("$data", let text), .string(let other)?),
      ("objectID", .text("$oid", let text), .string(let other)?):
      text == other
    case ("uuid", .text("$uuid", let text), .string(let other)?): text.uppercased() == other
    case ("list", .list(let values), .list(let others)?):
      values.count == others.count
        && (zip(values, others).allSatisfy { $0.isAny($1) }
          // A set has no order.
          || values.allSatisfy { value in others.contains { value.isAny($0) } })
    case ("dictionary", .dictionary(let entries), .list(let others)?):
      entries.count == others.count
        && entries.allSatisfy { entry in others.contains { Self.isEntry(entry, $0) } }
    case ("date", .date(let seconds, let nanoseconds), nil):
      parts["seconds"]?.integer == UInt64(bitPattern: seconds)
        && parts["nanoseconds"]?.integer == UInt64(bitPattern: nanoseconds)
    case ("decimal", .text("$decimal", let bits), nil):
      parts["high"]?.integer == UInt64(bits.prefix(16), radix: 16)
        && parts["low"]?.integer == UInt64(bits.suffix(16), radix: 16)
    case ("link", .link(let table, let key), nil):
      parts["key"]?.integer == UInt64(bitPattern: key)
        && parts["className"]?.string == String(table.dropFirst("class_".count))
    default: false
    }
  }

  private static func isEntry(
    _ entry: (key: SampleValue, value: SampleValue), _ other: SampleValue
  ) -> Bool {
    guard case .object(let parts) = other, let key = parts["key"], let value = parts["value"] else {
      return false
    }
    return entry.key.isAny(key) && entry.value.isAny(value)
  }

  private var roundedToFloat: SampleValue {
    switch self {
    case .number(let number): .number(Double(Float(number)))
    case .int(let number): .number(Double(Float(number)))
    default: self
    }
  }

  private static func isSame(_ number: Double?, _ json: SampleValue) -> Bool {
    switch (number, json) {
    case (let number?, .number(let other)): number == other && number.sign == other.sign
    case (let number?, .int(let other)):
      number == Double(other) && (number.sign == .plus) == (other >= 0)
    case (let number?, .string("nan")): number.isNaN
    case (let number?, .string("inf")): number == .infinity
    case (let number?, .string("-inf")): number == -.infinity
    default: false
    }
  }

  private var integer: UInt64? {
    switch self {
    case .int(let integer): UInt64(bitPattern: integer)
    case .uint(let integer): integer
    default: nil
    }
  }

  private var string: String? { if case .string(let text) = self { text } else { nil } }
}
