import Foundation
import Roost
import RoostTestSupport

/// A type that nodes of a graph are known by.
protocol NodeKey: Storable, Hashable, Sendable {
  /// The key that stands for a number; each number has its own.
  static func numbered(_ number: Int) -> Self
}

extension Int: NodeKey {
  static func numbered(_ number: Int) -> Int { number }
}

extension UInt: NodeKey {
  static func numbered(_ number: Int) -> UInt { UInt(bitPattern: number) }
}

extension String: NodeKey {
  static func numbered(_ number: Int) -> String { "k\(number)" }
}

extension UUID: NodeKey {
  static func numbered(_ number: Int) -> UUID {
    func byte(_ place: Int) -> UInt8 { UInt8(truncatingIfNeeded: number >> (8 * place)) }
    return UUID(
      uuid: (
        byte(0), byte(1), byte(2), byte(3), byte(4), byte(5), 64, byte(6), 128, byte(7), 0, 0, 0, 0,
        0, 0
      ))
  }
}

/// A key of two values.
struct RowAndSeat: CompoundKey {
  let row: Int
  let seat: String
  static let parts = KeyParts(RowAndSeat.init, KeyPart("row", \.row), KeyPart("seat", \.seat))
}

extension RowAndSeat: NodeKey {
  static func numbered(_ number: Int) -> RowAndSeat {
    RowAndSeat(row: number % 7, seat: "s\(number)")
  }
}

let nodeKeys: [any NodeKey.Type] = [
  Int.self, UInt.self, String.self, UUID.self, RowAndSeat.self,
]

/// What is linked to, also by others of its kind.
struct Node<Key: NodeKey>: Model {
  let id: Key
  var tag: Int
  var name: String
  var next: Link<Node>?
  var best: Link<Node>?
  var friends: Links<Node>
  var data: Blob

  static var schema: Schema<Self> {
    Schemas.of(Self.self) {
      Schema(
        Self.init(id:tag:name:next:best:friends:data:), Roost.Key("id", \.id),
        Field("tag", \.tag, .unique), Field("name", \.name, .indexed),
        Field("next", \.next, .onTargetDelete(.nullify)),
        Field("best", \.best, .unique, .onTargetDelete(.nullify)),
        Field("friends", \.friends, .onTargetDelete(.nullify)), Field("data", \.data))
    }
  }
  static var indexes: [Index<Self>] {
    [Index(\.name, \.tag), Index(\.next, \.name), Index(\.tag, where: { $0.next == nil })]
  }
}

/// What links to nodes.
struct Edge<Key: NodeKey>: Model {
  let id: Int
  var weight: Int
  var from: Link<Node<Key>>
  var to: Link<Node<Key>>?
  var all: Links<Node<Key>>

  static var schema: Schema<Self> {
    Schemas.of(Self.self) {
      Schema(
        Self.init(id:weight:from:to:all:), Roost.Key("id", \.id), Field("weight", \.weight),
        Field("from", \.from, .onTargetDelete(.cascade)),
        Field("to", \.to, .onTargetDelete(.nullify)),
        Field("all", \.all, .onTargetDelete(.nullify)))
    }
  }
  static var indexes: [Index<Self>] { [Index(\.from, \.weight)] }
}

/// Nodes and edges in plain Swift; nodes are known by their tags.
struct KeyGraph: Equatable {
  struct Node: Equatable {
    /// The numbers that its keys stand for, one after the other.
    var keys: [Int]
    var name: String
    var next: Int?
    var best: Int?
    var friends: [Int]
    var data: [UInt8]
  }
  struct Edge: Equatable {
    var weight: Int
    var from: Int
    var to: Int?
    var all: [Int]
  }

  var nodes: [Int: Node] = [:]
  var edges: [Int: Edge] = [:]

  /// A graph whose nodes have a key, and then so many others.
  init(keys: Int, nodes count: Int, _ random: inout SeededGenerator) {
    let tags = Array(0..<count)
    let numbers = (0...keys).map { _ in Self.numbers(count, &random) }
    let best = tags.shuffled(using: &random)
    func some(_ random: inout SeededGenerator) -> [Int] {
      let most = random.chance(1, in: 12) ? 400 : 5
      return (0..<Int.random(in: 0...most, using: &random)).compactMap { _ in
        tags.randomElement(using: &random)
      }
    }
    for tag in tags {
      let length =
        random.chance(1, in: 40)
        ? Int.random(in: 0...100_000, using: &random) : Int.random(in: 0...20, using: &random)
      nodes[tag] = Node(
        keys: numbers.map { $0[tag] }, name: "n\(Int.random(in: 0..<9, using: &random))",
        next: random.chance(1, in: 3) ? nil : tags.randomElement(using: &random),
        best: random.chance(1, in: 2) ? best[tag] : nil, friends: some(&random),
        data: random.bytes(length))
    }
    for id in 0..<count * 2 {
      guard let from = tags.randomElement(using: &random) else { break }
      edges[id] = Edge(
        weight: Int.random(in: 0..<5, using: &random), from: from,
        to: random.chance(1, in: 3) ? nil : tags.randomElement(using: &random),
        all: some(&random))
    }
  }

  /// Different numbers: from one on, around zero, or any.
  private static func numbers(_ count: Int, _ random: inout SeededGenerator) -> [Int] {
    switch Int.random(in: 0..<4, using: &random) {
    case 0: return (-count / 2..<count - count / 2).shuffled(using: &random)
    case 1:
      var numbers: Set<Int> = [.min, .max]
      while numbers.count < count { numbers.insert(Int(bitPattern: UInt(random.next()))) }
      return numbers.prefix(count).sorted().shuffled(using: &random)
    default: return (1..<count + 1).shuffled(using: &random)
    }
  }

  /// Removes a node, as the rules of the models say.
  mutating func delete(_ tag: Int) {
    nodes[tag] = nil
    edges = edges.filter { $0.value.from != tag }
    for id in edges.keys {
      if edges[id]?.to == tag { edges[id]?.to = nil }
      edges[id]?.all.removeAll { $0 == tag }
    }
    for other in nodes.keys {
      if nodes[other]?.next == tag { nodes[other]?.next = nil }
      if nodes[other]?.best == tag { nodes[other]?.best = nil }
      nodes[other]?.friends.removeAll { $0 == tag }
    }
  }
}
