import Roost
import RoostTestSupport
import Testing

/// Fetching objects together with what their links lead to.
@Suite struct IncludingTests {
  private func open(
    _ disk: SimulatedDisk = SimulatedDisk(), cacheBytesMax: Int = 64 << 20
  ) throws -> Store {
    var configuration = Configuration()
    configuration.fileSystem = disk
    configuration.cacheBytesMax = cacheBytesMax
    return try Store(
      .file("graph"), models: Town.self, Citizen.self, Society.self, configuration: configuration)
  }

  /// Random towns, citizens and societies.
  private func fill(_ store: Store, seed: UInt64, citizens count: Int) throws {
    var random = SeededGenerator(seed: seed)
    let towns = (0..<12).map { "town \($0)" }
    try store.write { transaction in
      try transaction.insert(contentsOf: towns.map { Town(id: $0) })
      for id in 0..<count {
        let friends = (0..<Int.random(in: 0...4, using: &random)).map { _ in
          Int.random(in: 0..<count, using: &random)
        }
        try transaction.insert(
          Citizen(
            id: id * 3 - 50, home: Link(id: towns.randomElement(using: &random) ?? ""),
            boss: random.chance(1, in: 3)
              ? nil : Link(id: Int.random(in: 0..<count, using: &random) * 3 - 50),
            friends: Links(ids: friends.map { $0 * 3 - 50 })))
      }
      for id in 0..<20 {
        try transaction.insert(
          Society(
            id: id, seat: Link(id: towns.randomElement(using: &random) ?? ""),
            leader: Link(id: Int.random(in: 0..<count, using: &random) * 3 - 50)))
      }
    }
  }

  @Test(arguments: 0..<6)
  func whatLinksLeadToIsWhatFetchingThemOneByOneGives(seed: Int) throws {
    let store = try open()
    try fill(store, seed: UInt64(seed), citizens: [1, 5, 40, 300, 300, 2000][seed])
    try compare(store.snapshot())
    // A transaction follows links to what it has changed itself.
    try store.write { transaction in
      try transaction.insert(Town(id: "new"))
      try transaction.update(Citizen.all.limit(3), set: \.home, to: Link(id: "new"))
      try transaction.insert(
        Citizen(id: 1_000_000, home: Link(id: "new"), boss: Link(id: 1_000_000), friends: []))
      try compare(transaction)
    }
  }

  @Test func linksThatAreFollowedToSomeObjectsOnlyAreAnError() throws {
    let store = try open()
    try fill(store, seed: 1, citizens: 40)
    let snapshot = store.snapshot()
    let homes = Citizen.where { $0.id > 0 }.including(\.home)
    func refuses(_ body: () throws -> Void) throws {
      let error = #expect(throws: StoreError.self, performing: body)
      #expect(
        "\(try #require(error))".contains("without a condition, an order or a limit"),
        "\(String(describing: error))")
    }
    try refuses { _ = try snapshot.fetch(Society.all.including(\.leader, homes)) }
    try refuses { _ = try snapshot.fetch(Citizen.all.including(\.boss, homes)) }
    try refuses { _ = try snapshot.fetch(Citizen.all.including(\.friends, homes)) }
    try refuses { _ = try snapshot.fetch(Citizen.all.including(Citizen.fans, homes)) }
    try refuses { _ = try snapshot.fetch(Town.all.including(Town.people, homes)) }
  }

  private func compare(_ reader: some ObjectReader) throws {
    let some = Citizen.where { $0.id > -40 }.order(by: \.id, descending: true).limit(100)
    let people = try reader.fetch(some)
    func town(_ link: Link<Town>) throws -> Town { try reader.find(Town.self, id: link.id) }

    let flat = try reader.fetch(some.including(\.home, \.boss, \.friends))
    #expect(flat.map(\.0) == people)
    for (citizen, home, boss, friends) in flat {
      #expect(home == (try town(citizen.home)))
      #expect(boss == (try citizen.boss.flatMap { try reader.fetch($0) }))
      #expect(friends == (try reader.fetch(citizen.friends)))
    }

    let byName = try reader.fetch(some.including(\.fans).including(\.staff))
    let inverse = try reader.fetch(
      some.including(Citizen.fans).including(Citizen.staff).including(\.home))
    #expect(byName.map(\.1) == inverse.map(\.1) && byName.map(\.2) == inverse.map(\.2))
    #expect(inverse.map(\.0) == people)
    for (citizen, fans, staff, home) in inverse {
      #expect(fans == (try reader.fetch(Citizen.fans(of: citizen.id))))
      #expect(staff == (try reader.fetch(Citizen.staff(of: citizen.id))))
      #expect(home.id == citizen.home.id)
    }

    let towns = try reader.fetch(Town.all.including(Town.people, Citizen.all.including(\.boss)))
    #expect(towns.map(\.0) == (try reader.fetch(Town.all)))
    for (town, people) in towns {
      #expect(people.map(\.0) == (try reader.fetch(Town.people(of: town.id))))
      for (citizen, boss) in people { #expect(boss?.id == citizen.boss?.id) }
    }

    let nested = try reader.fetch(
      Society.all
        .including(\.leader, Citizen.all.including(\.home, Town.all.including(Town.seats)))
        .including(\.seat))
    #expect(nested.count == 20)
    for (society, (leader, (home, seats)), seat) in nested {
      #expect(leader.id == society.leader.id)
      #expect(home.id == leader.home.id)
      #expect(seats == (try reader.fetch(Town.seats(of: home.id))))
      #expect(seat.id == society.seat.id)
    }

    let deep = try reader.fetch(
      some.including(\.boss, Citizen.all.including(\.friends))
        .including(\.friends, Citizen.all.including(\.boss)))
    #expect(deep.map(\.0) == people)
    for (citizen, boss, friends) in deep {
      #expect(boss?.0.id == citizen.boss?.id)
      #expect(boss?.1.map(\.id) == boss.map { Array($0.0.friends) })
      #expect(friends.map(\.0.id) == Array(citizen.friends))
      for (friend, boss) in friends { #expect(boss?.id == friend.boss?.id) }
    }
  }

  @Test func aLinkToWhatIsNotThereIsAnErrorOfTheTransactionThatMadeIt() throws {
    let store = try open()
    #expect(throws: StoreError.notFound(model: "Town", id: "nowhere")) {
      try store.write { transaction in
        try transaction.insert(
          Society(id: 1, seat: Link(id: "nowhere"), leader: Link(id: 1)))
        _ = try transaction.fetch(Society.all.including(\.seat))
      }
    }
  }

  @Test func eachLeafIsReadOnceHoweverManyObjectsLinkIntoIt() throws {
    let disk = SimulatedDisk()
    try {
      let store = try open(disk)
      try fill(store, seed: 3, citizens: 50_000)
      store.close()
    }()
    // Next to nothing stays in memory.
    let store = try open(disk, cacheBytesMax: 1 << 20)
    let snapshot = store.snapshot()
    disk.resetCounters()
    let all = try snapshot.fetch(Citizen.all)
    let reads = disk.counters[.read]
    disk.resetCounters()
    #expect(try snapshot.fetch(Citizen.all.including(\.boss, \.friends)).count == all.count)
    // One pass over the citizens, and one for each of the links.
    #expect(disk.counters[.read] <= 3 * reads + 16)
    // One by one a tenth of one link takes more than two passes.
    disk.resetCounters()
    for citizen in all.prefix(5000) { _ = try citizen.boss.flatMap { try snapshot.fetch($0) } }
    #expect(disk.counters[.read] > 2 * reads + 16)
  }
}

private struct Town: Model {
  let id: String
  static let people = Inverse(\Citizen.home)
  static let seats = Inverse(\Society.seat)
  static let schema = Schema(Town.init, Key("id", \.id))
}

private struct Citizen: Model {
  let id: Int
  var home: Link<Town>
  var boss: Link<Citizen>?
  var friends: Links<Citizen>
  static let staff = Inverse(\Citizen.boss)
  static let fans = Inverse(\Citizen.friends)
  static let schema = Schema(
    Citizen.init, Key("id", \.id), Field("home", \.home), Field("boss", \.boss),
    Field("friends", \.friends))
}

private struct Society: Model {
  let id: Int
  var seat: Link<Town>
  var leader: Link<Citizen>
  static let schema = Schema(
    Society.init, Key("id", \.id), Field("seat", \.seat), Field("leader", \.leader))
}
