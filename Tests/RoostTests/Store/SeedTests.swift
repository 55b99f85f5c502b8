import Foundation
import Roost
import RoostEngine
import RoostTestSupport
import Synchronization
import Testing

/// Stores that begin as a copy of one that is shipped with the app.
@Suite struct SeedTests {
  private static let seed = "bundle/groups.roost"
  private static let path = "groups.roost"
  private static let groups = (0..<300).map {
    Group(id: $0, name: "\($0) " + String(repeating: "x", count: $0 % 7 == 0 ? 3000 : 9), size: $0)
  }

  /// The bytes of the seed, with some free space.
  private func makeSeed() throws -> [UInt8] {
    let disk = SimulatedDisk()
    do {
      let store = try open(disk, .file(Self.path))
      try store.write { try $0.insert(contentsOf: Self.groups) }
      try store.write { try $0.insert(Group(id: 1000, name: "gone", size: nil)) }
      try store.write { _ = try $0.delete(Group.self, id: 1000) }
    }
    return try #require(disk.contents(of: Self.path))
  }

  private func makeDisk() throws -> SimulatedDisk {
    let disk = SimulatedDisk()
    disk.install(try makeSeed(), at: Self.seed)
    return disk
  }

  private static var location: Location {
    .file(path, seed: URL(fileURLWithPath: seed, relativeTo: nil))
  }

  private func open(
    _ disk: SimulatedDisk, _ location: Location? = nil, _ policy: UnreadableFilePolicy = .throw,
    isReadOnly: Bool = false
  ) throws(StoreError) -> Store {
    var configuration = Configuration()
    configuration.fileSystem = disk
    configuration.onUnreadable = policy
    configuration.isReadOnly = isReadOnly
    return try Store(
      location ?? .seeded(Self.path, seed: Self.seed), models: Group.self,
      configuration: configuration)
  }

  private func expectGroups(
    _ store: Store, _ more: [Group] = [], _ comment: Comment? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let found = try store.snapshot().fetch(Group.all)
    #expect(
      found.map(\.id) == (Self.groups + more).map(\.id), comment, sourceLocation: sourceLocation)
    #expect(
      found.map(\.name) == (Self.groups + more).map(\.name), comment, sourceLocation: sourceLocation
    )
    let damage: [StoreDamage] = try store.verify()
    #expect(damage == [], comment, sourceLocation: sourceLocation)
  }

  @Test func aMissingStoreBeginsWithWhatItsSeedHasAndThenNeedsItNoMore() throws {
    let disk = try makeDisk()
    let more = Group(id: 400, name: "mine", size: 1)
    do {
      let store = try open(disk)
      try expectGroups(store)
      try store.write { try $0.insert(more) }
    }
    let opens = disk.counters[.open]
    disk.resetCounters()
    do { try expectGroups(try open(disk), [more]) }
    let again = disk.counters
    disk.resetCounters()
    // Without the seed exactly the same is asked of the disk.
    try disk.remove(Self.seed)
    disk.resetCounters()
    do { try expectGroups(try open(disk), [more]) }
    #expect(disk.counters[.open] == again[.open] && again[.open] < opens)
    #expect(disk.contents(of: Self.path + ".new") == nil)
  }

  @Test func aURLNamesTheSeed() throws {
    #expect(Self.location == .seeded(Self.path, seed: URL(fileURLWithPath: Self.seed).path))
    let disk = try makeDisk()
    let web = try #require(URL(string: "https://example.com/words.roost"))
    #expect(throws: StoreError.fileNotFound(path: "https://example.com/words.roost")) {
      try open(disk, .file(Self.path, seed: web))
    }
  }

  @Test func killedOrWithoutPowerAtAnyCallItBeginsAgainAndNoHalfStoreIsThere() throws {
    let disk = try makeDisk()
    let images = Mutex<[SimulatedDisk]>([])
    disk.observeCalls { [unowned disk] _ in
      images.withLock { images in
        images.append(disk.killImage())
        for _ in 0..<3 { images.append(disk.crashImage(seed: UInt64(images.count))) }
      }
    }
    do { try open(disk).write { try $0.insert(Group(id: 400, name: "mine", size: 1)) } }
    disk.observeCalls(nil)
    let all = images.withLock { $0 }
    #expect(all.count > 200)
    var whole = 0
    for (number, image) in all.enumerated() {
      let mine = Group(id: 400, name: "mine", size: 1)
      if image.contents(of: Self.path) != nil {
        // What has the name is whole, whoever looks.
        let store = try open(image, .file(Self.path), isReadOnly: true)
        let hasMine = try store.snapshot().count(Group.all) > Self.groups.count
        try expectGroups(store, hasMine ? [mine] : [], "image \(number)")
        whole += 1
      }
      let store = try open(image)
      let hasMine = try store.snapshot().count(Group.all) > Self.groups.count
      try expectGroups(store, hasMine ? [mine] : [], "image \(number)")
      #expect(image.contents(of: Self.path + ".new") == nil, "image \(number)")
    }
    #expect(whole > 10 && whole < all.count)
  }

  @Test(arguments: [EIO, ENOSPC, EROFS])
  func aFailureOfAnyCallLeavesNothingAndTheNextOpeningMakesIt(code: Int32) throws {
    let seed = try makeSeed()
    var call = 1
    while true {
      let disk = SimulatedDisk(seed: UInt64(call))
      disk.install(seed, at: Self.seed)
      disk.inject(SimulatedDisk.Fault(.any, call: call, .failOnce(code)))
      disk.resetCounters()
      do {
        try expectGroups(try open(disk), [], "call \(call)")
      } catch StoreError.io(_, let path, _) {
        #expect([Self.path, Self.seed].contains(path), "call \(call)")
      } catch StoreError.diskFull(let path) {
        #expect([Self.path, Self.seed].contains(path), "call \(call)")
      } catch StoreError.permissionDenied(_, let path, _) {
        #expect([Self.path, Self.seed].contains(path), "call \(call)")
      }
      let wasReached = disk.counters.total >= call
      disk.removeFaults()
      // Who could not lock it does not know whose it is.
      #expect((disk.contents(of: Self.path + ".new") ?? []).isEmpty, "call \(call)")
      if disk.contents(of: Self.path) != nil {
        try expectGroups(try open(disk, .file(Self.path), isReadOnly: true), [], "call \(call)")
      }
      try expectGroups(try open(disk), [], "call \(call)")
      #expect(disk.contents(of: Self.seed) == seed)
      guard wasReached else { break }
      call += 1
    }
    #expect(call > 40)
  }

  @Test func onAFullDiskTheErrorNamesTheStoreAndNothingIsLeft() throws {
    let disk = try makeDisk()
    disk.capacity = UInt64(try #require(disk.contents(of: Self.seed)).count) + 70_000
    #expect(throws: StoreError.diskFull(path: Self.path)) { try open(disk) }
    #expect(disk.contents(of: Self.path) == nil)
    #expect(disk.contents(of: Self.path + ".new") == nil)
  }

  @Test(arguments: UnreadableFileTests.Damage.allCases)
  func aSeedThatCannotBeOpenedIsNamedAndLeavesNothing(damage: UnreadableFileTests.Damage) throws {
    let (bytes, error) = damage.hit(try makeSeed(), Self.seed)
    let disk = SimulatedDisk()
    disk.install(bytes, at: Self.seed)
    for policy in [UnreadableFilePolicy.throw, .setAside, .recreate] {
      #expect(throws: error) { try open(disk, nil, policy) }
      #expect(disk.contents(of: Self.seed) == bytes)
      #expect(disk.contents(of: Self.path) == nil)
      #expect(disk.contents(of: Self.path + ".new") == nil)
    }
  }

  @Test func noDamageAnywhereInASeedGetsIntoAStore() throws {
    let sound = try makeSeed()
    var refused = 0
    for unit in 1..<sound.count / Unit.bytes {
      var bytes = sound
      bytes[unit * Unit.bytes + unit % 4000] ^= 4
      let disk = SimulatedDisk()
      disk.install(bytes, at: Self.seed)
      do { try expectGroups(try open(disk), [], "unit \(unit)") } catch {
        guard let error = error as? StoreError, case .corrupt(Self.seed, _) = error else {
          Issue.record("unit \(unit): \(error)")
          continue
        }
        refused += 1
        #expect(disk.contents(of: Self.path) == nil)
        #expect(disk.contents(of: Self.path + ".new") == nil)
      }
    }
    #expect(refused > 10)
  }

  @Test func aSeedThatIsMissingOrBeingWrittenIsAnErrorThatNamesIt() throws {
    let disk = SimulatedDisk()
    #expect(throws: StoreError.fileNotFound(path: Self.seed)) { try open(disk) }
    disk.install(try makeSeed(), at: Self.seed)
    do {
      let writer = try open(disk, .file(Self.seed))
      #expect(throws: StoreError.locked(path: Self.seed)) { try open(disk) }
      writer.close()
    }
    // Who only reads makes nothing.
    #expect(throws: StoreError.fileNotFound(path: Self.path)) { try open(disk, isReadOnly: true) }
    #expect(disk.contents(of: Self.path) == nil)
    // Others may read it meanwhile.
    let reader = try open(disk, .file(Self.seed), isReadOnly: true)
    try expectGroups(try open(disk))
    try expectGroups(reader)
  }

  @Test func anUnreadableStoreIsMadeAnewFromItsSeed() throws {
    let disk = try makeDisk()
    disk.install(Array("Somebody else's notes".utf8), at: Self.path)
    let store = try open(disk, nil, .setAside)
    #expect(store.unreadableFile?.movedTo == Self.path + ".unreadable")
    try expectGroups(store)
  }

  @Test func twoStoresOfOneSeedAreTwoFiles() throws {
    let disk = try makeDisk()
    let first = try open(disk).snapshot()
    let second = try open(disk, .seeded("other.roost", seed: Self.seed)).snapshot()
    #expect(throws: StoreError.foreignSnapshot(path: Self.path)) {
      _ = try second.changes(since: first)
    }
  }

  @Test func theStepsOfAMigrationRunInTheCopyAndNotInTheSeed() throws {
    let disk = try makeDisk()
    let before = disk.contents(of: Self.seed)
    var configuration = Configuration()
    configuration.fileSystem = disk
    let location = Location.seeded(Self.path, seed: Self.seed)
    let plan = MigrationPlan {
      MigrationStep("size becomes members") { try $0.rename("size", of: "Group", to: "members") }
    }
    #expect(
      try Store.pendingSteps(at: location, of: plan, configuration: configuration)
        == ["size becomes members"])
    do {
      let store = try Store(location, models: Renamed.Group.self, configuration: configuration) {
        plan
      }
      let members = try store.snapshot().fetch(Renamed.Group.all).map(\.members)
      #expect(members == Self.groups.map(\.size))
      #expect(try store.history.map(\.name) == ["size becomes members"])
    }
    #expect(disk.contents(of: Self.seed) == before)
    #expect(
      try Store.pendingSteps(at: location, of: plan, configuration: configuration) == [])
  }

  private enum Renamed {
    struct Group: Model {
      let id: Int
      var name: String
      var members: Int?
      static let schema = Schema(
        Group.init, Key("id", \.id), Field("name", \.name), Field("members", \.members))
    }
  }

  @Test func threadsThatOpenItAtOnceShareOneCopyFromAFolderThatCannotBeWritten() async throws {
    let bytes = try makeSeed()
    try await withTemporaryDirectory { directory in
      let bundle = directory + "/bundle"
      let seed = bundle + "/groups.roost"
      try FileManager.default.createDirectory(
        atPath: bundle, withIntermediateDirectories: false)
      try Data(bytes).write(to: URL(fileURLWithPath: seed))
      try FileManager.default.setAttributes([.posixPermissions: 0o444], ofItemAtPath: seed)
      try FileManager.default.setAttributes([.posixPermissions: 0o555], ofItemAtPath: bundle)
      defer {
        try? FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: bundle)
      }
      let path = directory + "/groups.roost"
      var configuration = Configuration()
      configuration.newFilePermissions = 0o640
      let stores = try await withThrowingTaskGroup(of: Store.self) { tasks in
        for _ in 0..<8 {
          tasks.addTask { [configuration] in
            try Store(
              .file(path, seed: URL(fileURLWithPath: seed)), models: Group.self,
              configuration: configuration)
          }
        }
        return try await tasks.reduce(into: [Store]()) { $0.append($1) }
      }
      try await stores[0].write { try $0.insert(Group(id: 400, name: "mine", size: 1)) }
      for store in stores {
        #expect(try store.snapshot().count(Group.all) == Self.groups.count + 1)
      }
      let attributes = try FileManager.default.attributesOfItem(atPath: path)
      #expect(attributes[.posixPermissions] as? Int == 0o640)
      #expect(try FileManager.default.contentsOfDirectory(atPath: bundle) == ["groups.roost"])
      #expect(try Data(contentsOf: URL(fileURLWithPath: seed)) == Data(bytes))
    }
  }

  // MARK: Where it is

  @Test func aStoreThatIsOnlyReadWritesNothingAlsoAfterACrash() throws {
    let disk = try makeDisk()
    do {
      let store = try open(disk)
      // With the first commit its name is durable.
      try store.write { try $0.insert(Group(id: 400, name: "first", size: nil)) }
      for id in 401..<404 {
        try store.write(durability: .relaxed) {
          try $0.insert(Group(id: id, name: "later", size: nil))
        }
      }
      for seed in 0..<30 as Range<UInt64> {
        let image = disk.crashImage(seed: seed)
        image.resetCounters()
        let files = image.contents(of: Self.path)
        let reader = try open(image, .file(Self.path), isReadOnly: true)
        let found = try reader.snapshot().fetch(Group.all).map(\.id)
        #expect(found.starts(with: Self.groups.map(\.id)))
        #expect(image.counters.changing == 0, "seed \(seed)")
        #expect(image.contents(of: Self.path) == files)
      }
    }
  }

  @Test func aStoreIsReadInAFolderThatCannotBeWrittenAndNothingComesBesideIt() throws {
    let bytes = try makeSeed()
    try withTemporaryDirectory { directory in
      let path = directory + "/groups.roost"
      try Data(bytes).write(to: URL(fileURLWithPath: path))
      try FileManager.default.setAttributes([.posixPermissions: 0o444], ofItemAtPath: path)
      try FileManager.default.setAttributes([.posixPermissions: 0o555], ofItemAtPath: directory)
      defer {
        try? FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: directory)
      }
      let before = try FileManager.default.attributesOfItem(atPath: path)
      var configuration = Configuration()
      configuration.isReadOnly = true
      do {
        let store = try Store(.file(path), models: Group.self, configuration: configuration)
        let other = try Store(.file(path), models: Group.self, configuration: configuration)
        try expectGroups(store)
        try expectGroups(other)
        #expect(throws: StoreError.readOnly) {
          try store.write { try $0.insert(Group(id: 400, name: "mine", size: 1)) }
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory) == ["groups.roost"])
      }
      #expect(try FileManager.default.contentsOfDirectory(atPath: directory) == ["groups.roost"])
      let after = try FileManager.default.attributesOfItem(atPath: path)
      #expect(
        before[.modificationDate] as? Date == after[.modificationDate] as? Date
          && before[.size] as? Int == after[.size] as? Int)
      #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data(bytes))
    }
  }
}
