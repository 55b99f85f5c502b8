import Foundation
import Roost
import Testing

/// Queries as values; what they find is in `QueryOracleTests`.
@Suite struct QueryTests {
  @Test func areEqualWhenTheySayTheSame() {
    let first = Person.where { $0.age >= 18 && $0.name.hasPrefix("An") }.order(by: \.name).limit(3)
    let second = Person.all.where { $0.age >= 18 }.where { $0.name.hasPrefix("An") }
      .order(by: \.name).limit(3)
    #expect(first == second)
    #expect(first.hashValue == second.hashValue)
    #expect(first != second.limit(4))
    #expect(first != first.order(by: \.age))
    #expect(Set([first, second]).count == 1)
  }

  @Test func hashAllThatTheySay() {
    let queries = (0..<200).flatMap { number in
      [
        Person.where { $0.age == number }, Person.where { $0.age < number },
        Person.where { $0.name == "\(number)" }, Person.where { $0.age == 1 || $0.age == number },
        Person.all.order { $0.age + number },
      ]
    }
    // Of a thousand numbers of 64 bits two are hardly ever equal.
    #expect(Set(queries.map(\.hashValue)).count >= Set(queries).count - 1)
    #expect(Set(queries).count == 1000)
  }

  @Test func knowAFieldByAnyKeyPathToIt() {
    let path = \Person.age
    #expect(Person.all.order(by: path) == Person.all.order(by: \.age))
  }

  @Test func stayAsTheyAreWhenOthersAreMadeOfThem() {
    let all = Person.all
    let adults = all.where { $0.age >= 18 }
    let named = adults.where { $0.name == "Ann" }.order(by: \.name).limit(3, offset: 1)
    let old = adults.order(by: \.age, descending: true)
    #expect(all.description == "Person")
    #expect(adults.description == "Person where age >= 18")
    #expect(
      named.description
        == "Person where age >= 18 && name == \"Ann\" sort name limit 3 offset 1")
    #expect(old.description == "Person where age >= 18 sort age desc")
  }

  @Test func readAsTheyWereWritten() {
    let query = Person.where {
      $0.age >= 18 && ($0.name.contains("an") || $0.group.name == "x") && $0.nickname == nil
    }.order(by: \.age, \.name, descending: true).limit(20, offset: 3)
    #expect(
      query.description
        == "Person where age >= 18 && (name contains \"an\" || group.name == \"x\") && nickname == nil"
        + " sort age desc, name desc limit 20 offset 3")
    #expect(
      Person.where { !($0.mood == .wild) && $0.rank != .low }.description
        == "Person where mood != \"wild\" && rank != 10")
  }

  @Test func takeEightTermsAtOnce() {
    let query = Person.where {
      $0.age > 3 && $0.name == "x" && $0.score < 2.5 && $0.nickname == "y"
        && ($0.age == 3 || $0.id == 4) && $0.isActive == true && !$0.name.contains("z")
        && $0.mood != .calm
    }
    #expect(query.description.split(separator: "&&").count == 8)
  }

  @Test func areExplainedWithWhatTheyTouched() throws {
    let store = try Store(.inMemory, models: Group.self)
    try store.write {
      try $0.insert(
        contentsOf: (0..<20_000).map { Group(id: $0, name: "x", size: $0 * 7919 % 100) })
    }
    let snapshot = store.snapshot()
    let sized = Group.where { $0.size == 7 }
    let all = try snapshot.explain(sized)
    #expect(all.matchCount == 200)
    #expect(all.rowsExamined == 20_000)
    #expect(all.leavesVisited > 1 && all.leavesSkipped == 0)
    #expect(
      all.lines[1]
        == "200 results; \(all.leavesVisited) leaves visited, 0 of them by their zone maps (least and greatest values) alone; "
        + "20000 rows looked at")
    // The rest of the leaf with the third match is looked at, and no other.
    let some = try snapshot.explain(sized.limit(2, offset: 1))
    #expect(some.leavesVisited == 1)
    #expect(some.matchCount >= 3 && some.matchCount < 200)
    #expect(some.rowsExamined < 20_000)
    let none = try snapshot.explain(Group.where { $0.size == 100 })
    #expect(none.leavesSkipped == none.leavesVisited && none.rowsExamined == 0)
    #expect(try snapshot.explain(Group.where { $0.id.in([3, 5, 70_000]) }).rowsExamined == 3)
  }

  @Test func limitNothingBelowZero() {
    #expect(Person.all.limit(-1, offset: -5) == Person.all.limit(0))
  }
}
