internal import RoostEngine

/// The objects that cannot be saved because a link that must lead somewhere leads to one that is not.
///
/// One that is given up may take others along. So the links are gone through twice at most, and only where some object is
/// lost: then they are sorted by their targets, and each lost object finds those that link to it.
struct UnlinkedObjects {
  /// The keys of the lost objects, by the places of their tables.
  private(set) var keys: [Set<Int64>]
  /// The objects in the order in which they are given up: behind those whose targets do not exist, round by round those
  /// whose targets were given up in the round before, each round in the order of the tables and of the keys.
  private(set) var lost: [Object] = []

  /// An object of a table, by the table's place.
  struct Object {
    let table: Int
    let key: Int64
  }

  private struct Edge {
    let target: Int64
    let source: Object
  }

  /// - Parameter saved: The keys of the objects that can be read, by their table's number.
  init(of tables: [SalvagedTable], among saved: [UInt32: KeySet]) {
    keys = tables.map { _ in [] }
    for (place, table) in tables.enumerated() {
      table.forEachRequiredLink { object, field, target in
        if saved[field.target]?.contains(target) != true { add(Object(table: place, key: object)) }
      }
    }
    guard !lost.isEmpty else { return }
    let edges = Self.edges(of: tables)
    var start = 0
    while start < lost.count {
      let round = start..<lost.count
      lost[round].sort { ($0.table, $0.key) < ($1.table, $1.key) }
      for place in round {
        let target = lost[place]
        guard let edges = edges[tables[target.table].definition.id] else { continue }
        var edge = edges.partitioningIndex { $0.target >= target.key }
        while edge < edges.count, edges[edge].target == target.key {
          add(edges[edge].source)
          edge += 1
        }
      }
      start = round.upperBound
    }
  }

  private mutating func add(_ object: Object) {
    if keys[object.table].insert(object.key).inserted { lost.append(object) }
  }

  /// The links that must lead somewhere, by the tables that they lead to and in the order of their targets.
  private static func edges(of tables: [SalvagedTable]) -> [UInt32: [Edge]] {
    var edges: [UInt32: [Edge]] = [:]
    for (place, table) in tables.enumerated() {
      table.forEachRequiredLink { object, field, target in
        edges[field.target, default: []].append(
          Edge(target: target, source: Object(table: place, key: object)))
      }
    }
    return edges.mapValues { $0.sorted { $0.target < $1.target } }
  }
}
