internal import RoostEngine

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// A `Codable` type that is stored whole, as JSON, such as an enum with payloads.
///
/// ```swift
/// enum Payment: Opaque { case cash, card(number: String) }
/// ```
///
/// Queries compare these values as a whole, by `==`. Values that are equal in Swift must encode to the same JSON: a
/// set, or a dictionary whose keys are not texts, may not. For a type whose parts are queried, use ``Embedded``.
public protocol Opaque: Storable, Codable {}

extension Opaque {
  /// The field's type in the file.
  public static var _fieldType: _FieldType { _FieldType(.json) }
  /// The value in a cell.
  public static func _read(_ cell: _Cell) throws(StoreError) -> Self {
    let json = try cell.withBytes { $0.array }
    do { return try JSONCoding.decoder.decode(Self.self, from: Data(json)) } catch {
      throw cell.undecodable(String(decoding: json, as: UTF8.self))
    }
  }
  /// Appends the value to a column.
  ///
  /// - Throws: ``StoreError/unencodable(type:reason:)`` where the type's own code refuses.
  public func _write(to sink: _CellSink) throws(StoreError) {
    let json: Data
    do { json = try JSONCoding.encoder.encode(self) } catch {
      throw .unencodable(type: "\(Self.self)", reason: "\(error)")
    }
    json.withByteView { sink.append(bytes: $0) }
  }
  /// The value that a query compares; a value that cannot be stored equals nothing.
  public var _constant: _Constant {
    guard let json = try? JSONCoding.encoder.encode(self) else { return .equalToNothing }
    return _Constant(.bytes(Array(json)))
  }
  /// All cases if the type can list them, otherwise values that it decodes from sample values.
  public static func _samples(_ count: Int) -> [Self] {
    let listed = _listedCases(count)
    return listed.isEmpty ? SampleDecoder.samples(of: Self.self, count) : listed
  }
}

/// The JSON coding of opaque values: each has a single form.
private enum JSONCoding {
  static let encoder: JSONEncoder = {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    return encoder
  }()

  static let decoder: JSONDecoder = {
    let decoder = JSONDecoder()
    decoder.nonConformingFloatDecodingStrategy = .convertFromString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    return decoder
  }()
}
