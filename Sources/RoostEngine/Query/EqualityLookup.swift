/// One value that an indexed field is to have: the query that apps ask most, answered by the index alone.
///
/// No condition is compiled and no plan made: in an index the way to a value is never the longer one, but
/// where so many objects have it that looking at all leaves is the cheaper.
struct EqualityLookup {
  private let index: IndexTree
  private let value: Value
  let field: FieldID

  /// So many keys are taken from an index at once; a query that finds more is planned.
  private static let keysMax = 8192

  /// The lookup that a query is; nil where it is something else, or not as the catalog says.
  init?(_ query: ObjectQuery, in view: ReadView) {
    guard case .compare(let field, .equal, let value) = query.predicate,
      let type = value.type, !value.isNaN, value.fitsIndexKey,
      let index = view.index(of: field, in: query.table, type)
    else { return nil }
    self.index = index
    self.value = value
    self.field = field
  }

  /// How many objects have the value.
  func count() throws(EngineError) -> Int {
    try value.withIndexKey { (key) throws(EngineError) in
      Int(clamping: try index.count(equal: key))
    }
  }

  /// The keys of the objects that have the value, ascending; nil where there are many.
  func keys() throws(EngineError) -> [Int64]? {
    var keys: [Int64] = []
    let isWhole = try value.withIndexKey { (key) throws(EngineError) in
      try index.visit(equal: key) { (run) throws(EngineError) in
        guard keys.count + run.count <= Self.keysMax else { return false }
        run.append(to: &keys)
        return true
      }
    }
    return isWhole ? keys : nil
  }
}

extension Value {
  /// Whether the key of the value in an index is that of no other value.
  fileprivate var fitsIndexKey: Bool {
    if case .bytes(let bytes) = self { bytes.count < IndexKey.byteCountMax - 1 } else { true }
  }

  /// Calls `body` with the key of the value in an index, made where nothing is allocated.
  ///
  /// - Precondition: The value is not null, and ``fitsIndexKey``.
  fileprivate func withIndexKey<Result>(
    _ body: (ByteView) throws(EngineError) -> Result
  ) throws(EngineError) -> Result {
    switch self {
    case .bytes(let bytes):
      return try IndexKey.withKey(of: bytes, body)
    case .integer(let number):
      return try IndexKey.withKey(fixed: UInt64(bitPattern: number) ^ (1 << 63), body)
    default:
      var key = IndexKey()
      key.set(self)
      return try key.withView(body)
    }
  }
}

extension IndexKey {
  /// Calls `body` with the key of bytes that are no longer than a key may be.
  fileprivate static func withKey<Result>(
    of bytes: [UInt8], _ body: (ByteView) throws(EngineError) -> Result
  ) throws(EngineError) -> Result {
    let result = unsafe withUnsafeTemporaryAllocation(byteCount: bytes.count + 1, alignment: 8) {
      buffer in
      unsafe buffer[0] = 1
      unsafe bytes.withUnsafeBytes {
        unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[1...]).copyMemory(from: $0)
      }
      return Swift.Result { () throws(EngineError) in
        try body(unsafe ByteView(UnsafeRawBufferPointer(buffer)))
      }
    }
    return try result.get()
  }

  /// Calls `body` with the key of a number, from its highest byte on.
  fileprivate static func withKey<Result>(
    fixed number: UInt64, _ body: (ByteView) throws(EngineError) -> Result
  ) throws(EngineError) -> Result {
    let result = unsafe withUnsafeTemporaryAllocation(byteCount: 9, alignment: 8) { buffer in
      unsafe buffer[0] = 1
      unsafe buffer.storeBytes(of: number.bigEndian, toByteOffset: 1, as: UInt64.self)
      return Swift.Result { () throws(EngineError) in
        try body(unsafe ByteView(UnsafeRawBufferPointer(buffer)))
      }
    }
    return try result.get()
  }
}
