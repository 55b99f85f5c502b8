import Roost

/// YCSB's records in Roost.
final class RoostRecords: RecordDatabase {
  private let store: Store

  init(_ store: Store) { self.store = store }

  convenience init(creating path: String) throws { try self.init(opening: path) }

  convenience init(opening path: String) throws {
    self.init(try Store(.file(path), models: Record.self))
  }

  func close() { store.close() }

  func insert(_ records: [Record]) throws {
    try store.write { try $0.insert(contentsOf: records) }
  }

  func read(_ id: Int, _ fields: FieldChoice) throws -> Int {
    try store.read { snapshot in
      try snapshot.row(Record.self, id: id).map { try touch($0, fields) } ?? 0
    }
  }

  func scan(from id: Int, count: Int, _ fields: FieldChoice) throws -> Int {
    try store.read { snapshot in
      var sum = 0
      for row in try snapshot.rows(Record.where { $0.id >= id }.limit(count)) {
        sum += try touch(row, fields)
      }
      return sum
    }
  }

  private func touch(_ row: Row<Record>, _ fields: FieldChoice) throws -> Int {
    switch fields {
    case .all: try Record.fields.reduce(0) { try $0 + row.withBytes($1, textTouch) }
    case .one(let field): try row.withBytes(Record.fields[field], textTouch)
    }
  }

  func update(_ id: Int, _ fields: FieldChoice, to text: String) throws {
    try store.write { transaction in
      try transaction.update(Record.self, id: id) { change(&$0, fields, to: text) }
    }
  }

  func modify(_ id: Int, _ fields: FieldChoice, to text: String) throws -> Int {
    try store.write { transaction in
      var sum = 0
      try transaction.update(Record.self, id: id) { record in
        switch fields {
        case .all: sum = Record.fields.reduce(0) { $0 + textTouch(record[keyPath: $1].utf8) }
        case .one(let field): sum = textTouch(record[keyPath: Record.fields[field]].utf8)
        }
        change(&record, fields, to: text)
      }
      return sum
    }
  }

  private func change(_ record: inout Record, _ fields: FieldChoice, to text: String) {
    switch fields {
    case .all: for field in Record.fields { record[keyPath: field] = text }
    case .one(let field): record[keyPath: Record.fields[field]] = text
    }
  }
}
