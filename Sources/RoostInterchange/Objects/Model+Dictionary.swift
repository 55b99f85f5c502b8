public import Roost
internal import RoostEngine

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

extension Model {
  /// The object's fields as a dictionary, keyed by field name; nil fields are omitted.
  ///
  /// An ``/Roost/Embedded`` struct and a dictionary become dictionaries, the keys as text; a collection becomes an array.
  /// Values have their stored form: `Bool`, `Int64`, `UInt64`, `Double`, `Float`, `String` (also for a `URL`), `Data`, `Date`,
  /// `UUID`, `Duration` and `Decimal`; an enum its raw value, a ``/Roost/Link`` the id; an ``/Roost/Opaque`` type the values of
  /// its JSON.
  /// - Throws: ``/Roost/StoreError/unencodable(type:reason:)``.
  public func dictionary() throws(StoreError) -> [String: any Sendable] {
    try dictionary(readingBlobsFrom: nil)
  }

  /// The same, with the bytes of blobs that the object does not have read from a version of its store.
  package func dictionary(
    readingBlobsFrom reader: _Reader?
  ) throws(StoreError) -> [String: any Sendable] {
    let rows = try DetachedRows<Self>(blobs: reader)
    try rows.append(self)
    return DictionaryWriter(identifiers: rows.columns.identifiers)
      .members(rows.shape, rows.columns.columns, 0)
  }

  /// Creates an object from a dictionary of fields, in the form that ``dictionary()`` returns.
  ///
  /// Also accepts integers of any width; the text forms of dates, UUIDs, data and non-finite numbers in JSON
  /// (``TextFormat``); `nil`; and arrays, sets and dictionaries of these values.
  /// - Throws: ``/Roost/StoreError/malformedText(_:)`` whose field says what cannot be read.
  public init(dictionary: [String: any Sendable]) throws {
    var text: [UInt8] = []
    var writer = DictionaryReader()
    writer.add(dictionary, to: &text)
    if let refused = writer.refused {
      let fault = TextFault(
        line: 0, column: 0, field: refused.path, expected: "a value that a field can have",
        found: refused.type)
      throw StoreError.malformedText(
        TextProblem(fault, in: Self.dictionaryName, of: DetachedRows<Self>.modelName))
    }
    do {
      let objects = try Self.read(from: .bytes(text), as: .json)
      guard let object = objects.first else { preconditionFailure("An object was written.") }
      self = object
    } catch StoreError.malformedText(let problem) {
      let fault = TextFault(
        line: 0, column: 0, field: problem.field, expected: problem.expected, found: problem.found)
      throw StoreError.malformedText(
        TextProblem(fault, in: Self.dictionaryName, of: problem.model))
    }
  }

  private static var dictionaryName: String { "The dictionary" }
}

/// Makes dictionaries from the rows of columns.
private struct DictionaryWriter {
  let identifiers: [Value]

  /// The element that represents nil in an array.
  private static var absent: any Sendable { (any Sendable)?.none as any Sendable }

  func members(
    _ shape: RecordShape, _ columns: [ColumnBuffer], _ row: Int
  ) -> [String: any Sendable] {
    var members: [String: any Sendable] = [:]
    for member in shape.members {
      if let value = content(member.content, columns, row) { members[member.name] = value }
    }
    return members
  }

  private func content(
    _ content: RecordShape.Content, _ columns: [ColumnBuffer], _ row: Int
  ) -> (any Sendable)? {
    switch content {
    case .value(let column, let shape): return value(shape, columns[column].value(row))
    case .record(let record, let presence):
      if let presence, columns[presence.column].integer(row) == 0 { return nil }
      return members(record, columns, row)
    }
  }

  private func value(_ shape: ValueShape, _ stored: Value) -> (any Sendable)? {
    guard !shape.isLookedUp else {
      guard case .integer(let place) = stored, let index = Int(exactly: place),
        identifiers.indices.contains(index)
      else { return nil }
      return scalar(shape.type, identifiers[index])
    }
    if let links = shape.links, case .bytes(let bytes) = stored {
      return LinkList.targets(bytes).map {
        value(links.value, .integer($0)) ?? Self.absent
      }
    }
    if let elements = shape.elements, case .bytes(let bytes) = stored {
      return collection(elements, bytes)
    }
    return scalar(shape.type, stored)
  }

  private func scalar(_ type: FieldType, _ stored: Value) -> (any Sendable)? {
    switch (type, stored) {
    case (.bool, .integer(let number)): number != 0
    case (.uint, .integer(let number)): UInt64(bitPattern: number) ^ FieldType.signBit
    case (_, .integer(let number)): number
    case (.date, .double(let seconds)): Date(timeIntervalSinceReferenceDate: seconds)
    case (_, .double(let number)): number
    case (_, .float(let number)): number
    case (.duration, .uuid(let high, let low)): Duration(storedHigh: high, low: low)
    case (_, .uuid(let high, let low)): UUID(high: high, low: low)
    case (.decimal, .bytes(let bytes)):
      bytes.withByteView { Decimal(stored: $0) }
    case (.data, .bytes(let bytes)), (.compound, .bytes(let bytes)): Data(bytes)
    case (.json, .bytes(let bytes)): (try? JSONValue(bytes)).flatMap(Self.any)
    case (_, .bytes(let bytes)): String(decoding: bytes, as: UTF8.self)
    case (_, .null): nil
    }
  }

  private static func any(_ value: JSONValue) -> (any Sendable)? {
    switch value {
    case .null: nil
    case .bool(let isTrue): isTrue
    case .integer(let number): number
    case .unsigned(let number): Double(number)
    case .number(let number): number
    case .string(let text): text
    case .array(let elements): elements.map { any($0) ?? absent }
    case .object(let members): members.compactMapValues(any)
    }
  }

  private func collection(_ elements: ElementShape, _ bytes: [UInt8]) -> (any Sendable)? {
    let packed = bytes.withByteView { PackedColumns($0, as: elements.columns) }
    guard let packed else { return nil }
    let values = (0..<packed.count).map {
      content(elements.element, packed.columns, $0) ?? Self.absent
    }
    guard let key = elements.key else { return values }
    guard key.isWord else {
      return (0..<packed.count).map { row in
        [value(key, packed.columns[0].value(row)) ?? Self.absent, values[row]] as [any Sendable]
      }
    }
    var entries: [String: any Sendable] = [:]
    for row in 0..<packed.count {
      entries[key.word(packed.columns[0], row)] = values[row]
    }
    return entries
  }
}

/// Makes JSON from dictionaries whose values have any type.
private struct DictionaryReader {
  /// The first value whose type no field can have.
  private(set) var refused: (path: String, type: String)?

  mutating func add(_ dictionary: [String: Any], to text: inout [UInt8], path: String = "") {
    text.add("{")
    for (place, member) in dictionary.enumerated() {
      if place > 0 { text.add(",") }
      text.addString(member.key)
      text.add(":")
      add(member.value, to: &text, path: path.isEmpty ? member.key : "\(path).\(member.key)")
    }
    text.add("}")
  }

  private mutating func add(_ value: Any, to text: inout [UInt8], path: String) {
    switch value {
    case let value as any OptionalValue where value.isNil: text.add("null")
    case let value as Bool: if value { text.add("true") } else { text.add("false") }
    case let value as any FixedWidthInteger: text.append(contentsOf: "\(value)".utf8)
    case let value as Double: addNumber(value, to: &text)
    case let value as Float: addNumber(value, to: &text)
    case let value as Decimal:
      if value.isNaN { text.add("\"nan\"") } else { text.append(contentsOf: "\(value)".utf8) }
    case let value as String: text.addString(value)
    case let value as UUID: text.addString(value.uuidString)
    case let value as URL: text.addString(value.absoluteString)
    case let value as Date: text.addTime(value.timeIntervalSinceReferenceDate, .iso8601)
    case let value as Data: value.withByteView { text.addBase64($0) }
    case let value as Duration:
      text.append(contentsOf: FieldType.seconds(value.storedHigh, value._low).utf8)
    case let value as [String: Any]: add(value, to: &text, path: path)
    case let value as [Any]: add(elements: value, to: &text, path: path)
    case let value as Set<AnyHashable>:
      add(elements: value.map(\.base), to: &text, path: path)
    default:
      if refused == nil { refused = (path, "a \(type(of: value))") }
      text.add("null")
    }
  }

  private func addNumber(
    _ number: some BinaryFloatingPoint & LosslessStringConvertible, to text: inout [UInt8]
  ) {
    if number.isNaN { text.add("\"nan\"") } else { text.addNumber(number) }
  }

  private mutating func add(elements: [Any], to text: inout [UInt8], path: String) {
    text.add("[")
    for (place, element) in elements.enumerated() {
      if place > 0 { text.add(",") }
      add(element, to: &text, path: "\(path)[\(place)]")
    }
    text.add("]")
  }
}

/// An optional, whose nil may be hidden in an `Any`.
private protocol OptionalValue {
  var isNil: Bool { get }
}

extension Optional: OptionalValue {
  fileprivate var isNil: Bool { self == nil }
}
