import CLMDB
import Foundation

/// redb's entries in LMDB.
final class LMDBEntries: EntryDatabase {
  private let environment: LMDBEnvironment
  private let entries: MDB_dbi

  init(creating path: String) throws {
    environment = try LMDBEnvironment(path: path)
    entries = try environment.open([("entries", 0)])[0]
  }

  convenience init(opening path: String) throws { try self.init(creating: path) }

  func close() { environment.close() }

  func insert(_ new: [Entry]) throws {
    try environment.write { transaction in
      for entry in new {
        var id = entry.id
        try id.withUTF8 { id in
          try entry.value.withUnsafeBytes { value in
            try transaction.put(
              entries, MDB_val(UnsafeRawBufferPointer(id)), MDB_val(value))
          }
        }
      }
    }
  }

  func count() throws -> Int {
    try environment.read { transaction in
      var statistics = MDB_stat()
      try LMDBError.check(mdb_stat(transaction.handle, entries, &statistics))
      return statistics.ms_entries
    }
  }

  func touch(_ keys: [String]) throws -> Int {
    try environment.read { transaction in
      var sum = 0
      for var key in keys {
        let value = try key.withUTF8 {
          try transaction.get(entries, MDB_val(UnsafeRawBufferPointer($0)))
        }
        sum += value.map { textTouch(UnsafeRawBufferPointer($0)) } ?? 0
      }
      return sum
    }
  }

  func touchTen(from keys: [String]) throws -> Int {
    try environment.read { transaction in
      try transaction.withCursor(entries) { cursor in
        var sum = 0
        for var key in keys {
          try key.withUTF8 { key in
            var key = MDB_val(UnsafeRawBufferPointer(key))
            var value = MDB_val()
            var isThere = try cursor.move(MDB_SET_RANGE, &key, &value)
            for _ in 0..<10 where isThere {
              sum += textTouch(UnsafeRawBufferPointer(value))
              isThere = try cursor.move(MDB_NEXT, &key, &value)
            }
          }
        }
        return sum
      }
    }
  }

  func delete(_ keys: [String]) throws {
    try environment.write { transaction in
      for var key in keys {
        try key.withUTF8 { try transaction.delete(entries, MDB_val(UnsafeRawBufferPointer($0))) }
      }
    }
  }

  func reader() -> any EntryDatabase { self }

  func compactAndClose() throws -> String { try environment.compactAndClose() }
}
