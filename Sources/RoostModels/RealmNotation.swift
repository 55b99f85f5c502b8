package import RoostImport

#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// Prints a Realm file as JSON that has everything in it exactly, one object a line.
///
/// An object is `[object key, [values], {"class_Source.column": [keys of the objects that link to it]}]`, the last part only where
/// there are some. Numbers with a fraction, dates, data and the like are objects with a member such as `$double`, which has
/// their bits.
package struct RealmNotation {
  private let source: RealmSource
  private let write: ([UInt8]) throws -> Void
  private var text: [UInt8] = []

  /// The size of the parts in which the text is handed on.
  private static let bytesMax = 64 << 10

  private init(_ source: RealmSource, _ write: @escaping ([UInt8]) throws -> Void) {
    self.source = source
    self.write = write
  }

  /// Prints a file.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - key: The key of an encrypted file.
  ///   - write: Takes parts of the text, each of whole lines.
  /// - Throws: ``ModelsError``, and what `write` throws.
  package static func print(
    _ path: String, key: Data? = nil, _ write: @escaping ([UInt8]) throws -> Void
  ) throws {
    do {
      let source = try RealmSource(
        path: path, key: key, valueBytesMax: 256 << 20, naming: .tables)
      var notation = RealmNotation(source, write)
      try notation.run()
      try source.checkUnchanged()
    } catch let error as RealmError { throw ModelsError(error) }
  }

  /// Prints an open file.
  package static func print(
    _ source: RealmSource, _ write: @escaping ([UInt8]) throws -> Void
  ) throws {
    var notation = RealmNotation(source, write)
    try notation.run()
  }

  /// The values of an object in brackets, in the order of its class's properties.
  package static func values(of object: RealmSource.Object) throws -> String {
    var text: [UInt8] = []
    text.addList(try object.values) { $0.addNotation($1) }
    return String(decoding: text, as: UTF8.self)
  }

  private mutating func run() throws {
    text.add("{\"fileFormat\":\(source.format ?? 0),")
    if let version = try source.schemaVersion { text.add("\"schemaVersion\":\(version),") }
    text.add("\"tables\":[")
    let classes = source.classes.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    for (place, one) in classes.enumerated() {
      text.add(place == 0 ? "\n" : ",\n")
      try add(one)
    }
    text.add("]}\n")
    try write(text)
  }

  private mutating func add(_ one: RealmSource.Class) throws {
    text.add("{\"name\":")
    text.addQuoted(one.name)
    text.add(",\"kind\":\"\(one.kind)\",\"primaryKey\":")
    if let key = one.primaryKey { text.addQuoted(key) } else { text.add("null") }
    text.add(",\"columns\":[")
    for (place, property) in one.properties.enumerated() {
      text.add(place == 0 ? "\n " : ",\n ")
      add(property, isEnumerated: one.isEnumerated(place))
    }
    text.add("],\n\"objects\":[")
    var objects = try source.objects(one.name)
    var isFirst = true
    while let object = try objects.next() {
      text.add(isFirst ? "\n" : ",\n")
      isFirst = false
      if text.count >= Self.bytesMax {
        try write(text)
        text.removeAll(keepingCapacity: true)
      }
      try add(object)
    }
    text.add("]}")
  }

  private mutating func add(_ property: RealmSource.Property, isEnumerated: Bool) {
    text.add("{\"name\":")
    text.addQuoted(property.name)
    let target: String?
    let type: String
    switch property.type {
    case .link(let name), .embedded(let name): (type, target) = ("link", name)
    case .objectID: (type, target) = ("objectId", nil)
    default: (type, target) = ("\(property.type)", nil)
    }
    text.add(",\"type\":\"\(type)\",\"nullable\":\(property.isOptional),\"collection\":")
    text.add(property.collection.map { "\"\($0)\"" } ?? "null")
    text.add(",\"target\":")
    if let target { text.addQuoted(target) } else { text.add("null") }
    let index = property.index == .fullText ? "fulltext" : "\(property.index)"
    text.add(",\"index\":\"\(index)\",\"enumerated\":\(isEnumerated)}")
  }

  private mutating func add(_ object: RealmSource.Object) throws {
    text.add("[")
    text.addNumber(object.key)
    text.add(",")
    text.addList(try object.values) { $0.addNotation($1) }
    let inverses = try object.class.inverses.compactMap {
      inverse -> (name: String, keys: [Int64])? in
      let sources = try object.sources(in: inverse.className, by: inverse.property)
      return sources.isEmpty
        ? nil : (inverse.className + "." + inverse.property, sources.map(\.key).sorted())
    }
    if !inverses.isEmpty {
      text.add(",{")
      let sorted = inverses.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
      for (place, inverse) in sorted.enumerated() {
        if place > 0 { text.add(",") }
        text.addQuoted(inverse.name)
        text.add(":")
        text.addList(inverse.keys) { $0.addNumber($1) }
      }
      text.add("}")
    }
    text.add("]")
  }
}

extension [UInt8] {
  fileprivate mutating func add(_ text: String) { append(contentsOf: text.utf8) }

  fileprivate mutating func addNumber(_ number: Int64) { add(String(number)) }

  fileprivate mutating func addList<Item>(
    _ elements: [Item], _ body: (inout [UInt8], Item) -> Void
  ) {
    add("[")
    for (place, element) in elements.enumerated() {
      if place > 0 { add(",") }
      body(&self, element)
    }
    add("]")
  }

  fileprivate mutating func addNotation(_ value: RealmValue) {
    switch value {
    case .null: add("null")
    case .bool(let bool): add(bool ? "true" : "false")
    case .int(let integer): addNumber(integer)
    case .float(let float): addMember("$float", Self.hex(UInt64(float.bitPattern), 8))
    case .double(let double): addMember("$double", Self.hex(double.bitPattern, 16))
    case .string(let string): addQuoted(string)
    case .malformedString(let data): addMember("$malformed", data.base64EncodedString())
    case .data(let data): addMember("$data", data.base64EncodedString())
    case .date(let time): add("{\"$date\":[\(time.seconds),\(time.nanoseconds)]}")
    case .decimal(let number):
      let bits = Self.hex(number.high, 16) + Self.hex(number.low, 16)
      add("{\"$decimal\":\"\(bits)\",\"text\":\"\(number.realmText)\"}")
    case .objectID(let id): addMember("$oid", id.description)
    case .uuid(let uuid): addMember("$uuid", uuid.uuidString.lowercased())
    case .link(let link), .embedded(let link):
      add("{\"$link\":[")
      addQuoted(link.className)
      add(",\(link.key)]}")
    case .list(let values): addList(values) { $0.addNotation($1) }
    case .set(let values):
      let texts = values.map { value in
        var text: [UInt8] = []
        text.addNotation(value)
        return text
      }
      addList(texts.sorted { $0.lexicographicallyPrecedes($1) }) { $0 += $1 }
    case .dictionary(let entries):
      let texts = entries.map { entry in
        var text: [UInt8] = []
        text.addList([entry.key, entry.value]) { $0.addNotation($1) }
        return text
      }
      add("{\"$dict\":")
      addList(texts.sorted { $0.lexicographicallyPrecedes($1) }) { $0 += $1 }
      add("}")
    }
  }

  private mutating func addMember(_ name: String, _ text: String) {
    add("{\"\(name)\":\"\(text)\"}")
  }

  private static func hex(_ bits: UInt64, _ digits: Int) -> String {
    let text = String(bits, radix: 16)
    return String(repeating: "0", count: digits - text.utf8.count) + text
  }

  fileprivate mutating func addQuoted(_ text: String) {
    append(UInt8(ascii: "\""))
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"):
        append(UInt8(ascii: "\\"))
        append(byte)
      case UInt8(ascii: "\n"): add("\\n")
      case UInt8(ascii: "\r"): add("\\r")
      case UInt8(ascii: "\t"): add("\\t")
      case 0..<32: add("\\u" + Self.hex(UInt64(byte), 4))
      default: append(byte)
      }
    }
    append(UInt8(ascii: "\""))
  }
}

extension RealmValue.Decimal128 {
  /// The number as Realm writes it: with a power of ten wherever it is below 1, which we do not.
  fileprivate var realmText: String {
    let sign = isNegative ? "-" : ""
    if isNaN { return "NaN" }
    if isInfinite { return sign + "Inf" }
    let digits = Array(String(coefficient))
    guard coefficient <= UInt128(UInt64.max) else {
      return
        "\(isNegative ? "-" : "+")\(String(digits))E\(exponent < 0 ? "" : "+")\(exponent)"
    }
    let pointPlace = digits.count + exponent
    if exponent <= 0, pointPlace > 0 {
      let fraction = pointPlace < digits.count ? "." + String(digits[pointPlace...]) : ""
      return sign + String(digits[..<pointPlace]) + fraction
    }
    let fraction = digits.count > 1 ? "." + String(digits[1...]) : ""
    return "\(sign)\(digits[0])\(fraction)E\(pointPlace - 1)"
  }
}
