import AllocationCounter
import Foundation
import Roost
import RoostEngine
import RoostTestSupport
import Testing

/// What reading objects costs, counted: no clock.
@Suite struct MillionRowsTests {
  /// The design's example, with both texts longer than a string keeps within itself.
  struct Member: Model {
    let id: Int
    var name: String
    var email: String
    var age: Int
    static let schema = Schema(
      Member.init, Key("id", \.id), Field("name", \.name), Field("email", \.email),
      Field("age", \.age))
  }

  private func fill(_ store: Store, _ count: Int) throws {
    try store.write { transaction in
      try transaction.insert(
        contentsOf: (0..<count).lazy.map {
          Member(
            id: $0, name: "A name of some length \($0 % 1000)",
            email: "address-number-\($0)@example.com", age: $0 % 100)
        })
    }
  }

  @Test func aCountAllocatesNothingPerObjectAndDecodingDoes() throws {
    let store = try Store(.inMemory, models: Member.self)
    try fill(store, 1_000_000)
    let snapshot = store.snapshot()
    let query = Member.where { $0.age == 42 }
    #expect(try snapshot.count(query) == 10_000)

    let before = allocation_count()
    let counted = try snapshot.count(query)
    #expect(allocation_count() - before <= 50)

    let beforeRows = allocation_count()
    var decoded = 0
    for row in try snapshot.rows(Member.all) where try row.value.age == 42 { decoded += 1 }
    #expect(decoded == counted)
    // So the counter counts: two texts for each object.
    #if os(Linux)
    #expect(allocation_count() - beforeRows > 1_000_000)
    #endif
  }

  @Test func theBytesOfAFieldLieInThePageFrame() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/members.roost"
      let store = try Store(.file(path), models: Member.self)
      try fill(store, 5000)
      // The same engine, so the same frames.
      let engine = try Engine.open(path)
      let table = try #require(engine.snapshot().catalog.tables.first)
      let name = try #require(table.field(named: "name"))
      for row in try store.snapshot().rows(Member.all) {
        let found = try #require(
          try engine.snapshot().view.objects(table.id).find(Int64(row.id)))
        let frame = try #require(try found.leaf.addresses(of: name.id))
        let address = try unsafe row.withBytes(\.name) { UInt(bitPattern: $0.baseAddress) }
        #expect(frame.contains(address))
      }
    }
  }
}
