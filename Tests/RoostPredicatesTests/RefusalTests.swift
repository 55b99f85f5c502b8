import Foundation
import Roost
import RoostPredicates
import Testing

/// An order that a store does not know: values are stored as texts.
extension Mood: Comparable {
  static func < (a: Mood, b: Mood) -> Bool { a == .calm && b != .calm }
}

/// An expression of somebody's own.
private struct Coin: StandardPredicateExpression {
  typealias Output = Bool
  func evaluate(_ bindings: PredicateBindings) throws -> Bool { true }
}

@Suite struct RefusalTests {
  private let guests: Guests

  init() throws { guests = try Guests(seed: 2) }

  @Test func whatNoQueryCanSayIsNamed() {
    let home = guests.all[0].home
    let mood = Mood.glad
    guests.refuse(#Predicate { $0.tags[0] == "an" }, "CollectionIndexSubscript")
    guests.refuse(#Predicate { $0.tags[0..<1].contains("an") }, "CollectionRangeSubscript")
    guests.refuse(#Predicate { $0.name.contains(/an/) }, "StringContainsRegex")
    guests.refuse(#Predicate { $0.name.count > 3 }, "KeyPath")
    guests.refuse(#Predicate { $0.tags.first == "an" }, "KeyPath")
    guests.refuse(#Predicate { $0.tags.last == "an" }, "KeyPath")
    guests.refuse(#Predicate { $0.mood.rawValue == "calm" }, "KeyPath")
    guests.refuse(#Predicate { $0.home == home }, "Equal")
    guests.refuse(#Predicate { $0.home != home }, "NotEqual")
    guests.refuse(#Predicate { $0.mood < mood }, "Comparison")
    guests.refuse(#Predicate { $0.name.contains($0.home.city) }, "CollectionContainsCollection")
    guests.refuse(#Predicate { $0.name.starts(with: $0.home.city) }, "SequenceStartsWith")
    guests.refuse(#Predicate { $0.tags.starts(with: ["an"]) }, "SequenceStartsWith")
    guests.refuse(#Predicate { $0.scores.contains([1, 2]) }, "CollectionContainsCollection")
    guests.refuse(#Predicate { $0.steps.contains { $0.minutes + 1 > 3 } }, "Arithmetic")
    guests.refuse(
      #Predicate { guest in guest.steps.contains { $0.minutes > guest.tags.count } },
      "SequenceContainsWhere")
    guests.refuse(
      #Predicate { guest in guest.tags.contains { tag in guest.friends.contains { $0 == 3 } } },
      "SequenceContainsWhere")
    guests.refuse(#Predicate { $0.work?.place == home }, "Equal")
  }

  @Test func castsToOtherTypesAreNamed() {
    guests.refuse(
      Predicate {
        PredicateExpressions.TypeCheck<_, String>(
          PredicateExpressions.build_KeyPath(root: $0, keyPath: \.age))
      }, "TypeCheck")
    guests.refuse(
      Predicate {
        PredicateExpressions.build_Equal(
          lhs: PredicateExpressions.ConditionalCast<_, String>(
            PredicateExpressions.build_KeyPath(root: $0, keyPath: \.age)),
          rhs: PredicateExpressions.build_NilLiteral())
      }, "ConditionalCast")
    guests.refuse(
      Predicate {
        PredicateExpressions.build_Equal(
          lhs: PredicateExpressions.ForceCast<_, String>(
            PredicateExpressions.build_KeyPath(root: $0, keyPath: \.age)),
          rhs: PredicateExpressions.build_Arg("an"))
      }, "ForceCast")
  }

  @Test func anExpressionOfSomebodysOwnIsNamed() {
    guests.refuse(Predicate { _ in Coin() }, "Coin")
  }

  @Test func aVariableOfAnotherPredicateIsNone() {
    let other = PredicateExpressions.Variable<Guest>()
    guests.refuse(
      Predicate { _ in PredicateExpressions.build_KeyPath(root: other, keyPath: \.isActive) },
      "Variable")
  }

  @Test func aValueThatIsNeverThereIsNamed() {
    let nothing: Place? = nil
    let places = [1, 2]
    guests.refuse(#Predicate { $0.name == nothing!.city }, "ForcedUnwrap")
    guests.refuse(#Predicate { $0.age == places[2] }, "CollectionIndexSubscript")
  }

  /// By its name, where the program exports its symbols; by its type, elsewhere.
  @Test func aPropertyThatIsNotStoredIsNamed() {
    let inModel = #expect(throws: StoreError.self) {
      try Query<Guest>(#Predicate { $0.title == "" })
    }
    let named = [
      "a calculated property of type String", "\\Guest.title", "\\Place.label",
    ]
    let errors = ["Guest", "Place"].map { model in
      named.map { StoreError.unknownField(model: model, property: $0) }
    }
    #expect(inModel.map(errors[0].contains) == true, "\(String(describing: inModel))")
    let inStruct = #expect(throws: StoreError.self) {
      try Query<Guest>(#Predicate { $0.home.label == "" })
    }
    #expect(inStruct.map(errors[1].contains) == true, "\(String(describing: inStruct))")
  }

  @Test func moreCasesThanAQueryShouldHaveAreRefused() {
    var sum: any StandardPredicateExpression<Int> = PredicateExpressions.Value(0)
    let predicate = Predicate<Guest> { guest in
      for _ in 0..<7 { sum = Self.adding(sum, guest) }
      return Self.isPositive(sum)
    }
    guests.refuse(predicate, "Arithmetic")
  }

  private static func adding(
    _ sum: some StandardPredicateExpression<Int>, _ guest: PredicateExpressions.Variable<Guest>
  ) -> any StandardPredicateExpression<Int> {
    let isActive = PredicateExpressions.build_KeyPath(root: guest, keyPath: \.isActive)
    let age = PredicateExpressions.build_KeyPath(root: guest, keyPath: \.age)
    let choice = PredicateExpressions.build_Conditional(
      isActive, age, PredicateExpressions.build_Arg(1))
    return PredicateExpressions.build_Arithmetic(lhs: sum, rhs: choice, op: .add)
  }

  private static func isPositive(
    _ sum: some StandardPredicateExpression<Int>
  ) -> any StandardPredicateExpression<Bool> {
    PredicateExpressions.build_Comparison(
      lhs: sum, rhs: PredicateExpressions.build_Arg(0), op: .greaterThan)
  }

  /// Foundation stops the program, or throws, for every one of these.
  @Test func whatHasNoValueIsNil() throws {
    let zero = 0
    let most = Int.max
    func find(_ predicate: Predicate<Guest>) throws -> [Int] {
      try guests.snapshot.fetch(Query(predicate)).map(\.id)
    }
    #expect(try find(#Predicate { $0.age / zero == 1 }) == [])
    #expect(
      try find(#Predicate { $0.age + most > 0 }) == guests.all.filter { $0.age == 0 }.map(\.id))
    #expect(try find(#Predicate { $0.age > most + 1 }) == [])
    #expect(try find(#Predicate { $0.age > 1 / zero }) == [])
    let nothing: Int? = nil
    #expect(try find(#Predicate { $0.age == nothing! }) == [])
    #expect(
      try find(#Predicate { $0.nick! == "bob" })
        == guests.all.filter { $0.nick == "bob" }.map(\.id))
    #expect(
      try find(#Predicate { ($0.debt!...$0.home.floor).contains(2) })
        == guests.all.filter { ($0.debt ?? 9) <= 2 && 2 <= $0.home.floor }.map(\.id))
  }

  @Test func textsAreComparedAsBytes() throws {
    let composed = "\u{E9}"
    let decomposed = "e\u{301}"
    let predicate = #Predicate<Guest> { $0.home.city == decomposed }
    #expect(try guests.all.contains { try predicate.evaluate($0) })
    #expect(try guests.snapshot.count(Query(predicate)) == 0)
    try guests.expect(#Predicate { $0.home.city == composed })
  }
}
