internal import RoostEngine

/// The objects that cannot be saved because the target of a required link is not saved.
///
/// Each lost object may cause further losses. Links are read at most twice, the second time only if some object is
/// lost: then they are sorted by target, to find the objects that link to each lost one.
struct UnlinkedObjects {
  /// The keys of the lost objects, by table index.
  private(set) var keys: [Set<Int64>]
  /// The objects in the order of their loss: first those whose targets do not exist; then, in rounds, those
  /// whose targets were lost in the round before. A round is in the order of tables, then of keys.
  private(set) var lost: [Object] = []

  /// An object, by the index of its table and its key.
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

  /// The required links by target table, sorted by target.
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
