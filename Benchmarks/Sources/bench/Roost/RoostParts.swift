import Roost

/// OO1's parts in Roost.
final class RoostParts: PartDatabase {
  private let store: Store

  init(creating path: String) throws {
    store = try Store(.file(path), models: Part.self, Connection.self)
  }

  convenience init(opening path: String) throws { try self.init(creating: path) }

  func close() { store.close() }

  func insert(_ parts: [Part], _ connections: [Connection]) throws {
    try store.write { transaction in
      try transaction.insert(contentsOf: parts)
      try transaction.insert(contentsOf: connections)
    }
  }

  func visit(_ ids: [Int]) throws -> PartVisits {
    try store.read { transaction in
      var visits = PartVisits()
      for id in ids { try visit(id, &visits, transaction) }
      return visits
    }
  }

  private func visit(
    _ id: Int, _ visits: inout PartVisits, _ transaction: ReadTransaction
  ) throws {
    guard let part = try transaction.fetch(Part.self, id: id) else { return }
    visits.visit(x: part.x, y: part.y, type: part.type.utf8)
  }

  func traverse(from id: Int, hops: Int) throws -> PartVisits {
    try store.read { transaction in
      var visits = PartVisits()
      func walk(_ id: Int, _ hops: Int) throws {
        try visit(id, &visits, transaction)
        guard hops > 0 else { return }
        let ids = Connection.ids(from: id)
        for connection in try transaction.fetch(Connection.self, ids: ids) {
          try walk(connection.target.id, hops - 1)
        }
      }
      try walk(id, hops)
      return visits
    }
  }

  func traverseBackwards(from id: Int, hops: Int) throws -> PartVisits {
    try store.read { transaction in
      var visits = PartVisits()
      func walk(_ id: Int, _ hops: Int) throws {
        try visit(id, &visits, transaction)
        guard hops > 0 else { return }
        let incoming = Connection.where { $0.target == Link(id: id) }
        for connection in try transaction.rows(incoming) {
          try walk(connection.source.id, hops - 1)
        }
      }
      try walk(id, hops)
      return visits
    }
  }
}
