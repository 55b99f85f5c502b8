import Foundation
import Roost
import RoostEngine
import RoostTestSupport
import Testing

/// A disk that is full, or fails, under a store.
@Suite struct DiskFailureTests {
  private let path = "groups.roost"

  private func open(_ disk: SimulatedDisk) throws(StoreError) -> Store {
    var configuration = Configuration()
    configuration.fileSystem = disk
    return try Store(.file(path), models: Group.self, configuration: configuration)
  }

  private func groups(_ ids: Range<Int>) -> [Group] {
    ids.map { Group(id: $0, name: "group number \($0 &* 7919)", size: $0) }
  }

  @Test func aFullDiskRollsBackAndLaterWritesSucceedWhenThereIsRoom() throws {
    let disk = SimulatedDisk()
    let store = try open(disk)
    try store.write { try $0.insert(contentsOf: groups(0..<100)) }
    disk.capacity = UInt64(disk.contents(of: path)?.count ?? 0)
    #expect(throws: StoreError.diskFull(path: path)) {
      try store.write { try $0.insert(contentsOf: groups(100..<200_000)) }
    }
    #expect(try store.snapshot().fetch(Group.all) == groups(0..<100))
    disk.capacity = nil
    try store.write { try $0.insert(contentsOf: groups(100..<200)) }
    #expect(try store.snapshot().fetch(Group.all) == groups(0..<200))
  }

  @Test func onAFullDiskObjectsCanBeDeletedAndOthersTakeTheirRoom() throws {
    let disk = SimulatedDisk()
    let store = try open(disk)
    disk.capacity = 6 << 20
    var count = 0
    // In ever smaller transactions, until not even one object has room.
    var step = 4096
    while step > 0 {
      do throws(any Error) {
        try store.write { try $0.insert(contentsOf: groups(count..<count + step)) }
        count += step
      } catch {
        #expect(error as? StoreError == .diskFull(path: path))
        step /= 4
      }
    }
    #expect(count > 50_000)
    for id in 0..<400 {
      let isThere = try store.write { try $0.delete(Group.self, id: id * 100) }
      #expect(isThere)
    }
    try store.write { _ = try $0.delete(Group.self, ids: 40_000..<50_000) }
    try store.write { try $0.insert(contentsOf: groups(count..<count + 1000)) }
    let left = try store.snapshot().fetch(Group.all).map(\.id)
    #expect(
      left
        == (0..<count + 1000).filter {
          !($0 < 40_000 && $0.isMultiple(of: 100)) && !(40_000..<50_000).contains($0)
        })
  }

  @Test func aDiskThatIsFullFromTheStartTakesNoStore() {
    let disk = SimulatedDisk()
    disk.capacity = 1000
    #expect(throws: StoreError.diskFull(path: path)) { _ = try open(disk) }
    #expect(disk.contents(of: path) == nil)
  }

  @Test func afterAFailedSyncItReadsOnAndRefusesToWrite() throws {
    let disk = SimulatedDisk()
    let store = try open(disk)
    try store.write { try $0.insert(contentsOf: groups(0..<10)) }
    disk.inject(.init(.only(.synchronize), call: 1, .failOnce(EIO)))
    #expect(throws: StoreError.io(operation: .synchronize, path: path, errno: EIO)) {
      try store.write { try $0.insert(contentsOf: groups(10..<20)) }
    }
    #expect(throws: StoreError.writesRefused(path: path)) {
      try store.write { try $0.insert(contentsOf: groups(10..<20)) }
    }
    #expect(try store.snapshot().fetch(Group.all) == groups(0..<10))
  }

  @Test func saysWhyAFileWasNotCompacted() throws {
    let disk = SimulatedDisk()
    do {
      let store = try open(disk)
      #expect(store.compactionFailure == nil)
      try store.write { try $0.insert(contentsOf: groups(0..<50_000)) }
    }
    var configuration = Configuration()
    configuration.fileSystem = disk
    configuration.compaction = .custom { _, _ in true }
    disk.capacity = UInt64(disk.contents(of: path)?.count ?? 0) + 100_000
    do {
      let store = try Store(.file(path), models: Group.self, configuration: configuration)
      #expect(store.compactionFailure == .diskFull(path: path + ".compacting"))
      #expect(try store.snapshot().fetch(Group.all) == groups(0..<50_000))
      try store.write { try $0.delete(Group.self, id: 0) }
    }
    disk.capacity = nil
    let store = try Store(.file(path), models: Group.self, configuration: configuration)
    #expect(store.compactionFailure == nil)
    #expect(try store.snapshot().fetch(Group.all) == groups(1..<50_000))
  }
}
