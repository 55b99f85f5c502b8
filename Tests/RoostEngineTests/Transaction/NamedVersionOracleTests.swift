import RoostEngine
import RoostTestSupport
import Testing

/// Random commits, names that come and go, restored versions, openings, compactions and long pins, beside a plain model.
@Suite struct NamedVersionOracleTests {
  /// A store, and what it must hold.
  private struct Run {
    let disk = SimulatedDisk()
    var store: NoteStore
    var notes: Notes = [:]
    var named: [(name: String, notes: Notes)] = []
    var pinned: [(snapshot: EngineSnapshot, notes: Notes)] = []
    var random: SeededGenerator
    /// How many names there ever were.
    private var count = 0

    init(seed: UInt64) throws {
      random = SeededGenerator(seed: seed)
      store = try NoteStore(disk)
    }

    mutating func step() throws {
      switch Int.random(in: 0..<20, using: &random) {
      case 0..<9:
        let operations = [1, 5, 40, 400][Int.random(in: 0..<4, using: &random)]
        let durability = SyncPolicy.allCases.randomElement(using: &random) ?? .full
        try store.run(&notes, &random, operations: operations, durability)
      case 9, 10: try keep()
      case 11: try drop()
      case 12: try restore()
      case 13: try keepInSavepoint()
      case 14, 15:
        if random.chance(1, in: 3) { pinned = [] }
        pinned.append((store.engine.snapshot(), notes))
      case 16: try reopen()
      case 17: try compact()
      case 18: try damageLog()
      default: try readNamed()
      }
    }

    /// Keeps what a transaction begins from, at any place of it.
    private mutating func keep() throws {
      guard named.count < 4 else { return }
      count += 1
      let name = "name \(count)"
      let before = notes
      try store.engine.write(onTrees: true) { (transaction) throws(EngineError) in
        if random.chance(1, in: 2) { try change(transaction) }
        try transaction.keepBase(as: name, date: Double(count))
        if random.chance(1, in: 2) { try change(transaction) }
      }
      named.append((name, before))
    }

    /// Changes notes within a transaction.
    private mutating func change(_ transaction: EngineTransaction) throws(EngineError) {
      for _ in 0..<Int.random(in: 1...60, using: &random) {
        let key = Int64.random(in: 0..<3000, using: &random)
        if notes[key] == nil {
          try store.insertNote(transaction, key: key)
          notes[key] = Note(title: "Note \(key)", rank: key % 5, score: nil)
        } else {
          try transaction.delete(from: store.table, key: key)
          notes[key] = nil
        }
      }
    }

    private mutating func drop() throws {
      guard let place = named.indices.randomElement(using: &random) else { return }
      try store.engine.write(random.chance(1, in: 2) ? .relaxed : .full) {
        (transaction) throws(EngineError) in
        try transaction.dropVersion(named: named[place].name)
      }
      named.remove(at: place)
    }

    private mutating func restore() throws {
      guard let version = named.randomElement(using: &random) else { return }
      try store.engine.write { (transaction) throws(EngineError) in
        if random.chance(1, in: 2) { try change(transaction) }
        try transaction.restoreVersion(named: version.name)
        notes = version.notes
        if random.chance(1, in: 2) { try change(transaction) }
      }
    }

    /// A name that is gone back from was never there.
    private mutating func keepInSavepoint() throws {
      let before = notes
      try store.engine.write(onTrees: true) { (transaction) throws(EngineError) in
        let savepoint = try transaction.savepoint()
        try change(transaction)
        try transaction.keepBase(as: "never", date: 0)
        if let version = named.first {
          try transaction.dropVersion(named: version.name)
          try transaction.restoreVersion(named: version.name)
        }
        try transaction.rollback(to: savepoint)
        notes = before
        try change(transaction)
      }
    }

    private mutating func close() throws {
      try store.engine.synchronize()
      try checkPinned()
      pinned = []
    }

    private mutating func reopen() throws {
      try close()
      let disk = disk
      store = try NoteStore(SimulatedDisk())
      store = try NoteStore(disk)
    }

    private mutating func compact() throws {
      try close()
      store = try NoteStore(SimulatedDisk())
      _ = try Engine.compact(NoteStore.path, in: disk)
      store = try NoteStore(disk)
    }

    /// The log is found anew by walking the version, and those that have names.
    private mutating func damageLog() throws {
      try close()
      store = try NoteStore(SimulatedDisk())
      var image = FileImage(disk, path: NoteStore.path)
      for page in image.freeLogPages { image.bytes[page + 80] ^= 1 }
      // Where the slot has it all, one record less makes the count wrong.
      if image.freeLogPages.isEmpty, image.number(UInt16.self, at: image.slot + 174) > 0 {
        image.set(image.number(UInt64.self, at: image.slot + 40) ^ 1, at: image.slot + 40)
        image.sealSlot()
      }
      disk.install(image.bytes, at: NoteStore.path)
      store = try NoteStore(disk)
      // The next commit writes the whole log.
      try store.engine.write { (transaction) throws(EngineError) in try change(transaction) }
    }

    private mutating func readNamed() throws {
      for version in named {
        let snapshot = try store.engine.snapshot().named(version.name)
        guard try store.notes(in: snapshot) == version.notes else { throw Wrong.named }
        if random.chance(1, in: 6) { pinned.append((snapshot, version.notes)) }
      }
    }

    private func checkPinned() throws {
      for pin in pinned where try store.notes(in: pin.snapshot) != pin.notes { throw Wrong.pinned }
    }

    func check() throws {
      try store.engine.synchronize()
      let snapshot = store.engine.snapshot()
      guard try store.notes() == notes else { throw Wrong.content }
      guard snapshot.namedVersions.map(\.name) == named.map(\.name) else { throw Wrong.names }
      try store.verify()
    }
  }

  private enum Wrong: Error { case content, names, named, pinned }

  @Test(arguments: 0..<16 as Range<UInt64>)
  func everyVersionIsAsThePlainModelHasIt(seed: UInt64) throws {
    var run = try Run(seed: seed)
    for _ in 0..<90 {
      try run.step()
      try run.check()
    }
  }
}
