import CLMDB

/// YCSB's records in LMDB: the ten texts, one behind the other.
final class LMDBRecords: RecordDatabase {
  private let environment: LMDBEnvironment
  private let records: MDB_dbi

  init(creating path: String) throws {
    environment = try LMDBEnvironment(path: path)
    records = try environment.open([("records", MDB_INTEGERKEY)])[0]
  }

  convenience init(opening path: String) throws { try self.init(creating: path) }

  func close() { environment.close() }

  private static let recordBytes = Record.fieldBytes * Record.fields.count

  private static func range(_ fields: FieldChoice) -> Range<Int> {
    switch fields {
    case .all: 0..<Record.fields.count
    case .one(let field): field..<field + 1
    }
  }

  func insert(_ records: [Record]) throws {
    try environment.write { transaction in
      for record in records {
        try withUnsafeTemporaryAllocation(byteCount: Self.recordBytes, alignment: 8) { bytes in
          for (place, field) in Record.fields.enumerated() {
            Self.copy(record[keyPath: field], to: bytes, place..<place + 1)
          }
          try withKey(record.id) { key in
            try transaction.put(self.records, key, MDB_val(UnsafeRawBufferPointer(bytes)))
          }
        }
      }
    }
  }

  private static func copy(
    _ text: String, to bytes: UnsafeMutableRawBufferPointer, _ fields: Range<Int>
  ) {
    var text = text
    text.withUTF8 { text in
      for field in fields {
        UnsafeMutableRawBufferPointer(rebasing: bytes[(field * Record.fieldBytes)...]).copyMemory(
          from: UnsafeRawBufferPointer(text))
      }
    }
  }

  private static func touch(_ record: MDB_val, _ fields: FieldChoice) -> Int {
    let bytes = UnsafeRawBufferPointer(record)
    return range(fields).reduce(0) { sum, field in
      let start = field * Record.fieldBytes
      return sum + textTouch(bytes[start..<start + Record.fieldBytes])
    }
  }

  func read(_ id: Int, _ fields: FieldChoice) throws -> Int {
    try environment.read { transaction in
      try withKey(id) { try transaction.get(records, $0) }.map { Self.touch($0, fields) } ?? 0
    }
  }

  func scan(from id: Int, count: Int, _ fields: FieldChoice) throws -> Int {
    try environment.read { transaction in
      try transaction.withCursor(records) { cursor in
        try withKey(id) { key in
          var key = key
          var value = MDB_val()
          var sum = 0
          var isThere = try cursor.move(MDB_SET_RANGE, &key, &value)
          for _ in 0..<count where isThere {
            sum += Self.touch(value, fields)
            isThere = try cursor.move(MDB_NEXT, &key, &value)
          }
          return sum
        }
      }
    }
  }

  func update(_ id: Int, _ fields: FieldChoice, to text: String) throws {
    _ = try modify(id, fields, to: text)
  }

  func modify(_ id: Int, _ fields: FieldChoice, to text: String) throws -> Int {
    try environment.write { transaction in
      try withKey(id) { key in
        guard let record = try transaction.get(records, key) else { return 0 }
        let sum = Self.touch(record, fields)
        try withUnsafeTemporaryAllocation(byteCount: Self.recordBytes, alignment: 8) { bytes in
          bytes.copyMemory(from: UnsafeRawBufferPointer(record))
          Self.copy(text, to: bytes, Self.range(fields))
          try transaction.put(records, key, MDB_val(UnsafeRawBufferPointer(bytes)))
        }
        return sum
      }
    }
  }
}
