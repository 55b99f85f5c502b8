import Foundation
import Roost
import RoostTestSupport
import Testing

/// Structs that become optional, or required, and what lies in the file then. What is stored stays.
@Suite struct OptionalStructTests {
  enum Required {
    struct Size: Embedded, Equatable {
      var length: Double
      var unit: String?
      static let fields = Fields(Size.init, Part("length", \.length), Part("unit", \.unit))
    }
    struct Hull: Embedded, Equatable {
      var material: String
      var size: Size
      static let fields = Fields(Hull.init, Part("material", \.material), Part("size", \.size))
    }
    struct Ship: Model {
      let id: Int
      var hull: Hull
      var spare: Hull?
      var phone: String?
      var old: [Hull] = []
      static let schema = Schema(
        Ship.init, Key("id", \.id), Field("hull", \.hull), Field("spare", \.spare),
        Field("phone", \.phone), Field("old", \.old, .default([])))
    }
  }

  enum Optional {
    struct Hull: Embedded, Equatable {
      var material: String
      var size: Required.Size?
      static let fields = Fields(Hull.init, Part("material", \.material), Part("size", \.size))
    }
    struct Ship: Model {
      let id: Int
      var hull: Hull?
      var spare: Hull?
      var phone: String?
      var old: [Hull] = []
      static let schema = Schema(
        Ship.init, Key("id", \.id), Field("hull", \.hull), Field("spare", \.spare),
        Field("phone", \.phone), Field("old", \.old, .default([])))
    }
  }

  /// A release that does not know of hulls.
  enum Without {
    struct Ship: Model {
      let id: Int
      var phone: String?
      static let schema = Schema(Ship.init, Key("id", \.id), Field("phone", \.phone))
    }
  }

  private static func oak(_ length: Double) -> Required.Hull {
    Required.Hull(material: "oak", size: Required.Size(length: length))
  }
  private static func elm(_ length: Double?) -> Optional.Hull {
    Optional.Hull(material: "elm", size: length.map { Required.Size(length: $0) })
  }

  private func withFile(_ body: (String) throws -> Void) throws {
    try withTemporaryDirectory { try body($0 + "/app.roost") }
  }

  /// What a release does with the file.
  private func with<M: Model>(
    _ path: String, _ type: M.Type, _ body: (Store) throws -> Void
  ) throws {
    let store = try Store(.file(path), models: type)
    defer { store.close() }
    try body(store)
    #expect(try store.verify().isEmpty)
  }

  @Test func aStructThatBecomesOptionalStaysWithItsObject() throws {
    try withFile { (path) throws in
      try with(path, Required.Ship.self) { (store) throws in
        _ = try store.write {
          try $0.insert(
            Required.Ship(id: 1, hull: Self.oak(3), spare: Self.oak(4), old: [Self.oak(5)]))
          try $0.insert(Required.Ship(id: 2, hull: Self.oak(6), spare: nil))
        }
      }
      try with(path, Optional.Ship.self) { (store) throws in
        _ = try store.write { try $0.update(Optional.Ship.self, id: 1) { $0.phone = "9" } }
        let ships = try store.read { try $0.fetch(Optional.Ship.all) }
        #expect(ships[0].hull?.size?.length == 3)
        #expect(ships[0].spare?.size?.length == 4)
        #expect(ships[0].old.map(\.size?.length) == [5])
        #expect(ships[0].phone == "9")
        #expect(ships[1].hull?.size?.length == 6)
        #expect(ships[1].spare == nil)
        try store.read { (snapshot) throws in
          #expect(try snapshot.count(Optional.Ship.where { $0.hull == nil }) == 0)
          #expect(try snapshot.count(Optional.Ship.where { $0.hull.size == nil }) == 0)
          // Within a spare hull that is not there, there is no size.
          #expect(try snapshot.count(Optional.Ship.where { $0.spare.size != nil }) == 1)
          #expect(try snapshot.count(Optional.Ship.where { $0.spare.size == nil }) == 1)
        }
      }
    }
  }

  @Test func theReleaseBeforeOpensTheFileAgainAndWhatItAddsIsThereForTheNewOne() throws {
    try withFile { (path) throws in
      try with(path, Required.Ship.self) { (store) throws in
        _ = try store.write {
          try $0.insert(Required.Ship(id: 1, hull: Self.oak(3), old: [Self.oak(5)]))
        }
      }
      for id in 2...4 {
        try with(path, Optional.Ship.self) { (store) throws in
          _ = try store.write {
            try $0.update(Optional.Ship.self, id: 1) {
              $0.phone = "\(id)"
              $0.old.append(Self.elm(7))
            }
          }
        }
        try with(path, Required.Ship.self) { (store) throws in
          _ = try store.write {
            try $0.insert(Required.Ship(id: id, hull: Self.oak(Double(id)), spare: Self.oak(1)))
            try $0.update(Required.Ship.self, id: 1) { $0.old.append(Self.oak(8)) }
          }
          #expect(try store.read { try $0.fetch(Required.Ship.self, id: 1)?.hull } == Self.oak(3))
        }
      }
      try with(path, Optional.Ship.self) { (store) throws in
        let ships = try store.read { try $0.fetch(Optional.Ship.all.order(by: \.id)) }
        #expect(ships.map { $0.hull?.size?.length } == [3, 2, 3, 4])
        #expect(ships.map { $0.spare?.size?.length } == [nil, 1, 1, 1])
        #expect(ships[0].old.map(\.size?.length) == [5, 7, 8, 7, 8, 7, 8])
        #expect(ships[0].phone == "4")
      }
    }
  }

  @Test func aFileOfTheReleaseWithOptionalStructsKeepsWhatTheOneBeforeAdds() throws {
    try withFile { (path) throws in
      try with(path, Optional.Ship.self) { (store) throws in
        _ = try store.write {
          try $0.insert(
            Optional.Ship(id: 1, hull: Self.elm(3), spare: Self.elm(4), old: [Self.elm(5)]))
        }
      }
      try with(path, Required.Ship.self) { (store) throws in
        _ = try store.write {
          try $0.insert(
            Required.Ship(id: 2, hull: Self.oak(6), spare: Self.oak(7), old: [Self.oak(8)]))
        }
      }
      try with(path, Optional.Ship.self) { (store) throws in
        let ships = try store.read { try $0.fetch(Optional.Ship.all.order(by: \.id)) }
        #expect(ships.map { $0.hull?.size?.length } == [3, 6])
        #expect(ships.map { $0.spare?.size?.length } == [4, 7])
        #expect(ships.map { $0.old.map(\.size?.length) } == [[5], [8]])
      }
    }
  }

  @Test func aStructThatIsMissingSomewhereIsAnErrorForTheReleaseThatRequiresIt() throws {
    try withFile { (path) throws in
      try with(path, Optional.Ship.self) { (store) throws in
        _ = try store.write { try $0.insert(Optional.Ship(id: 1, hull: nil)) }
      }
      #expect(throws: StoreError.self) { try Store(.file(path), models: Required.Ship.self) }
      try with(path, Optional.Ship.self) { (store) throws in
        _ = try store.write { try $0.update(Optional.Ship.self, id: 1) { $0.hull = Self.elm(2) } }
      }
      try with(path, Required.Ship.self) { (store) throws in
        #expect(try store.read { try $0.fetch(Required.Ship.self, id: 1)?.hull.size.length } == 2)
      }
    }
  }

  @Test func anObjectOfAReleaseWithoutTheStructHasNone() throws {
    try withFile { (path) throws in
      try with(path, Required.Ship.self) { (store) throws in
        _ = try store.write { try $0.insert(Required.Ship(id: 1, hull: Self.oak(3))) }
      }
      try with(path, Without.Ship.self) { (store) throws in
        _ = try store.write { try $0.insert(Without.Ship(id: 2)) }
      }
      try with(path, Optional.Ship.self) { (store) throws in
        let ships = try store.read { try $0.fetch(Optional.Ship.all.order(by: \.id)) }
        #expect(ships.map { $0.hull?.size?.length } == [3, nil])
        #expect(ships[1].hull == nil)
      }
    }
  }

  // MARK: New parts

  enum Short {
    struct Place: Embedded, Equatable {
      var city: String
      static let fields = Fields(Place.init, Part("city", \.city))
    }
    struct Seat: Model {
      let id: Int
      var main: Place?
      var list: [Outer] = []
      static let schema = Schema(
        Seat.init, Key("id", \.id), Field("main", \.main), Field("list", \.list))
    }
    struct Outer: Embedded, Equatable {
      var place: Place?
      static let fields = Fields(Outer.init, Part("place", \.place))
    }
  }

  /// The same with a part more, which each place must have.
  enum Long {
    struct Place: Embedded, Equatable {
      var city: String
      var land: String
      static let fields = Fields(Place.init, Part("city", \.city), Part("land", \.land))
    }
    struct Seat: Model {
      let id: Int
      var main: Place?
      static let schema = Schema(Seat.init, Key("id", \.id), Field("main", \.main))
    }
  }

  /// The same with a default.
  enum Filled {
    struct Place: Embedded, Equatable {
      var city: String
      var land: String
      static let fields = Fields(
        Place.init, Part("city", \.city), Part("land", \.land, .default("NL")))
    }
    struct Seat: Model {
      let id: Int
      var main: Place?
      var list: [Outer] = []
      static let schema = Schema(
        Seat.init, Key("id", \.id), Field("main", \.main), Field("list", \.list))
    }
    struct Outer: Embedded, Equatable {
      var place: Place?
      static let fields = Fields(Outer.init, Part("place", \.place))
    }
  }

  /// A part under another name.
  enum Renamed {
    struct Place: Embedded, Equatable {
      var town: String
      static let fields = Fields(Place.init, Part("town", \.town, .was("city")))
    }
    struct Seat: Model {
      let id: Int
      var main: Place?
      static let schema = Schema(Seat.init, Key("id", \.id), Field("main", \.main))
    }
  }

  /// The same, and nothing says that it is one.
  enum Unlinked {
    struct Place: Embedded, Equatable {
      var town: String
      static let fields = Fields(Place.init, Part("town", \.town))
    }
    struct Seat: Model {
      let id: Int
      var main: Place?
      static let schema = Schema(Seat.init, Key("id", \.id), Field("main", \.main))
    }
  }

  private func withSeats(_ body: (String) throws -> Void) throws {
    try withFile { (path) throws in
      try with(path, Short.Seat.self) { (store) throws in
        _ = try store.write {
          let delft = Short.Place(city: "Delft")
          try $0.insert(
            Short.Seat(
              id: 1, main: delft, list: [Short.Outer(place: delft), Short.Outer(place: nil)]))
          try $0.insert(Short.Seat(id: 2, main: nil))
        }
      }
      try body(path)
    }
  }

  /// What opening the file says.
  private func refusal<M: Model>(_ path: String, _ type: M.Type) -> String {
    do {
      _ = try Store(.file(path), models: type)
      return ""
    } catch { return "\(error)" }
  }

  @Test func aNewPartThatEachStructMustHaveNeedsADefaultOrAStep() throws {
    try withSeats { (path) throws in
      let words = refusal(path, Long.Seat.self)
      #expect(
        words.contains("Seat.main.land is declared as String, and the file has no such field."),
        "\(words)")
      #expect(words.contains("It has \"main.city\"") == false, "\(words)")
      try with(path, Short.Seat.self) { (store) throws in
        #expect(
          try store.read { try $0.fetch(Short.Seat.self, id: 1)?.main }
            == Short.Place(city: "Delft"))
      }
    }
  }

  @Test func aNewPartHasItsDefaultWhereTheStructIsPresent() throws {
    try withSeats { (path) throws in
      try with(path, Filled.Seat.self) { (store) throws in
        let seats = try store.read { try $0.fetch(Filled.Seat.all.order(by: \.id)) }
        let delft = Filled.Place(city: "Delft", land: "NL")
        #expect(seats.map(\.main) == [delft, nil])
        #expect(seats[0].list.map(\.place) == [delft, nil])
        #expect(try store.read { try $0.count(Filled.Seat.where { $0.main.land == "NL" }) } == 1)
      }
      try with(path, Short.Seat.self) { (store) throws in
        _ = try store.write { try $0.insert(Short.Seat(id: 3, main: Short.Place(city: "Hof"))) }
      }
      try with(path, Filled.Seat.self) { (store) throws in
        #expect(
          try store.read { try $0.fetch(Filled.Seat.self, id: 3)?.main }
            == Filled.Place(city: "Hof", land: "NL"))
      }
    }
  }

  @Test func aPartIsNamedWithoutItsStructInAdvice() throws {
    try withSeats { (path) throws in
      let words = refusal(path, Unlinked.Seat.self)
      #expect(
        words.contains(
          "If Seat.main.town was called \"main.city\", declare it with `.was(\"city\")`"),
        "\(words)")
      try with(path, Renamed.Seat.self) { (store) throws in
        #expect(
          try store.read { try $0.fetch(Renamed.Seat.self, id: 1)?.main }
            == Renamed.Place(town: "Delft"))
      }
    }
  }

  @Test func aStepThatAddsAPartFillsItWhereTheStructIsPresent() throws {
    try withSeats { (path) throws in
      let store = try Store(
        .file(path), models: Long.Seat.self,
        migrations: {
          MigrationStep("lands") { try $0.add("main.land", to: "Seat", default: "BE") }
        }
      )
      defer { store.close() }
      let seats = try store.read { try $0.fetch(Long.Seat.all.order(by: \.id)) }
      #expect(seats.map(\.main) == [Long.Place(city: "Delft", land: "BE"), nil])
      #expect(try store.read { try $0.count(Long.Seat.where { $0.main.land == "BE" }) } == 1)
    }
  }

  // MARK: What only looks like it

  enum Flag {
    struct Boat: Model {
      let id: Int
      var hull: Bool
      static let schema = Schema(Boat.init, Key("id", \.id), Field("hull", \.hull))
    }
  }
  enum Parts {
    struct Hull: Embedded, Equatable {
      var length: Double
      static let fields = Fields(Hull.init, Part("length", \.length, .default(1)))
    }
    struct Boat: Model {
      let id: Int
      var hull: Hull
      static let schema = Schema(Boat.init, Key("id", \.id), Field("hull", \.hull))
    }
  }

  @Test func aBoolWhoseNameAStructTookStaysInTheFile() throws {
    try withFile { (path) throws in
      try with(path, Flag.Boat.self) { (store) throws in
        _ = try store.write { try $0.insert(Flag.Boat(id: 1, hull: true)) }
      }
      for _ in 0..<2 {
        try with(path, Parts.Boat.self) { (store) throws in
          #expect(try store.keptFields.map(\.field) == ["hull"])
        }
      }
    }
  }
}
