import Foundation
import Roost
import RoostDynamic
import RoostTestSupport
import Testing

/// What cannot be written, and that nothing of it is.
@Suite struct DynamicRefusalTests {
  /// A store with a thing, 1, and the tags.
  private func withStore(_ body: (DynamicStore) throws -> Void) throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/things.roost"
      _ = try makeStore(path, things: 1)
      try body(DynamicStore(path, access: .write))
    }
  }

  @Test func aValueThatAFieldDoesNotTakeIsRefused() throws {
    try withStore { store in
      let unfit: [(String, DynamicValue)] = [
        ("isOn", 1), ("count", "1"), ("count", 0.5), ("size", -1), ("small", 0.1), ("name", 1),
        ("name", nil), ("bytes", "AA=="), ("at", 1), ("key", "x"), ("span", 1), ("price", 0.5),
        ("payment", .json("{")), ("payment", "{}"), ("numbers", "1"), ("numbers", ["1"]),
        ("words", [nil]), ("scores", ["x"]),
        ("scores", .dictionary([.init("x", 1.5), .init("x", 2.5)])),
        ("places", [nil]), ("places", [.record([.init("zip", 1)])]),
        ("places", [.record([.init("city", "x"), .init("street", "y")])]), ("tag", 1),
        ("tags", "t0"),
        ("tags", [1]), ("photo", "x"), ("home.city", nil),
      ]
      let before = try store.snapshot()
      for (field, value) in unfit {
        let error = #expect(throws: StoreError.self) {
          try store.write { try $0.update(1, of: "Thing", [field: value]) }
        }
        guard case .valueMismatch("Thing", let found, _, _)? = error else {
          Issue.record("\(field) \(value): \(String(describing: error))")
          continue
        }
        #expect(found == field)
      }
      // Numbers of other kinds that are the same are taken.
      try store.write {
        try $0.update(
          1, of: "Thing",
          [
            "count": 3.0, "size": 7, "ratio": 2, "small": 0.5, "price": 12, "stays": [nil],
            "scores": .dictionary([.init("x", 1), .init("a", 2)]), "words": ["b", "a", "b"],
          ])
      }
      let thing = try #require(try store.snapshot().object("Thing", 1))
      #expect(try thing["count"] == 3 && thing["size"] == .uint(7) && thing["ratio"] == 2.0)
      #expect(try thing["small"] == .float(0.5) && thing["price"] == .decimal(12))
      #expect(try thing["words"] == ["a", "b"] && thing["stays"] == [nil])
      #expect(
        try thing["scores"] == .dictionary([.init("a", 2.0), .init("x", 1.0)]))
      #expect(try store.snapshot().changes(since: before).of("Thing").modifications.count == 1)
      #expect(try store.verify() == [])
    }
  }

  @Test func whatDoesNotExistIsSaidByItsName() throws {
    try withStore { store in
      func refused(_ body: (DynamicTransaction) throws -> Void) -> StoreError? {
        #expect(throws: StoreError.self) { try store.write { try body($0) } }
      }
      #expect(refused { try $0.insert([:], into: "None") } == .unknownModel(model: "None"))
      #expect(refused { try $0.delete(1, from: "None") } == .unknownModel(model: "None"))
      #expect(
        refused { try $0.update(1, of: "Thing", ["none": 1]) }
          == .unknownField(model: "Thing", property: "none"))
      #expect(
        refused { try $0.insert(["id": "t9"], into: "Tag") }
          == .valueMismatch(model: "Tag", field: "label", expected: "String", found: "no value"))
      #expect(
        refused { try $0.insert(["id": "t0", "label": ""], into: "Tag") }
          == .duplicateKey(model: "Tag", field: "id", value: "t0"))
      #expect(
        refused { try $0.update("t0", of: "Tag", ["id": "t9"]) }
          == .changedKey(model: "Tag", id: "\"t0\""))
      #expect(
        refused { try $0.update("Tag", ["id": "t9"]) } == .changedKey(model: "Tag", id: "\"t9\""))
      let dangling = refused {
        try $0.insert(["id": .record([.init("hall", "x")]), "guest": 9], into: "Seat")
      }
      guard
        case .danglingLink(model: "Seat", _, field: "guest", target: "Thing", targetID: "9")? =
          dangling
      else {
        Issue.record("\(String(describing: dangling))")
        return
      }
      #expect(
        refused { try $0.update("Thing where none", [:]) }?.code == .queryMalformed)
      #expect(refused { try $0.delete("Thing where none") }?.code == .queryMalformed)
      #expect(refused { _ = try $0.count("Thing where none") }?.code == .queryMalformed)
      let isThere = try store.write { try $0.update(9, of: "Thing", [:]) }
      #expect(!isThere)
      let object = try store.write { try $0.object("Thing", 9) }
      #expect(object == nil)
    }
  }

  @Test func anUpdateOfManyThatFailsChangesNone() throws {
    try withStore { store in
      try store.write { transaction in
        #expect(throws: StoreError.self) {
          // All of them would have one name.
          try transaction.insert(["id": "t9", "label": "x"], into: "Tag")
          try transaction.add(
            DynamicField("code", .int, isOptional: true, isUnique: true), to: "Tag")
          try transaction.update("Tag sort id", ["code": 1, "label": "changed"])
        }
        let changed = try transaction.count(#"Tag where label == "changed""#)
        #expect(changed == 0)
        let all = try transaction.update("Tag sort id", ["code": nil, "label": "all"])
        #expect(all == 4)
      }
      #expect(try store.snapshot().count(#"Tag where label == "all""#) == 4)
    }
  }

  private struct Partly: Model {
    let id: Int
    var count: Int
    static let schema = Schema(Partly.init, Key("id", \.id), Field("count", \.count))
    static let indexes: [Index<Partly>] = [Index(\.count, where: { $0.count > 1 })]
  }

  /// A table with an index of some objects.
  private func partlyIndexedTable() throws -> DynamicTable {
    try withTemporaryDirectory { directory in
      let path = directory + "/partly.roost"
      try Store(path, models: Partly.self).close()
      return try #require(try DynamicStore(path).snapshot().table("Partly"))
    }
  }

  @Test func tablesAndFieldsComeAndGo() throws {
    try withStore { store in
      let rating = DynamicField("rating", .double, isIndexed: true, defaultValue: 2.5)
      try store.write { transaction in
        try transaction.add(rating, to: "Tag")
        try transaction.add(DynamicField("notes", .list(DynamicElement(.string))), to: "Tag")
        try transaction.add(DynamicField("parent", .link(to: "Tag"), isOptional: true), to: "Tag")
        try transaction.update("t1", of: "Tag", ["parent": "t0", "rating": 5])
      }
      let tag = try #require(try store.snapshot().object("Tag", "t1"))
      #expect(try tag["rating"] == 5.0 && tag["notes"] == [] && tag["parent"] == "t0")
      #expect(try store.snapshot().object("Tag", "t2")?["rating"] == 2.5)
      #expect(try store.snapshot().table("Tag")?.field("rating") == rating)
      let partial = try partlyIndexedTable()
      func indexed(_ fields: [String]) -> DynamicTable {
        DynamicTable(
          "X", fields: [DynamicField("id", .string, isKey: true)], indexes: [DynamicIndex(fields)])
      }
      let refusals: [(StoreError.Code, (DynamicTransaction) throws -> Void)] = [
        (.nameTaken, { try $0.add(rating, to: "Tag") }),
        (
          .nameTaken,
          { try $0.add([DynamicTable("Tag", fields: [.init("id", .int, isKey: true)])]) }
        ),
        (.valueMismatch, { try $0.add(DynamicField("must", .int), to: "Tag") }),
        (.valueMismatch, { try $0.add(DynamicField("x", .int, defaultValue: "y"), to: "Tag") }),
        (
          .duplicateKey,
          { try $0.add(DynamicField("x", .int, isUnique: true, defaultValue: 1), to: "Tag") }
        ),
        (.schemaInvalid, { try $0.add(DynamicField("x", .int, isKey: true), to: "Tag") }),
        (.schemaInvalid, { try $0.add(DynamicField("x", .record([])), to: "Tag") }),
        (.schemaInvalid, { try $0.add(DynamicField("x", .blob, isUnique: true), to: "Tag") }),
        (.schemaInvalid, { try $0.add([DynamicTable("X", fields: [])]) }),
        (.schemaInvalid, { try $0.add([partial]) }),
        (.unknownField, { try $0.add([indexed(["id", "none"])]) }),
        (.schemaInvalid, { try $0.add([indexed(["id", "id"])]) }),
        (.schemaInvalid, { try $0.add([indexed([])]) }),
        (
          .nameTaken,
          { transaction in
            guard let thing = try transaction.tables.first(where: { $0.name == "Thing" }) else {
              return
            }
            try transaction.add([thing])
          }
        ),
        (
          .unknownModel,
          { try $0.add(DynamicField("x", .link(to: "None"), isOptional: true), to: "Tag") }
        ),
        (.unknownModel, { try $0.add(rating, to: "None") }),
        (.unknownModel, { try $0.removeTable("None") }),
        (.linkedTarget, { try $0.removeTable("Tag") }),
        (.unknownField, { try $0.removeField("none", from: "Tag") }),
        (.missingKey, { try $0.removeField("id", from: "Tag") }),
        (.limitExceeded, { try $0.add(DynamicField("", .int, isOptional: true), to: "Tag") }),
      ]
      let before = try store.snapshot().tables
      try store.write { transaction in
        for (code, body) in refusals {
          let error = #expect(throws: StoreError.self) { try body(transaction) }
          #expect(error?.code == code, "\(String(describing: error))")
        }
        let tables = try transaction.tables
        #expect(tables == before)
      }
      let bytes = try store.write { try $0.removeField("rating", from: "Tag") }
      #expect(bytes > 0)
      #expect(try store.snapshot().table("Tag")?.field("rating") == nil)
      try store.write { try $0.removeTable("Seat") }
      #expect(try store.snapshot().tables.map(\.name) == ["Tag", "Thing"])
      #expect(try store.verify() == [])
    }
  }

  @Test func aTransactionEndsWithItsClosure() throws {
    try withStore { store in
      var kept: DynamicTransaction?
      try store.write(durability: .relaxed) { kept = $0 }
      #expect(throws: StoreError.transactionEnded) { try kept?.insert([:], into: "Tag") }
      #expect(throws: StoreError.reentrantWrite) {
        try store.write { _ in try store.write { _ in } }
      }
      struct Stop: Error {}
      #expect(throws: Stop.self) {
        try store.write {
          try $0.delete("Tag")
          throw Stop()
        }
      }
      #expect(try store.snapshot().count(of: "Tag") == 3)
    }
  }

  @Test func aTaskWritesWithoutItsThread() async throws {
    try await withTemporaryDirectory { directory in
      let path = directory + "/things.roost"
      _ = try makeStore(path, things: 1)
      let store = try DynamicStore(path, access: .write)
      let count = try await store.write(durability: .grouped) { transaction in
        try transaction.insert(["id": "t9", "label": "nine"], into: "Tag")
        return try transaction.count("Tag")
      }
      #expect(count == 4)
      #expect(try store.snapshot().count(of: "Tag") == 4)
    }
  }
}
