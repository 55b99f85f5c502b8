import RoostEngine
import RoostTestSupport

/// What a store of objects with links must hold: the oracle of the tests of delete rules.
///
/// A rule is followed for each deleted object by looking at every other one.
struct LinkGraph: Equatable {
  /// A link of a table: the place of the table that it leads to, and what the definition says.
  struct Link: Hashable {
    let target: Int
    let rule: ReferentialAction
    let isOptional: Bool
  }

  /// An object by the place of its table and its key.
  struct Object: Hashable {
    let table: Int
    let key: Int64
  }

  /// The links of each table.
  let links: [[Link]]
  /// By table and key, where each link of the object leads to.
  var objects: [[Int64: [Int64?]]]

  init(links: [[Link]]) {
    self.links = links
    objects = links.map { _ in [:] }
  }

  /// A few tables with links into each other and themselves. The objects of the first need no others.
  static func random(using random: inout SeededGenerator) -> LinkGraph {
    let tables = Int.random(in: 2...4, using: &random)
    let links = (0..<tables).map { table in
      (0..<Int.random(in: 1...3, using: &random)).map { _ in
        let isOptional = table == 0 || random.chance(3, in: 4)
        let rules = ReferentialAction.allCases.filter { isOptional || $0 != .nullify }
        return Link(
          target: Int.random(in: 0..<tables, using: &random),
          rule: rules.randomElement(using: &random) ?? .deny, isOptional: isOptional)
      }
    }
    return LinkGraph(links: links)
  }

  /// Deletes objects, then what the rules of links to them say; returns how many there were.
  mutating func delete(_ keys: some Sequence<Int64>, from table: Int) -> Int {
    var waiting: [Object] = []
    for key in keys where objects[table].removeValue(forKey: key) != nil {
      waiting.append(Object(table: table, key: key))
    }
    let count = waiting.count
    while let gone = waiting.popLast() {
      for (owner, links) in links.enumerated() {
        for (place, link) in links.enumerated()
        where link.target == gone.table && link.rule != .deny {
          let linked = objects[owner].filter { $0.value[place] == gone.key }.map(\.key)
          for key in linked {
            if link.rule == .nullify {
              objects[owner][key]?[place] = nil as Int64?
            } else {
              objects[owner][key] = nil
              waiting.append(Object(table: owner, key: key))
            }
          }
        }
      }
    }
    return count
  }

  /// A link that leads to no object.
  var danglingLink: (object: Object, place: Int)? {
    for (table, links) in links.enumerated() {
      for (key, targets) in objects[table] {
        for (place, link) in links.enumerated() {
          if let target = targets[place], objects[link.target][target] == nil {
            return (Object(table: table, key: key), place)
          }
        }
      }
    }
    return nil
  }
}
