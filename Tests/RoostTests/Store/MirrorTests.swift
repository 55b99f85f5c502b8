import Foundation
import Roost
import RoostEngine
import RoostTestSupport
import Synchronization
import Testing

/// Stores in memory whose commits are written to a file too.
@Suite struct MirrorTests {
  private let path = "groups.roost"

  private func open(
    _ location: Location, on disk: SimulatedDisk, compacts: Bool = false
  ) throws(StoreError) -> Store {
    var configuration = Configuration()
    configuration.fileSystem = disk
    if compacts { configuration.compaction = .custom { _, _ in true } }
    return try Store(location, models: Group.self, configuration: configuration)
  }

  private func mirrored(_ disk: SimulatedDisk, compacts: Bool = false) throws(StoreError) -> Store {
    try open(.inMemory(mirroredTo: path), on: disk, compacts: compacts)
  }

  private func groups(_ ids: Range<Int>) -> [Group] {
    ids.map { Group(id: $0, name: "group number \($0 &* 7919)", size: $0) }
  }

  /// What a store that has the file alone finds in it.
  private func contents(of disk: SimulatedDisk) throws -> [Group] {
    let store = try open(.file(path), on: disk)
    #expect(try store.verify() == [])
    return try store.snapshot().fetch(Group.all)
  }

  @Test func theFileHasWhatMemoryHas() throws {
    let disk = SimulatedDisk()
    do {
      let store = try mirrored(disk)
      #expect(store.mirrorFailure == nil)
      try store.write { try $0.insert(contentsOf: groups(0..<3000)) }
      try store.write { try $0.delete(Group.self, ids: 10..<1000) }
      // As after a loss of power: nothing but what was synced.
      let image = disk.crashImage(seed: 1, survival: .nothing)
      #expect(try contents(of: image) == groups(0..<10) + groups(1000..<3000))
      #expect(throws: StoreError.locked(path: path)) { _ = try open(.file(path), on: disk) }
      #expect(throws: StoreError.locked(path: path)) { _ = try mirrored(disk) }
    }
    let reads = disk.counters[.read]
    let store = try mirrored(disk)
    #expect(disk.counters[.read] > reads)
    let afterOpening = disk.counters[.read]
    #expect(try store.snapshot().count(Group.all) == 2010)
    #expect(disk.counters[.read] == afterOpening)
    try store.write { try $0.insert(contentsOf: groups(10..<11)) }
    store.close()
    #expect(try contents(of: disk) == groups(0..<11) + groups(1000..<3000))
  }

  @Test func itWorksOnWhileTheDiskIsFullAndMendsTheFileWhenThereIsRoom() throws {
    let disk = SimulatedDisk()
    let store = try mirrored(disk)
    try store.write { try $0.insert(contentsOf: groups(0..<100)) }
    disk.capacity = UInt64(disk.contents(of: path)?.count ?? 0)
    try store.write { try $0.insert(contentsOf: groups(100..<50_000)) }
    #expect(store.mirrorFailure == .diskFull(path: path))
    try store.write { try $0.delete(Group.self, ids: 0..<50) }
    #expect(try store.snapshot().fetch(Group.all) == groups(50..<50_000))
    #expect(throws: StoreError.diskFull(path: path)) { try store.synchronize() }
    #expect(try contents(of: disk.crashImage(seed: 3)) == groups(0..<100))
    disk.capacity = nil
    try store.synchronize()
    #expect(store.mirrorFailure == nil)
    #expect(try contents(of: disk.crashImage(seed: 4)) == groups(50..<50_000))
    try store.write { try $0.insert(contentsOf: groups(0..<10)) }
    let image = disk.crashImage(seed: 5, survival: .nothing)
    #expect(try contents(of: image) == groups(0..<10) + groups(50..<50_000))
  }

  @Test func aDiskThatTakesNothingFromTheStartIsNoError() throws {
    let disk = SimulatedDisk()
    disk.capacity = 1000
    let store = try mirrored(disk)
    #expect(store.mirrorFailure == .diskFull(path: path))
    try store.write { try $0.insert(contentsOf: groups(0..<100)) }
    #expect(disk.contents(of: path) == nil)
    disk.capacity = nil
    store.close()
    #expect(try contents(of: disk) == groups(0..<100))
  }

  @Test func aFileThatIsNotItsOwnIsLeftAlone() throws {
    let disk = SimulatedDisk()
    disk.capacity = 1000
    let store = try mirrored(disk)
    disk.capacity = nil
    do {
      let other = try open(.file(path), on: disk)
      try other.write { try $0.insert(contentsOf: groups(0..<5)) }
    }
    try store.write { try $0.insert(contentsOf: groups(10..<20)) }
    #expect(throws: StoreError.self) { try store.synchronize() }
    #expect(try contents(of: disk) == groups(0..<5))
  }

  @Test func aFileThatCannotBeReadIsAnErrorOrSetAside() throws {
    let disk = SimulatedDisk()
    disk.install([UInt8](repeating: 7, count: 100_000), at: path)
    #expect(throws: StoreError.notARoostFile(path: path)) { _ = try mirrored(disk) }
    var configuration = Configuration()
    configuration.fileSystem = disk
    configuration.onUnreadable = .setAside
    let store = try Store(
      .inMemory(mirroredTo: path), models: Group.self, configuration: configuration)
    #expect(store.unreadableFile?.movedTo == path + ".unreadable")
    #expect(store.mirrorFailure == nil)
    disk.inject(.init(.only(.read), call: 1, .failForGood(EIO)))
    store.close()
    #expect(throws: StoreError.self) { _ = try mirrored(disk) }
  }

  @Test func compactingInMemoryCompactsTheFile() throws {
    let disk = SimulatedDisk()
    do {
      let store = try mirrored(disk)
      try store.write { try $0.insert(contentsOf: groups(0..<50_000)) }
      try store.write { try $0.delete(Group.self, ids: 10..<50_000) }
    }
    let size = disk.contents(of: path)?.count ?? 0
    let store = try mirrored(disk, compacts: true)
    #expect(store.compactionFailure == nil)
    #expect(store.mirrorFailure == nil)
    #expect(disk.contents(of: path)?.count ?? 0 < size / 4)
    try store.write { try $0.insert(contentsOf: groups(10..<20)) }
    #expect(
      try contents(of: disk.crashImage(seed: 2, survival: .nothing)) == groups(0..<20))
  }

  /// Crashes of the machine at many calls of the disk, which also fails now and then: the file is a store, with what
  /// memory had at one of its commits, and with the newest where nothing had failed.
  @Test(arguments: 0..<12)
  func whateverFailsTheFileIsAStore(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let disk = SimulatedDisk(seed: seed)
    let store = try mirrored(disk)
    var content: [Int: Group] = [:]
    var states: [[Group]] = [[]]
    let images = Mutex<[SimulatedDisk]>([])
    let calls = Mutex<UInt64>(0)
    disk.observeCalls { _ in
      let call = calls.withLock { calls -> UInt64 in
        calls += 1
        return calls
      }
      if (call &* 0x9E37_79B9_7F4A_7C15 ^ seed &* 7919) >> 33 % 2 == 0 {
        images.withLock { $0.append(disk.crashImage(seed: seed &+ call)) }
      }
    }
    for _ in 0..<30 {
      if random.chance(1, in: 4) {
        let call = Int.random(in: 1..<12, using: &random)
        disk.inject(.init(.changing, call: call, .failOnce([ENOSPC, EIO][call % 2])))
      }
      let some = Int.random(in: 0..<300, using: &random)
      try store.write { transaction in
        if random.chance(1, in: 3) {
          try transaction.delete(Group.where { $0.id < some })
          content = content.filter { $0.key >= some }
        }
        for group in groups(some..<some + Int.random(in: 1..<200, using: &random)) {
          try transaction.upsert(group)
          content[group.id] = group
        }
      }
      states.append(content.values.sorted { $0.id < $1.id })
      #expect(try store.snapshot().fetch(Group.all) == states.last)
      if store.mirrorFailure != nil, random.chance(1, in: 3) { try? store.synchronize() }
      if store.mirrorFailure == nil {
        let image = disk.crashImage(seed: seed, survival: .nothing)
        #expect(try contents(of: image) == states.last, "seed \(seed)")
      }
    }
    disk.observeCalls(nil)
    var found = 0
    for image in images.withLock({ $0 }) where image.contents(of: path) != nil {
      // The tables come with a transaction of their own.
      let groups = try contents(of: image)
      #expect(states.contains(groups), "seed \(seed)")
      found += 1
    }
    #expect(found > 20)
    disk.removeFaults()
    try store.synchronize()
    store.close()
    #expect(try contents(of: disk) == states.last)
  }

  /// A memory that is mirrored behaves like a file, while its disk fails and after it was opened again.
  @Test(arguments: 0..<4)
  func aMirroredStoreDoesWhatOneInMemoryDoes(seed: UInt64) throws {
    let disk = SimulatedDisk(seed: seed)
    var configuration = Configuration()
    configuration.fileSystem = disk
    func models(_ location: Location) throws -> Store {
      try StoreTwin.store(location, configuration)
    }
    var memory = try StoreTwin(models(.inMemory), seed: seed)
    do {
      var mirrored = try StoreTwin(models(.inMemory(mirroredTo: path)), seed: seed)
      for step in 0..<40 {
        if step == 20 { disk.inject(.init(.only(.write), call: 1, .failForGood(ENOSPC))) }
        #expect(try mirrored.step() == memory.step(), "seed \(seed), step \(step)")
      }
      #expect(mirrored.store.mirrorFailure == .diskFull(path: path))
      disk.removeFaults()
      // Its end, with that of the last of its snapshots, brings the file up to date.
    }
    let again = try models(.file(path))
    #expect(try again.verify() == [])
    #expect(StoreTwin.contents(of: again) == StoreTwin.contents(of: memory.store))
  }
}
