import Roost
import Testing

private struct Bead: Model {
  let id: Int
  var next: Link<Bead>?
  var others: Links<Bead>
  static let schema = Schema(
    Bead.init, Key("id", \.id), Field("next", \.next, .onTargetDelete(.cascade)),
    Field("others", \.others, .onTargetDelete(.cascade)))
}

private struct Clasp: Model {
  let id: Int
  var beads: Links<Bead>
  static let schema = Schema(
    Clasp.init, Key("id", \.id), Field("beads", \.beads, .onTargetDelete(.deny)))
}

/// Deletions that take with them what links to them, and what links to that, ten thousand times.
@Suite struct CascadingChainTests {
  /// What the objects of a chain are linked by.
  enum Way: CaseIterable {
    case links, lists, bothInTurn

    func isList(_ id: Int) -> Bool {
      switch self {
      case .links: false
      case .lists: true
      case .bothInTurn: id.isMultiple(of: 2)
      }
    }
  }

  private static let count = 10_000

  /// A store of objects, each of which has a link to the one before it; the first to the last where they are a circle.
  private func store(_ way: Way, isCircle: Bool) throws -> Store {
    let store = try Store(.inMemory, models: Bead.self, Clasp.self)
    try store.write { transaction in
      try transaction.insert(
        contentsOf: (0..<Self.count).map { id in
          let before = id > 0 ? id - 1 : isCircle ? Self.count - 1 : nil
          let isList = way.isList(id)
          return Bead(
            id: id, next: isList ? nil : before.map { Link(id: $0) },
            others: Links(ids: isList ? before.map { [$0] } ?? [] : []))
        })
    }
    return store
  }

  @Test(arguments: Way.allCases)
  func aChainIsDeletedFromAnyOfItsObjectsOn(way: Way) throws {
    let store = try store(way, isCircle: false)
    let wereThere = try store.write { transaction in
      try [7, Self.count - 1].map { try transaction.delete(Bead.self, id: $0) }
    }
    #expect(wereThere == [true, false])
    #expect(try store.read { try $0.fetch(Bead.all).map(\.id) } == Array(0..<7))
    #expect(try store.verify() == [])
  }

  @Test(arguments: Way.allCases)
  func aCircleIsDeletedWithAnyOfItsObjects(way: Way) throws {
    let store = try store(way, isCircle: true)
    let wasThere = try store.write { try $0.delete(Bead.self, id: 5000) }
    #expect(wasThere)
    #expect(try store.read { try $0.count(Bead.all) } == 0)
    #expect(try store.verify() == [])
  }

  @Test(arguments: Way.allCases)
  func whatMayNotBeDeletedKeepsTheWholeChain(way: Way) throws {
    let store = try store(way, isCircle: false)
    try store.write { try $0.insert(Clasp(id: 1, beads: Links(ids: [3, Self.count / 2, 3]))) }
    let before = try store.read { try $0.fetch(Bead.all) }
    #expect(
      throws: StoreError.linkedTarget(
        model: "Bead", id: "\(Self.count / 2)", linkingModel: "Clasp", linkingField: "beads")
    ) {
      try store.write { transaction in
        try transaction.delete(Bead.self, id: 100)
        #expect(try transaction.count(Bead.all) == 100)
      }
    }
    #expect(try store.read { try $0.fetch(Bead.all) } == before)
    #expect(try store.verify() == [])
    // It may where the link goes in the same transaction.
    try store.write { transaction in
      try transaction.delete(Bead.self, id: 100)
      try transaction.delete(Clasp.self, id: 1)
    }
    #expect(try store.read { try $0.count(Bead.all) } == 100)
    #expect(try store.verify() == [])
  }

  @Test func anObjectThatListsItselfIsDeletedOnce() throws {
    let store = try Store(.inMemory, models: Bead.self, Clasp.self)
    try store.write { transaction in
      try transaction.insert(Bead(id: 1, next: Link(id: 1), others: Links(ids: [1, 2, 1])))
      try transaction.insert(Bead(id: 2, next: nil, others: Links(ids: [2])))
      try transaction.insert(Bead(id: 3, next: nil, others: Links(ids: [3])))
    }
    #expect(try store.write { try $0.delete(Bead.self, ids: [2, 2]) } == 1)
    #expect(try store.read { try $0.fetch(Bead.all).map(\.id) } == [3])
    #expect(try store.verify() == [])
  }
}
