import Foundation
import RoostEngine
import RoostTestSupport
import Testing

@Suite struct SimulatedFaultTests {
  @Test func failsExactlyTheCallThatWasChosen() throws {
    let calls = try script(on: SimulatedDisk()).total
    #expect(calls == 13)
    for call in 1...calls {
      let disk = SimulatedDisk()
      disk.inject(.init(.any, call: call, .failOnce(EIO)))
      #expect(throws: FileError.self) { try script(on: disk) }
      #expect(disk.counters.total == call)
      // It was only once.
      _ = try disk.open("file", .create).size()
    }
  }

  @Test(arguments: SimulatedDisk.Call.allCases)
  func failsTheCallsOfOneKind(kind: SimulatedDisk.Call) throws {
    let disk = SimulatedDisk()
    disk.inject(.init(.only(kind), call: 1, .failOnce(EACCES)))
    let error = #expect(throws: FileError.self) { try script(on: disk) }
    #expect(error?.code == EACCES)
    #expect(disk.counters[kind] == 1)
  }

  @Test func failsForGoodUntilTheFaultIsTakenBack() throws {
    let disk = SimulatedDisk()
    let file = try disk.open("file", .create)
    disk.inject(.init(.only(.synchronize), call: 2, .failForGood(EIO)))
    try file.synchronize()
    for _ in 0..<3 {
      #expect(throws: FileError(.synchronize, path: "file", code: EIO)) { try file.synchronize() }
    }
    try file.write([1], at: 0)
    disk.removeFaults()
    try file.synchronize()
  }

  @Test func refusesPermission() {
    let disk = SimulatedDisk()
    disk.install([1], at: "file")
    disk.inject(.init(.only(.open), call: 1, .failOnce(EACCES)))
    #expect(throws: FileError(.open, path: "file", code: EACCES)) {
      _ = try disk.open("file", .readOnly)
    }
  }

  @Test func mayWriteAFirstPartWhenAWriteFails() throws {
    var counts: [Int] = []
    for seed in 0..<100 as Range<UInt64> {
      let disk = SimulatedDisk(seed: seed)
      let file = try disk.open("file", .create)
      disk.inject(.init(.only(.write), call: 1, .failOnce(EIO)))
      #expect(throws: FileError(.write, path: "file", code: EIO)) {
        try file.write(parts: [[1, 2], [3, 4]], at: 0)
      }
      let bytes = try #require(disk.contents(of: "file"))
      #expect([1, 2, 3, 4].starts(with: bytes))
      counts.append(bytes.count)
    }
    #expect((0...4).allSatisfy { counts.contains($0) })
  }

  /// What Linux does: the pages are marked clean, and the next sync says that all is well.
  @Test func forgetsWhatAFailedSyncDidNotSave() throws {
    var outcomes = (saved: 0, lost: 0)
    for seed in 0..<100 as Range<UInt64> {
      let disk = SimulatedDisk(seed: seed)
      let file = try disk.open("file", .create)
      try disk.synchronizeDirectory(of: "file")
      try file.write([UInt8](repeating: 1, count: 512), at: 0)
      try file.synchronize()
      try file.write([UInt8](repeating: 2, count: 512), at: 0)
      disk.inject(.init(.only(.synchronize), call: 1, .failOnce(EIO)))
      #expect(throws: FileError.self) { try file.synchronize() }
      try file.synchronize()
      #expect(try file.bytes(at: 0, 1) == [2])
      let image = disk.crashImage(seed: 1)
      switch image.contents(of: "file")?.first {
      case 1: outcomes.lost += 1
      default: outcomes.saved += 1
      }
    }
    #expect(outcomes.saved > 20 && outcomes.lost > 20)
  }

  @Test func doesNothingMoreOnceThePowerIsCut() throws {
    let calls = try script(on: SimulatedDisk()).changing
    for call in 1...calls {
      let disk = SimulatedDisk()
      let (before, after) = (Box<[UInt8]?>(nil), Box<[UInt8]?>(nil))
      disk.observeCalls { _ in
        if disk.counters.changing == call - 1 { before.value = disk.contents(of: "file") }
      }
      disk.inject(.init(.changing, call: call, .cutPower))
      #expect(throws: FileError.self) { try script(on: disk) }
      disk.observeCalls(nil)
      after.value = disk.contents(of: "file")
      #expect(before.value == after.value)
      #expect(throws: FileError(.open, path: "file", code: EIO)) {
        _ = try disk.open("file", .create)
      }
      #expect(disk.contents(of: "file") == after.value)
    }
  }

  @Test func isFullAtItsCapacity() throws {
    let disk = SimulatedDisk()
    disk.capacity = 1000
    let file = try disk.open("file", .create)
    let other = try disk.open("other", .create)
    try other.allocate(0..<300)
    let full = FileError(.write, path: "file", code: ENOSPC)
    #expect(throws: full) { try file.write([UInt8](repeating: 1, count: 800), at: 0) }
    #expect(try file.size() == 700)
    try file.write([UInt8](repeating: 2, count: 700), at: 0)
    #expect(throws: FileError(.allocate, path: "file", code: ENOSPC)) {
      try file.allocate(0..<701)
    }
    #expect(throws: FileError(.resize, path: "file", code: ENOSPC)) { try file.truncate(to: 701) }

    try disk.remove("other")
    #expect(throws: full) { try file.write([1], at: 700) }
    other.close()
    try file.write([1], at: 700)
    try file.truncate(to: 100)
    try file.allocate(0..<1000)
  }

  @Test func countsWhatItIsAskedFor() throws {
    let disk = SimulatedDisk()
    let counters = try script(on: disk)
    #expect(counters[.write] == 2)
    #expect(counters[.read] == 1)
    #expect(counters.synchronizations == 1)
    #expect(counters.bytesWritten == 5)
    #expect(counters.bytesRead == 4)
    disk.resetCounters()
    #expect(disk.counters == SimulatedDisk.Counters())
  }

  /// Makes at least one call of every kind, and stops at the first that fails.
  @discardableResult
  private func script(on disk: SimulatedDisk) throws -> SimulatedDisk.Counters {
    let file = try disk.open("file", .create)
    _ = try file.lock(exclusive: true)
    try file.allocate(0..<4)
    try file.write([1, 2, 3, 4], at: 0)
    try file.synchronize()
    try file.write([5], at: 4)
    try file.truncate(to: 4)
    _ = try file.bytes(at: 0, 9)
    try disk.rename("file", to: "renamed")
    try disk.synchronizeDirectory(of: "renamed")
    _ = try disk.identity(of: "file")
    try disk.rename("renamed", to: "file")
    try disk.remove("file")
    return disk.counters
  }
}

/// A value that an observer hands out; the test is on one thread.
private final class Box<Value>: @unchecked Sendable {
  var value: Value
  init(_ value: Value) { self.value = value }
}
