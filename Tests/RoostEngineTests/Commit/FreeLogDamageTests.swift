import Foundation
import RoostEngine
import RoostTestSupport
import Synchronization
import Testing

/// A free log that cannot be read: the store opens all the same, and what is in use stays in use.
@Suite struct FreeLogDamageTests {
  enum Damage: CaseIterable, Sendable {
    case flippedBit, zeros

    func hit(_ bytes: inout [UInt8], page: Int, _ random: inout SeededGenerator) {
      switch self {
      case .flippedBit:
        let place = page + Int.random(in: 0..<Unit.bytes, using: &random)
        bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      case .zeros:
        for place in page..<page + Unit.bytes { bytes[place] = 0 }
      }
    }
  }

  /// A store with holes all over, so that its free log has several pages.
  private func makeStore(
    seed: UInt64, random: inout SeededGenerator
  ) throws -> (image: FileImage, notes: Notes) {
    let disk = SimulatedDisk(seed: seed)
    let store = try NoteStore(disk, ringUnits: 0)
    var notes: Notes = [:]
    try store.run(&notes, &random, operations: 2000)
    // Each title is an extent of its own.
    let title = String(repeating: "long ", count: 400)
    try store.engine.write { (transaction) throws(EngineError) in
      for key in Int64(10_000)..<12_400 {
        let batch = try transaction.batch(for: store.table)
        batch.columns[0].append(title)
        batch.columns[1].append(key % 50)
        batch.columns[2].append(.null)
        try transaction.insertRow(into: store.table, key: key)
        notes[key] = Note(title: title, rank: key % 50, score: nil)
      }
    }
    try store.engine.write { (transaction) throws(EngineError) in
      for key in Int64(10_000)..<12_400 where random.chance(1, in: 2) {
        try transaction.delete(from: store.table, key: key)
        notes[key] = nil
      }
    }
    for _ in 0..<4 { try store.run(&notes, &random, operations: 30) }
    let image = FileImage(disk, path: NoteStore.path)
    #expect(image.freeLogPages.count >= 3)
    return (image, notes)
  }

  @Test(arguments: [1, 2] as [UInt64], Damage.allCases)
  func everyPageMayBeDamagedAndTheStoreOpensAndGoesOn(seed: UInt64, damage: Damage) throws {
    var random = SeededGenerator(seed: seed)
    let whole = try makeStore(seed: seed, random: &random)
    for page in whole.image.freeLogPages {
      let next = random
      var image = whole.image
      damage.hit(&image.bytes, page: page, &random)
      let disk = image.disk
      var notes = whole.notes
      do {
        let store = try NoteStore(disk)
        #expect(try store.notes() == notes)
        let pinned = store.engine.snapshot()
        #expect(try pinned.verify().map(\.unit) == [UInt64(page / Unit.bytes)])
        for operations in [20, 40, 400] {
          try store.run(&notes, &random, operations: operations)
          #expect(try store.notes() == notes)
          try store.verify()
        }
        // Nothing but the log of the pinned version was written over.
        #expect(try store.notes(in: pinned) == whole.notes)
        #expect(try pinned.verify().count == 1)
      }
      let reopened = try NoteStore(disk)
      #expect(try reopened.notes() == notes)
      try reopened.verify()
      // What was free is free again, so that the file does not grow.
      let healthy = try NoteStore(whole.image.disk)
      var again = next
      var others = whole.notes
      try healthy.run(&others, &again, operations: 460)
      let used = reopened.engine.snapshot().usedBytes
      #expect(used <= healthy.engine.snapshot().usedBytes + 64 * UInt64(Unit.bytes))
    }
  }

  @Test(arguments: [3, 4] as [UInt64])
  func aCrashInTheFirstCommitLosesNothing(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let whole = try makeStore(seed: seed, random: &random)
    for page in whole.image.freeLogPages.prefix(2) {
      var image = whole.image
      Damage.flippedBit.hit(&image.bytes, page: page, &random)
      let disk = image.disk
      let store = try NoteStore(disk)
      var after = whole.notes
      let crashes = Mutex<[SimulatedDisk]>([])
      disk.observeCalls { [unowned disk] call in
        guard call.isChanging else { return }
        crashes.withLock { crashes in
          for _ in 0..<3 { crashes.append(disk.crashImage(seed: UInt64(crashes.count))) }
        }
      }
      try store.run(&after, &random, operations: 30)
      disk.observeCalls(nil)
      crashes.withLock { $0.append(disk.crashImage(seed: seed)) }
      let all = crashes.withLock { $0 }
      #expect(all.count > 10)
      for image in all {
        let store = try NoteStore(image)
        var found = try store.notes()
        #expect(found == whole.notes || found == after)
        try store.run(&found, &random, operations: 30)
        #expect(try store.notes() == found)
        try store.verify()
      }
    }
  }

  @Test func aLogThatDoesNotAddUpIsNotBelieved() throws {
    var random = SeededGenerator(seed: 5)
    let whole = try makeStore(seed: 5, random: &random)
    var image = whole.image
    let place = image.slot + 40
    image.set(image.number(at: place) - 1, at: place)
    image.sealSlot()
    let store = try NoteStore(image.disk)
    var notes = whole.notes
    try store.run(&notes, &random, operations: 400)
    #expect(try store.notes() == notes)
    try store.verify()
  }

  @Test func aPageThatIsDamagedWhileTheStoreIsOpenIsReplaced() throws {
    try withTemporaryDirectory { directory in
      var random = SeededGenerator(seed: 6)
      let whole = try makeStore(seed: 6, random: &random)
      let path = directory + "/notes.roost"
      try Data(whole.image.bytes).write(to: URL(fileURLWithPath: path))
      // Little stays in memory, so that the damage is met.
      let store = try NoteStore(PosixFileSystem(), path: path, cacheBytes: 0)
      let file = try PosixFileSystem().open(path, .readWrite)
      for page in whole.image.freeLogPages {
        try file.write([UInt8](repeating: 0, count: Unit.bytes), at: UInt64(page))
      }
      var notes = whole.notes
      for _ in 0..<25 {
        try store.run(&notes, &random, operations: 100, keys: 20_000)
        #expect(try store.notes() == notes)
      }
      try store.verify()
    }
  }

  @Test func whereAnIndexIsDamagedTooNothingIsTakenForFree() throws {
    let disk = SimulatedDisk()
    let index: UInt32
    do {
      let library = try Library(disk, ringUnits: 0)
      try library.fill(books: 20_000)
      try library.deleteBooks(0..<20_000) { $0 % 3 == 0 }
      let authors = library.engine.snapshot().catalog.table(named: "Author")
      index = try #require(authors?.field(named: "name")).indexTree
    }
    var image = FileImage(disk)
    let unit = image.number(UInt32.self, at: image.root(of: index) + 24)
    image.bytes[Int(unit) * Unit.bytes + 5] ^= 1
    for page in image.freeLogPages { image.bytes[page + 70] ^= 1 }
    #expect(!image.freeLogPages.isEmpty)
    let library = try Library(image.disk)
    try library.deleteBooks(0..<20_000) { $0 % 3 == 1 }
    let findings = try library.findings()
    #expect(findings == [Corruption(.checksum, unit: UInt64(unit), tree: index)])
  }
}
