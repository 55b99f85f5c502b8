import Foundation
import Roost
import RoostQueryText
import RoostTestSupport
import Testing

/// Conditions as text against the same conditions as Swift closures over plain values.
@Suite struct PredicateTextTests {
  /// The same two hundred jobs for all conditions.
  private static let shared = Result { try JobWorld.seeded.store().snapshot() }

  private func check<M: Model>(
    _ conditions: [PredicateCase<M>], of objects: [M], _ trivial: Set<String> = [],
    making: (PredicateCase<M>) throws(QueryTextError) -> Query<M>
  ) throws where M.ID == Int {
    let snapshot = try Self.shared.get()
    for condition in conditions {
      let expected = objects.filter { condition.holds($0, .seeded) }.map(\.id).sorted()
      if !trivial.contains(condition.text) {
        #expect(!expected.isEmpty && expected.count < objects.count, "\(condition.text)")
      }
      do {
        let query = try making(condition)
        #expect(try snapshot.fetch(query).map(\.id) == expected, "\(condition.text)")
        // What is printed is a text of our own, which asks the same.
        let readBack = try Query<M>("\(query)", in: try Self.store.get())
        #expect("\(readBack)" == "\(query)")
        #expect(try snapshot.fetch(readBack).map(\.id) == expected, "\(query)")
      } catch {
        Issue.record("\(condition.text): \(error)")
      }
    }
  }

  private static let store = Result { try JobWorld.seeded.store() }

  private func check(_ conditions: [PredicateCase<Job>], _ trivial: Set<String> = []) throws {
    let jobs = Array(JobWorld.seeded.jobs.values)
    try check(conditions, of: jobs, trivial) { (condition) throws(QueryTextError) in
      try Query<Job>(where: condition.text, values: condition.arguments)
    }
  }

  @Test func comparisonsFindWhatTheClosuresDo() throws {
    try check(
      JobPredicates.comparisons, ["priority IN {}", "TRUEPREDICATE", "FALSEPREDICATE"])
  }

  @Test func nilIsEqualToNilAndBelowNothing() throws { try check(JobPredicates.nils) }

  @Test func logicFindsWhatTheClosuresDo() throws { try check(JobPredicates.logic) }

  @Test func textsMatchAsTheClosuresSay() throws {
    try check(JobPredicates.texts, ["name == %@"])
  }

  @Test func linksAndStructsFindWhatTheClosuresDo() throws { try check(JobPredicates.links) }

  @Test func elementsFindWhatTheClosuresDo() throws { try check(CollectionPredicates.elements) }

  @Test func relatedObjectsFindWhatTheClosuresDo() throws {
    try check(CollectionPredicates.related)
  }

  @Test func listsOfLinksFindWhatTheClosuresDo() throws {
    try check(CollectionPredicates.projects, of: Array(JobWorld.seeded.projects.values)) {
      (condition) throws(QueryTextError) in
      try Query<Project>(where: condition.text, values: condition.arguments)
    }
  }

  @Test func inversesAreAskedByTheirNames() throws {
    try check(CollectionPredicates.inverses, of: Array(JobWorld.seeded.projects.values)) {
      (condition) throws(QueryTextError) in
      try Query<Project>(
        where: condition.text, values: condition.arguments, inverses: Project.assigned)
    }
  }

  @Test func thereAreMoreThanAHundredAndTwentyConditions() {
    let jobs: [PredicateCase<Job>] =
      JobPredicates.comparisons + JobPredicates.nils + JobPredicates.logic + JobPredicates.texts
      + JobPredicates.links + CollectionPredicates.elements + CollectionPredicates.related
    let projects = CollectionPredicates.projects + CollectionPredicates.inverses
    #expect(jobs.count + projects.count >= 120)
  }

  @Test func aConditionIsRefinedComparedAndPrintedLikeAnyQuery() throws {
    let snapshot = try Self.shared.get()
    let named = try Query<Job>(where: "attributes['kind'] == %@ AND priority > 2", "bug")
    #expect("\(named)" == #"Job where attributes["kind"] == "bug" && priority > 2"#)
    let first = named.where { $0.isComplete }.order(by: \.priority).limit(5)
    let same = Job.where { $0.attributes["kind"] == "bug" && $0.priority > 2 && $0.isComplete }
      .order(by: \.priority).limit(5)
    #expect(try snapshot.fetch(first).map(\.id) == snapshot.fetch(same).map(\.id))
    #expect(
      "\(Job.where { $0.attributes["kind"] == "bug" })" == #"Job where attributes["kind"] == "bug""#
    )
    let other = try Query<Job>(where: "attributes['kind'] == %@ AND priority > 2", "chore")
    #expect(named != other)
    #expect(
      try named == Query<Job>(where: "attributes['kind'] == %@ AND priority > 2", "bug"))
  }

  @Test func ourOwnTextsReadTheSameOperators() throws {
    let snapshot = try Self.shared.get()
    let query = try Query<Job>(
      "Job where ANY labels ==[c] 'BLUE' AND NOT priority BETWEEN {1, 3} sort priority desc, id",
      in: try Self.store.get())
    let same = Job.where { job in
      job.labels.contains { $0.equals("BLUE", options: .caseInsensitive) }
        && !job.priority.in(1...3)
    }.order(by: \.priority, descending: true).order(by: \.id)
    #expect(try snapshot.fetch(query).map(\.id) == snapshot.fetch(same).map(\.id))
    #expect(try !snapshot.fetch(query).isEmpty)
  }

  @Test func namesThatAreOperatorsStandInBackquotes() throws {
    let store = try Store(.inMemory, models: Worded.self)
    try store.write { try $0.insert(Worded(id: 1, none: 3, NO: 4)) }
    let query = Worded.where { $0.none == 3 && $0.NO == 4 }
    #expect("\(query)" == "Worded where `none` == 3 && `NO` == 4")
    let readBack = try query.readBack(in: store)
    #expect(try store.read { try $0.count(readBack) } == 1)
    let named = try Query<Worded>(where: "%K == 3 AND `NO` = 4", "none")
    #expect(try store.read { try $0.count(named) } == 1)
  }

  @Test func aLinkIsComparedWithAKeyThatIsNoInteger() throws {
    let store = try Store(.inMemory, models: Dog.self, Account.self)
    let (first, second) = (JobWorld.token(1), JobWorld.token(2))
    try store.write { tx in
      try tx.insert(Account(id: first, email: "a", phone: nil))
      try tx.insert(Account(id: second, email: "b", phone: nil))
      try tx.insert(Dog(id: 1, name: "Rex", owner: Link(id: first), walker: nil))
      try tx.insert(Dog(id: 2, name: "Max", owner: Link(id: second), walker: Link(id: first)))
      try tx.insert(Dog(id: 3, name: "Bo", owner: nil, walker: nil))
    }
    func dogs(_ text: String, _ values: (any PropertyValue)?...) throws -> [Int] {
      let query = try Query<Dog>(where: text, values: values)
      return try store.read { try $0.fetch(query) }.map(\.id)
    }
    #expect(try dogs("owner == %@", first) == [1])
    #expect(try dogs("owner != %@", Link<Account>(id: first)) == [2, 3])
    #expect(try dogs("owner IN %@ AND walker != nil", [first, second]) == [2])
    #expect(try dogs("owner == nil") == [3])
    // A number is no id of an account, and never the key that the store gave it.
    let error = #expect(throws: QueryTextError.self) { try dogs("owner == 1") }
    #expect(error?.message.hasPrefix("This is no constant of type UUID") == true)
    #expect(throws: QueryTextError.self) { try dogs("owner IN {1, 2}") }
  }

  @Test func randomTokensNeverTrapAndWhatIsReadRuns() throws {
    let words = [
      "priority", "name", "labels", "ratings", "attributes", "blockers", "project", "place", "city",
      "due", "state", "tasks", "`any`", "==", "=", "!=", "<", ">=", "=<", "<>", "AND", "OR", "NOT",
      "&&",
      "||", "!", "IN", "BETWEEN", "CONTAINS", "BEGINSWITH", "[cd]", "LIKE", "ANY", "ALL", "NONE",
      "SUBQUERY", "(", ")", "{", "}", "[", "]", ",", ".", "@", "count", "sum", "keys", "links",
      "Job",
      "%@", "%K", "%", "$0", "$x", "$", "'a'", "\"b\"", "3", "-", "2.5", "nil", "YES",
      "TRUEPREDICATE",
      "outer", "where", "by", "as", "Int", "folded", "+", "*", "??", "element", "SIZE", "?", "ü",
    ]
    let snapshot = try Self.shared.get()
    var random = SeededGenerator(seed: 7)
    let conditions =
      (JobPredicates.comparisons + JobPredicates.texts + CollectionPredicates.elements
        + CollectionPredicates.related)
    var read = 0
    for round in 0..<6_000 {
      var text: String
      var values: [(any PropertyValue)?] = []
      if round % 2 == 0 {
        let count = Int.random(in: 1...14, using: &random)
        text = (0..<count).map { _ in words.randomElement(using: &random) ?? "" }
          .joined(separator: random.chance(1, in: 3) ? "" : " ")
        values = random.chance(1, in: 2) ? [] : [3, "name"]
      } else {
        // A condition with a damage.
        guard let condition = conditions.randomElement(using: &random) else { continue }
        var bytes = Array(condition.text.utf8)
        let place = Int.random(in: 0..<bytes.count, using: &random)
        let word = (words.randomElement(using: &random) ?? "").utf8
        let end = min(bytes.count, place + Int.random(in: 0...4, using: &random))
        bytes.replaceSubrange(place..<end, with: Array(word))
        text = String(decoding: bytes, as: UTF8.self)
        values = condition.arguments
      }
      do throws(QueryTextError) {
        let query = try Query<Job>(where: text, values: values)
        read += 1
        #expect(throws: Never.self, "\(text)") { try snapshot.count(query) }
      } catch {
        #expect((0...text.utf8.count).contains(error.offset), "\(text)")
      }
    }
    #expect(read > 100)
  }
}

private struct Worded: Model {
  let id: Int
  var none: Int
  var NO: Int
  static let schema = Schema(Worded.init, Key("id", \.id), Field("none", \.none), Field("NO", \.NO))
}
