import Foundation
import Roost
import RoostEngine
import RoostImport
import RoostTestSupport
import Synchronization
import Testing

/// An import that is killed, cancelled or fails leaves a whole store or none.
@Suite struct StoreImportFaultTests {
  private static let values = Dictionary(uniqueKeysWithValues: (0..<600).map { ($0 * 3, $0) })
  private static let items = values.map { Item(id: $0.key, value: $0.value) }.sorted {
    $0.id < $1.id
  }
  private let file: TemporaryFile
  private let path = "items.roost"

  init() throws { file = try TemporaryFile(Item.file(Self.values)) }

  private func open(
    _ disk: SimulatedDisk, progress: (@Sendable (ImportProgress) -> Void)? = nil
  ) async throws -> Store {
    var configuration = Configuration()
    configuration.fileSystem = disk
    return try await Store.open(
      .file(path), models: Item.self, configuration: configuration,
      importing: .realm(file.url), progress: progress, Item.mapping)
  }

  /// Whether there is a store, which is whole then.
  private func isThere(_ disk: SimulatedDisk, _ place: String) throws -> Bool {
    guard disk.contents(of: path) != nil else { return false }
    var configuration = Configuration()
    configuration.fileSystem = disk
    let store = try Store(.file(path), models: Item.self, configuration: configuration)
    let found = try store.snapshot().fetch(Item.all)
    #expect(found == Self.items, "\(place)")
    #expect(try store.importReport?.classes.map(\.written) == [600], "\(place)")
    return true
  }

  private func opensWhole(_ disk: SimulatedDisk, _ place: String) async throws {
    do {
      let store = try await open(disk)
      let found = try store.snapshot().fetch(Item.all)
      #expect(found == Self.items, "\(place)")
      let damage = try await store.verify()
      #expect(damage == [], "\(place)")
    }
    for ending in [".importing", ".importing.new", ".new"] {
      #expect(disk.contents(of: path + ending) == nil, "\(place), \(ending)")
    }
  }

  @Test func killedOrWithoutPowerAtAnyCallItBeginsAgain() async throws {
    let disk = SimulatedDisk()
    let images = Mutex<[(name: String, disk: SimulatedDisk)]>([])
    disk.observeCalls { [unowned disk] _ in
      images.withLock { images in
        let call = images.count / 6
        images.append(("killed at call \(call)", disk.killImage()))
        for seed in 0..<4 {
          let image = disk.crashImage(seed: UInt64(call * 4 + seed))
          images.append(("no power at call \(call), seed \(seed)", image))
        }
        images.append(
          ("all written at call \(call)", disk.crashImage(seed: 0, survival: .everything)))
      }
    }
    do { _ = try await open(disk) }
    disk.observeCalls(nil)
    var whole = 0
    let all = images.withLock { $0 }
    for (name, image) in all {
      if try isThere(image, name) { whole += 1 }
      try await opensWhole(image, name)
    }
    #expect(all.count > 200)
    #expect(whole > 10 && whole < all.count)
    #expect(try isThere(disk.crashImage(seed: 1, survival: .nothing), "no power after all"))
  }

  @Test(arguments: [EIO, ENOSPC])
  func whicheverCallFailsThereIsAWholeStoreOrNone(code: Int32) async throws {
    var call = 1
    while true {
      let disk = SimulatedDisk(seed: UInt64(call))
      disk.inject(SimulatedDisk.Fault(.any, call: call, .failOnce(code)))
      let isDone = (try? await open(disk)) != nil
      let wasReached = disk.counters.failed > 0
      disk.removeFaults()
      let isThere = try self.isThere(disk, "call \(call)")
      #expect(isThere || !isDone, "call \(call)")
      try await opensWhole(disk, "call \(call)")
      guard wasReached else { break }
      call += 1
    }
    #expect(call > 20)
  }

  @Test func tooLittleSpaceIsNoticedFirst() async throws {
    let disk = SimulatedDisk()
    disk.capacity = 1_000_000
    await #expect(
      throws: ImportError.notEnoughSpace(path: path, needed: 1 << 20, available: 1_000_000)
    ) { _ = try await open(disk) }
    #expect(disk.counters.changing == 0)
    disk.capacity = 1 << 26
    try await opensWhole(disk, "space")
  }

  @Test func progressOnlyGrows() async throws {
    let reports = Mutex<[ImportProgress]>([])
    _ = try await open(SimulatedDisk()) { progress in
      reports.withLock { $0.append(progress) }
    }
    let found = reports.withLock { $0 }
    #expect(found.map(\.objectsDone) == [0, 256, 512, 600])
    #expect(found.allSatisfy { $0.objectsTotal == 600 && $0.className == "Item" })
    #expect(found.last?.fraction == 1)
  }

  @Test(arguments: 0..<4)
  func cancelledAtAnyReportThereIsNoStore(report: Int) async throws {
    let disk = SimulatedDisk()
    let count = Mutex(0)
    let task = Task {
      try await open(disk) { _ in
        let isDue = count.withLock { count in
          defer { count += 1 }
          return count == report
        }
        if isDue { unsafe withUnsafeCurrentTask { unsafe $0?.cancel() } }
      }
    }
    await #expect(throws: CancellationError.self) { _ = try await task.value }
    #expect(count.withLock { $0 } == report + 1)
    #expect(try !isThere(disk, "report \(report)"))
    #expect(disk.contents(of: path + ".importing") == nil)
    try await opensWhole(disk, "report \(report)")
  }

  @Test func aSourceThatIsWrittenToMeanwhileGivesNoStore() async throws {
    let disk = SimulatedDisk()
    let url = file.url
    let bytes = try Data(contentsOf: url)
    await #expect(throws: RealmError.changed(path: url.path)) {
      _ = try await open(disk) { progress in
        guard progress.fraction == 1 else { return }
        try? (bytes + [0, 0, 0, 0, 0, 0, 0, 0]).write(to: url)
      }
    }
    #expect(try !isThere(disk, "changed"))
  }

  @Test func aStoreThatIsMadeMeanwhileIsOpened() async throws {
    let disk = SimulatedDisk()
    let path = path
    let store = try await open(disk) { progress in
      guard progress.fraction == 1 else { return }
      var configuration = Configuration()
      configuration.fileSystem = disk
      let store = try? Store(.file(path), models: Item.self, configuration: configuration)
      _ = try? store?.write { try $0.insert(Item(id: -1, value: -1)) }
    }
    let found = try store.snapshot().fetch(Item.all)
    #expect(found == [Item(id: -1, value: -1)])
    #expect(disk.contents(of: path + ".importing") == nil)
  }
}
