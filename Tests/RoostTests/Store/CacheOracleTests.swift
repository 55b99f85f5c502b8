import Foundation
import Roost
import RoostTestSupport
import Testing

/// Caches under random writes, with a clock that goes on, against a plain-Swift model of what they hold.
@Suite struct CacheOracleTests {
  private static let ageMax = 100.0

  @Test(arguments: 0..<40)
  func holdsWhatThePlainModelSaysWhateverIsWrittenAndExpires(seed: Int) throws {
    let disk = SimulatedDisk(seed: UInt64(seed))
    var run = try Run(seed: UInt64(seed), disk)
    for step in 0..<120 {
      try run.step()
      guard run.problem == nil else {
        Issue.record("seed \(seed), step \(step): \(run.problem ?? "")")
        return
      }
    }
    // Each way for an object to stay or to go was there.
    #expect(run.removed > 20)
    #expect(run.heldBack > 0 || seed > 0)
  }

  /// The kinds of objects.
  private enum Kind: Int, CaseIterable { case page, visit, note, part, draft }

  private struct Key: Hashable, Comparable {
    let kind: Kind
    let id: Int

    static func < (a: Key, b: Key) -> Bool { (a.kind.rawValue, a.id) < (b.kind.rawValue, b.id) }
  }

  private struct Entry: Equatable {
    var text = ""
    var count = 0
    /// When it was written, or its date.
    var date: Double
    var target: Key?
  }

  /// What a cache should hold.
  private struct World {
    var entries: [Key: Entry] = [:]

    func keys(_ kind: Kind) -> [Key] { entries.keys.filter { $0.kind == kind }.sorted() }

    /// Who links to each object, without those whose link becomes nil.
    private var owners: [Key: [Key]] {
      var owners: [Key: [Key]] = [:]
      for (key, entry) in entries where key.kind != .visit {
        if let target = entry.target { owners[target, default: []].append(key) }
      }
      return owners
    }

    func isLinked(_ key: Key) -> Bool { owners[key] != nil }

    /// What has expired, and what of it no other object needs.
    func expired(_ now: Double) -> (all: Set<Key>, removable: Set<Key>) {
      let all = Set(
        entries.filter { $0.key.kind != .draft && $0.value.date <= now - ageMax }.keys)
      let owners = owners
      var removable = all
      while true {
        let needed = removable.filter { key in
          (owners[key] ?? []).contains { !removable.contains($0) }
        }
        guard !needed.isEmpty else { return (all, removable) }
        removable.subtract(needed)
      }
    }

    mutating func remove(_ keys: Set<Key>) {
      for key in keys { entries[key] = nil }
      for (key, entry) in entries {
        if let target = entry.target, keys.contains(target) { entries[key]?.target = nil }
      }
    }
  }

  private struct Failure: Error {}

  private struct Run {
    private var random: SeededGenerator
    private let clock = TestClock()
    private let disk: SimulatedDisk
    private var store: Store
    private var world = World()
    /// What stayed although it had expired, when something was last removed.
    private var stayed: Set<Key> = []
    /// What the store held at some time, with what it must go on to hold.
    private var snapshots: [(Snapshot, World)] = []
    /// When it may have been looked for what has expired: soon after, writes do not look again.
    private var lastLook = -Double.infinity
    private var nextID = 0
    private(set) var problem: String?
    private(set) var removed = 0
    private(set) var heldBack = 0

    init(seed: UInt64, _ disk: SimulatedDisk) throws {
      random = SeededGenerator(seed: seed)
      self.disk = disk
      store = try Self.open(disk, clock)
    }

    private static func open(_ disk: SimulatedDisk, _ clock: TestClock) throws -> Store {
      try Cached.store(
        .file("cache.roost"),
        clock.cache(expiresAfter: ageMax, keeping: [Cached.Draft.self], on: disk))
    }

    mutating func step() throws {
      if random.chance(2, in: 3) { clock.advance(Double(Int.random(in: 0...40, using: &random))) }
      switch Int.random(in: 0..<12, using: &random) {
      case 0:
        let count = try store.trim()
        let before = world.entries.count
        trimWorld()
        if count != before - world.entries.count {
          problem = "\(count) were removed, not \(before - world.entries.count)"
        }
        try compare("trimmed")
      case 1:
        // Who reopens it removes what has expired.
        snapshots = []
        store.close()
        store = try Self.open(disk, clock)
        trimWorld()
        try compare("reopened")
      case 2:
        snapshots.append((store.snapshot(), world))
        if snapshots.count > 3 { snapshots.removeFirst() }
      case 3:
        // Reading writes nothing, whatever has expired.
        let changing = disk.counters.changing
        try compare("read")
        if disk.counters.changing != changing { problem = "a read has written" }
      default: try write()
      }
      for (snapshot, world) in snapshots where try Self.content(snapshot) != Self.content(world) {
        problem = "a snapshot has changed"
      }
    }

    private mutating func trimWorld() {
      lastLook = clock.now
      let expired = world.expired(clock.now)
      world.remove(expired.removable)
      stayed = expired.all.subtracting(expired.removable)
      removed += expired.removable.count
      heldBack += stayed.count
    }

    // MARK: Writing

    private mutating func write() throws {
      var changed = world
      let fails = random.chance(1, in: 8)
      do {
        try store.write { transaction in
          for _ in 0..<Int.random(in: 1...6, using: &random) {
            try operation(transaction, &changed)
          }
          if fails { throw Failure() }
        }
        world = changed
      } catch is Failure {}
      // What has expired is removed behind a write, unless it was held back before.
      let expired = world.expired(clock.now)
      let found = try Self.content(store.snapshot())
      let isQuiet = clock.now < lastLook + ageMax / 64
      defer {
        if !fails {
          stayed.formUnion(expired.all.subtracting(expired.removable))
          lastLook = clock.now
        }
      }
      var trimmed = world
      trimmed.remove(expired.removable)
      if found == Self.content(trimmed), !expired.removable.isEmpty {
        trimWorld()
      } else if found != Self.content(world) {
        problem = "after a write: \(Self.difference(found, Self.content(world)))"
      } else if !fails, !isQuiet, !expired.removable.isSubset(of: stayed) {
        problem = "after a write \(expired.removable.subtracting(stayed)) are there"
      }
    }

    private mutating func newKey(_ kind: Kind) -> Key {
      nextID += 1
      return Key(kind: kind, id: nextID)
    }

    private mutating func target(for kind: Kind, _ world: World) -> Key? {
      guard random.chance(1, in: 2) else { return nil }
      return world.keys(kind == .part ? .note : .page).randomElement(using: &random)
    }

    private mutating func randomEntry(_ key: Key, _ world: World) -> Entry {
      var entry = Entry(date: clock.now)
      switch key.kind {
      case .page:
        entry.text = String(repeating: "t", count: Int.random(in: 0...30, using: &random))
        entry.count = Int.random(in: 0...3, using: &random)
      case .visit: entry.date = clock.now - Double(Int.random(in: -20...120, using: &random))
      case .note: entry.text = "n\(Int.random(in: 0...3, using: &random))"
      case .part, .draft: break
      }
      if key.kind != .page { entry.target = target(for: key.kind, world) }
      return entry
    }

    private mutating func operation(
      _ transaction: WriteTransaction, _ world: inout World
    ) throws {
      guard let kind = Kind.allCases.randomElement(using: &random) else { return }
      let choice = Int.random(in: 0..<13, using: &random)
      guard choice > 4, let key = world.keys(kind).randomElement(using: &random) else {
        let key = newKey(kind)
        let entry = randomEntry(key, world)
        world.entries[key] = entry
        return try Self.put(key, entry, transaction)
      }
      switch choice {
      case 5:
        // The same values: that it was written counts, unless it has a date of its own.
        if kind != .visit { world.entries[key]?.date = clock.now }
        if let entry = world.entries[key] { try Self.put(key, entry, transaction) }
      case 6:
        let entry = randomEntry(key, world)
        world.entries[key] = entry
        try Self.put(key, entry, transaction)
      case 7: try setField(of: key, transaction, &world)
      case 8:
        // All of a query, of which those count that change.
        for key in world.keys(.page) where world.entries[key]?.count == 1 {
          world.entries[key]?.count = 2
          world.entries[key]?.date = clock.now
        }
        let ones = Cached.Page.where { $0.count == 1 }
        try transaction.update(ones, set: \.count, to: { $0.count + 1 })
      case 9: try undo(transaction, world)
      case 10:
        guard !world.isLinked(key) else { return }
        world.remove([key])
        try Self.delete(key, transaction)
      case 11 where kind == .page:
        // Nothing is written.
        let page = Cached.Page(id: "p\(key.id)", text: "not taken", count: 7)
        try transaction.upsert(page, onConflict: .keep)
      case 11, 12:
        guard kind == .note else { return }
        // A closure that changes nothing writes all the same.
        world.entries[key]?.date = clock.now
        try transaction.update(Cached.Note.self, id: key.id) { _ in }
      default: break
      }
    }

    /// Gives one field of an object a value, which may be what it has.
    private mutating func setField(
      of key: Key, _ transaction: WriteTransaction, _ world: inout World
    ) throws {
      if key.kind != .visit { world.entries[key]?.date = clock.now }
      guard key.kind != .page else {
        let count = Int.random(in: 0...3, using: &random)
        world.entries[key]?.count = count
        return try transaction.update(
          Cached.Page.self, id: "p\(key.id)", set: \.count, to: count)
      }
      let target = target(for: key.kind, world)
      world.entries[key]?.target = target
      let page = target.map { Link<Cached.Page>(id: "p\($0.id)") }
      switch key.kind {
      case .page: break
      case .visit: try transaction.update(Cached.Visit.self, id: key.id, set: \.page, to: page)
      case .note: try transaction.update(Cached.Note.self, id: key.id, set: \.page, to: page)
      case .draft: try transaction.update(Cached.Draft.self, id: key.id, set: \.page, to: page)
      case .part:
        let note = target.map { Link<Cached.Note>(id: $0.id) }
        try transaction.update(Cached.Part.self, id: key.id, set: \.note, to: note)
      }
    }

    /// Writes what is undone, and so was not written.
    private func undo(_ transaction: WriteTransaction, _ world: World) throws {
      var pages = world.keys(.page).map {
        Cached.Page(id: "p\($0.id)", text: "undone", count: 9)
      }
      guard !pages.isEmpty else { return }
      do {
        try transaction.savepoint {
          try transaction.upsert(contentsOf: pages)
          throw Failure()
        }
      } catch is Failure {}
      pages.insert(Cached.Page(id: "new", text: "undone", count: 9), at: 0)
      do {
        try transaction.insert(contentsOf: pages)
      } catch { #expect(error.code == .duplicateKey) }
    }

    private static func put(_ key: Key, _ entry: Entry, _ transaction: WriteTransaction) throws {
      let page = entry.target.map { Link<Cached.Page>(id: "p\($0.id)") }
      switch key.kind {
      case .page:
        try transaction.upsert(
          Cached.Page(id: "p\(key.id)", text: entry.text, count: entry.count))
      case .visit:
        let date = Date(timeIntervalSinceReferenceDate: entry.date)
        try transaction.upsert(Cached.Visit(id: key.id, date: date, page: page))
      case .note: try transaction.upsert(Cached.Note(id: key.id, text: entry.text, page: page))
      case .part:
        try transaction.upsert(
          Cached.Part(id: key.id, note: entry.target.map { Link(id: $0.id) }))
      case .draft: try transaction.upsert(Cached.Draft(id: key.id, page: page))
      }
    }

    private static func delete(_ key: Key, _ transaction: WriteTransaction) throws {
      switch key.kind {
      case .page: try transaction.delete(Cached.Page.self, id: "p\(key.id)")
      case .visit: try transaction.delete(Cached.Visit.self, id: key.id)
      case .note: try transaction.delete(Cached.Note.self, id: key.id)
      case .part: try transaction.delete(Cached.Part.self, id: key.id)
      case .draft: try transaction.delete(Cached.Draft.self, id: key.id)
      }
    }

    // MARK: Comparing

    private mutating func compare(_ what: String) throws {
      let found = try Self.content(store.snapshot())
      let wanted = Self.content(world)
      if found != wanted { problem = "\(what): \(Self.difference(found, wanted))" }
      let damage: [StoreDamage] = try store.verify()
      if !damage.isEmpty { problem = "\(what): \(damage)" }
    }

    private static func content(_ world: World) -> [String] {
      world.entries.map { key, entry in
        let target = entry.target.map { "\($0.id)" } ?? "-"
        let date = key.kind == .visit ? "\(entry.date)" : ""
        return "\(key.kind) \(key.id) \(entry.text) \(entry.count) \(date) \(target)"
      }.sorted()
    }

    private static func content(_ snapshot: Snapshot) throws -> [String] {
      func line(
        _ kind: Kind, _ id: some Any, _ text: String, _ count: Int, _ date: Date?, _ target: Any?
      ) -> String {
        let date = date.map { "\($0.timeIntervalSinceReferenceDate)" } ?? ""
        let target = target.map { "\($0)" }?.trimmingPrefix("p") ?? "-"
        return "\(kind) \(id) \(text) \(count) \(date) \(target)"
      }
      var lines: [String] = []
      for page in try snapshot.fetch(Cached.Page.all) {
        lines.append(line(.page, page.id.dropFirst(), page.text, page.count, nil, nil))
      }
      for visit in try snapshot.fetch(Cached.Visit.all) {
        lines.append(line(.visit, visit.id, "", 0, visit.date, visit.page?.id))
      }
      for note in try snapshot.fetch(Cached.Note.all) {
        lines.append(line(.note, note.id, note.text, 0, nil, note.page?.id))
      }
      for part in try snapshot.fetch(Cached.Part.all) {
        lines.append(line(.part, part.id, "", 0, nil, part.note?.id))
      }
      for draft in try snapshot.fetch(Cached.Draft.all) {
        lines.append(line(.draft, draft.id, "", 0, nil, draft.page?.id))
      }
      return lines.sorted()
    }

    private static func difference(_ found: [String], _ wanted: [String]) -> String {
      let (a, b) = (Set(found), Set(wanted))
      return "too many: \(a.subtracting(b).sorted()), missing: \(b.subtracting(a).sorted())"
    }
  }
}
