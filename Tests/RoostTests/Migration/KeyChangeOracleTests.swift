import Foundation
import Roost
import RoostTestSupport
import Testing

/// Random graphs whose nodes get other keys, compared with the same graphs in plain Swift.
@Suite struct KeyChangeOracleTests {
  @Test(arguments: 1...40)
  func linksLeadToTheSameObjectsUnderEveryKey(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var graph = KeyGraph(keys: 3, nodes: Int.random(in: 0...60, using: &random), &random)
    try follow(&graph, &random, "seed \(seed)")
  }

  @Test(arguments: [101, 102] as [UInt64])
  func theyDoAcrossManyLeaves(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var graph = KeyGraph(keys: 3, nodes: 1500, &random)
    try follow(&graph, &random, "seed \(seed)")
  }

  private func follow(
    _ graph: inout KeyGraph, _ random: inout SeededGenerator, _ name: String
  ) throws {
    var kind = nodeKeys.randomElement(using: &random) ?? Int.self
    var name = "\(name): \(kind)"
    try withTemporaryDirectory { directory in
      let location = Location.file(directory + "/graph.roost")
      var steps: [MigrationStep] = []
      try write(graph, to: try open(location, kind, steps), kind)
      for round in 1...3 {
        let next = nodeKeys.randomElement(using: &random) ?? Int.self
        let converts = random.chance(1, in: 2)
        steps.append(step(round, from: kind, to: next, converts: converts, graph))
        kind = next
        name += " to \(kind)\(converts ? " by a closure" : "")"
        // A program that knows nothing of the edges changes their links, too.
        let store = try random.chance(1, in: 4) ? openNodes(location, kind, steps) : nil
        store?.close()
        try check(graph, round, try open(location, kind, steps), kind, name)
      }
      let store = try open(location, kind, steps)
      for _ in 0..<4 {
        guard let tag = graph.nodes.keys.sorted().randomElement(using: &random) else { break }
        try delete(graph.nodes[tag]?.keys[3] ?? 0, from: store, kind)
        graph.delete(tag)
      }
      try check(graph, 3, store, kind, name + ", after deletions")
    }
  }

  /// A step after which nodes are known by other values.
  private func step<Old: NodeKey, New: NodeKey>(
    _ round: Int, from old: Old.Type, to new: New.Type, converts: Bool, _ graph: KeyGraph
  ) -> MigrationStep {
    let (before, after) = ("Node<\(Old.self)>", "Node<\(New.self)>")
    let nodes = graph.nodes
    return MigrationStep("step \(round)") { migration in
      if converts {
        let keys = Dictionary(
          uniqueKeysWithValues: nodes.values.map {
            (Old.numbered($0.keys[round - 1]), New.numbered($0.keys[round]))
          })
        try migration.convert("id", of: before, from: Old.self, to: New.self) { key in
          try #require(keys[key])
        }
      } else {
        try migration.add("next key", to: before, default: New.numbered(0))
        try migration.rewrite(before) { old, new in
          let node = try #require(nodes[try old.value("tag", as: Int.self)])
          try new.set("next key", to: New.numbered(node.keys[round]))
        }
        try migration.changeKey(of: before, to: "next key")
        // What was the key is there, with its values.
        try migration.forEach(before) { node in
          let number = nodes[try node.value("tag", as: Int.self)]?.keys[round - 1]
          #expect(try node.value("id", as: Old.self) == Old.numbered(number ?? 0))
        }
        try migration.remove("id", of: before)
        try migration.rename("next key", of: before, to: "id")
      }
      if before != after {
        try migration.renameModel(before, to: after)
        try migration.renameModel("Edge<\(Old.self)>", to: "Edge<\(New.self)>")
      }
    }
  }

  // MARK: Stores

  private func open<K: NodeKey>(
    _ location: Location, _ key: K.Type, _ steps: [MigrationStep]
  ) throws -> Store {
    try Store(location, models: Node<K>.self, Edge<K>.self, configuration: .littleMemory) {
      for step in steps { step }
    }
  }

  private func openNodes<K: NodeKey>(
    _ location: Location, _ key: K.Type, _ steps: [MigrationStep]
  ) throws -> Store {
    try Store(location, models: Node<K>.self, configuration: .littleMemory) {
      for step in steps { step }
    }
  }

  private func write<K: NodeKey>(_ graph: KeyGraph, to store: Store, _ key: K.Type) throws {
    func link(_ tag: Int) -> Link<Node<K>> {
      Link(id: K.numbered(graph.nodes[tag]?.keys[0] ?? 0))
    }
    try store.write { tx in
      for (tag, node) in graph.nodes {
        try tx.insert(
          Node<K>(
            id: K.numbered(node.keys[0]), tag: tag, name: node.name, next: node.next.map(link),
            best: node.best.map(link), friends: Links(ids: node.friends.map { link($0).id }),
            data: Blob(node.data)))
      }
      for (id, edge) in graph.edges {
        try tx.insert(
          Edge<K>(
            id: id, weight: edge.weight, from: link(edge.from), to: edge.to.map(link),
            all: Links(ids: edge.all.map { link($0).id })))
      }
    }
    store.close()
  }

  private func delete<K: NodeKey>(_ number: Int, from store: Store, _ key: K.Type) throws {
    #expect(try store.write { try $0.delete(Node<K>.self, id: K.numbered(number)) })
  }

  private func check<K: NodeKey>(
    _ graph: KeyGraph, _ round: Int, _ store: Store, _ key: K.Type, _ name: String
  ) throws {
    let snapshot = store.snapshot()
    let nodes = try snapshot.fetch(Node<K>.all)
    var tags: [K: Int] = [:]
    for node in nodes { tags[node.id] = node.tag }
    func tag(_ link: Link<Node<K>>) throws -> Int { try #require(tags[link.id], "\(name)") }
    var found = graph
    (found.nodes, found.edges) = ([:], [:])
    for node in nodes {
      let data = try snapshot.blob(\Node<K>.data, of: node.id)
      found.nodes[node.tag] = KeyGraph.Node(
        keys: graph.nodes[node.tag]?.keys ?? [], name: node.name, next: try node.next.map(tag),
        best: try node.best.map(tag), friends: try node.friends.map { try tag(Link(id: $0)) },
        data: try data.read(0..<data.count))
      #expect(node.id == K.numbered(graph.nodes[node.tag]?.keys[round] ?? 0), "\(name)")
    }
    for edge in try snapshot.fetch(Edge<K>.all) {
      found.edges[edge.id] = KeyGraph.Edge(
        weight: edge.weight, from: try tag(edge.from), to: try edge.to.map(tag),
        all: try edge.all.map { try tag(Link(id: $0)) })
    }
    #expect(found == graph, "\(name)")
    #expect(try store.verify() == [], "\(name)")
    // The inverses and the other indexes, at some of the nodes.
    for node in nodes.prefix(20) {
      let edges = graph.edges.values.filter { $0.from == node.tag }
      #expect(try snapshot.count(Inverse(\Edge<K>.from), of: node.id) == edges.count, "\(name)")
      let link = Link<Node<K>>(id: node.id)
      #expect(
        try snapshot.count(Edge<K>.where { $0.from == link && $0.weight == 1 })
          == edges.filter { $0.weight == 1 }.count, "\(name)")
      #expect(
        try snapshot.fetch(Inverse(\Node<K>.best)(of: node.id)).map(\.tag)
          == graph.nodes.filter { $0.value.best == node.tag }.map(\.key), "\(name)")
      let like = graph.nodes.values.filter { $0.name == node.name }
      #expect(try snapshot.count(Node<K>.where { $0.name == node.name }) == like.count, "\(name)")
    }
  }
}
