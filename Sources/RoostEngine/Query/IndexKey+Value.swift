extension IndexKey {
  /// The key of any value.
  mutating func set(_ value: Value) {
    switch value {
    case .null: setNull()
    case .integer(let number): set(number)
    case .double(let number): set(number)
    case .float(let number): set(number)
    case .bytes(let bytes): set(bytes)
    case .uuid(let high, let low): set(uuid: high, low)
    }
  }

  /// The key of a cell in memory.
  mutating func set(_ column: ColumnBuffer, row: Int) {
    guard !column.isNull(row) else { return setNull() }
    switch column.type {
    case .integer: set(column.integer(row))
    case .double: set(column.double(row))
    case .float: set(column.float(row))
    case .bytes: set(column.bytes(row))
    case .uuid:
      let halves = column.uuid(row)
      set(uuid: halves.high, halves.low)
    }
  }
}

extension Value {
  /// The value with this index key, or null; for a long text, the part in the key.
  init(ofKey bytes: [UInt8], type: PhysicalType) {
    let content = bytes.dropFirst()
    func number<T: FixedWidthInteger>(_ type: T.Type) -> T {
      content.prefix(T.bitWidth / 8).reduce(0) { $0 << 8 | T($1) }
    }
    guard bytes.first == 1 else {
      self = .null
      return
    }
    switch type {
    case .integer: self = .integer(Int64(bitPattern: number(UInt64.self) ^ (1 << 63)))
    case .double:
      let bits = number(UInt64.self)
      self = .double(Double(bitPattern: bits >> 63 == 1 ? bits ^ (1 << 63) : ~bits))
    case .float:
      let bits = number(UInt32.self)
      self = .float(Float(bitPattern: bits >> 31 == 1 ? bits ^ (1 << 31) : ~bits))
    case .bytes: self = .bytes(Array(content))
    case .uuid:
      let bits = number(UInt128.self)
      self = .uuid(UInt64(truncatingIfNeeded: bits >> 64), UInt64(truncatingIfNeeded: bits))
    }
  }
}

extension Value {
  /// Whether no other value has this value's index key.
  var isAloneInIndexKey: Bool {
    if case .bytes(let bytes) = self { bytes.count < IndexKey.byteCountMax - 1 } else { true }
  }

  /// Whether the value's index key contains the whole value.
  var isWholeInIndexKey: Bool {
    if case .bytes(let bytes) = self { bytes.count < IndexKey.byteCountMax } else { true }
  }

  /// Calls `body` with the value's index key, made without allocation.
  ///
  /// - Precondition: The value is not null, and ``isWholeInIndexKey``.
  @inline(__always)
  func withIndexKey<Result>(
    _ body: (ByteView) throws(EngineError) -> Result
  ) throws(EngineError) -> Result {
    switch self {
    case .bytes(let bytes):
      return try IndexKey.withKey(of: bytes, body)
    case .integer(let number):
      return try IndexKey.withKey(fixed: UInt64(bitPattern: number) ^ (1 << 63), body)
    case .uuid(let high, let low):
      return try IndexKey.withKey(fixed: UInt128(high) << 64 | UInt128(low), body)
    default:
      var key = IndexKey()
      key.set(self)
      return try key.withView(body)
    }
  }
}

extension IndexKey {
  /// Calls `body` with the key of bytes up to the maximum key length.
  fileprivate static func withKey<Result>(
    of bytes: [UInt8], _ body: (ByteView) throws(EngineError) -> Result
  ) throws(EngineError) -> Result {
    try withTemporaryBytes(bytes.count + 1) { (key) throws(EngineError) in
      key.store(UInt8(1), at: 0)
      bytes.withByteView { key.copy($0, at: 1) }
      return try body(key.readOnly)
    }
  }

  /// Calls `body` with the key of a number, the highest byte first.
  @inline(__always)
  fileprivate static func withKey<Number: FixedWidthInteger & BitwiseCopyable, Result>(
    fixed number: Number, _ body: (ByteView) throws(EngineError) -> Result
  ) throws(EngineError) -> Result {
    try withTemporaryBytes(1 + MemoryLayout<Number>.size) { (key) throws(EngineError) in
      key.store(UInt8(1), at: 0)
      // A view stores little-endian.
      key.store(number.byteSwapped, at: 1)
      return try body(key.readOnly)
    }
  }
}
