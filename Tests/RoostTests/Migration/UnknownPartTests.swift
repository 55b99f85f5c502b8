import Roost
import RoostTestSupport
import Testing

/// A customer as the newer release has it.
private enum New {
  struct Place: Embedded, Hashable {
    var floor: Int
    var room: String?
    static let fields = Fields(Place.init, Part("floor", \.floor), Part("room", \.room))
  }
  struct Address: Embedded, Hashable {
    var street: String
    var zip: String?
    var place: Place?
    static let fields = Fields(
      Address.init, Part("street", \.street), Part("zip", \.zip), Part("place", \.place))
  }
  struct Customer: Model, Equatable {
    let id: Int
    var name: String
    var billing: Address?
    static let schema = Schema(
      Customer.init, Key("id", \.id), Field("name", \.name), Field("billing", \.billing))
  }
}

/// As the older one has it.
private enum Old {
  struct Address: Embedded, Hashable {
    var street: String
    static let fields = Fields(Address.init, Part("street", \.street))
  }
  struct Customer: Model, Equatable {
    let id: Int
    var name: String
    var billing: Address?
    static let schema = Schema(
      Customer.init, Key("id", \.id), Field("name", \.name), Field("billing", \.billing))
  }
}

/// Parts of optional structs that a release does not know.
@Suite struct UnknownPartTests {
  private static let address = New.Address(
    street: "old", zip: "2611", place: New.Place(floor: 3, room: "b"))

  /// What the newer release reads of three customers that the older one changed.
  private func customers(
    _ changes: (WriteTransaction) throws -> Void...
  ) throws -> [New.Customer] {
    try withTemporaryDirectory { directory in
      let path = directory + "/customers.roost"
      do {
        let store = try Store(.file(path), models: New.Customer.self)
        try store.write { transaction in
          for id in 1...3 {
            try transaction.insert(New.Customer(id: id, name: "Ann", billing: Self.address))
          }
        }
      }
      do {
        let store = try Store(.file(path), models: Old.Customer.self)
        for change in changes { try store.write(change) }
      }
      let store = try Store(.file(path), models: New.Customer.self)
      return try store.snapshot().fetch(New.Customer.all.order(by: \.id))
    }
  }

  @Test func theyGoWithTheStructAndDoNotComeBackWithAnother() throws {
    let anew = Old.Address(street: "new")
    var expected = (1...3).map { New.Customer(id: $0, name: "Ann", billing: Self.address) }
    expected[0].billing = New.Address(street: "new", zip: nil, place: nil)
    let bySetting = try customers(
      { try $0.update(Old.Customer.self, id: 1, set: \.billing, to: nil) },
      { try $0.update(Old.Customer.self, id: 1, set: \.billing, to: anew) })
    #expect(bySetting == expected)
    let byClosure = try customers { transaction in
      _ = try transaction.update(Old.Customer.self, id: 1) { $0.billing = nil }
      _ = try transaction.update(Old.Customer.self, id: 1) { $0.billing = anew }
    }
    #expect(byClosure == expected)
    let byUpsert = try customers(
      { try $0.upsert(Old.Customer(id: 1, name: "Ann", billing: nil)) },
      { try $0.upsert(Old.Customer(id: 1, name: "Ann", billing: anew)) })
    #expect(byUpsert == expected)
    let byQuery = try customers(
      { _ = try $0.update(Old.Customer.where { $0.id == 1 }, set: \.billing, to: nil) },
      { _ = try $0.update(Old.Customer.where { $0.id == 1 }, set: \.billing, to: anew) })
    #expect(byQuery == expected)
  }

  @Test func theyStayWithAStructThatStays() throws {
    var expected = (1...3).map { New.Customer(id: $0, name: "Bob", billing: Self.address) }
    expected[1].billing?.street = "new"
    expected[2].billing = nil
    let changed = try customers { transaction in
      _ = try transaction.update(Old.Customer.self, id: 1) { $0.name = "Bob" }
      _ = try transaction.update(Old.Customer.self, id: 2) { customer in
        customer.name = "Bob"
        customer.billing?.street = "new"
      }
      try transaction.upsert(
        Old.Customer(id: 3, name: "Bob", billing: nil), onConflict: .replace)
    }
    #expect(changed == expected)
  }

  @Test func aStructThatAReleaseAddsToAnOptionalOneIsNilForOlderObjectsBesideOthers() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/customers.roost"
      do {
        let store = try Store(.file(path), models: Old.Customer.self)
        try store.write {
          try $0.insert(Old.Customer(id: 1, name: "Ann", billing: Old.Address(street: "old")))
        }
      }
      let added = (2...4).map { New.Customer(id: $0, name: "Bob", billing: Self.address) }
      do {
        let store = try Store(.file(path), models: New.Customer.self)
        try store.write { try $0.insert(contentsOf: added) }
      }
      // Its parts, too, lie beside values of others then.
      let store = try Store(.file(path), models: New.Customer.self)
      let older = New.Customer(
        id: 1, name: "Ann", billing: New.Address(street: "old", zip: nil, place: nil))
      #expect(try store.snapshot().fetch(New.Customer.all.order(by: \.id)) == [older] + added)
    }
  }
}
