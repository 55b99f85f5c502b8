import Foundation
import Roost
import RoostPredicates
import Testing

@Suite struct RandomPredicateTests {
  /// Predicates made of random expressions find what they are true of.
  @Test(arguments: 0..<8)
  func randomPredicatesFindWhatTheyAreTrueOf(part: Int) throws {
    let guests = try Guests(seed: 100 + UInt64(part), count: 150)
    var answers = (none: 0, some: 0, all: 0)
    for number in 0..<250 {
      let seed = UInt64(part * 250 + number)
      let predicate = RandomPredicate.predicate(depth: 1 + number % 3, seed: seed)
      let expected = try guests.all.filter { try predicate.evaluate($0) }.map(\.id)
      let query = try Query(predicate)
      let found = try guests.snapshot.fetch(query).map(\.id)
      #expect(found == expected, "seed \(seed), depth \(1 + number % 3): \(query)")
      switch expected.count {
      case 0: answers.none += 1
      case guests.all.count: answers.all += 1
      default: answers.some += 1
      }
    }
    // Most of them say something.
    #expect(answers.some > 150, "\(answers)")
  }
}
