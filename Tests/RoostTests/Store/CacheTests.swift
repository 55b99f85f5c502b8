import Foundation
import Roost
import RoostEngine
import RoostTestSupport
import Synchronization
import Testing

/// Stores that are caches, by examples, under faults, and at their bound.
@Suite struct CacheTests {
  private typealias Page = Cached.Page
  private typealias Visit = Cached.Visit

  private let clock = TestClock()

  private func page(_ id: Int, _ text: String = "text") -> Page {
    Page(id: "p\(id)", text: text, count: id)
  }

  private func ids(_ store: Store) throws -> [String] {
    try store.snapshot().fetch(Page.all).map(\.id).sorted()
  }

  @Test func whatExpiresGoesWithTheNextWriteOpeningOrTrimAndNeverFromASnapshot() throws {
    let disk = SimulatedDisk()
    let cache = clock.cache(on: disk)
    var store = try Cached.store("cache.roost", cache)
    try store.write { try $0.insert(page(1)) }
    clock.advance(60)
    try store.write { try $0.insert(page(2)) }
    clock.advance(39.9)
    try store.write { _ = try $0.delete(Page.self, id: "none") }
    #expect(try ids(store) == ["p1", "p2"])
    var before: Snapshot? = store.snapshot()
    clock.advance(0.1)
    // It is there until something is committed.
    let writes = disk.counters.changing
    #expect(try ids(store) == ["p1", "p2"])
    #expect(disk.counters.changing == writes)
    try store.write { try $0.insert(page(3)) }
    #expect(try ids(store) == ["p2", "p3"])
    #expect(try before?.fetch(Page.all).map { $0.id } == ["p1", "p2"])
    before = nil
    clock.advance(60)
    #expect(try store.trim() == 1)
    #expect(try ids(store) == ["p3"])
    clock.advance(100)
    store.close()
    store = try Cached.store("cache.roost", cache)
    #expect(try ids(store) == [])
    let damage: [StoreDamage] = try store.verify()
    #expect(damage == [])
  }

  @Test func theAsynchronousFormsTrimToo() async throws {
    let store = try Cached.store(.inMemory, clock.cache())
    for durability in [Durability.full, .grouped, .relaxed, .paranoid] {
      try await store.write(durability: durability) {
        try $0.insert(Page(id: "a", text: "", count: 0))
      }
      clock.advance(100)
      try await store.write(durability: durability) {
        try $0.insert(Page(id: "b", text: "", count: 0))
      }
      #expect(try ids(store) == ["b"])
      clock.advance(100)
      #expect(try await store.trim() == 1)
    }
  }

  @Test func aStoreThatIsNoCacheKeepsAllAndAnswersATrimWithNothing() throws {
    let store = try Cached.store(.inMemory, Configuration())
    try store.write { try $0.insert(page(1)) }
    clock.advance(1e9)
    #expect(try store.trim() == 0)
    #expect(try ids(store) == ["p1"])
    let table = try #require(store.open().snapshot().catalog.table(named: "Page"))
    #expect(table.writeTimeField == nil)
  }

  @Test func aStoreBecomesACacheAndStopsBeingOneAndWhatIsThereCountsAsWrittenThen() throws {
    let disk = SimulatedDisk()
    var plain = Configuration()
    plain.fileSystem = disk
    do {
      let store = try Cached.store("cache.roost", plain)
      try store.write { try $0.insert(contentsOf: (0..<2000).map { page($0) }) }
    }
    clock.advance(1000)
    let cache = clock.cache(on: disk)
    do {
      let store = try Cached.store("cache.roost", cache)
      #expect(try store.snapshot().count(Page.all) == 2000)
      #expect(try store.keptFields == [])
      clock.advance(50)
      try store.write { _ = try $0.update(Page.self, id: "p7") { $0.count = 70 } }
    }
    clock.advance(10)
    // One who knows of no cache writes too.
    do {
      let store = try Cached.store("cache.roost", plain)
      try store.write { try $0.insert(page(5000)) }
      try store.write { _ = try $0.update(Page.self, id: "p8") { $0.count = 80 } }
      #expect(try store.keptFields == [])
    }
    clock.advance(39)
    do { #expect(try Cached.store("cache.roost", cache).snapshot().count(Page.all) == 2001) }
    clock.advance(1)
    let store = try Cached.store("cache.roost", cache)
    #expect(try ids(store) == ["p7"])
  }

  private enum Later {
    struct Note: Model {
      let id: Int
      var text: String
      static let schema = Schema(Note.init, Key("id", \.id), Field("text", \.text))
    }
  }

  private enum Earlier {
    struct Note: Model {
      let id: Int
      var text: String
      static let schema = Schema(Note.init, Key("id", \.id), Field("text", \.text, .indexed))
    }
  }

  @Test func theIndexesOfACacheFollowItsModels() throws {
    let disk = SimulatedDisk()
    func isIndexed(_ store: Store) throws -> Bool? {
      try store.open().snapshot().catalog.table(named: "Note")?.field(named: "text")?.isIndexed
    }
    let cache = clock.cache(on: disk)
    do {
      let store = try Store("cache.roost", models: Earlier.Note.self, configuration: cache)
      #expect(try isIndexed(store) == true)
    }
    // That objects have a time does not make it a file of which the models know a part.
    let store = try Store("cache.roost", models: Later.Note.self, configuration: cache)
    #expect(try isIndexed(store) == false)
  }

  @Test func whoMayNotChangeTheModelsMakesNoCache() throws {
    let disk = SimulatedDisk()
    var plain = Configuration()
    plain.fileSystem = disk
    do { _ = try Cached.store("cache.roost", plain) }
    let bytes = disk.contents(of: "cache.roost")
    var cache = clock.cache(
      keeping: [Cached.Note.self, Cached.Part.self, Cached.Draft.self], on: disk)
    cache.migrates = false
    #expect(
      throws: StoreError.migrationRequired([.pendingChange(model: "Page", field: ".written")])
    ) { _ = try Cached.store("cache.roost", cache) }
    // Who only reads removes nothing.
    cache.isReadOnly = true
    let store = try Cached.store("cache.roost", cache)
    #expect(try store.trim() == 0)
    #expect(disk.contents(of: "cache.roost") == bytes)
  }

  private struct Twice: Model {
    let id: Int
    var a: Date
    var b: Date
    static let schema = Schema(
      Twice.init, Key("id", \.id), Field("a", \.a, .cacheDate), Field("b", \.b, .cacheDate))
  }

  @Test func aModelHasOneDateThatSaysHowOldItsObjectsAre() {
    #expect(
      throws: StoreError.schemaInvalid(
        model: "Twice", reason: "\"a\" and \"b\" are both its `.cacheDate`; there is one at most.")
    ) { _ = try Store(.inMemory, models: Twice.self) }
  }

  @Test func thatAnObjectIsWrittenAsItWasIsNoChangeOfIt() throws {
    let store = try Cached.store(.inMemory, clock.cache())
    try store.write { try $0.insert(contentsOf: [page(1), page(2)]) }
    let before = store.snapshot()
    clock.advance(10)
    try store.write { try $0.upsert(page(1)) }
    let changes = try store.snapshot().changes(since: before).of(Page.self)
    #expect(changes.isEmpty)
    // It counts as written all the same.
    clock.advance(90)
    #expect(try store.trim() == 1)
    #expect(try ids(store) == ["p1"])
  }

  @Test func theOldestGoFirstForRoomWhateverTheirModelAndWhatIsKeptStays() throws {
    let disk = SimulatedDisk()
    let cache = clock.cache(
      maxBytes: 8 << 20, expiresAfter: nil, keeping: [Cached.Draft.self], on: disk)
    let store = try Cached.store("cache.roost", cache)
    try store.write { transaction in
      try transaction.insert(contentsOf: (0..<100).map { Cached.Draft(id: $0, page: nil) })
      try transaction.setValue("settings", to: "kept")
    }
    /// Pages and notes in the order of their last writes.
    var order: [String] = []
    var random = SeededGenerator(seed: 3)
    var trims = 0
    for round in 0..<300 {
      clock.advance(1)
      let ids = (0..<80).map { round * 80 + $0 }
      let rewritten = order.isEmpty ? nil : order.randomElement(using: &random)
      try store.write { transaction in
        for id in ids {
          let text = String(repeating: "\(id) ", count: Int.random(in: 1...80, using: &random))
          if id % 2 == 0 {
            try transaction.insert(Page(id: "p\(id)", text: text, count: id))
          } else {
            try transaction.insert(Cached.Note(id: id, text: text, page: nil))
          }
        }
        guard let rewritten else { return }
        if rewritten.hasPrefix("p") {
          try transaction.update(Page.self, id: rewritten, set: \.count, to: -1)
        } else if let id = Int(rewritten) {
          try transaction.update(Cached.Note.self, id: id) { _ in }
        }
      }
      if let rewritten { order.removeAll { $0 == rewritten } }
      // What is written together is ordered by models, and then by keys.
      var written = ids.map { $0 % 2 == 0 ? "p\($0)" : "\($0)" }
      if let rewritten { written.append(rewritten) }
      order += written
      let snapshot = store.snapshot()
      let found = Set(
        try snapshot.fetch(Page.all).map(\.id) + snapshot.fetch(Cached.Note.all).map { "\($0.id)" })
      // Of one write some may have gone; of those before it all, of those behind it none.
      let gone = order.filter { !found.contains($0) }
      if !gone.isEmpty {
        trims += 1
        let lastGone = order.lastIndex { !found.contains($0) } ?? 0
        let stayedBefore = order[..<lastGone].filter { found.contains($0) }
        #expect(stayedBefore.count < 82, "round \(round)")
        #expect(found.isSuperset(of: written), "round \(round)")
      }
      order.removeAll { !found.contains($0) }
      #expect(found == Set(order))
      let used = try store.open().snapshot().usedBytes
      #expect(used <= (8 << 20) * 7 / 10)
      if !gone.isEmpty { #expect(used > (8 << 20) * 5 / 10) }
      #expect(try store.open().fileBytes() <= (8 << 20) * 12 / 10)
    }
    #expect(trims > 3)
    #expect(try store.snapshot().count(Cached.Draft.all) == 100)
    #expect(try store.snapshot().value("settings", as: String.self) == "kept")
    let damage: [StoreDamage] = try store.verify()
    #expect(damage == [])
  }

  @Test func whatKeptObjectsNeedStaysAlsoWhereThereIsNoRoomForIt() throws {
    let cache = clock.cache(maxBytes: 2 << 20, expiresAfter: nil, keeping: [Cached.Draft.self])
    let store = try Cached.store(.inMemory, cache)
    let text = String(repeating: "x", count: 900)
    for round in 0..<40 {
      clock.advance(1)
      try store.write { transaction in
        for id in round * 50..<round * 50 + 50 {
          try transaction.insert(Page(id: "p\(id)", text: text + "\(id)", count: id))
          try transaction.insert(Cached.Draft(id: id, page: Link(id: "p\(id)")))
          try transaction.insert(Page(id: "free\(id)", text: text + "\(id)", count: id))
        }
      }
    }
    let snapshot = store.snapshot()
    #expect(try snapshot.count(Cached.Draft.all) == 2000)
    #expect(try snapshot.count(Page.where { $0.id.hasPrefix("p") }) == 2000)
    // Of the others there is no room for any. Behind each write that would be looked at in vain.
    #expect(try snapshot.count(Page.where { $0.id.hasPrefix("free") }) < 300)
    try store.trim()
    #expect(try store.snapshot().count(Page.where { $0.id.hasPrefix("free") }) == 0)
  }

  @Test func aFileThatHasGrownTooLargeIsCompactedWhenItIsOpened() throws {
    let disk = SimulatedDisk()
    let cache = clock.cache(maxBytes: 4 << 20, expiresAfter: nil, on: disk)
    func bytes() -> Int { disk.contents(of: "cache.roost")?.count ?? 0 }
    do {
      let store = try Cached.store("cache.roost", cache)
      // A single transaction writes more than the cache may hold.
      try store.write {
        try $0.insert(
          contentsOf: (0..<12_000).map { page($0, "\($0)" + String(repeating: "x", count: 900)) })
      }
      #expect(try store.open().snapshot().usedBytes <= (4 << 20) * 7 / 10)
      #expect(bytes() > 8 << 20)
    }
    let store = try Cached.store("cache.roost", cache)
    #expect(bytes() <= (4 << 20) * 12 / 10)
    #expect(try store.snapshot().count(Page.all) > 1000)
  }

  @Test func holdsItsBoundWhateverIsInserted() throws {
    let count = ProcessInfo.processInfo.environment["ROOST_CACHED"].flatMap { Int($0) } ?? 100_000
    let bound = count < 1_000_000 ? 8 << 20 : 40 << 20
    try withTemporaryDirectory { directory in
      let path = directory + "/cache.roost"
      let store = try Cached.store(
        .file(path), clock.cache(maxBytes: Int64(bound), expiresAfter: 1e6))
      var random = SeededGenerator(seed: 5)
      var largest = 0
      for start in stride(from: 0, to: count, by: 500) {
        clock.advance(1)
        try store.write { transaction in
          try transaction.insert(
            contentsOf: (start..<min(start + 500, count)).map { id in
              Page(
                id: "https://example.com/\(random.next() % 1000)/\(id)", text: "\(random.next())",
                count: id)
            })
        }
        let size = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int
        largest = max(largest, try #require(size))
      }
      #expect(largest <= bound * 12 / 10)
      // It is no empty cache, and holds the newest.
      let snapshot = store.snapshot()
      #expect(try store.open().snapshot().usedBytes > UInt64(bound) / 2)
      let held = try snapshot.count(Page.all)
      #expect(held < count)
      #expect(try snapshot.count(Page.where { $0.count >= count - held }) == held)
      let damage: [StoreDamage] = try store.verify()
      #expect(damage == [])
    }
  }

  @Test(arguments: [EIO, ENOSPC])
  func whicheverCallOfATrimFailsTheWriteIsThereAndNothingGoesThatIsNotDue(code: Int32) throws {
    let image: [UInt8]
    do {
      let disk = SimulatedDisk()
      let store = try Cached.store("cache.roost", clock.cache(on: disk))
      try store.write { try $0.insert(contentsOf: (0..<600).map { page($0) }) }
      clock.advance(50)
      try store.write { try $0.insert(contentsOf: (600..<900).map { page($0) }) }
      store.close()
      image = try #require(disk.contents(of: "cache.roost"))
    }
    clock.advance(10)
    var call = 1
    var said = 0
    while true {
      let disk = SimulatedDisk(seed: UInt64(call))
      disk.install(image, at: "cache.roost")
      let messages = Mutex<[String]>([])
      var cache = clock.cache(on: disk)
      cache.log = { message in messages.withLock { $0.append(message) } }
      let clock = TestClock(self.clock.now)
      cache.clock = { clock.now }
      let store = try Cached.store("cache.roost", cache)
      clock.advance(40)
      disk.resetCounters()
      disk.inject(SimulatedDisk.Fault(.any, call: call, .failOnce(code)))
      var isWritten = false
      do {
        try store.write { try $0.insert(page(1000)) }
        isWritten = true
      } catch is StoreError {}
      let wasReached = disk.counters.total >= call
      disk.removeFaults()
      let found = try store.snapshot().fetch(Page.all).map(\.count)
      let due = Set(0..<600)
      #expect(Set(found).isSuperset(of: 600..<900), "call \(call)")
      #expect(!isWritten || found.contains(1000), "call \(call)")
      let left = due.intersection(found)
      #expect(left.isEmpty || left == due, "call \(call)")
      if isWritten, !left.isEmpty {
        said += 1
        #expect(messages.withLock { $0.count } == 1, "call \(call)")
      }
      store.close()
      // The next opening does what was not done.
      let again = try Cached.store("cache.roost", cache)
      let rest = try again.snapshot().fetch(Page.all).map(\.count)
      #expect(Set(rest).subtracting([1000]) == Set(600..<900), "call \(call)")
      let damage: [StoreDamage] = try again.verify()
      #expect(damage == [])
      guard wasReached else { break }
      call += 1
    }
    #expect(call > 8 && said > 2)
  }
}
