import Foundation
import Roost
import RoostPredicates
import Testing

private typealias Expressions = PredicateExpressions

@Suite struct PredicateTests {
  private let guests: Guests

  init() throws { guests = try Guests(seed: 1) }

  @Test func fieldsAreComparedWithValues() throws {
    let mood = Mood.wild
    let rank = Rank.middle
    let grade = Grade(points: 4)
    let code = guests.all[7].code
    let born = Date(timeIntervalSinceReferenceDate: 1)
    let price = Decimal(2)
    let photo = Data([1])
    let paid: Bool? = true
    let debt: Int? = -2
    let nothing: String? = nil
    let notANumber = Double.nan
    try guests.expect(#Predicate { $0.age >= 18 })
    try guests.expect(#Predicate { $0.age < 18 || $0.age > 65 })
    try guests.expect(#Predicate { $0.id == 17 })
    try guests.expect(#Predicate { $0.name == "Annbob" })
    try guests.expect(#Predicate { $0.name != "nan" && $0.name <= "bob" })
    try guests.expect(#Predicate { 3 < $0.rooms })
    try guests.expect(#Predicate { $0.nick == "bob" })
    try guests.expect(#Predicate { $0.nick != "bob" })
    try guests.expect(#Predicate { $0.nick == nil })
    try guests.expect(#Predicate { $0.nick != nothing })
    try guests.expect(#Predicate { $0.debt == debt })
    try guests.expect(#Predicate { $0.height > 1.5 })
    try guests.expect(#Predicate { $0.height == 0 })
    try guests.expect(#Predicate { !($0.height <= 1.5) })
    try guests.expect(#Predicate { $0.height != notANumber && $0.age > 40 })
    try guests.expect(#Predicate { $0.height == notANumber || $0.age > 40 })
    try guests.expect(#Predicate { $0.weight == 0.5 })
    try guests.expect(#Predicate { $0.born > born })
    try guests.expect(#Predicate { $0.code == code })
    try guests.expect(#Predicate { $0.price <= price })
    try guests.expect(#Predicate { $0.photo == photo })
    try guests.expect(#Predicate { $0.photo.isEmpty })
    try guests.expect(#Predicate { $0.name.isEmpty })
    try guests.expect(#Predicate { $0.mood == mood })
    try guests.expect(#Predicate { $0.rank == rank })
    try guests.expect(#Predicate { $0.grade >= grade })
    try guests.expect(#Predicate { $0.isActive })
    try guests.expect(#Predicate { !$0.isActive && $0.age > 30 })
    try guests.expect(#Predicate { $0.isPaid == true })
    try guests.expect(#Predicate { $0.isPaid != paid })
    try guests.expect(#Predicate { $0.isPaid ?? false })
    try guests.expect(#Predicate { $0.isPaid ?? $0.isActive })
  }

  @Test func decimalNumbersAreCalculatedExactly() throws {
    let price = Decimal(2)
    let eighth = Decimal(1) / 8
    try guests.expect(#Predicate { $0.price * 2 > price })
    try guests.expect(#Predicate { $0.price * $0.price == $0.price + price })
    try guests.expect(#Predicate { -$0.price < price - 5 })
    try guests.expect(#Predicate { $0.price * eighth != eighth * 8 + $0.price - 1 })
    let large = Decimal(sign: .plus, exponent: 120, significand: 1)
    // Foundation rounds what is no `Decimal`; here it is nil.
    let rounded = try Query(#Predicate<Guest> { $0.price + large == large })
    let expected = guests.all.filter { $0.price == 0 }.map(\.id)
    #expect(try guests.snapshot.fetch(rounded).map(\.id).sorted() == expected.sorted())
    let none = try Query(#Predicate<Guest> { $0.price < large * large })
    #expect(try guests.snapshot.count(none) == 0)
  }

  @Test func fieldsAreComparedWithEachOther() throws {
    try guests.expect(#Predicate { $0.name == $0.home.city })
    try guests.expect(#Predicate { $0.nick == $0.home.zip })
    try guests.expect(#Predicate { $0.nick != $0.home.zip })
    try guests.expect(#Predicate { $0.home.floor < $0.id % 5 })
    try guests.expect(#Predicate { $0.height == $0.height })
    try guests.expect(#Predicate { $0.height != $0.height })
    try guests.expect(#Predicate { ($0.age > 40) == $0.isActive })
    try guests.expect(#Predicate { ($0.age > 40) != ($0.nick == nil) })
  }

  @Test func numbersAreCalculated() throws {
    let limit = 7
    try guests.expect(#Predicate { $0.age * 2 + $0.id > 500 })
    try guests.expect(#Predicate { $0.age > limit * 3 + 1 })
    try guests.expect(#Predicate { $0.age % 7 == 3 })
    try guests.expect(#Predicate { $0.id / 7 == $0.age / 3 || $0.age == 80 })
    try guests.expect(#Predicate { -$0.age < -50 })
    try guests.expect(#Predicate { $0.height / 2 > 1 })
    try guests.expect(#Predicate { $0.height * $0.height - 1 < 3 })
    try guests.expect(#Predicate { ($0.debt ?? 3) + ($0.debt ?? 4) > 6 })
    try guests.expect(#Predicate { ($0.weight ?? 0) * 2 > 1.5 })
    try guests.expect(#Predicate { $0.rooms * 2 + 1 > 9 })
    try guests.expect(#Predicate { (18...30).contains($0.age) })
    try guests.expect(#Predicate { (18..<30).contains($0.age * 2) })
    let old = 80...
    let young = ..<20
    let younger = ...20
    try guests.expect(#Predicate { old.contains($0.age) })
    try guests.expect(#Predicate { young.contains($0.age) })
    try guests.expect(#Predicate { younger.contains($0.age) })
    try guests.expect(#Predicate { ($0.home.floor...4).contains($0.debt ?? 0) })
    try guests.expect(#Predicate { ($0.age > 40 ? $0.home.floor : $0.debt ?? -1) == 2 })
    try guests.expect(#Predicate { $0.isActive ? $0.age > 40 : $0.name.contains("an") })
  }

  @Test func nilIsWhatItIsInSwift() throws {
    try guests.expect(#Predicate { ($0.nick ?? "") == "" })
    try guests.expect(#Predicate { ($0.nick ?? "bob") != "bob" })
    try guests.expect(#Predicate { ($0.nick ?? $0.name).starts(with: "a") })
    try guests.expect(#Predicate { $0.nick?.isEmpty == true })
    try guests.expect(#Predicate { $0.nick?.isEmpty == false })
    try guests.expect(#Predicate { $0.nick?.isEmpty == nil })
    try guests.expect(#Predicate { $0.nick?.isEmpty != true })
    try guests.expect(#Predicate { $0.nick?.contains("n") ?? false })
    try guests.expect(#Predicate { $0.nick?.contains("n") ?? true })
    try guests.expect(#Predicate { !($0.nick?.contains("n") ?? true) })
    try guests.expect(#Predicate { $0.nick.flatMap { $0 == "bob" } != true })
    try guests.expect(#Predicate { $0.debt.flatMap { $0 + 1 } == 2 })
    try guests.expect(#Predicate { $0.debt.flatMap { $0 + 1 } == nil })
    try guests.expect(#Predicate { $0.debt.flatMap { $0 + 1 } ?? 9 > 4 })
    try guests.expect(#Predicate { $0.debt != nil && $0.debt! > 1 })
    try guests.expect(
      #Predicate { guest in
        if let debt = guest.debt { debt > 1 } else { guest.age > 70 }
      })
    try guests.expect(
      #Predicate {
        if $0.age > 40 { $0.isActive } else if $0.debt == nil { true } else { $0.name == "" }
      })
  }

  @Test func castsToTheTypeItselfAreLeftOut() throws {
    try guests.expect(
      Predicate<Guest> {
        Expressions.TypeCheck<_, Int>(Expressions.build_KeyPath(root: $0, keyPath: \.debt))
      })
    try guests.expect(
      Predicate<Guest> {
        Expressions.build_Equal(
          lhs: Expressions.ConditionalCast<_, Int>(
            Expressions.build_KeyPath(root: $0, keyPath: \.debt)),
          rhs: Expressions.build_Arg(2 as Int?))
      })
    try guests.expect(
      Predicate<Guest> {
        Expressions.build_Equal(
          lhs: Expressions.ForceCast<_, Int?>(
            Expressions.build_KeyPath(root: $0, keyPath: \.age)),
          rhs: Expressions.build_Arg(20 as Int?))
      })
  }

  @Test func textsAreLookedInto() throws {
    try guests.expect(#Predicate { $0.name.contains("an") })
    try guests.expect(#Predicate { $0.name.contains("") && $0.age > 10 })
    try guests.expect(#Predicate { $0.name.starts(with: "Ann") })
    try guests.expect(#Predicate { !$0.home.city.contains("é") })
    try guests.expect(#Predicate { $0.name > "b" })
  }

  @Test func embeddedStructsAreAskedByTheirParts() throws {
    try guests.expect(#Predicate { $0.home.city == "bob" })
    try guests.expect(#Predicate { $0.home.zip == nil && $0.home.floor > 1 })
    try guests.expect(#Predicate { $0.work == nil })
    try guests.expect(#Predicate { $0.work != nil })
    try guests.expect(#Predicate { $0.work?.desk == 3 })
    try guests.expect(#Predicate { $0.work?.desk == nil })
    try guests.expect(#Predicate { $0.work?.desk != 3 })
    try guests.expect(#Predicate { $0.work?.place.city == "Ann" })
    try guests.expect(#Predicate { $0.work?.place.city != "Ann" })
    try guests.expect(#Predicate { $0.work?.place == nil })
    try guests.expect(#Predicate { ($0.work?.place.floor ?? $0.home.floor) > 2 })
    try guests.expect(#Predicate { $0.work?.place.zip?.contains("n") ?? false })
    try guests.expect(
      #Predicate { guest in
        if let work = guest.work { work.place.floor == 1 } else { guest.age > 80 }
      })
  }

  @Test func aFieldIsOneOfSomeValues() throws {
    let ages = Set(20...25)
    let nicks: [String?] = ["bob", nil]
    let moods = [Mood.wild, .glad]
    let heights = [1.5, .nan, 0]
    let flags = [true]
    let prices = ["calm": 20, "wild": 40]
    let host = ["an": 1, "bob": 2]
    try guests.expect(#Predicate { [1, 2, 30].contains($0.age) })
    try guests.expect(#Predicate { ages.contains($0.age) })
    try guests.expect(#Predicate { nicks.contains($0.nick) })
    try guests.expect(#Predicate { !nicks.contains($0.nick) })
    try guests.expect(#Predicate { moods.contains($0.mood) })
    try guests.expect(#Predicate { heights.contains($0.height) })
    try guests.expect(#Predicate { flags.contains($0.isActive) })
    try guests.expect(#Predicate { flags.contains($0.age > 50) })
    try guests.expect(#Predicate { [10, 12].contains($0.age + $0.home.floor) })
    try guests.expect(#Predicate { guest in ages.contains { $0 + 1 == guest.age } })
    try guests.expect(#Predicate { guest in ages.allSatisfy { $0 != guest.age } })
    try guests.expect(#Predicate { (host[$0.name] ?? 7) < $0.home.floor + 4 })
    try guests.expect(#Predicate { host[$0.name, default: 3] < 3 })
    try guests.expect(#Predicate { prices["wild"]! == $0.age || $0.age == 3 })
  }

  @Test func elementsAreAsked() throws {
    let high = Rank.high
    let key = "bob"
    let list = ["an"]
    try guests.expect(#Predicate { $0.tags.contains("an") })
    try guests.expect(#Predicate { !$0.tags.contains("an") })
    try guests.expect(#Predicate { $0.tags == list })
    try guests.expect(#Predicate { $0.tags.isEmpty })
    try guests.expect(#Predicate { $0.tags.count >= 2 })
    try guests.expect(#Predicate { $0.tags.contains { $0.starts(with: "a") } })
    try guests.expect(#Predicate { $0.scores.contains(1.5) })
    try guests.expect(#Predicate { $0.scores.allSatisfy { $0 > 0 } })
    try guests.expect(#Predicate { $0.scores.filter { $0 > 0 }.count == 2 })
    try guests.expect(#Predicate { $0.scores.filter { $0 > 0 }.isEmpty })
    try guests.expect(#Predicate { $0.scores.filter { $0 > 0 }.contains { $0 < 2 } })
    try guests.expect(#Predicate { $0.scores.max() == 3 })
    try guests.expect(#Predicate { $0.scores.min() == nil })
    try guests.expect(#Predicate { ($0.scores.min() ?? 0) < 0 })
    try guests.expect(#Predicate { $0.steps.contains { $0.minutes > 60 } })
    try guests.expect(#Predicate { $0.steps.contains { $0.minutes > 30 && $0.level == high } })
    try guests.expect(#Predicate { $0.steps.contains { $0.level == nil || $0.name == key } })
    try guests.expect(#Predicate { $0.steps.contains { ($0.level ?? high) == high } })
    try guests.expect(#Predicate { $0.steps.allSatisfy { (10...80).contains($0.minutes) } })
    try guests.expect(#Predicate { $0.steps.contains { [30, 31, 32].contains($0.minutes) } })
    try guests.expect(#Predicate { $0.sizes?.contains(-2) == true })
    try guests.expect(#Predicate { $0.sizes?.contains(-2) == nil })
    try guests.expect(#Predicate { !($0.sizes?.contains(-2) ?? false) })
    try guests.expect(#Predicate { $0.sizes?.count == 2 })
    try guests.expect(#Predicate { ($0.sizes?.max() ?? 0) > 1 })
    try guests.expect(#Predicate { $0.names["an"] == "bob" })
    try guests.expect(#Predicate { $0.names[key] != nil })
    try guests.expect(#Predicate { $0.names["an", default: "nan"].contains("n") })
    try guests.expect(#Predicate { $0.names.count > 1 })
    try guests.expect(#Predicate { $0.names.isEmpty })
    try guests.expect(#Predicate { $0.names.keys.contains("bob") })
    try guests.expect(#Predicate { $0.names.values.contains { $0.contains("n") } })
  }

  @Test func elementsAreComparedWithTheObjectThatHasThem() throws {
    try guests.expect(#Predicate { $0.tags.contains($0.home.city) })
    try guests.expect(#Predicate { guest in guest.scores.contains { $0 > guest.height } })
    try guests.expect(#Predicate { guest in guest.scores.allSatisfy { $0 != guest.height } })
    try guests.expect(
      #Predicate { guest in guest.steps.contains { $0.minutes > guest.age + guest.home.floor } })
    try guests.expect(
      #Predicate { guest in guest.steps.contains { $0.name == guest.nick ?? guest.name } })
    try guests.expect(
      #Predicate { guest in guest.steps.contains { $0.level == guest.rank && guest.age > 30 } })
    try guests.expect(#Predicate { guest in guest.scores.filter { $0 < guest.height }.count == 1 })
    try guests.expect(
      #Predicate { guest in guest.sizes.flatMap { $0.contains(guest.home.floor) } == true })
    try guests.expect(#Predicate { $0.names[$0.home.city] != nil })
    try guests.expect(#Predicate { $0.names[$0.home.city, default: $0.name].contains("n") })
    try guests.expect(#Predicate { guest in guest.friends.contains { $0 > guest.id } })
    try guests.expect(
      #Predicate { guest in guest.friends.allSatisfy { $0 < guest.id || guest.isActive } })
    try guests.expect(#Predicate { guest in guest.friends.contains(guest.age) })
  }

  /// No friend leads to the others of whom it is one.
  @Test func aTargetThatDoesNotLeadToAnotherIsNotComparedWithIt() throws {
    let query = try Query<Guest>(
      #Predicate { guest in
        guest.friends.contains { one in guest.friends.contains { $0 > one } }
      })
    #expect(throws: StoreError.unknownField(model: "Guest", property: "Guest.id")) {
      try guests.snapshot.count(query)
    }
  }

  @Test func linksAreTheirIdentifiers() throws {
    try guests.expect(#Predicate { $0.host?.id == "host 3" })
    try guests.expect(#Predicate { ($0.host?.id ?? "none") < "host 2" })
    try guests.expect(#Predicate { $0.host == nil })
    try guests.expect(#Predicate { $0.partner?.id == 17 || $0.partner == nil })
    try guests.expect(#Predicate { ($0.partner?.id ?? 0) > $0.id })
    try guests.expect(#Predicate { $0.friends.contains(17) })
    try guests.expect(#Predicate { $0.friends.contains { $0 > 350 } })
    try guests.expect(#Predicate { $0.friends.allSatisfy { $0 % 2 == 0 } })
    try guests.expect(#Predicate { $0.friends.count == 2 })
    try guests.expect(#Predicate { $0.friends.isEmpty })
  }

  @Test func capturedObjectsGiveTheirValues() throws {
    let other = guests.all[4].home
    try guests.expect(#Predicate { $0.home.city == other.city })
    try guests.expect(#Predicate { $0.age > other.city.count + 40 })
  }

  /// What indexes answer, they answer in a predicate too.
  @Test func aPredicateBecomesTheQueryThatOneWouldWrite() throws {
    func expect(
      _ predicate: Predicate<Guest>, _ location: SourceLocation = #_sourceLocation,
      _ condition: (QueryRoot<Guest>) -> QueryCondition
    ) throws {
      #expect(try Query(predicate) == Guest.where(condition), sourceLocation: location)
    }
    let ages = [3, 5]
    try expect(#Predicate { $0.age >= 18 && $0.name == "bob" }) { $0.age >= 18 && $0.name == "bob" }
    try expect(#Predicate { 18 > $0.age }) { $0.age < 18 }
    try expect(#Predicate { ($0.nick ?? "") == "bob" }) { $0.nick == "bob" }
    try expect(#Predicate { ($0.nick ?? "bob") == "bob" }) { $0.nick == nil || $0.nick == "bob" }
    try expect(#Predicate { $0.nick.flatMap { $0 > "b" } ?? false }) { $0.nick > "b" }
    try expect(#Predicate { $0.work?.place.city == "bob" }) { $0.work.place.city == "bob" }
    try expect(#Predicate { $0.host?.id == "host 1" }) { $0.host == Link(id: "host 1") }
    try expect(#Predicate { $0.isPaid ?? false }) { $0.isPaid == true }
    try expect(#Predicate { ages.contains($0.age) }) { $0.age.in(ages) }
    try expect(#Predicate { (1...3).contains($0.age) }) { $0.age.in(1...3) }
    try expect(#Predicate { $0.steps.contains { $0.minutes > 60 } }) {
      $0.steps.contains { $0.minutes > 60 }
    }
    try expect(#Predicate { $0.friends.contains(17) }) { $0.friends.contains(17) }
  }

  @Test func constantsAreConditions() throws {
    let all = try guests.snapshot.count(Query(Predicate<Guest>.true))
    #expect(all == guests.all.count)
    #expect(try guests.snapshot.count(Query(Predicate<Guest>.false)) == 0)
  }
}
