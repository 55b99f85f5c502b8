import Roost
import RoostTestSupport
import Testing

/// Objects that the closure of an update changes through the transaction, too.
@Suite struct NestedUpdateTests {
  private struct Lift: Model, Equatable {
    let id: Int
    var name: String
    var load: Int
    var speed: Double?
    var next: Link<Lift>?
    var photo: Blob
    static let schema = Schema(
      Lift.init, Key("id", \.id), Field("name", \.name), Field("load", \.load),
      Field("speed", \.speed), Field("next", \.next), Field("photo", \.photo))

    static func == (a: Lift, b: Lift) -> Bool {
      (a.id, a.name, a.load, a.speed, a.next) == (b.id, b.name, b.load, b.speed, b.next)
    }
  }

  private let store: Store

  init() throws {
    store = try Store(.inMemory, models: Lift.self)
    try store.write { transaction in
      for id in 1...3 {
        try transaction.insert(
          Lift(
            id: id, name: "lift \(id)", load: id, speed: nil, next: Link(id: 1),
            photo: Blob([UInt8(id)])))
      }
    }
  }

  private func check(
    _ expected: (inout Lift) -> Void, _ change: (WriteTransaction, inout Lift) throws -> Void
  ) throws {
    try store.write { transaction in
      var meant = try transaction.find(Lift.self, id: 1)
      expected(&meant)
      let result = try transaction.update(Lift.self, id: 1) { try change(transaction, &$0) }
      #expect(result == meant)
      let stored = try transaction.find(Lift.self, id: 1)
      #expect(stored == meant)
      for id in 2...3 { #expect(try transaction.find(Lift.self, id: id).name == "lift \(id)") }
    }
    #expect(try store.snapshot().blob(\Lift.photo, of: 1).read(0..<1) == [1])
  }

  @Test func bothChangesAreWritten() throws {
    try check({ ($0.load, $0.name) = (100, "inner") }) { transaction, lift in
      lift.load = 100
      try transaction.update(Lift.self, id: 1, set: \.name, to: "inner")
    }
    try check({ ($0.load, $0.name, $0.speed) = (101, "two", 1.5) }) { transaction, lift in
      lift.load = 101
      try transaction.update(Lift.self, id: 1) { inner in
        inner.name = "three"
        try transaction.update(Lift.self, id: 1) { $0.speed = 1.5 }
      }
      try transaction.update(Lift.where { $0.load == 100 }, set: \.name, to: "two")
    }
    try check({ ($0.load, $0.next) = (7, nil) }) { transaction, lift in
      var other = lift
      other.load = 7
      try transaction.upsert(other)
      lift.next = nil
    }
  }

  @Test func theClosureHasTheLastWordOnWhatItChanges() throws {
    try check({ $0.name = "outer" }) { transaction, lift in
      lift.name = "outer"
      try transaction.update(Lift.self, id: 1, set: \.name, to: "inner")
      try transaction.update(Lift.self, id: 2, set: \.load, to: 5)
    }
  }

  @Test func aClosureThatThrowsLeavesWhatWasChangedThroughTheTransaction() throws {
    struct Stop: Error {}
    try store.write { transaction in
      #expect(throws: Stop.self) {
        try transaction.update(Lift.self, id: 1) { lift in
          lift.load = 9
          try transaction.update(Lift.self, id: 1, set: \.name, to: "inner")
          throw Stop()
        }
      }
      try transaction.update(Lift.self, id: 1) { $0.speed = 2 }
      let lift = try transaction.find(Lift.self, id: 1)
      #expect(lift.load == 1 && lift.name == "inner" && lift.speed == 2)
    }
  }
}
