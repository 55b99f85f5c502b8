import Roost

/// redb's entries in Roost.
final class RoostEntries: EntryDatabase {
  private let path: String
  private var store: Store

  init(creating path: String) throws {
    self.path = path
    store = try Store(.file(path), models: Entry.self)
  }

  convenience init(opening path: String) throws { try self.init(creating: path) }

  func close() { store.close() }

  func insert(_ entries: [Entry]) throws {
    try store.write { try $0.insert(contentsOf: entries) }
  }

  func count() throws -> Int { try store.read { try $0.count(Entry.all) } }

  func touch(_ keys: [String]) throws -> Int {
    try store.read { snapshot in
      var sum = 0
      for key in keys {
        guard let row = try snapshot.row(Entry.self, id: key) else { continue }
        sum += try row.withBytes(\.value, textTouch)
      }
      return sum
    }
  }

  func touchTen(from keys: [String]) throws -> Int {
    try store.read { snapshot in
      var sum = 0
      for key in keys {
        let ten = Entry.where { $0.id >= key }.order(by: \.id).limit(10)
        for row in try snapshot.rows(ten) { sum += try row.withBytes(\.value, textTouch) }
      }
      return sum
    }
  }

  func delete(_ keys: [String]) throws {
    try store.write { transaction in
      for key in keys { try transaction.delete(Entry.self, id: key) }
    }
  }

  func reader() -> any EntryDatabase { self }

  func compactAndClose() throws -> String {
    store.close()
    var configuration = Configuration()
    configuration.compaction = .custom { _, _ in true }
    store = try Store(.file(path), models: Entry.self, configuration: configuration)
    store.close()
    return path
  }
}
