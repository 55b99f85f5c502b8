internal import RoostEngine

/// Makes sample values of `Codable` types: its containers have whatever a type asks for.
///
/// Lists are empty and optionals nil, unless they are the sample itself.
struct SampleDecoder: Decoder {
  /// Different numbers give different samples, if the type has several.
  let number: Int
  private let depth: Int

  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  private init(_ number: Int, depth: Int) {
    self.number = number
    self.depth = depth
  }

  /// Different values of a type, at most `count`; none if the type decodes only certain values.
  static func samples<Value: Decodable & Hashable>(
    of type: Value.Type, _ count: Int
  ) -> [Value] {
    var known: Set<Value> = []
    return (0..<min(count, 16)).compactMap { number in
      guard let value = try? Value(from: SampleDecoder(number, depth: 0)) else { return nil }
      return known.insert(value).inserted ? value : nil
    }
  }

  func container<Key>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
    KeyedDecodingContainer(KeyedSamples(decoder: self))
  }
  func unkeyedContainer() -> any UnkeyedDecodingContainer { SampleContainer(decoder: self) }
  func singleValueContainer() -> any SingleValueDecodingContainer { SampleContainer(decoder: self) }

  @_semantics("optimize.sil.specialize.generic.never")
  fileprivate func sample<Value: Decodable>(of type: Value.Type) throws -> Value {
    if let type = Value.self as? any Storable.Type,
      let sample = pick(from: type) as? Value
    {
      return sample
    }
    if let type = Value.self as? any CaseIterable.Type, let sample = pick(from: type) as? Value {
      return sample
    }
    if let type = Value.self as? any RawRepresentable.Type,
      let sample = pick(from: type) as? Value
    {
      return sample
    }
    return try Value(from: try inner())
  }

  private func pick<Value: Storable>(from type: Value.Type) -> Any? {
    switch Value._fieldType.kind {
    // A collection or an opaque type may contain the type that is being made, and would begin again.
    case .list, .set, .dictionary, .json: nil
    default: picked(Value._samples(16))
    }
  }

  private func pick<Value: CaseIterable>(from type: Value.Type) -> Any? {
    picked(Array(Value.allCases))
  }

  private func pick<Value: RawRepresentable>(from type: Value.Type) -> Any? {
    picked(Value.firstCases())
  }

  private func picked<Value>(_ values: [Value]) -> Value? {
    values.isEmpty ? nil : values[number % values.count]
  }

  /// The decoder of a value within the value.
  fileprivate func inner() throws -> SampleDecoder {
    // A type that contains itself may have no end.
    guard depth < 8 else { throw NoSample(property: nil) }
    return SampleDecoder(number, depth: depth + 1)
  }

  /// A key of an enum's cases; nil if the keys are not an enum.
  ///
  /// The cases of an enum with two to 256 cases are stored in a byte as numbers from 0, so the bytes 0 and 1 are
  /// cases. An enum with a single case has no bytes, but its optional has one; that of an enum without cases has none.
  fileprivate func key<Key: CodingKey>(_ type: Key.Type) -> Key? {
    guard _isPOD(Key.self) else { return nil }
    switch MemoryLayout<Key>.size {
    case 0: return MemoryLayout<Key?>.size == 0 ? nil : unsafe unsafeBitCast((), to: Key.self)
    case 1: return unsafe unsafeBitCast(UInt8(number & 1), to: Key.self)
    default: return nil
    }
  }
}

/// Has a value for each key.
private struct KeyedSamples<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let decoder: SampleDecoder

  var codingPath: [any CodingKey] { [] }
  /// One key: an enum's case is the only key of its value.
  var allKeys: [Key] { decoder.key(Key.self).map { [$0] } ?? [] }

  func contains(_ key: Key) -> Bool { true }
  func decodeNil(forKey key: Key) -> Bool { true }
  func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
    try decoder.sample(of: type)
  }
  func nestedContainer<NestedKey>(
    keyedBy type: NestedKey.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<NestedKey> {
    try decoder.inner().container(keyedBy: type)
  }
  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try decoder.inner().unkeyedContainer()
  }
  func superDecoder() throws -> any Decoder { try decoder.inner() }
  func superDecoder(forKey key: Key) throws -> any Decoder { try decoder.inner() }
}

/// Has a single value, or no elements.
private struct SampleContainer: SingleValueDecodingContainer, UnkeyedDecodingContainer {
  let decoder: SampleDecoder

  var codingPath: [any CodingKey] { [] }
  var count: Int? { 0 }
  var isAtEnd: Bool { true }
  var currentIndex: Int { 0 }

  func decodeNil() -> Bool { true }
  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    try decoder.sample(of: type)
  }
  func nestedContainer<NestedKey>(
    keyedBy type: NestedKey.Type
  ) throws -> KeyedDecodingContainer<NestedKey> {
    try decoder.inner().container(keyedBy: type)
  }
  func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    try decoder.inner().unkeyedContainer()
  }
  func superDecoder() throws -> any Decoder { try decoder.inner() }
}
