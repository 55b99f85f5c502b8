package import RoostEngine

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Stored as all 128 bits of attoseconds.
extension Duration: Sortable {
  /// The field's type in the file.
  public static var _fieldType: _FieldType { _FieldType(.duration) }
  /// The value in a cell.
  public static func _read(_ cell: _Cell) throws(StoreError) -> Duration {
    let halves = try cell.uuid
    return Duration(storedHigh: halves.high, low: halves.low)
  }
  /// Appends the value to a column.
  public func _write(to sink: _CellSink) throws(StoreError) {
    sink.append(uuid: storedHigh, _low)
  }
  /// The value that a query compares.
  public var _constant: _Constant { _Constant(.uuid(storedHigh, _low)) }

  package init(storedHigh high: UInt64, low: UInt64) {
    self.init(_high: Int64(bitPattern: high ^ FieldType.signBit), low: low)
  }

  /// Sample values for testing a schema.
  public static func _samples(_ count: Int) -> [Duration] { (1...count).map { .seconds($0) } }
  /// Sample values that a calculation is likely to change.
  public static var _unusualSamples: [Duration] { [.zero, .milliseconds(-1500)] }

  package var storedHigh: UInt64 { UInt64(bitPattern: _high) ^ FieldType.signBit }
}

/// Stored with all its digits; 1.0 and 1.00 are the same value, and NaN sorts last and equals nothing.
extension Decimal: Summable {
  /// The field's type in the file.
  public static var _fieldType: _FieldType { _FieldType(.decimal) }
  /// The value in a cell.
  public static func _read(_ cell: _Cell) throws(StoreError) -> Decimal {
    try cell.withBytes { (bytes) throws(StoreError) in
      guard let value = Decimal(stored: bytes) else {
        throw cell.undecodable(DecimalBytes.text(bytes) ?? "\(bytes.array)")
      }
      return value
    }
  }

  /// The number that a text is as a whole: digits, with an optional minus and point.
  ///
  /// `Decimal(string:)` reads the beginning of a text: 360 of "360,659.86".
  ///
  /// - Returns: Nil where the text has anything else, or more digits than a `Decimal`.
  public init?(exactly text: String) {
    guard text.utf8.contains(where: { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }),
      let number = DecimalBytes.bytes(text)?.withByteView({ Decimal(stored: $0) })
    else { return nil }
    self = number
  }

  /// The number in stored bytes; nil if they are invalid, or too precise or large for a `Decimal`.
  package init?(stored bytes: ByteView) {
    guard let number = DecimalNumber(stored: bytes) else { return nil }
    if number.isNaN {
      self = .nan
    } else {
      self.init(string: number.decimalText)
    }
  }

  /// The result of a query's operation; nil if it does not fit.
  package static func calculated(
    _ operation: Arithmetic, _ a: Decimal, _ b: Decimal
  ) -> Decimal? {
    let numbers = [a, b].compactMap { number in
      DecimalBytes.bytes(number.description)?.withByteView { DecimalNumber(stored: $0) }
    }
    guard numbers.count == 2 else { return nil }
    return DecimalNumber.result(operation, numbers[0], numbers[1])
      .flatMap { $0.bytes.withByteView { Decimal(stored: $0) } }
  }

  /// Appends the value to a column.
  public func _write(to sink: _CellSink) throws(StoreError) {
    guard let bytes = DecimalBytes.bytes(description) else {
      throw .unencodable(type: "Decimal", reason: "\(self) is no number in digits")
    }
    sink.append(bytes: bytes)
  }
  /// The value that a query compares.
  public var _constant: _Constant {
    guard !isNaN, let bytes = DecimalBytes.bytes(description) else { return .equalToNothing }
    return _Constant(.bytes(bytes))
  }
  /// The number of this type in a sum.
  public static func _sum(_ sum: _Constant) -> Decimal? {
    if case .bytes(let bytes) = sum.value {
      bytes.withByteView { Decimal(stored: $0) }
    } else {
      nil
    }
  }
  /// Sample values for testing a schema.
  public static func _samples(_ count: Int) -> [Decimal] { (1...count).map { Decimal($0) } }
  /// Sample values that a calculation is likely to change.
  public static var _unusualSamples: [Decimal] {
    [0, Decimal(1) / 4, Decimal(-3) / 2, Decimal(2001) / 2]
  }
}

/// Stored as its text; a URL relative to a base is stored as the whole URL.
extension URL: Sortable {
  /// The field's type in the file.
  public static var _fieldType: _FieldType { _FieldType(.string) }
  /// The value in a cell.
  public static func _read(_ cell: _Cell) throws(StoreError) -> URL {
    let text = try String._read(cell)
    guard let url = URL(string: text) else { throw cell.undecodable(text) }
    return url
  }
  /// Appends the value to a column.
  public func _write(to sink: _CellSink) throws(StoreError) { sink.append(absoluteString) }
  /// The value that a query compares.
  public var _constant: _Constant { absoluteString._constant }
  /// Sample values for testing a schema.
  public static func _samples(_ count: Int) -> [URL] {
    (1...count).compactMap { URL(string: "https://example.org/\($0)") }
  }
  /// Sample values that a calculation is likely to change.
  public static var _unusualSamples: [URL] {
    ["HTTP://Example.org:80/a/../B.txt?c=d#e", "file:///"].compactMap { URL(string: $0) }
  }
}
