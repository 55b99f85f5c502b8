extension IndexKey {
  /// The key of any value.
  mutating func set(_ value: Value) {
    switch value {
    case .null: setNull()
    case .integer(let number): set(number)
    case .double(let number): set(number)
    case .float(let number): set(number)
    case .bytes(let bytes): unsafe bytes.withUnsafeBytes { unsafe set($0) }
    case .uuid(let high, let low): set(uuid: high, low)
    }
  }

  /// The key of a cell that lies in memory.
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
