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
    try store.read { snapshot in
      var visits = PartVisits()
      for id in ids { try visit(id, &visits, snapshot) }
      return visits
    }
  }

  private func visit(
    _ id: Int, _ visits: inout PartVisits, _ snapshot: Snapshot
  ) throws {
    guard let part = try snapshot.row(Part.self, id: id) else { return }
    let (x, y) = (try part.x, try part.y)
    try part.withBytes(\.type) { visits.visit(x: x, y: y, type: $0) }
  }

  func traverse(from id: Int, hops: Int) throws -> PartVisits {
    try walk(from: id, hops: hops) { part, snapshot, next in
      for connection in Connection.ids(from: part) {
        guard let row = try snapshot.row(Connection.self, id: connection) else { continue }
        try next(row.target.id)
      }
    }
  }

  func traverseBackwards(from id: Int, hops: Int) throws -> PartVisits {
    try walk(from: id, hops: hops) { part, snapshot, next in
      let incoming = Connection.where { $0.target == Link(id: part) }
      for connection in try snapshot.rows(incoming) { try next(connection.source.id) }
    }
  }

  /// Visits a part and what `neighbours` gives for it, so many hops away.
  private func walk(
    from id: Int, hops: Int,
    neighbours: @escaping (Int, Snapshot, (Int) throws -> Void) throws -> Void
  ) throws -> PartVisits {
    try store.read { snapshot in
      var visits = PartVisits()
      func walk(_ id: Int, _ hops: Int) throws {
        try visit(id, &visits, snapshot)
        guard hops > 0 else { return }
        try neighbours(id, snapshot) { try walk($0, hops - 1) }
      }
      try walk(id, hops)
      return visits
    }
  }
}
