import Foundation
import Roost
import Testing

/// What the README files of other stores show first, as one writes it here.
@Suite struct ReadmeModelsTests {
  // MARK: Realm: people and their dogs, a query, a live view of a version

  private enum Pets {
    struct Dog: Model {
      let id: UUID
      var name: String
      var age: Int
      var owner: Link<Person>?
      static let schema = Schema(
        Dog.init, Key("id", \.id), Field("name", \.name), Field("age", \.age, .indexed),
        Field("owner", \.owner, .onTargetDelete(.nullify)))
    }

    struct Person: Model {
      let id: UUID
      var name: String
      var picture: Data?
      static let dogs = Inverse(\Dog.owner)
      static let schema = Schema(
        Person.init, Key("id", \.id), Field("name", \.name), Field("picture", \.picture))
    }
  }

  @Test func realmsDogsAndTheirOwners() async throws {
    let store = try Store(.inMemory, models: Pets.Person.self, Pets.Dog.self)
    let rex = Pets.Dog(id: UUID(), name: "Rex", age: 1, owner: nil)
    #expect(rex.name == "Rex")
    try await store.write { try $0.insert(rex) }

    let puppies = Pets.Dog.where { $0.age < 2 }
    #expect(try store.snapshot().count(puppies) == 1)

    let ann = Pets.Person(id: UUID(), name: "Ann", picture: nil)
    try await store.write { transaction in
      try transaction.insert(ann)
      try transaction.update(Pets.Dog.self, id: rex.id, set: \.owner, to: Link(ann))
    }
    let before = store.snapshot()
    #expect(try before.fetch(Pets.Person.dogs(of: ann.id)).map(\.name) == ["Rex"])

    // On another thread the same snapshot says the same, whatever is written meanwhile.
    try await store.write { try $0.update(puppies) { $0.age = 3 } }
    let ages = try await Task.detached { try before.fetch(puppies).map(\.age) }.value
    #expect(ages == [1])
    #expect(try store.snapshot().count(puppies) == 0)

    try await store.write { try $0.delete(Pets.Person.self, id: ann.id) }
    #expect(try store.snapshot().find(Pets.Dog.self, id: rex.id).owner == nil)
  }

  // MARK: GRDB: players with scores, places with coordinates, teams and their players

  private enum Games {
    struct Player: Model {
      let id: String
      var name: String
      var score: Int
      var team: Link<Team>?
      static let schema = Schema(
        Player.init, Key("id", \.id), Field("name", \.name), Field("score", \.score, .indexed),
        Field("team", \.team, .onTargetDelete(.cascade)))
    }

    struct Team: Model {
      let id: Int
      var name: String
      var color: String
      static let players = Inverse(\Player.team)
      static let schema = Schema(
        Team.init, Key("id", \.id), Field("name", \.name), Field("color", \.color))
    }

    struct Coordinate: Embedded {
      var latitude: Double
      var longitude: Double
      static let fields = Fields(
        Coordinate.init, Part("latitude", \.latitude), Part("longitude", \.longitude))
    }

    struct Place: Model {
      let id: Int
      var title: String
      var isFavorite: Bool
      var coordinate: Coordinate
      static let schema = Schema(
        Place.init, Key("id", \.id), Field("title", \.title), Field("isFavorite", \.isFavorite),
        Field("coordinate", \.coordinate))
    }
  }

  @Test func grdbsPlayersAndPlaces() async throws {
    let store = try Store(
      .inMemory, models: Games.Player.self, Games.Team.self, Games.Place.self)
    try await store.write { transaction in
      try transaction.insert(Games.Team(id: 1, name: "Reds", color: "Red"))
      try transaction.insert(Games.Player(id: "1", name: "Arthur", score: 100, team: Link(id: 1)))
      try transaction.insert(Games.Player(id: "2", name: "Barbara", score: 1000, team: nil))
      try transaction.upsert(Games.Player(id: "1", name: "Arthur", score: 120, team: Link(id: 1)))
    }
    let best = Games.Player.all.order(by: \.score, descending: true).limit(10)
    let (players, count) = try await store.read { snapshot in
      (try snapshot.fetch(best), try snapshot.count(Games.Player.all))
    }
    #expect(players.map(\.name) == ["Barbara", "Arthur"])
    #expect(count == 2)
    #expect(try store.snapshot().max(\Games.Player.score, of: Games.Player.all) == 1000)
    #expect(try store.snapshot().count(Games.Team.players, of: 1) == 1)
    #expect(
      try store.snapshot().fetch(Games.Player.where { $0.team.color == "Red" }).map(\.id) == ["1"])

    let paris = Games.Place(
      id: 1, title: "Paris", isFavorite: false,
      coordinate: Games.Coordinate(latitude: 48.85, longitude: 2.35))
    try await store.write { transaction in
      try transaction.insert(paris)
      try transaction.update(Games.Place.self, id: 1) { $0.isFavorite = true }
    }
    let northern = Games.Place.where { $0.isFavorite == true && $0.coordinate.latitude > 45 }
    #expect(try store.snapshot().fetch(northern).map(\.title) == ["Paris"])

    try await store.write { try $0.delete(Games.Team.self, id: 1) }
    #expect(try store.snapshot().fetch(Games.Player.all).map(\.name) == ["Barbara"])
  }

  // MARK: SwiftData: trips with a place to stay and a list of things to do

  private enum Travel {
    enum Status: String, Storable { case planned, underway, over }

    struct Trip: Model {
      let id: UUID
      var name: String
      var destination: String
      var start: Date
      var end: Date
      var status: Status
      static let wishes = Inverse(\Wish.trip)
      static let stays = Inverse(\Stay.trip)
      static let schema = Schema(
        Trip.init, Key("id", \.id), Field("name", \.name), Field("destination", \.destination),
        Field("start", \.start, .indexed), Field("end", \.end), Field("status", \.status))
    }

    struct Wish: Model {
      let id: UUID
      var title: String
      var isDone: Bool
      var trip: Link<Trip>
      static let schema = Schema(
        Wish.init, Key("id", \.id), Field("title", \.title), Field("isDone", \.isDone),
        Field("trip", \.trip, .onTargetDelete(.cascade)))
    }

    struct Stay: Model {
      let id: UUID
      var hotel: String
      var trip: Link<Trip>
      static let schema = Schema(
        Stay.init, Key("id", \.id), Field("hotel", \.hotel),
        Field("trip", \.trip, .unique, .onTargetDelete(.cascade)))
    }
  }

  @Test func swiftDatasTrips() throws {
    let store = try Store(
      .inMemory, models: Travel.Trip.self, Travel.Wish.self, Travel.Stay.self)
    let now = Date(timeIntervalSinceReferenceDate: 800_000_000)
    let trips = (0..<4).map { day in
      Travel.Trip(
        id: UUID(), name: "Trip \(day)", destination: day < 2 ? "Oslo" : "Delft",
        start: now + Double(day) * 86_400, end: now + Double(day + 3) * 86_400, status: .planned)
    }
    try store.write { transaction in
      try transaction.insert(contentsOf: trips)
      try transaction.insert(Travel.Stay(id: UUID(), hotel: "Inn", trip: Link(trips[1])))
      for title in ["Museum", "Ferry"] {
        try transaction.insert(
          Travel.Wish(id: UUID(), title: title, isDone: title == "Ferry", trip: Link(trips[1])))
      }
    }
    let upcoming = Travel.Trip.where { $0.destination == "Oslo" && $0.start > now }
      .order(by: \.start)
    #expect(try store.snapshot().fetch(upcoming) == [trips[1]])
    let open = Travel.Wish.where { $0.trip.status == .planned && $0.isDone == false }
    #expect(try store.snapshot().fetch(open).map(\.title) == ["Museum"])
    // A trip has one place to stay.
    #expect(throws: StoreError.self) {
      try store.write {
        try $0.insert(Travel.Stay(id: UUID(), hotel: "Other", trip: Link(trips[1])))
      }
    }
    #expect(
      try store.snapshot().fetch(Travel.Trip.stays(of: trips[1].id)).map(\.hotel) == ["Inn"])
    try store.write { try $0.delete(Travel.Trip.self, id: trips[1].id) }
    #expect(try store.snapshot().count(Travel.Wish.all) == 0)
    #expect(try store.snapshot().count(Travel.Stay.all) == 0)
  }

  // MARK: ObjectBox: a person put, changed and removed; customers and their orders

  private enum Shop {
    struct Person: Model {
      let id: Int
      var firstName: String
      var lastName: String
      static let schema = Schema(
        Person.init, Key("id", \.id), Field("firstName", \.firstName),
        Field("lastName", \.lastName))
    }

    struct Customer: Model {
      let id: Int
      var name: String
      static let orders = Inverse(\Order.customer)
      static let schema = Schema(Customer.init, Key("id", \.id), Field("name", \.name, .unique))
    }

    struct Order: Model {
      let id: Int
      var date: Date
      var total: Decimal
      var customer: Link<Customer>
      static let schema = Schema(
        Order.init, Key("id", \.id), Field("date", \.date), Field("total", \.total),
        Field("customer", \.customer))
    }
  }

  @Test func objectBoxsPersonAndOrders() throws {
    let store = try Store(
      .inMemory, models: Shop.Person.self, Shop.Customer.self, Shop.Order.self)
    var person = Shop.Person(id: 1, firstName: "Joe", lastName: "Green")
    try store.write { [person] in try $0.upsert(person) }
    person = try store.read { try $0.find(Shop.Person.self, id: 1) }
    person.lastName = "Black"
    try store.write { [person] in try $0.upsert(person) }
    let joes = Shop.Person.where { $0.firstName == "Joe" && $0.lastName.hasPrefix("B") }
    #expect(try store.read { try $0.fetch(joes) } == [person])
    try store.write { try $0.delete(Shop.Person.self, id: 1) }
    #expect(try store.read { try $0.fetch(joes) } == [])

    let mia = Shop.Customer(id: 7, name: "Mia")
    try store.write { transaction in
      try transaction.insert(mia)
      for id in 1...3 {
        let date = Date(timeIntervalSinceReferenceDate: Double(id) * 1000)
        try transaction.insert(
          Shop.Order(id: id, date: date, total: Decimal(id) / 4, customer: Link(mia)))
      }
    }
    let latest = Shop.Customer.orders(of: mia.id).order(by: \.date, descending: true)
    #expect(try store.read { try $0.fetch(latest).map(\.total) } == [0.75, 0.5, 0.25])
    #expect(
      throws: StoreError.linkedTarget(
        model: "Customer", id: "7", linkingModel: "Order", linkingField: "customer")
    ) { try store.write { try $0.delete(Shop.Customer.self, id: 7) } }
  }
}
