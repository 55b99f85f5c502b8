import Foundation
import RoostEngine
import RoostTestSupport
import Synchronization
import Testing

/// Compaction on a disk that crashes, fails and fills up: the content is there, whole, always.
@Suite struct CompactionFaultTests {
  private func makeStore() throws -> (bytes: [UInt8], digest: UInt64) {
    let disk = SimulatedDisk()
    let library = try Library(disk)
    try library.fill(books: 300)
    try library.deleteBooks(0..<300) { $0 % 3 != 0 }
    return (try #require(disk.contents(of: Library.path)), try library.digest())
  }

  private func expect(_ disk: SimulatedDisk, toHold digest: UInt64, _ comment: Comment) throws {
    let library = try Library(disk)
    #expect(try library.digest() == digest, comment)
    let findings = try library.findings()
    #expect(findings == [], comment)
    #expect(disk.contents(of: Library.path + ".compacting") == nil, comment)
  }

  @Test func aCompactionThatReportsItsEndOutlastsAPowerFailure() throws {
    let (bytes, digest) = try makeStore()
    let disk = SimulatedDisk()
    disk.install(bytes, at: Library.path)
    let result = try #require(try Engine.compact(Library.path, in: disk))
    for seed in 0..<20 as Range<UInt64> {
      let image = disk.crashImage(seed: seed)
      #expect(image.contents(of: Library.path)?.count == Int(result.fileBytesAfter))
      try expect(image, toHold: digest, "seed \(seed)")
    }
  }

  @Test func whatIsCommittedAfterACompactionThatWasKilledOutlastsAPowerFailure() throws {
    let (bytes, _) = try makeStore()
    let disk = SimulatedDisk()
    disk.install(bytes, at: Library.path)
    let killed = Mutex<[SimulatedDisk]>([])
    disk.observeCalls { [unowned disk] call in
      guard call.isChanging else { return }
      killed.withLock { $0.append(disk.killImage()) }
    }
    _ = try Engine.compact(Library.path, in: disk)
    disk.observeCalls(nil)
    for (number, disk) in killed.withLock({ $0 }).enumerated() {
      let library = try Library(disk)
      try library.fill(books: 10, from: 1000, seed: 2)
      let digest = try library.digest()
      for seed in 0..<8 as Range<UInt64> {
        try expect(disk.crashImage(seed: seed), toHold: digest, "killed at call \(number)")
      }
    }
  }

  @Test func aCrashAtAnyCallLeavesTheOldFileOrTheNewOne() throws {
    let store = try makeStore()
    let disk = SimulatedDisk()
    disk.install(store.bytes, at: Library.path)
    let images = Mutex<[SimulatedDisk]>([])
    disk.observeCalls { [unowned disk] call in
      guard call.isChanging else { return }
      images.withLock { images in
        for seed in 0..<6 {
          images.append(disk.crashImage(seed: UInt64(images.count * 6 + seed)))
        }
      }
    }
    _ = try Library(disk, compactsOnOpen: { _, _ in true })
    disk.observeCalls(nil)
    for seed in 0..<20 {
      images.withLock { $0.append(disk.crashImage(seed: UInt64(10_000 + seed))) }
    }
    let all = images.withLock { $0 }
    #expect(all.count > 100)
    for (number, image) in all.enumerated() {
      try expect(image, toHold: store.digest, "crash image \(number)")
    }
  }

  @Test(arguments: [EIO, ENOSPC])
  func aFailureOfAnyCallLeavesTheFileAsItWasOrCompacted(code: Int32) throws {
    let store = try makeStore()
    var call = 1
    var failures = 0
    while true {
      let disk = SimulatedDisk(seed: UInt64(call))
      disk.install(store.bytes, at: Library.path)
      disk.inject(SimulatedDisk.Fault(.any, call: call, .failOnce(code)))
      disk.resetCounters()
      do {
        let library = try Library(disk, compactsOnOpen: { _, _ in true })
        #expect(try library.digest() == store.digest, "call \(call)")
      } catch EngineError.file {
        // Opening itself failed, or the system cannot say which file it will keep.
        failures += 1
      }
      let wasReached = disk.counters.total >= call
      disk.removeFaults()
      try expect(disk, toHold: store.digest, "call \(call)")
      guard wasReached else { break }
      call += 1
    }
    #expect(call > 40)
    // Those of opening the file, twice, and the sync of the directory after the rename.
    #expect(failures < call)
  }

  @Test func aFullDiskLeavesTheFileAsItWas() throws {
    let store = try makeStore()
    let disk = SimulatedDisk()
    disk.install(store.bytes, at: Library.path)
    disk.capacity = UInt64(store.bytes.count) + 50_000
    let library = try Library(disk, compactsOnOpen: { _, _ in true })
    #expect(disk.contents(of: Library.path)?.count == store.bytes.count)
    #expect(disk.contents(of: Library.path + ".compacting") == nil)
    #expect(try library.digest() == store.digest)
  }

  @Test func aDamagedFileIsNotReplaced() throws {
    let store = try makeStore()
    var bytes = store.bytes
    // A leaf's bytes lie somewhere in the first units; every unit but the header and the slots is hit.
    for unit in 16..<bytes.count / Unit.bytes where unit % 3 == 0 {
      bytes[unit * Unit.bytes + 100] ^= 1
    }
    let disk = SimulatedDisk()
    disk.install(bytes, at: Library.path)
    #expect(throws: EngineError.self) { try Engine.compact(Library.path, in: disk) }
    #expect(disk.contents(of: Library.path) == bytes)
    #expect(disk.contents(of: Library.path + ".compacting") == nil)
  }
}
