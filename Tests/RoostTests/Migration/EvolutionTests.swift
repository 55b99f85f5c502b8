import Foundation
import Roost
import RoostTestSupport
import Synchronization
import Testing

/// Opening a file with models that have changed since it was written.
@Suite struct EvolutionTests {
  /// The same model at several times: each in a namespace of its own, so that all are called `Item`.
  enum First {
    struct Item: Model {
      let id: Int
      var name: String
      static let schema = Schema(Item.init, Key("id", \.id), Field("name", \.name))
    }
  }
  enum Grown {
    struct Item: Model {
      let id: Int
      var name: String
      var note: String?
      var count: Int
      var maker: Link<Maker>?
      static let schema = Schema(
        Item.init, Key("id", \.id), Field("name", \.name, .indexed), Field("note", \.note),
        Field("count", \.count, .default(7)), Field("maker", \.maker))
    }
    struct Maker: Model {
      let id: String
      static let schema = Schema(Maker.init, Key("id", \.id))
    }
  }
  enum Demanding {
    struct Item: Model {
      let id: Int
      var name: String
      var count: Int
      static let schema = Schema(
        Item.init, Key("id", \.id), Field("name", \.name), Field("count", \.count))
    }
  }
  enum Renamed {
    struct Item: Model {
      let id: Int
      var title: String
      static let schema = Schema(Item.init, Key("id", \.id), Field("title", \.title))
    }
  }
  enum Retyped {
    struct Item: Model {
      let id: Int
      var name: Int
      static let schema = Schema(Item.init, Key("id", \.id), Field("name", \.name))
    }
  }
  enum Loosened {
    struct Item: Model {
      let id: Int
      var name: String?
      static let schema = Schema(Item.init, Key("id", \.id), Field("name", \.name))
    }
  }
  enum Rekeyed {
    struct Item: Model {
      let id: String
      var number: Int
      static let schema = Schema(Item.init, Key("name", \.id), Field("id", \.number))
    }
  }
  enum Unique {
    struct Item: Model {
      let id: Int
      var name: String
      static let schema = Schema(Item.init, Key("id", \.id), Field("name", \.name, .unique))
    }
  }

  enum Reused {
    struct Item: Model {
      let id: Int
      var remark: String?
      var name: String?
      static let schema = Schema(
        Item.init, Key("id", \.id), Field("remark", \.remark, .was("name")),
        Field("name", \.name))
    }
  }

  private func withFirst(_ body: (String) throws -> Void) throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/items.roost"
      do {
        let store = try Store(.file(path), models: First.Item.self)
        try store.write { tx in
          try tx.insert(contentsOf: (0..<3000).map { First.Item(id: $0, name: "n\($0 / 2)") })
        }
      }
      try body(path)
    }
  }

  @Test func anOlderNameThatIsAnotherFieldsKeepsItsValues() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/items.roost"
      let lines = Mutex<[String]>([])
      var configuration = Configuration()
      configuration.log = { line in lines.withLock { $0.append(line) } }
      for opening in 0..<3 {
        let store = try Store(
          .file(path), models: Reused.Item.self, configuration: configuration)
        try store.write { try $0.insert(Reused.Item(id: opening, remark: nil, name: "n")) }
        let items = try store.snapshot().fetch(Reused.Item.all)
        #expect(items.map(\.name) == Array(repeating: "n", count: opening + 1))
        #expect(items.allSatisfy { $0.remark == nil })
      }
      #expect(lines.withLock { $0 }.isEmpty)
    }
  }

  @Test func opensWithFieldsModelsAndIndexesMoreAndFewerAndKeepsThem() throws {
    try withFirst { path in
      do {
        let store = try Store(.file(path), models: Grown.Item.self, Grown.Maker.self)
        let item = try store.snapshot().find(Grown.Item.self, id: 9)
        #expect(item == Grown.Item(id: 9, name: "n4", note: nil, count: 7, maker: nil))
        #expect(try store.snapshot().count(Grown.Item.where { $0.count == 7 }) == 3000)
        #expect(try store.snapshot().count(Grown.Item.where { $0.name == "n4" }) == 2)
        try store.write { tx in
          try tx.insert(Grown.Maker(id: "m"))
          try tx.update(Grown.Item.self, id: 9) {
            $0.maker = Link(id: "m")
            $0.note = "x"
          }
        }
      }
      do {
        let store = try Store(.file(path), models: First.Item.self)
        #expect(try store.snapshot().find(First.Item.self, id: 9).name == "n4")
      }
      let store = try Store(.file(path), models: Grown.Item.self, Grown.Maker.self)
      let item = try store.snapshot().find(Grown.Item.self, id: 9)
      #expect(item == Grown.Item(id: 9, name: "n4", note: "x", count: 7, maker: Link(id: "m")))
      #expect(try store.snapshot().contains(Grown.Maker.self, id: "m"))
    }
  }

  @Test func refusesEveryOtherDifferenceAndLeavesTheFile() throws {
    try withFirst { path in
      let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
      func error<M: Model>(_ model: M.Type) -> StoreError? {
        do {
          _ = try Store(.file(path), models: model)
          return nil
        } catch { return error }
      }
      #expect(
        error(Demanding.Item.self)
          == .migrationRequired([
            .missingField(
              model: "Item", field: "count", declared: "Int", undeclared: [], others: [:])
          ]))
      // A step that adds the field would hide the values that it may have under another name.
      let renamed = try #require(error(Renamed.Item.self))
      #expect(
        renamed
          == .migrationRequired([
            .missingField(
              model: "Item", field: "title", declared: "String", undeclared: ["name"], others: [:])
          ]))
      let hint = try #require(renamed.message.range(of: "`.was(\"name\")`"))
      let step = try #require(
        renamed.message.range(of: "try $0.rename(\"name\", of: \"Item\", to: \"title\")"))
      #expect(hint.upperBound < step.lowerBound && !renamed.message.contains("add(\"title\""))
      #expect(
        error(Retyped.Item.self)
          == .migrationRequired([
            .otherType(model: "Item", field: "name", stored: "String", declared: "Int")
          ]))
      #expect(
        error(Rekeyed.Item.self)
          == .migrationRequired([
            .otherKey(
              model: "Item", stored: "\"id\", Int", field: "name", declared: "String",
              isStored: true)
          ]))
      #expect(
        error(Unique.Item.self)
          == .migrationRequired([.duplicateValues(model: "Item", field: "name", value: "n0")]))
      #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == bytes)
      let store = try Store(.file(path), models: First.Item.self)
      #expect(try store.snapshot().count(First.Item.all) == 3000)
    }
  }
}
