import Roost
import RoostInterchange
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
      #expect(try tags.sum { $0.color * 3 } == 6)
      #expect(try tags.average { $0.color } == 2)
      #expect(try tags.min(of: Tag.all) { $0.color + 1 } == 3)
      #expect(try tags.max { $0.id } == "a")
      #expect(Set(try tags.values { $0.id }) == ["a"])
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

  // MARK: Parts of objects

  private struct Track: Model {
    let id: String
    var year: Int
    static let albums = Inverse(\Album.tracks)
    static let schema = Schema(Track.init, Key("id", \.id), Field("year", \.year))
  }

  private struct Album: Model {
    let id: Int
    var name: String
    var best: Link<Track>?
    var tracks: Links<Track> = []
    var cover = Blob()
    static let schema = Schema(
      Album.init, Key("id", \.id), Field("name", \.name), Field("best", \.best),
      Field("tracks", \.tracks), Field("cover", \.cover))
  }

  private func albums() throws -> Store {
    let store = try Store(.inMemory, models: Album.self, Track.self, Tag.self)
    try store.scope(Album.self, Track.self).write { albums, tracks in
      try tracks.insert(contentsOf: [
        Track(id: "a", year: 1959), Track(id: "b", year: 1960), Track(id: "c", year: 1961),
      ])
      try albums.insert(contentsOf: [
        Album(
          id: 1, name: "one", best: Link(id: "b"), tracks: ["a", "b"], cover: Blob([1, 2, 3])),
        Album(id: 2, name: "two", best: nil, tracks: ["b"], cover: Blob()),
        Album(id: 3, name: "two", best: Link(id: "b"), tracks: [], cover: Blob()),
      ])
    }
    return store
  }

  @Test func aScopeEditsListsAndBlobsWhereTheyLie() throws {
    let store = try albums()
    try store.scope(Album.self).write { albums throws in
      let tracks = try albums.links(\.tracks, of: 1)
      try tracks.append("c")
      try tracks.move(from: 0, to: 2)
      let cover = try albums.blob(\.cover, of: 1)
      try cover.append([4])
      try cover.write([9], at: 0)
      #expect(try albums.find(id: 1).tracks == ["b", "c", "a"])
      let missing = StoreError.notFound(model: "Album", id: "7")
      #expect(throws: missing) { try albums.links(\.tracks, of: 7) }
      #expect(throws: missing) { try albums.blob(\.cover, of: 7) }
    }
    try store.scope(Album.self).read { albums throws in
      #expect(try albums.find(id: 1).tracks == ["b", "c", "a"])
      let cover = try albums.blob(\.cover, of: 1)
      #expect(try cover.read(0..<cover.count) == [9, 2, 3, 4])
      #expect(throws: StoreError.notFound(model: "Album", id: "7")) {
        try albums.blob(\.cover, of: 7)
      }
    }
    #expect(try store.verify() == [])
  }

  @Test func aScopeReadsRowsThatStayWhenItsClosureEnds() throws {
    let store = try albums()
    let scope = store.scope(Album.self, Track.self)
    let (rows, row) = try scope.read { (albums, tracks) throws in
      #expect(try albums.rows().map { try $0.id } == [1, 2, 3])
      #expect(try albums.row(id: 7) == nil)
      #expect(try tracks.row(Link(id: "c"))?.year == 1961)
      return (
        try albums.rows(Album.where { $0.name == "two" }),
        try #require(try albums.row(id: 1))
      )
    }
    try scope.write { albums, tracks in try albums.delete(Album.all) }
    #expect(try rows.map { try $0.id } == [2, 3])
    #expect(try row.name == "one")
    #expect(try row.best?.year == 1960)
  }

  @Test func aScopeFollowsTheLinksOfItsObjects() throws {
    let scope = try albums().scope(Album.self, Track.self)
    try scope.read { (albums, tracks) throws in
      let album = try albums.find(id: 1)
      #expect(try tracks.fetch(album.tracks).map(\.id) == ["a", "b"])
      #expect(try tracks.fetch(album.best ?? Link(id: "a"))?.year == 1960)
      #expect(try tracks.fetch(Link(id: "d")) == nil)
      let found = try albums.fetch(Album.all.including(\.best, \.tracks))
      #expect(found.map(\.0.id) == [1, 2, 3])
      #expect(found.map(\.1?.id) == ["b", nil, "b"])
      #expect(found.map { $0.2.map(\.id) } == [["a", "b"], ["b"], []])
      let back = try tracks.fetch(Track.all.including(Track.albums))
      #expect(back.map { $0.1.map(\.id) } == [[1], [1, 2], []])
    }
    // A list that the transaction has changed itself.
    try scope.write { (albums, tracks) throws in
      try albums.links(\.tracks, of: 3).append(contentsOf: ["b", "c"])
      #expect(try albums.count(Track.albums, of: "b") == 3)
      #expect(try albums.count(Track.albums, of: "d") == 0)
      let found = try albums.fetch(Album.where { $0.id == 3 }.including(\.tracks))
      #expect(found.map { $0.1.map(\.year) } == [[1960, 1961]])
    }
  }

  @Test func aScopeReadsValuesAndGroups() throws {
    try albums().scope(Album.self).read { albums throws in
      let named = Album.where { $0.name == "two" }
      let selected = try albums.fetch(named.select(\.id, \.name))
      #expect(selected.map(\.0) == [2, 3] && selected.map(\.1) == ["two", "two"])
      let values = try albums.values({ $0.id }, { $0.best.year.orNil })
      #expect(values.map(\.0) == [1, 2, 3])
      #expect(values.map(\.1) == [1960, nil, 1960])
      let counts = try albums.values(of: named, { $0.tracks.count })
      #expect(counts == [1, 0])
      #expect(try albums.distinct { $0.name } == ["one", "two"])
      #expect(try albums.distinct(of: named) { $0.name } == ["two"])
      let groups = try albums.groups(Album.all.grouped { $0.name }, { $0.count })
      #expect(groups.map(\.key) == ["one", "two"])
      #expect(groups.map(\.values) == [1, 2])
      #expect(try albums.explain(named).matchCount == 2)
      #expect(try albums.explain().matchCount == 3)
    }
  }

  @Test func aScopeUndoesAPartOfItsTransaction() throws {
    struct Refusal: Error {}
    let store = try albums()
    try store.scope(Album.self, Track.self).write { (albums, tracks) throws in
      try tracks.delete(id: "a")
      #expect(throws: Refusal.self) {
        try albums.savepoint {
          try albums.delete(id: 1)
          try tracks.insert(Track(id: "d", year: 1962))
          throw Refusal()
        }
      }
      let count = try albums.savepoint {
        try tracks.insert(Track(id: "e", year: 1963))
        return try tracks.count()
      }
      #expect(count == 3)
    }
    #expect(try store.snapshot().fetch(Track.all).map(\.id) == ["b", "c", "e"])
    #expect(try store.snapshot().fetch(Album.all).map(\.tracks) == [["b"], ["b"], []])
  }

  @Test(arguments: [TextFormat.json, .ndjson, .csv])
  func aScopeReadsAndWritesTexts(_ format: TextFormat) throws {
    var text: [UInt8] = []
    try albums().scope(Track.self).read { tracks throws in
      let later = Track.where { $0.year > 1959 }
      #expect(try tracks.export(later, to: TextOutput { text += $0 }, as: format) == 2)
    }
    let store = try Store(.inMemory, models: Track.self, Tag.self)
    try store.scope(Track.self).write { [text] tracks throws in
      #expect(try tracks.insert(from: .bytes(text), as: format) == 2)
      let refusal = #expect(throws: StoreError.self) {
        try tracks.insert(from: .bytes(text), as: format)
      }
      guard case .malformedText(let taken)? = refusal else { throw try #require(refusal) }
      #expect(taken.field == "id" && taken.found == "b")
      try tracks.update(id: "b", set: \.year, to: 0)
      #expect(try tracks.upsert(from: .bytes(text), as: format, onConflict: .keep) == 2)
      #expect(try tracks.find(id: "b").year == 0)
      #expect(try tracks.upsert(from: .bytes(text), as: format) == 2)
    }
    let tracks = try store.snapshot().fetch(Track.all)
    #expect(tracks == [Track(id: "b", year: 1960), Track(id: "c", year: 1961)])
  }

  @Test func objectsThatLeftTheClosureOfAWriteAreOfNoUse() throws {
    let store = try Store(.inMemory, models: Tag.self, Album.self, Track.self)
    var kept: WritableObjects<Tag>?
    try store.scope(Tag.self).write { tags in kept = tags }
    #expect(throws: StoreError.transactionEnded) { try kept?.count() }
    #expect(throws: StoreError.transactionEnded) { try kept?.insert(Tag(id: "a", color: 1)) }
    var written: WritableObjects<Album>?
    try store.scope(Album.self).write { albums in written = albums }
    #expect(throws: StoreError.transactionEnded) { try written?.links(\.tracks, of: 1) }
    #expect(throws: StoreError.transactionEnded) { try written?.blob(\.cover, of: 1) }
  }

  @Test func objectsThatLeftTheClosureOfAReadKeepTheirVersion() throws {
    let store = try albums()
    let (albums, tracks) = try store.scope(Album.self, Track.self).read { ($0, $1) }
    try store.write { transaction in
      try transaction.delete(Album.all)
      try transaction.delete(Track.all)
    }
    #expect(try tracks.count() == 3)
    #expect(try albums.rows().map { try $0.name } == ["one", "two", "two"])
    #expect(try albums.row(id: 1)?.name == "one")
    #expect(try albums.blob(\.cover, of: 1).read(0..<3) == [1, 2, 3])
  }

  // MARK: Other models

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
      var parts: Links<Product> = []
      var image = Blob()
      static let orders = Inverse(\Order.product)
      static let schema = Schema(
        Product.init, Key("id", \.id), Field("stock", \.stock), Field("parts", \.parts),
        Field("image", \.image))
    }
    struct Invoice: Model {
      let id: Int
      var orders: Links<Order> = []
      var scan = Blob()
      static let schema = Schema(
        Invoice.init, Key("id", \.id), Field("orders", \.orders), Field("scan", \.scan))
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
    func editParts(of id: String, in store: Scope<Order, Product>) throws {
      try store.write { orders, products in
        try products.links(\.parts, of: id).append("b")
        try products.blob(\.image, of: id).append([1])
        print(try orders.count(Product.orders, of: id))
      }
    }
    func editOther(in store: Scope<Order, Product>) throws {
      try store.write { orders, products in
        _ = try orders.links(\Invoice.orders, of: 1)  // error
      }
    }
    func writeOtherBlob(in store: Scope<Order, Product>) throws {
      try store.write { orders, products in
        _ = try orders.blob(\Invoice.scan, of: 1)  // error
      }
    }
    func readOther(in store: Scope<Order, Product>) throws {
      try store.read { orders, products in
        _ = try orders.fetch(Invoice.all)  // error
      }
    }
    func readOtherRows(in store: Scope<Order, Product>) throws {
      try store.read { orders, products in
        _ = try orders.rows(Invoice.all)  // error
      }
    }
    func readOtherBlob(in store: Scope<Order, Product>) throws {
      try store.read { orders, products in
        _ = try orders.blob(\Invoice.scan, of: 1)  // error
      }
    }
    func readOtherLinked(in store: Scope<Order, Product>) throws {
      try store.read { orders, products in
        _ = try orders.fetch(Invoice.all.including(\.orders))  // error
      }
    }
    func readOtherFields(in store: Scope<Order, Product>) throws {
      try store.read { orders, products in
        _ = try orders.fetch(Invoice.all.select(\.id))  // error
      }
    }
    func followOther(_ invoice: Link<Invoice>, in store: Scope<Order, Product>) throws {
      try store.read { orders, products in
        _ = try orders.fetch(invoice)  // error
      }
    }
    func countOther(in store: Scope<Product>) throws {
      try store.read { products in
        _ = try products.count(Product.orders, of: "a")  // error
      }
    }
    func editWhileReading(in store: Scope<Product>) throws {
      try store.read { products in
        _ = try products.links(\.parts, of: "a")  // error
      }
    }
    func writeBlobWhileReading(in store: Scope<Product>) throws {
      try store.read { products in
        try products.blob(\.image, of: "a").append([1])  // error
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
