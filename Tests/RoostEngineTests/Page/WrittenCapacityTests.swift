import RoostEngine
import RoostTestSupport
import Testing

/// What is written has room for 32 bytes behind what fills an extent or a slot (Format.md), which encryption will need.
@Suite struct WrittenCapacityTests {
  /// The extents of a table of some kinds, with their bytes.
  private func extents(
    of table: TableUnderTest, _ kinds: Set<ExtentKind>
  ) throws -> [[UInt8]] {
    var found: [[UInt8]] = []
    try table.tree.walk { (pointer) throws(EngineError) in
      guard let kind = pointer.kind, kinds.contains(kind) else { return }
      found.append(try bytes(pointer, table.pager.reader))
    }
    return found
  }

  private func bytes(
    _ pointer: ExtentPointer, _ reader: PageReader
  ) throws(EngineError) -> [UInt8] {
    let frame = try reader.frame(pointer)
    defer { withExtendedLifetime(frame) {} }
    return (0..<frame.bytes.count).map { frame.bytes.uint8(at: $0) }
  }

  private func number(_ bytes: [UInt8], _ offset: Int, _ count: Int) -> Int {
    (0..<count).reduce(0) { $0 | Int(bytes[offset + $1]) << (8 * $1) }
  }

  private func hasRoom(_ bytes: [UInt8]) -> Bool {
    bytes.suffix(Unit.trailerBytes).allSatisfy { $0 == 0 }
  }

  @Test func aNodeHasAtMostAHundredChildren() throws {
    var random = SeededGenerator(seed: 1)
    let table = try TableUnderTest(TableShape([TableField(id: 1, type: .bytes)]))
    for part in 0..<12 as Range<Int64> {
      try table.apply(
        insert: (part * 1000..<(part + 1) * 1000).map { ($0, [.bytes(random.bytes(1000))]) })
    }
    let nodes = try extents(of: table, [.objectInner])
    #expect(nodes.map { number($0, 2, 2) }.max() == 100)
    #expect(nodes.allSatisfy(hasRoom))
  }

  @Test func aChunkHasRoomAndAListSaysSo() throws {
    var random = SeededGenerator(seed: 2)
    let table = try TableUnderTest(TableShape([TableField(id: 1, type: .bytes)]))
    let lengths = [1_044_480, 1_044_481, 1 << 20, (1 << 20) + 1, 3 << 20]
    try table.apply(
      insert: lengths.enumerated().map { (Int64($0), [.bytes(random.bytes($1))]) })
    try table.check()
    let chunks = try extents(of: table, [.valueBytes])
    #expect(chunks.map(\.count).max() == 255 * Unit.bytes)
    let lists = try extents(of: table, [.valueList])
    #expect(lists.map { number($0, 4, 4) }.sorted() == [2, 2, 2, 4])
    #expect(lists.allSatisfy { $0[2] == 1 })
  }

  @Test func aNodeOfAnEditedValueHasAtMost123Children() throws {
    var random = SeededGenerator(seed: 3)
    let pager = StandalonePager(
      file: try MemoryFileSystem().open("value", .create), cacheBytes: 1 << 20)
    let bytes = random.bytes(2000 * 256)
    let reference = try pager.write(protected: []) { (writer) throws(EngineError) in
      let editor = ValueEditor([], partBytesMax: 256, reader: writer.reader)
      try editor.insert(bytes, at: 0)
      return try editor.write(with: writer)
    }
    guard case .extents(let reference) = reference else {
      Issue.record("The value is long.")
      return
    }
    var pointers: [ExtentPointer] = []
    try pager.reader.visitExtents(of: reference, parentBirth: pager.transaction) {
      if $0.kind == .valueNode { pointers.append($0) }
    }
    let nodes = try pointers.map { try self.bytes($0, pager.reader) }
    #expect(nodes.map { number($0, 2, 2) }.max() == 123)
    #expect(nodes.allSatisfy(hasRoom))
  }

  @Test func whatIsFreeHasAtMost250RecordsInAPageAnd149InASlot() throws {
    var random = SeededGenerator(seed: 4)
    let disk = SimulatedDisk()
    let store = try NoteStore(disk, ringUnits: 0)
    var notes: Notes = [:]
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
    var inline: [Int] = []
    var pages: [Int] = []
    for part in 0..<40 as Range<Int64> {
      try store.engine.write { (transaction) throws(EngineError) in
        for key in (10_000 + part * 60)..<(10_060 + part * 60) where random.chance(1, in: 2) {
          try transaction.delete(from: store.table, key: key)
          notes[key] = nil
        }
        if part == 20 {
          for key in Int64(11_260)..<12_400 where key.isMultiple(of: 2) {
            try transaction.delete(from: store.table, key: key)
            notes[key] = nil
          }
        }
      }
      let image = FileImage(disk, path: NoteStore.path)
      inline.append(Int(image.number(UInt16.self, at: image.slot + 174)))
      for page in image.freeLogPages {
        pages.append(Int(image.number(UInt32.self, at: page + 4)))
      }
    }
    #expect(pages.max() == 250)
    #expect((130...149).contains(inline.max() ?? 0))
    #expect(try store.notes() == notes)
    try store.verify()
  }
}
