import RoostEngine
import RoostTestSupport
import Testing

/// Versions that are kept under names: what they cost, how long they stay, and what a file says of them.
@Suite struct NamedVersionTests {
  private func keep(_ name: String, in store: NoteStore) throws(EngineError) {
    try store.engine.write(onTrees: true) { (transaction) throws(EngineError) in
      try transaction.keepBase(as: name, date: 7)
    }
  }

  private func drop(_ name: String, in store: NoteStore) throws(EngineError) {
    try store.engine.write { (transaction) throws(EngineError) in
      try transaction.dropVersion(named: name)
    }
  }

  /// Replaces every note, over and over.
  private func churn(
    _ store: NoteStore, _ notes: inout Notes, _ random: inout SeededGenerator, rounds: Int
  ) throws {
    for _ in 0..<rounds { try store.run(&notes, &random, operations: 300, keys: 400) }
  }

  private func extent(_ store: NoteStore) -> UInt64 {
    store.engine.snapshot().version.slot.highWater
  }

  @Test func aNameKeepsItsVersionThroughOpeningsAndAThousandCommits() throws {
    let disk = SimulatedDisk()
    var random = SeededGenerator(seed: 1)
    var notes: Notes = [:]
    var kept: Notes = [:]
    do {
      let store = try NoteStore(disk)
      try churn(store, &notes, &random, rounds: 3)
      kept = notes
      try keep("first", in: store)
    }
    for _ in 0..<5 {
      let store = try NoteStore(disk)
      for _ in 0..<200 { try store.run(&notes, &random, operations: 6, keys: 400) }
      #expect(FileImage(disk, path: NoteStore.path).freeLogPages.count > 0)
      #expect(try store.notes(in: store.engine.snapshot().named("first")) == kept)
      #expect(try store.notes() == notes)
      try store.verify()
    }
  }

  @Test(arguments: [0, nil])
  func aDroppedNameGivesBackWhatItAloneHad(ringUnits: Int?) throws {
    let disk = SimulatedDisk()
    var random = SeededGenerator(seed: 2)
    var notes: Notes = [:]
    let store = try NoteStore(disk, ringUnits: ringUnits)
    try churn(store, &notes, &random, rounds: 30)
    try keep("a", in: store)
    #expect(try store.engine.snapshot().namedBytes().each == [0])
    try churn(store, &notes, &random, rounds: 30)
    let bytes = try store.engine.snapshot().namedBytes()
    #expect(bytes.all > 30_000 && bytes.each == [bytes.all])
    try keep("b", in: store)
    let used = store.engine.snapshot().usedBytes
    #expect(try store.engine.snapshot().usedBytesWithNamed() == used + bytes.all)
    let end = extent(store)
    try drop("a", in: store)
    try drop("b", in: store)
    #expect(try store.engine.snapshot().namedBytes().all == 0)
    try churn(store, &notes, &random, rounds: 30)
    // A sixteenth may be free before gaps are filled, and the slot's version keeps what records change.
    #expect(extent(store) <= end + end / 16 + (ringUnits == 0 ? 0 : 16))
    try store.verify()
  }

  /// A dropping that is not durable yet may be taken back by a crash: the confirmed version still has the name.
  @Test(arguments: 1...12 as ClosedRange<UInt64>)
  func aCrashBeforeADroppingIsConfirmedLosesNothingOfTheVersion(seed: UInt64) throws {
    let disk = SimulatedDisk(seed: seed)
    var random = SeededGenerator(seed: seed)
    var notes: Notes = [:]
    let store = try NoteStore(disk)
    try churn(store, &notes, &random, rounds: 2)
    let kept = notes
    try keep("a", in: store)
    try churn(store, &notes, &random, rounds: 2)
    let pending = try store.engine.beginWrite()
    try pending.dropVersion(named: "a")
    let staged = try pending.stage(.grouped)
    var after = notes
    for _ in 0..<3 { try store.run(&after, &random, operations: 40, keys: 400, .relaxed) }
    for number in 0..<8 as Range<UInt64> {
      let image = disk.crashImage(seed: seed << 8 | number)
      let found = try NoteStore(image)
      try found.verify()
      if let version = found.engine.snapshot().namedVersions.first {
        #expect(try found.notes(in: found.engine.snapshot().named(version.name)) == kept)
      }
    }
    try staged?.makeDurable()
  }

  @Test func aVersionStaysWholeWhenAnOlderOneLosesItsNameThatASnapshotHolds() throws {
    let disk = SimulatedDisk()
    var random = SeededGenerator(seed: 3)
    var notes: Notes = [:]
    var kept: Notes = [:]
    do {
      let store = try NoteStore(disk)
      try churn(store, &notes, &random, rounds: 3)
      let held = store.engine.snapshot()
      try keep("older", in: store)
      kept = notes
      try keep("newer", in: store)
      // What both see waits for the older one.
      try churn(store, &notes, &random, rounds: 3)
      try drop("older", in: store)
      // The pages of the free log that told of it are cut, and say anew who sees it.
      for _ in 0..<300 { try store.run(&notes, &random, operations: 6, keys: 400) }
      #expect(held.version.transaction > 0)
    }
    let store = try NoteStore(disk)
    try churn(store, &notes, &random, rounds: 3)
    #expect(try store.notes(in: store.engine.snapshot().named("newer")) == kept)
    try store.verify()
  }

  @Test func anAgeThatDoesNotFitCountsAsSeenByEveryNamedVersion() throws {
    let disk = SimulatedDisk()
    var random = SeededGenerator(seed: 4)
    var notes: Notes = [:]
    do {
      let store = try NoteStore(disk)
      try churn(store, &notes, &random, rounds: 2)
      try keep("a", in: store)
      try store.run(&notes, &random, operations: 10, keys: 400)
    }
    var image = FileImage(disk, path: NoteStore.path)
    let records = Int(image.number(UInt16.self, at: image.slot + 174))
    #expect(records > 0 && image.freeLogPages.isEmpty)
    for record in 0..<records {
      image.set(UInt32.max, at: image.slot + 1664 + 16 * record + 8)
      image.set(UInt32.max, at: image.slot + 1664 + 16 * record + 12)
    }
    image.sealSlot()
    let store = try NoteStore(image.disk)
    let snapshot = store.engine.snapshot()
    let free = snapshot.version.slot.highWater * UInt64(Unit.bytes) - snapshot.usedBytes
    #expect(try snapshot.namedBytes().all == free && free > 0)
    try churn(store, &notes, &random, rounds: 3)
    try store.verify()
  }

  @Test func equalVersionsAreOneInACompactedCopy() throws {
    func size(names: Int) throws -> UInt64 {
      let disk = SimulatedDisk()
      var random = SeededGenerator(seed: 5)
      var notes: Notes = [:]
      do {
        let store = try NoteStore(disk)
        try churn(store, &notes, &random, rounds: 12)
        for name in 0..<names { try keep("name \(name)", in: store) }
      }
      let result = try Engine.compact(NoteStore.path, in: disk)
      let store = try NoteStore(disk)
      #expect(store.engine.snapshot().namedVersions.map(\.name) == (0..<names).map { "name \($0)" })
      #expect(store.engine.snapshot().namedVersions.allSatisfy { $0.date == 7 })
      for name in 0..<names {
        #expect(try store.notes(in: store.engine.snapshot().named("name \(name)")) == notes)
      }
      try store.verify()
      return try #require(result?.fileBytesAfter)
    }
    let alone = try size(names: 1)
    #expect(try Double(size(names: 3)) < 1.1 * Double(alone))
  }

  @Test func aCompactedCopyHasWhatVersionsShareOnce() throws {
    let disk = SimulatedDisk()
    var random = SeededGenerator(seed: 6)
    var notes: Notes = [:]
    var versions: [Notes] = []
    let library = try NoteStore(disk)
    try library.engine.write { (transaction) throws(EngineError) in
      try library.insertMany(transaction, keys: 0..<30_000, &random)
    }
    notes = try library.notes()
    for version in 0..<3 {
      versions.append(notes)
      try keep("\(version)", in: library)
      try library.run(&notes, &random, operations: 3, keys: 30_000)
    }
    let used = try library.engine.snapshot().usedBytesWithNamed()
    let path = NoteStore.path
    let copy = FileImage(disk, path: path).disk
    let result = try #require(try Engine.compact(path, in: copy))
    #expect(result.fileBytesAfter < used + used / 10)
    let store = try NoteStore(copy)
    for (place, version) in versions.enumerated() {
      #expect(try store.notes(in: store.engine.snapshot().named("\(place)")) == version)
    }
    #expect(try store.notes() == notes)
  }

  /// A copy that got a slot for each name could be left with some of the names.
  @Test func aDiskThatLiesShowsACompactedCopyWithAllNamesOrNone() throws {
    let disk = SimulatedDisk()
    var random = SeededGenerator(seed: 7)
    var notes: Notes = [:]
    do {
      let store = try NoteStore(disk)
      for name in ["a", "b", "c"] {
        try churn(store, &notes, &random, rounds: 1)
        try keep(name, in: store)
      }
    }
    disk.isLying = true
    let result = try #require(try Engine.compact(NoteStore.path, in: disk))
    var copies = 0
    for seed in 0..<400 as Range<UInt64> {
      let image = disk.crashImage(seed: seed)
      guard image.contents(of: NoteStore.path)?.count == Int(result.fileBytesAfter),
        let engine = try? Engine.open(NoteStore.path, in: image)
      else { continue }
      // Nothing is there where the copy's first and only slot is lost.
      let snapshot = engine.snapshot()
      guard !snapshot.catalog.tables.isEmpty else { continue }
      copies += 1
      #expect(snapshot.namedVersions.map(\.name) == ["a", "b", "c"], "seed \(seed)")
    }
    #expect(copies > 0)
  }

  @Test func theFeatureIsSaidWhileThereIsAName() throws {
    let disk = SimulatedDisk()
    let store = try NoteStore(disk)
    func words() -> (readOnly: UInt64, pointer: UInt64) {
      let image = FileImage(disk, path: NoteStore.path)
      return (image.number(at: image.slot + 56), image.number(at: image.slot + 176))
    }
    #expect(words() == (0, 0))
    try keep("a", in: store)
    #expect(words().readOnly == 2 && words().pointer != 0)
    let image = FileImage(disk, path: NoteStore.path)
    #expect(
      Array(image.bytes[image.slot + 256..<image.slot + 272]) == [14] + "named versions\0".utf8)
    try drop("a", in: store)
    #expect(words() == (0, 0))
  }

  @Test func aNameThatCannotBeIsRefused() throws {
    let store = try NoteStore(SimulatedDisk())
    let tooLong = EngineError.limit(EngineLimit(.versionNameBytes, 255))
    #expect(throws: tooLong) { try keep("", in: store) }
    #expect(throws: tooLong) { try keep(String(repeating: "ä", count: 128), in: store) }
    try keep(String(repeating: "ä", count: 127), in: store)
    try keep("a", in: store)
    #expect(throws: EngineError.version(named: "a", .taken)) { try keep("a", in: store) }
    #expect(throws: EngineError.version(named: "b", .unknown)) { try drop("b", in: store) }
    #expect(throws: EngineError.version(named: "b", .unknown)) {
      try store.engine.snapshot().named("b")
    }
    for number in 2..<64 { try keep("\(number)", in: store) }
    #expect(throws: EngineError.limit(EngineLimit(.namedVersions, 64))) {
      try keep("one more", in: store)
    }
    #expect(store.engine.snapshot().namedVersions.count == 64)
    try store.verify()
  }

  @Test func aDamagedListIsAnErrorThatNamesIt() throws {
    let disk = SimulatedDisk()
    let store = try NoteStore(disk)
    try keep("a", in: store)
    var image = FileImage(disk, path: NoteStore.path)
    image.changeExtent(pointerAt: image.slot + 176) { $0.bytes[$1 + 16 + 30] = 0 }
    let damage = EngineError.corrupt(
      Corruption(
        .namedVersions, unit: image.number(UInt64.self, at: image.slot + 176) & (1 << 40 - 1)))
    #expect(throws: damage) { try NoteStore(image.disk) }
  }
}
