extension Storable where Self: RawRepresentable, RawValue: Storable {
  /// The type that the file knows the field by.
  public static var _fieldType: _FieldType { RawValue._fieldType }
  /// Whether the raw value is.
  @inlinable public static var _isInteger: Bool { RawValue._isInteger }
  /// The value in a cell.
  public static func _read(_ cell: _Cell) throws(StoreError) -> Self {
    let raw = try RawValue._read(cell)
    guard let value = Self(rawValue: raw) else { throw cell.undecodable("\(raw)") }
    return value
  }
  /// Appends the value to a column.
  public func _write(to sink: _CellSink) throws(StoreError) { try rawValue._write(to: sink) }
  /// The value as a query compares it.
  public var _constant: _Constant { rawValue._constant }

  /// All cases where the type can list them, else what the raw type's samples make, else two cases by
  /// their place in memory.
  public static func _samples(_ count: Int) -> [Self] {
    let listed = _listedCases(count)
    if !listed.isEmpty { return listed }
    let made = RawValue._samples(count).compactMap { Self(rawValue: $0) }
    return made.count > 1 ? made : firstCases()
  }

  /// The first two cases of an enum without payloads, whose names nothing tells.
  ///
  /// Such an enum of two to 256 cases is one byte that numbers them from 0, so the bytes 0 and 1 are
  /// cases; and each must come back from its raw value, or it is left out.
  private static func firstCases() -> [Self] {
    guard MemoryLayout<Self>.size == 1, _isPOD(Self.self) else { return [] }
    return [UInt8(0), 1].compactMap { byte in
      let value = unsafe unsafeBitCast(byte, to: Self.self)
      return Self(rawValue: value.rawValue) == value ? value : nil
    }
  }
}

extension Storable {
  /// The cases of a type that can list them, else none.
  static func _listedCases(_ count: Int) -> [Self] {
    guard let listed = Self.self as? any CaseIterable.Type, let cases = listed.cases as? [Self]
    else { return [] }
    return Array(cases.prefix(count))
  }
}

extension CaseIterable {
  fileprivate static var cases: Any { Array(allCases) }
}
