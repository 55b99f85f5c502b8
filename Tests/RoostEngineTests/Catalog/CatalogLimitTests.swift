import RoostEngine
import RoostTestSupport
import Testing

/// More than a catalog can hold, declared by somebody or claimed by a file.
@Suite struct CatalogLimitTests {
  private func declare(_ fields: [FieldDefinition], table: String = "Table") -> EngineError? {
    let key = FieldDefinition(name: "id", type: .int, isIdentifier: true)
    do throws(EngineError) {
      let engine = try Engine.open("limits.roost", in: MemoryFileSystem())
      try engine.write { (transaction) throws(EngineError) in
        try transaction.addTables([TableDraft(name: table, fields: [key] + fields)])
      }
      return nil
    } catch { return error }
  }

  private func fields(_ count: Int) -> [FieldDefinition] {
    (0..<count).map { FieldDefinition(name: "field \($0)", type: .int) }
  }

  @Test func aTableHasUpTo1024Fields() {
    #expect(declare(fields(1023)) == nil)
    #expect(declare(fields(1024)) == .limit(EngineLimit(.fields, 1024, in: "Table")))
  }

  @Test func aNameHasUpTo1024Bytes() {
    let longest = String(repeating: "n", count: 1024)
    #expect(declare([FieldDefinition(name: longest, type: .int)], table: longest) == nil)
    let refusal = EngineError.limit(EngineLimit(.nameBytes, 1024))
    #expect(declare([FieldDefinition(name: longest + "n", type: .int)]) == refusal)
    #expect(declare([FieldDefinition(name: "", type: .int)]) == refusal)
    #expect(declare([], table: longest + "n") == refusal)
  }

  @Test func aDefaultHasUpTo1024Bytes() {
    func field(_ count: Int) -> FieldDefinition {
      FieldDefinition(
        name: "data", type: .data,
        defaultValue: .bytes([UInt8](repeating: 7, count: count)))
    }
    #expect(declare([field(1024)]) == nil)
    #expect(declare([field(1025)]) == .tooLong(table: "Table", field: "data", limit: 1024))
  }

  @Test func aFileThatClaimsALongerDefaultIsDamaged() throws {
    let disk = SimulatedDisk()
    do {
      let engine = try Engine.open(Library.path, in: disk)
      try engine.write { (transaction) throws(EngineError) in
        try transaction.addTables([
          TableDraft(
            name: "Table",
            fields: [
              FieldDefinition(name: "id", type: .int, isIdentifier: true),
              FieldDefinition(
                name: "data", type: .data,
                defaultValue: .bytes([UInt8](repeating: 7, count: 1024))),
            ])
        ])
      }
    }
    func opened(withMore extra: UInt64) -> EngineError? {
      var image = FileImage(disk)
      let length = image.slot + 112
      let end = Int(image.number(UInt64.self, at: length))
      // The default comes last; behind it the extent holds zeros.
      image.changeExtent(pointerAt: image.slot + 88) { image, start in
        image.set(UInt32(1024 + extra), at: start + end - 1028)
      }
      image.set(UInt64(end) + extra, at: length)
      image.sealSlot()
      do throws(EngineError) {
        _ = try Engine.open(Library.path, in: image.disk)
        return nil
      } catch { return error }
    }
    #expect(opened(withMore: 0) == nil)
    #expect(opened(withMore: 1) == .corrupt(Corruption(.catalog)))
  }

  @Test func aCatalogHasUpTo16MiB() throws {
    let key = FieldDefinition(name: "id", type: .int, isIdentifier: true)
    let name = String(repeating: "n", count: 1020)
    let value = Value.bytes([UInt8](repeating: 7, count: 1024))
    let fields = (1000..<2023).map { number in
      FieldDefinition(name: name + "\(number)", type: .data, defaultValue: value)
    }
    let disk = MemoryFileSystem()
    let engine = try Engine.open("limits.roost", in: disk)
    func declare(_ tables: Range<Int>) -> EngineError? {
      do throws(EngineError) {
        try engine.write { (transaction) throws(EngineError) in
          try transaction.addTables(
            tables.map { TableDraft(name: "Table \($0)", fields: [key] + fields) })
        }
        return nil
      } catch { return error }
    }
    #expect(declare(0..<7) == nil)
    #expect(
      declare(7..<8) == .limit(EngineLimit(.catalogBytes, 16_777_216)))
    #expect(engine.snapshot().catalog.tables.count == 7)
  }

  @Test func aFileThatClaimsALongerCatalogIsDamaged() throws {
    let disk = SimulatedDisk()
    _ = try Library(disk)
    var image = FileImage(disk)
    image.set(UInt64(16 << 20) + 1, at: image.slot + 112)
    image.sealSlot()
    let unit = UInt64(image.number(UInt32.self, at: image.slot + 88))
    #expect(throws: EngineError.corrupt(Corruption(.catalog, unit: unit))) {
      try Engine.open(Library.path, in: image.disk)
    }
  }
}
