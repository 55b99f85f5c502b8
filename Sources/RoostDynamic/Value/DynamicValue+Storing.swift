internal import Roost
internal import RoostEngine
internal import RoostInterchange

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// A value that a field cannot store.
struct UnfitValue: Error, Equatable {
  /// The type of the field.
  var expected: String
  /// The rejected value.
  var found: String

  init(_ expected: String, _ value: DynamicValue) {
    self.expected = expected
    let text = value.json
    found = text.utf8.count > 60 ? "\(text.prefix(60))…" : text
  }
}

extension DynamicValue {
  /// The stored form of the value for a type.
  ///
  /// A number of another kind is accepted if it converts exactly.
  /// - Parameter parts: The columns of a collection's elements, or the parts of a compound value.
  func stored(as type: FieldType, _ parts: [ElementColumn]) throws(UnfitValue) -> Value {
    if self == .null { return .null }
    let value: Value? =
      switch (type, self) {
      case (.bool, .bool(let holds)): .integer(holds ? 1 : 0)
      case (.int, _): int.map { .integer($0) }
      case (.uint, _): uint.map { .integer(Int64(bitPattern: $0 ^ FieldType.signBit)) }
      case (.double, _): double.map { .double($0) }
      case (.float, _): float.map { .float($0) }
      case (.string, .string(let text)): .bytes(Array(text.utf8))
      case (.json, .json(let text)): Self.json(Array(text.utf8)).map { .bytes($0) }
      case (.data, .data(let data)), (.blob, .data(let data)): .bytes(Array(data))
      case (.date, .date(let date)): .double(date.timeIntervalSinceReferenceDate)
      case (.uuid, .uuid(let uuid)): .uuid(uuid.halves.high, uuid.halves.low)
      case (.duration, .duration(let duration)): .uuid(duration.storedHigh, duration._low)
      case (.decimal, _): decimal.map { .bytes($0) }
      case (.links, .list([])): .bytes([])
      case (.list, .list(let elements)):
        .bytes(
          PackedColumns.bytes(
            try Self.columns(of: elements, parts[...]), as: parts.map(\.shape)))
      case (.set, .list(let elements)): .bytes(try Self.set(elements, parts))
      case (.dictionary, .dictionary(let entries)): .bytes(try dictionary(entries, parts))
      case (.compound, .record(let values)): .bytes(try compound(values, parts))
      default: nil
      }
    guard let value else { throw UnfitValue(type.name, self) }
    return value
  }

  /// The bytes of a text, if it is valid JSON.
  private static func json(_ text: [UInt8]) -> [UInt8]? {
    (try? JSONValue(text)).map { _ in text }
  }

  // MARK: Numbers

  private var int: Int64? {
    switch self {
    case .int(let number): number
    case .uint(let number): Int64(exactly: number)
    case .double(let number): Int64(exactly: number)
    default: nil
    }
  }

  private var uint: UInt64? {
    switch self {
    case .int(let number): UInt64(exactly: number)
    case .uint(let number): number
    case .double(let number): UInt64(exactly: number)
    default: nil
    }
  }

  private var double: Double? {
    switch self {
    case .int(let number): Double(exactly: number)
    case .uint(let number): Double(exactly: number)
    case .double(let number): number
    case .float(let number): Double(number)
    default: nil
    }
  }

  private var float: Float? {
    switch self {
    case .int(let number): Float(exactly: number)
    case .uint(let number): Float(exactly: number)
    case .double(let number): number.isNaN ? .nan : Float(exactly: number)
    case .float(let number): number
    default: nil
    }
  }

  private var decimal: [UInt8]? {
    switch self {
    case .int(let number): DecimalBytes.bytes("\(number)")
    case .uint(let number): DecimalBytes.bytes("\(number)")
    case .decimal(let number): DecimalBytes.bytes(number.description)
    default: nil
    }
  }

  // MARK: Collections

  /// Elements in the order of their bytes, without duplicates.
  private static func set(
    _ elements: [DynamicValue], _ parts: [ElementColumn]
  ) throws(UnfitValue) -> [UInt8] {
    let columns = try columns(of: elements, parts[...])
    let shapes = parts.map(\.shape)
    return PackedColumns.bytes(columns, as: shapes, rows: ordered(columns, shapes))
  }

  private func dictionary(
    _ entries: [Entry], _ parts: [ElementColumn]
  ) throws(UnfitValue) -> [UInt8] {
    let keys = try Self.columns(of: entries.map(\.key), parts.prefix(1))
    let values = try Self.columns(of: entries.map(\.value), parts.dropFirst())
    let shapes = parts.map(\.shape)
    let rows = Self.ordered(keys, Array(shapes.prefix(1)))
    guard rows.count == entries.count else {
      throw UnfitValue("a Dictionary that has each key once", self)
    }
    return PackedColumns.bytes(keys + values, as: shapes, rows: rows)
  }

  /// The rows of columns in the order of their bytes, without duplicates.
  private static func ordered(
    _ columns: [ColumnBuffer], _ shapes: [PackedColumns.Shape]
  ) -> [Int] {
    let count = columns.first?.count ?? 0
    let rows = (0..<count).map { row in
      (row: row, bytes: PackedColumns.bytes(columns, as: shapes, rows: [row]))
    }
    let sorted = rows.sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }
    var distinct: [Int] = []
    for (place, row) in sorted.enumerated() where place == 0 || row.bytes != sorted[place - 1].bytes
    {
      distinct.append(row.row)
    }
    return distinct
  }

  /// The columns of elements.
  private static func columns(
    of elements: [DynamicValue], _ parts: ArraySlice<ElementColumn>
  ) throws(UnfitValue) -> [ColumnBuffer] {
    let columns = parts.map { ColumnBuffer(type: $0.type.physical) }
    for element in elements { try element.append(to: columns, parts) }
    return columns
  }

  private func append(
    to columns: [ColumnBuffer], _ parts: ArraySlice<ElementColumn>
  ) throws(UnfitValue) {
    guard let first = parts.first, let column = columns.first else { return }
    var (rest, cells) = (parts, columns[...])
    if !first.name.utf8.contains(UInt8(ascii: ".")) {
      guard parts.count > 1 else { return try append(to: column, as: first) }
      // The column before the parts stores whether there is a struct.
      column.append(.integer(self == .null ? 0 : 1))
      (rest, cells) = (parts.dropFirst(), columns.dropFirst())
      guard self != .null else { return cells.forEach { $0.appendNull() } }
    }
    guard case .record(let values) = self else { throw UnfitValue("a record", self) }
    try append(values, to: cells, rest.map { ($0.partName, $0) })
  }

  /// Appends the parts of a struct, or of a compound key, each to its column.
  private func append(
    _ values: [Part], to columns: ArraySlice<ColumnBuffer>,
    _ parts: [(name: String, column: ElementColumn)]
  ) throws(UnfitValue) {
    for value in values where !parts.contains(where: { $0.name == value.name }) {
      throw UnfitValue("a record without \"\(value.name)\"", self)
    }
    for (part, column) in zip(parts, columns) {
      let value = values.last { $0.name == part.name }?.value ?? .null
      try value.append(to: column, as: part.column)
    }
  }

  private func append(to column: ColumnBuffer, as part: ElementColumn) throws(UnfitValue) {
    guard self != .null || part.isOptional else {
      throw UnfitValue("\(part.type.name) for \(part.name)", self)
    }
    column.append(try stored(as: part.type, part.parts))
  }

  private func compound(
    _ values: [Part], _ parts: [ElementColumn]
  ) throws(UnfitValue) -> [UInt8] {
    let columns = parts.map { ColumnBuffer(type: $0.type.physical) }
    try append(values, to: columns[...], parts.map { ($0.name, $0) })
    return CompoundBytes.bytes(columns, as: parts.map(\.shape))
  }
}
