import AllocationCounter
import Foundation
import Roost
import RoostTestSupport
import Testing

/// How often reads without decoding ask for memory: not once for each object.
@Suite struct RowAllocationTests {
  struct Member: Model {
    let id: Int
    var name: String
    var email: String
    var age: Int
    var team: Link<Team>
    static let schema = Schema(
      Member.init, Key("id", \.id), Field("name", \.name), Field("email", \.email),
      Field("age", \.age, .indexed), Field("team", \.team))
  }

  struct Team: Model {
    let id: Int
    var name: String
    static let schema = Schema(Team.init, Key("id", \.id), Field("name", \.name))
  }

  private func store(_ count: Int) throws -> Store {
    let store = try Store(.inMemory, models: Member.self, Team.self)
    try store.write { transaction in
      try transaction.insert(
        contentsOf: (0..<10).map { Team(id: $0, name: "A team of some length \($0)") })
      try transaction.insert(
        contentsOf: (0..<count).lazy.map {
          Member(
            id: $0, name: "A name of some length \($0 % 1000)",
            email: "address-number-\($0)@example.com", age: $0 % 100, team: Link(id: $0 % 10))
        })
    }
    return store
  }

  /// Reads of all of `count` members, or of one in a hundred; each gives a number that depends on all it read.
  private static let reads: [(name: String, read: @Sendable (Snapshot, Int) throws -> Int)] = [
    (
      "rows",
      { snapshot, _ in
        var sum = 0
        for row in try snapshot.rows(Member.all) {
          sum += try row.id + row.age + row.team.id
          sum += try unsafe row.withBytes(\.name) { $0.count } + row.withBytes(\.email) { $0.count }
        }
        return sum
      }
    ),
    (
      "batches",
      { snapshot, _ in
        var sum = 0
        try snapshot.rows(Member.all).forEachBatch { batch in
          let ages = try batch.column(\.age)
          let names = try batch.column(\.name)
          for place in ages.indices {
            sum += try ages[place]
            sum += try unsafe names.withBytes(place) { $0.count }
          }
        }
        return sum
      }
    ),
    (
      "mapped rows",
      { snapshot, _ in try snapshot.rows(Member.all).map { try $0.age }.reduce(0, +) }
    ),
    (
      "rows of a filter",
      { snapshot, _ in
        var sum = 0
        for row in try snapshot.rows(Member.where { $0.id >= 10 && $0.team == Link(id: 3) }) {
          sum += try row.age
        }
        return sum
      }
    ),
    (
      "rows of an index",
      { snapshot, _ in
        var sum = 0
        for row in try snapshot.rows(Member.where { $0.age == 42 }) { sum += try row.id }
        return sum
      }
    ),
    (
      "rows by id, and their links",
      { snapshot, count in
        var sum = 0
        for id in 0..<count {
          guard let row = try snapshot.row(Member.self, id: id * 7919 % count) else { continue }
          sum += try row.age
          sum += try unsafe snapshot.row(row.team)?.withBytes(\.name) { $0.count } ?? 0
        }
        return sum
      }
    ),
  ]

  @Test(.enabled(if: isOptimized, "Code that is not optimised allocates more."))
  func lazyReadsAllocateNothingForEachObject() throws {
    for count in [2000, 40_000] {
      let snapshot = try store(count).snapshot()
      for (name, read) in Self.reads {
        let first = try read(snapshot, count)
        let before = allocation_count()
        #expect(try read(snapshot, count) == first)
        // Some for the query, and for each leaf of about a thousand objects one a column beside a few.
        #expect(allocation_count() - before <= 60 + UInt(count / 50), "\(name) of \(count)")
      }
    }
  }
}
