import Foundation
import RoostEngine
import RoostTestSupport
import Testing

@Suite struct SimulatedDiskTests {
  @Test(arguments: 1...20)
  func keepsOfEachSectorTheSyncedBytesOrLaterOnes(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let disk = SimulatedDisk(seed: seed)
    let file = try makeFile(on: disk)
    // What the file was like at the last sync and after every change since.
    var versions: [[UInt8]] = [[]]
    for step in 0..<150 {
      switch Int.random(in: 0..<10, using: &generator) {
      case 0:
        try file.synchronize()
        versions = [disk.contents(of: "file") ?? []]
      case 1:
        try file.truncate(to: UInt64.random(in: 0...20_000, using: &generator))
      default:
        let bytes = generator.bytes(Int.random(in: 1...3000, using: &generator))
        try file.write(bytes, at: UInt64.random(in: 0...20_000, using: &generator))
      }
      versions.append(disk.contents(of: "file") ?? [])

      let percent = Int.random(in: 0...100, using: &generator)
      let image = disk.crashImage(seed: UInt64(step), survival: .share(percent: percent))
      let bytes = try #require(image.contents(of: "file"))
      let sizes = versions.map(\.count)
      #expect(bytes.count >= sizes.min() ?? 0 && bytes.count <= sizes.max() ?? 0)
      for offset in stride(from: 0, to: bytes.count, by: 512) {
        let end = min(offset + 512, bytes.count)
        guard versions.contains(where: { sector($0, offset, end) == bytes[offset..<end] }) else {
          Issue.record("seed \(seed), step \(step): sector at \(offset) was never so")
          return
        }
      }
    }
  }

  @Test(arguments: 1...50)
  func losesNothingThatWasSynced(seed: UInt64) throws {
    let disk = SimulatedDisk()
    let file = try makeFile(on: disk)
    var generator = SeededGenerator(seed: seed)
    let synced = generator.bytes(16_384)
    try file.write(synced, at: 0)
    try file.synchronize()
    try file.write(generator.bytes(4096), at: 4096)
    let bytes = try #require(disk.crashImage(seed: seed).contents(of: "file"))
    #expect(bytes[..<4096] == synced[..<4096])
    #expect(bytes[8192...] == synced[8192...])
  }

  @Test func leavesAnUnsyncedSectorOldNewOrTorn() throws {
    let old = [UInt8](repeating: 1, count: 512)
    let middle = [UInt8](repeating: 2, count: 512)
    let new = [UInt8](repeating: 3, count: 512)
    let disk = SimulatedDisk()
    let file = try makeFile(on: disk)
    try file.write(old, at: 0)
    try file.synchronize()
    try file.write(middle, at: 0)
    try file.write(new, at: 0)
    var outcomes = (old: 0, middle: 0, new: 0, torn: 0)
    for seed in 0..<1000 {
      switch disk.crashImage(seed: UInt64(seed)).contents(of: "file") {
      case old: outcomes.old += 1
      case middle: outcomes.middle += 1
      case new: outcomes.new += 1
      default: outcomes.torn += 1
      }
    }
    #expect(outcomes.old > 100 && outcomes.new > 100)
    #expect(outcomes.middle > 20 && outcomes.torn > 20)
  }

  @Test func leavesTheOldLengthOrALaterOne() throws {
    let disk = SimulatedDisk()
    let file = try makeFile(on: disk)
    try file.write([UInt8](repeating: 1, count: 1000), at: 0)
    try file.synchronize()
    try file.write([UInt8](repeating: 2, count: 1000), at: 1000)
    try file.allocate(0..<9000)
    let sizes = (0..<1000).map { seed in
      disk.crashImage(seed: UInt64(seed)).contents(of: "file")?.count ?? -1
    }
    #expect(sizes.allSatisfy { (1000...9000).contains($0) })
    for expected in [1000, 2000, 9000] {
      #expect(sizes.contains(expected))
    }
    #expect(sizes.contains { ![1000, 2000, 9000].contains($0) })
  }

  @Test func crashesTheSameWayForTheSameSeed() throws {
    func image(_ seed: UInt64) throws -> [UInt8]? {
      let disk = SimulatedDisk(seed: 5)
      let file = try makeFile(on: disk)
      var generator = SeededGenerator(seed: 6)
      for _ in 0..<50 {
        try file.write(generator.bytes(700), at: UInt64.random(in: 0...9000, using: &generator))
      }
      disk.inject(.init(.only(.write), call: 1, .failOnce(EIO)))
      _ = try? file.write(generator.bytes(5000), at: 0)
      return disk.crashImage(seed: seed).contents(of: "file")
    }
    for seed in 0..<50 as Range<UInt64> {
      #expect(try image(seed) == image(seed))
    }
    #expect(try Set((0..<50).map(image)).count > 25)
  }

  @Test func isTheDurableStateWhereNothingSurvivesAndTheVisibleOneWhereAllDoes() throws {
    let disk = SimulatedDisk()
    let file = try makeFile(on: disk)
    try file.write([1, 2, 3], at: 0)
    try file.synchronize()
    try file.write([4], at: 1)
    try file.truncate(to: 2)
    #expect(disk.crashImage(seed: 1, survival: .nothing).contents(of: "file") == [1, 2, 3])
    #expect(disk.crashImage(seed: 1, survival: .everything).contents(of: "file") == [1, 4])
    #expect(disk.contents(of: "file") == [1, 4])
  }

  @Test func isADiskOfItsOwnAfterACrash() throws {
    let disk = SimulatedDisk()
    let file = try makeFile(on: disk)
    try file.write([1], at: 0)
    try file.synchronize()
    #expect(try file.lock(exclusive: true))
    disk.inject(.init(.any, call: 1, .cutPower))

    let image = disk.crashImage(seed: 1)
    let recovered = try image.open("file", .readWrite)
    #expect(try recovered.lock(exclusive: true))
    #expect(try recovered.identity() != disk.identity(ofOpen: file))
    try recovered.write([2], at: 0)
    #expect(disk.contents(of: "file") == [1])
    // What was never synced again is still there after another crash.
    #expect(image.crashImage(seed: 1, survival: .nothing).contents(of: "file") == [1])
  }

  @Test func maySyncNothingAndSayItDid() throws {
    let disk = SimulatedDisk()
    disk.isLying = true
    let file = try disk.open("file", .create)
    try file.write([1], at: 0)
    try file.synchronize()
    try disk.synchronizeDirectory(of: "file")
    #expect(disk.contents(of: "file") == [1])
    #expect(disk.crashImage(seed: 1, survival: .nothing).contents(of: "file") == nil)
  }

  @Test func syncsWhatWasWrittenBeforeTheSyncBegan() throws {
    let disk = SimulatedDisk()
    let file = try makeFile(on: disk)
    try file.write([1, 1], at: 0)
    disk.observeCalls { call in
      guard call == .synchronize else { return }
      disk.observeCalls(nil)
      try? file.write([2], at: 1)
      #expect(disk.crashImage(seed: 1, survival: .nothing).contents(of: "file") == [])
    }
    try file.synchronize()
    disk.observeCalls(nil)
    #expect(disk.contents(of: "file") == [1, 2])
    #expect(disk.crashImage(seed: 1, survival: .nothing).contents(of: "file") == [1, 1])
  }

  // MARK: - Names

  @Test func makesADurableWriteDurableAndNothingElse() throws {
    let disk = SimulatedDisk()
    let file = try makeFile(on: disk)
    let (old, new) = ([UInt8](repeating: 1, count: 1024), [UInt8](repeating: 2, count: 512))
    try file.write(old, at: 0)
    // As long as something else is not durable, it would have to be synced, too.
    #expect(!new.withByteView { file.beginDurableWrite($0, at: 0) })
    try file.synchronize()
    #expect(new.withByteView { file.beginDurableWrite($0, at: 0) })
    try file.write(new, at: 512)
    try file.finishDurableWrite()
    #expect(disk.contents(of: "file") == new + new)
    let image = disk.crashImage(seed: 1, survival: .nothing)
    #expect(image.contents(of: "file") == new + old[512...])
  }

  @Test func mayLoseANameUntilItsDirectoryIsSynced() throws {
    let disk = SimulatedDisk()
    let file = try disk.open("/d/file", .create)
    try file.write([1], at: 0)
    try file.synchronize()
    let images = (0..<100).map { disk.crashImage(seed: UInt64($0)).contents(of: "/d/file") }
    #expect(images.contains(nil) && images.contains([1]))

    try disk.synchronizeDirectory(of: "/e/file")
    #expect(disk.crashImage(seed: 1, survival: .nothing).contents(of: "/d/file") == nil)
    try disk.synchronizeDirectory(of: "/d/other")
    for seed in 0..<100 as Range<UInt64> {
      #expect(disk.crashImage(seed: seed).contents(of: "/d/file") == [1])
    }
  }

  @Test func renamesWhollyOrNotAtAll() throws {
    let disk = SimulatedDisk()
    disk.install([1], at: "file")
    disk.install([2], at: "file.new")
    try disk.rename("file.new", to: "file")
    var renamed = 0
    for seed in 0..<200 as Range<UInt64> {
      let image = disk.crashImage(seed: seed)
      let names = [image.contents(of: "file"), image.contents(of: "file.new")]
      #expect(names == [[1], [2]] || names == [[2], nil])
      if names == [[2], nil] { renamed += 1 }
    }
    #expect((20...180).contains(renamed))
  }

  @Test func mayBringBackARemovedFile() throws {
    let disk = SimulatedDisk()
    disk.install([1], at: "file")
    try disk.remove("file")
    #expect(try disk.kind(of: "file") == nil)
    #expect(disk.crashImage(seed: 1, survival: .nothing).contents(of: "file") == [1])
    try disk.synchronizeDirectory(of: "file")
    #expect(disk.crashImage(seed: 1, survival: .nothing).contents(of: "file") == nil)
  }

  /// A file of that name, with its name durable.
  private func makeFile(on disk: SimulatedDisk) throws -> any StorageFile {
    let file = try disk.open("file", .create)
    try disk.synchronizeDirectory(of: "file")
    return file
  }

  /// A version's bytes in a range, zeros where it is too short.
  private func sector(_ version: [UInt8], _ start: Int, _ end: Int) -> ArraySlice<UInt8> {
    let padded = version + [UInt8](repeating: 0, count: max(0, end - version.count))
    return padded[start..<end]
  }
}

extension SimulatedDisk {
  /// The identity of an open file, asked for behind the back of a cut power.
  fileprivate func identity(ofOpen file: any StorageFile) throws -> FileIdentity {
    removeFaults()
    return try file.identity()
  }
}
