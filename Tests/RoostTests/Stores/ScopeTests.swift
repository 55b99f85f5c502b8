import Roost
import RoostTestSupport
import Testing

/// Handles that can touch some models only.
@Suite struct ScopeTests {
  private func move(_ tag: Tag, in store: Scope<Tag, Group>) throws -> Int {
    try store.write { tags, groups in
      try tags.insert(tag)
      try recolor(tags)
      try groups.upsert(contentsOf: [Group(id: 1, name: "one", size: 3)])
      try groups.update(id: 1, set: \.size, to: tag.color)
      return try groups.count()
    }
  }

  private func recolor(_ tags: WritableObjects<Tag>) throws {
    try tags.update(Tag.where { $0.color == 1 }) { $0.color = 2 }
  }

  @Test func aScopeReadsAndWritesItsModels() throws {
    let store = try Store(.inMemory, models: Tag.self, Group.self, Person.self)
    let scope = store.scope(Tag.self, Group.self)
    #expect(try move(Tag(id: "a", color: 1), in: scope) == 1)
    try scope.read { (tags, groups) throws in
      #expect(try tags.fetch() == [Tag(id: "a", color: 2)])
      #expect(try groups.find(id: 1).size == 1)
      #expect(try groups.sum(\.size) == 1)
      #expect(try tags.max(\.color) == 2)
      #expect(try tags.first(Tag.all.order(by: \.color))?.id == "a")
    }
    #expect(throws: StoreError.duplicateKey(model: "Tag", field: "id", value: "a")) {
      try scope.write { tags, groups in
        try groups.delete(id: 1)
        try tags.insert(Tag(id: "a", color: 1))
      }
    }
    #expect(try store.snapshot().count(Group.all) == 1)
    try scope.write { tags, groups in
      try tags.replaceAll([Tag(id: "b", color: 9)])
      try groups.update(Group.all, set: \.name, to: { $0.name + "!" })
      #expect(try groups.update(Group.all, set: \.size, to: 7) == 1)
      #expect(try groups.find(id: 1) == Group(id: 1, name: "one!", size: 7))
      #expect(try groups.delete(Group.all) == 1)
      #expect(try tags.delete(ids: ["a", "b"]) == 1)
    }
  }

  @Test func anAsynchronousScopeDoesTheSame() async throws {
    let store = try Store(.inMemory, models: Tag.self, Group.self)
    let scope = store.scope(Tag.self)
    let count = try await scope.write { tags in
      try tags.insert(contentsOf: [Tag(id: "a", color: 1), Tag(id: "b", color: 2)])
      return try tags.count()
    }
    #expect(count == 2)
    let colors = try await scope.read { tags in try tags.fetch(ids: ["b", "c", "a"]).map(\.color) }
    #expect(colors == [2, 1])
  }

  @Test func objectsThatLeftTheirClosureAreOfNoUse() throws {
    let store = try Store(.inMemory, models: Tag.self)
    var kept: WritableObjects<Tag>?
    try store.scope(Tag.self).write { tags in kept = tags }
    #expect(throws: StoreError.transactionEnded) { try kept?.count() }
    #expect(throws: StoreError.transactionEnded) { try kept?.insert(Tag(id: "a", color: 1)) }
  }

  @Test func aModelThatTheStoreDoesNotHaveIsAnError() throws {
    let store = try Store(.inMemory, models: Tag.self)
    #expect(throws: StoreError.unknownModel(model: "Group")) {
      try store.scope(Group.self).read { groups in try groups.count() }
    }
  }

  /// What a function does that is given a scope: the lines that end in `// error` must not compile, all others must.
  static let program = #"""
    import Roost

    struct Order: Model {
      let id: Int
      var note: String
      var product: Link<Product>
      static let schema = Schema(
        Order.init, Key("id", \.id), Field("note", \.note), Field("product", \.product))
    }
    struct Product: Model {
      let id: String
      var stock: Int
      static let schema = Schema(Product.init, Key("id", \.id), Field("stock", \.stock))
    }
    struct Invoice: Model {
      let id: Int
      static let schema = Schema(Invoice.init, Key("id", \.id))
    }

    func save(_ order: Order, in store: Scope<Order, Product>) throws {
      try store.write { orders, products in
        try orders.insert(order)
        try products.update(id: order.product.id) { $0.stock -= 1 }
      }
    }
    func insertOther(_ invoice: Invoice, in store: Scope<Order, Product>) throws {
      try store.write { orders, products in
        try orders.insert(invoice)  // error
      }
    }
    func readOther(in store: Scope<Order, Product>) throws {
      try store.read { orders, products in
        _ = try orders.fetch(Invoice.all)  // error
      }
    }
    func askForMore(in store: Scope<Order, Product>) throws {
      try store.read { orders, products, invoices in print(invoices) }  // error
    }
    func writeWhileReading(_ order: Order, in store: Scope<Order>) throws {
      try store.read { orders in
        try orders.insert(order)  // error
      }
    }
    func takeOutOfATask(in store: Scope<Order>) async throws {
      let orders = try await store.write { orders in orders }  // error
      print(orders)
    }
    func handOn(_ order: Order, _ all: Store, _ one: Scope<Order>) throws {
      try save(order, in: all.scope(Order.self, Product.self))
      try save(order, in: one)  // error
      try save(order, in: all.scope(Order.self))  // error
      try save(order, in: all.scope(Order.self, Invoice.self))  // error
      try save(order, in: all)  // error
    }
    """#

  @Test func touchingAnotherModelDoesNotCompile() throws {
    let lines = Self.program.split(separator: "\n", omittingEmptySubsequences: false)
    let meant = lines.indices.filter { lines[$0].hasSuffix("// error") }.map { $0 + 1 }
    let check = try TypeCheck(Self.program)
    #expect(check.errors.keys.sorted() == meant, "\(check.output)")
    #expect(
      check.errors[meant[0]]
        == "cannot convert value of type 'Invoice' to expected argument type 'Order'")
  }
}
