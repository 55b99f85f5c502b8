import Foundation
import Roost
import RoostTestSupport
import Testing

/// A condition on one field and the first results in the order of another field, which alone has an index.
@Suite struct IndexOrderTests {
  struct Event: Model {
    let id: Int
    var user: Int
    var at: Date
    static let schema = Schema(
      Event.init, Key("id", \.id), Field("user", \.user), Field("at", \.at, .indexed))
  }

  private static let count = 60_000

  /// A store of events whose dates have an order.
  private func store(
    userCount: Int, _ date: (Int) -> Int
  ) throws -> (Store, events: [Event]) {
    let store = try Store(.inMemory, models: Event.self)
    let events = (0..<Self.count).map { id in
      let at = Date(timeIntervalSinceReferenceDate: Double(date(id)))
      return Event(id: id, user: id % userCount, at: at)
    }
    try store.write { try $0.insert(contentsOf: events) }
    return (store, events)
  }

  /// The newest twenty events of a user, compared with those of an array; and how they were found.
  private func newest(
    of user: Int, in store: Store, _ events: [Event]
  ) throws -> QueryExplanation {
    let query = Event.where { $0.user == user }.order(by: \.at, descending: true).limit(20)
    let found = try store.snapshot().fetch(query).map(\.id)
    let all = events.filter { $0.user == user }.sorted { $0.at > $1.at }
    #expect(found == all.prefix(20).map(\.id))
    return try store.snapshot().explain(query)
  }

  private func leafCount(_ store: Store) throws -> Int {
    try store.snapshot().explain(Event.where { $0.user + 1 == 0 }).leavesVisited
  }

  @Test func anIndexInTheOrderIsGivenUpAfterASmallPartOfTheScan() throws {
    let (store, events) = try store(userCount: 6000) { ($0 * 7919) % Self.count }
    let leaves = try leafCount(store)
    let plan = try newest(of: 7, in: store, events)
    let entries = try #require(
      plan.lines[0].wholeMatch(
        of: /the index of at was tried in its order and given up after (\d+) entries/))
    #expect(try #require(Int(entries.1)) < Self.count / 200)
    #expect(plan.lines[1] == "scan of Event, column by column")
    #expect(plan.leavesVisited <= 6 * leaves)
  }

  @Test func anIndexInTheOrderVisitsALeafOnceForManyEntries() throws {
    // Some match, and the newest lie together.
    let (near, events) = try store(userCount: 4) { $0 }
    let plan = try newest(of: 3, in: near, events)
    #expect(plan.lines[0] == "in the order of the index of at")
    #expect(plan.leavesVisited < 12 && plan.rowsExamined < 120)
    // Many match, and the newest lie anywhere.
    let (far, scattered) = try store(userCount: 2) { ($0 * 7919) % Self.count }
    let scatteredPlan = try newest(of: 1, in: far, scattered)
    #expect(scatteredPlan.lines[0] == "in the order of the index of at")
    #expect(scatteredPlan.rowsExamined < 200)
  }

  @Test func fewerMatchesThanTheLimitAreAllFound() throws {
    let (store, events) = try store(userCount: 6000) { ($0 * 7919) % Self.count }
    let query = Event.where { $0.user == 7 && $0.at > Date(timeIntervalSinceReferenceDate: 59_900) }
      .order(by: \.at).limit(20)
    let wanted = events.filter { $0.user == 7 && $0.at.timeIntervalSinceReferenceDate > 59_900 }
      .sorted { $0.at < $1.at }.map(\.id)
    #expect(try store.snapshot().fetch(query).map(\.id) == wanted)
  }
}
