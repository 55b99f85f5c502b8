import Foundation
import Roost
import RoostTestSupport
import Testing

/// Values in a file that the program's types do not know any more.
@Suite struct UnknownValueTests {
  /// The model as it was, and as it is: both are called `Order`.
  private enum Earlier {
    enum State: String, Storable { case open, sent, lost }
    enum Weight: Int, Storable { case light = 1, heavy = 300 }
    struct Parcel: Embedded {
      var state: State
      static let fields = Fields(Parcel.init, Part("state", \.state))
    }
    struct Order: Model {
      let id: Int
      var state: State
      var weight: Weight?
      var history: [State]
      var parcel: Parcel
      var number: Int
      static let schema = Schema(
        Order.init, Key("id", \.id), Field("state", \.state, .indexed), Field("weight", \.weight),
        Field("history", \.history), Field("parcel", \.parcel), Field("number", \.number))
    }
  }
  private enum Later {
    enum State: String, Storable { case open, sent }
    enum Weight: Int, Storable { case light = 1 }
    struct Parcel: Embedded {
      var state: State
      static let fields = Fields(Parcel.init, Part("state", \.state))
    }
    struct Order: Model {
      let id: Int
      var state: State
      var weight: Weight?
      var history: [State]
      var parcel: Parcel
      var number: Int
      static let schema = Schema(
        Order.init, Key("id", \.id), Field("state", \.state, .indexed), Field("weight", \.weight),
        Field("history", \.history), Field("parcel", \.parcel), Field("number", \.number))
    }
  }

  /// A file in which each order but the first has one value that is not known any more.
  private func withOrders(_ body: (Store) throws -> Void) throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/orders.roost"
      do {
        let store = try Store(.file(path), models: Earlier.Order.self)
        try store.write { tx in
          for id in 0..<5 {
            try tx.insert(
              Earlier.Order(
                id: id, state: id == 1 ? .lost : .open, weight: id == 2 ? .heavy : .light,
                history: id == 3 ? [.open, .lost] : [.open, .sent],
                parcel: Earlier.Parcel(state: id == 4 ? .lost : .sent), number: id))
          }
        }
        store.close()
      }
      let store = try Store(.file(path), models: Later.Order.self)
      defer { store.close() }
      try body(store)
    }
  }

  private static func error(_ field: String, _ value: String) -> StoreError {
    .undecodable(model: "Order", field: field, value: value)
  }

  @Test func eachWayToReadOneIsAnErrorThatNamesFieldAndValue() throws {
    try withOrders { store throws in
      let snapshot = store.snapshot()
      #expect(try snapshot.find(Later.Order.self, id: 0).history == [.open, .sent])
      let errors = [
        Self.error("state", "lost"), Self.error("weight", "300"),
        Self.error("history", "lost"), Self.error("parcel.state", "lost"),
      ]
      for (place, error) in errors.enumerated() {
        #expect(throws: error) { try snapshot.find(Later.Order.self, id: place + 1) }
        #expect(throws: error) {
          try snapshot.fetch(Later.Order.where { $0.number == place + 1 })
        }
      }
      #expect(throws: errors[0]) { try snapshot.row(Later.Order.self, id: 1)?.state }
      #expect(throws: errors[1]) { try snapshot.row(Later.Order.self, id: 2)?.weight }
      #expect(throws: errors[2]) { try snapshot.row(Later.Order.self, id: 3)?.history }
      #expect(throws: errors[3]) { try snapshot.row(Later.Order.self, id: 4)?.parcel }
      #expect(throws: errors[0]) { try snapshot.values(of: Later.Order.all, { $0.state }) }
      #expect(throws: errors[3]) { try snapshot.values(of: Later.Order.all, { $0.parcel.state }) }
      #expect(throws: errors[0]) {
        try snapshot.groups(Later.Order.all.grouped { $0.state })
      }
    }
  }

  @Test func theErrorHasAStepThatConvertsTheValue() throws {
    let error = Self.error("state", "lost")
    #expect(
      error.message
        == "Order.state holds lost, which its Swift type does not know. Let it know all that was ever stored, as an "
        + "enum does by keeping its cases and raw values, or convert the field in a migration step: "
        + "`try $0.convert(\"state\", of: \"Order\", from: <#stored type#>.self, to: <#type#>.self) { <#value of $0#> }`."
    )
    #expect(!Self.error("a computed value", "lost").message.contains("convert"))
    try withTemporaryDirectory { directory in
      let path = directory + "/orders.roost"
      let earlier = try Store(.file(path), models: Earlier.Order.self)
      try earlier.write {
        try $0.insert(
          Earlier.Order(
            id: 1, state: .lost, weight: nil, history: [], parcel: Earlier.Parcel(state: .lost),
            number: 1))
      }
      earlier.close()
      let store = try Store(.file(path), models: Later.Order.self) {
        MigrationStep("no order is lost") { migration in
          for field in ["state", "parcel.state"] {
            try migration.convert(field, of: "Order", from: String.self, to: Later.State.self) {
              Later.State(rawValue: $0) ?? .sent
            }
          }
        }
      }
      defer { store.close() }
      let order = try store.snapshot().find(Later.Order.self, id: 1)
      #expect(order.state == .sent && order.parcel.state == .sent)
      #expect(try store.snapshot().count(Later.Order.where { $0.state == .sent }) == 1)
    }
  }

  @Test func whatDoesNotReadItGoesOnAndItCanBeReplaced() throws {
    try withOrders { store throws in
      let snapshot = store.snapshot()
      #expect(try snapshot.count(Later.Order.where { $0.state == .open }) == 4)
      #expect(try snapshot.rows(Later.Order.all).map { try $0.number } == [0, 1, 2, 3, 4])
      try store.write { tx throws in
        try tx.update(Later.Order.self, id: 1, set: \.state, to: .sent)
        try tx.update(Later.Order.self, id: 2, set: \.weight, to: nil)
        try tx.update(Later.Order.self, id: 3, set: \.history, to: [])
        try tx.update(Later.Order.self, id: 4, set: \.parcel, to: Later.Parcel(state: .open))
      }
      #expect(try store.snapshot().fetch(Later.Order.all).map(\.number) == [0, 1, 2, 3, 4])
      #expect(try store.verify() == [])
    }
  }

  @Test func anUpdateByExpressionDecodesNoObject() throws {
    try withOrders { store throws in
      // Four of the five objects cannot be decoded, as an update by a closure finds.
      #expect(throws: Self.error("state", "lost")) {
        try store.write { tx in try tx.update(Later.Order.all) { $0.number += 10 } }
      }
      try store.write { tx throws in
        #expect(try tx.update(Later.Order.all, set: \.number, to: { $0.number + 10 }) == 5)
        let last = Later.Order.where { $0.number > 12 }
        #expect(try tx.update(last, set: \.number, to: 7) == 2)
      }
      let snapshot = store.snapshot()
      #expect(try snapshot.rows(Later.Order.all).map { try $0.number } == [10, 11, 12, 7, 7])
      // What was not to change is what it was.
      #expect(throws: Self.error("state", "lost")) { try snapshot.find(Later.Order.self, id: 1) }
      #expect(throws: Self.error("history", "lost")) { try snapshot.find(Later.Order.self, id: 3) }
      #expect(try store.verify() == [])
    }
  }
}
