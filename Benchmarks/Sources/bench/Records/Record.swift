import Roost

/// The objects of YCSB: a key, and ten fields of a hundred bytes.
struct Record: Model {
  let id: Int
  var field0, field1, field2, field3, field4, field5, field6, field7, field8, field9: String

  static let schema = Schema(
    Record.init(id:field0:field1:field2:field3:field4:field5:field6:field7:field8:field9:),
    Key("id", \.id), Field("field0", \.field0), Field("field1", \.field1),
    Field("field2", \.field2), Field("field3", \.field3), Field("field4", \.field4),
    Field("field5", \.field5), Field("field6", \.field6), Field("field7", \.field7),
    Field("field8", \.field8), Field("field9", \.field9))

  static let fields: [any WritableKeyPath<Record, String> & Sendable] = [
    \.field0, \.field1, \.field2, \.field3, \.field4, \.field5, \.field6, \.field7, \.field8,
    \.field9,
  ]

  static let fieldBytes = 100
}

extension Record {
  /// The record of an id, always the same.
  init(id: Int) {
    var random = SplitMix64(seed: UInt64(id))
    func text() -> String { Self.text(using: &random) }
    self.init(
      id: id, field0: text(), field1: text(), field2: text(), field3: text(), field4: text(),
      field5: text(), field6: text(), field7: text(), field8: text(), field9: text())
  }

  /// A text for a field.
  static func text(using random: inout SplitMix64) -> String {
    String(unsafeUninitializedCapacity: fieldBytes) { bytes in
      var bits: UInt64 = 0
      for place in 0..<fieldBytes {
        if place % 12 == 0 { bits = random.next() }
        bytes[place] = UInt8(ascii: "0") + UInt8(bits & 31)
        bits >>= 5
      }
      return fieldBytes
    }
  }
}

/// What reading a text adds up: its first byte and its length.
@inline(__always)
func textTouch(_ bytes: some Collection<UInt8>) -> Int {
  Int(bytes.first ?? 0) + bytes.count
}

/// Which fields of a record an operation reads or writes.
enum FieldChoice {
  case all
  case one(Int)
}

/// A database of records. Each method is a transaction of its own; what it writes is durable when it returns.
protocol RecordDatabase: FileDatabase {
  func insert(_ records: [Record]) throws
  /// What the fields of a record add up to, see ``textTouch(_:)``.
  func read(_ id: Int, _ fields: FieldChoice) throws -> Int
  /// The same for so many records, in the order of ids, from one on.
  func scan(from id: Int, count: Int, _ fields: FieldChoice) throws -> Int
  /// Gives the fields another text.
  func update(_ id: Int, _ fields: FieldChoice, to text: String) throws
  /// Reads the fields and gives them another text.
  func modify(_ id: Int, _ fields: FieldChoice, to text: String) throws -> Int
}

extension Subject {
  var recordDatabase: (any RecordDatabase.Type)? {
    switch self {
    case .roost: RoostRecords.self
    case .sqlite: SQLiteRecords.self
    case .lmdb: LMDBRecords.self
    #if GRDB
    case .grdb, .grdbRows: nil
    #endif
    }
  }
}
