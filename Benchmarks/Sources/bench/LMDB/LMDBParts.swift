import CLMDB

/// OO1's parts in LMDB: a part's record holds its connections, and a table leads from a target to its sources.
final class LMDBParts: PartDatabase {
  private let environment: LMDBEnvironment
  private let parts: MDB_dbi
  private let sources: MDB_dbi

  init(creating path: String) throws {
    environment = try LMDBEnvironment(path: path)
    let sortedIDs = MDB_DUPSORT | MDB_DUPFIXED | MDB_INTEGERDUP | MDB_INTEGERKEY
    let tables = try environment.open([("parts", MDB_INTEGERKEY), ("sources", sortedIDs)])
    (parts, sources) = (tables[0], tables[1])
  }

  convenience init(opening path: String) throws { try self.init(creating: path) }

  func close() { environment.close() }

  /// A record: x, y, built, three targets and three lengths of eight bytes each, then four texts of ten.
  private enum Layout {
    static let targets = 24
    static let lengths = 48
    static let types = 72
    static let typeBytes = 10
    static let bytes = 112
  }

  func insert(_ new: [Part], _ connections: [Connection]) throws {
    try environment.write { transaction in
      for (place, part) in new.enumerated() {
        let first = place * Connection.perPart
        let own = connections[first..<first + Connection.perPart]
        try withUnsafeTemporaryAllocation(byteCount: Layout.bytes, alignment: 8) { record in
          Self.write(part, Array(own), to: record)
          try withKey(part.id) {
            try transaction.put(parts, $0, MDB_val(UnsafeRawBufferPointer(record)))
          }
        }
        for connection in own {
          try withKey(connection.target.id) { target in
            // A part that leads to another twice counts twice, so the connection is what is kept.
            try withKey(connection.id) { try transaction.put(sources, target, $0) }
          }
        }
      }
    }
  }

  private static func write(
    _ part: Part, _ connections: [Connection], to record: UnsafeMutableRawBufferPointer
  ) {
    record.storeBytes(of: part.x, as: Int.self)
    record.storeBytes(of: part.y, toByteOffset: 8, as: Int.self)
    record.storeBytes(of: part.built, toByteOffset: 16, as: Int.self)
    for (place, connection) in connections.enumerated() {
      record.storeBytes(
        of: connection.target.id, toByteOffset: Layout.targets + place * 8, as: Int.self)
      record.storeBytes(
        of: connection.length, toByteOffset: Layout.lengths + place * 8, as: Int.self)
    }
    for (place, type) in ([part.type] + connections.map(\.type)).enumerated() {
      let start = Layout.types + place * Layout.typeBytes
      UnsafeMutableRawBufferPointer(rebasing: record[start...]).copyBytes(from: type.utf8)
    }
  }

  func visit(_ ids: [Int]) throws -> PartVisits {
    try environment.read { transaction in
      var visits = PartVisits()
      for id in ids { _ = try visit(id, &visits, transaction) }
      return visits
    }
  }

  /// Visits a part, and gives its record.
  private func visit(
    _ id: Int, _ visits: inout PartVisits, _ transaction: LMDBTransaction
  ) throws -> UnsafeRawBufferPointer? {
    guard let value = try withKey(id, { try transaction.get(parts, $0) }) else { return nil }
    let record = UnsafeRawBufferPointer(value)
    visits.visit(
      x: record.loadUnaligned(as: Int.self),
      y: record.loadUnaligned(fromByteOffset: 8, as: Int.self),
      type: record[Layout.types..<Layout.types + Layout.typeBytes])
    return record
  }

  func traverse(from id: Int, hops: Int) throws -> PartVisits {
    try environment.read { transaction in
      var visits = PartVisits()
      func walk(_ id: Int, _ hops: Int) throws {
        guard let record = try visit(id, &visits, transaction), hops > 0 else { return }
        for place in 0..<Connection.perPart {
          let target = record.loadUnaligned(
            fromByteOffset: Layout.targets + place * 8, as: Int.self)
          try walk(target, hops - 1)
        }
      }
      try walk(id, hops)
      return visits
    }
  }

  func traverseBackwards(from id: Int, hops: Int) throws -> PartVisits {
    try environment.read { transaction in
      try transaction.withCursor(sources) { cursor in
        var visits = PartVisits()
        func walk(_ id: Int, _ hops: Int) throws {
          guard try visit(id, &visits, transaction) != nil, hops > 0 else { return }
          for source in try sources(of: id, cursor) { try walk(source, hops - 1) }
        }
        try walk(id, hops)
        return visits
      }
    }
  }

  /// The parts whose connections lead to a part.
  private func sources(of id: Int, _ cursor: LMDBCursor) throws -> [Int] {
    try withKey(id) { key in
      var key = key
      var page = MDB_val()
      var ids: [Int] = []
      guard try cursor.move(MDB_SET, &key, &page) else { return [] }
      var operation = MDB_GET_MULTIPLE
      while try cursor.move(operation, &key, &page) {
        operation = MDB_NEXT_MULTIPLE
        for offset in stride(from: 0, to: page.mv_size, by: 8) {
          ids.append(page.mv_data.loadUnaligned(fromByteOffset: offset, as: Int.self) / 4)
        }
      }
      return ids
    }
  }
}
