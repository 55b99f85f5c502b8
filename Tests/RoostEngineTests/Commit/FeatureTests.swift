import RoostEngine
import RoostTestSupport
import Testing

/// Files of other versions of the library: opened, opened to read, or refused with the features' names.
@Suite struct FeatureTests {
  /// A store whose slot has these feature words and names.
  private func image(
    compatible: UInt64 = 0, readOnly: UInt64 = 0, incompatible: UInt64 = 0, names: [String]
  ) throws -> FileImage {
    let disk = SimulatedDisk()
    try Library(disk, ringUnits: 0).fill(books: 20)
    var image = FileImage(disk)
    image.set(compatible, at: image.slot + 48)
    image.set(readOnly, at: image.slot + 56)
    image.set(incompatible, at: image.slot + 64)
    var place = image.slot + 256
    for name in names {
      for byte in [UInt8(name.utf8.count)] + Array(name.utf8) {
        image.bytes[place] = byte
        place += 1
      }
    }
    image.sealSlot()
    return image
  }

  private func error(opening image: FileImage) -> EngineError? {
    do throws(EngineError) {
      _ = try Engine.open(Library.path, in: image.disk)
      return nil
    } catch { return error }
  }

  @Test func anUnknownIncompatibleFeatureIsNamed() throws {
    let image = try image(
      compatible: 1 << 3, readOnly: 1 << 9 | 1, incompatible: 1 << 63 | 1 << 5,
      names: ["a", "b", "c", "encryption", "nested tables"])
    #expect(
      error(opening: image) == .fileIsNewer(features: ["encryption", "nested tables"]))
  }

  @Test func aFeatureWithoutANameIsNamedByItsBit() throws {
    let image = try image(incompatible: 1 << 5 | 1, names: ["encryption"])
    #expect(
      error(opening: image) == .fileIsNewer(features: ["encryption", "incompatible feature 5"]))
  }

  @Test func aFileWithAnUnknownReadOnlyFeatureIsOnlyRead() throws {
    let image = try image(readOnly: 1 << 9, names: ["sorted leaves"])
    let disk = image.disk
    let engine = try Engine.open(Library.path, in: disk)
    #expect(engine.isReadOnly)
    #expect(try engine.snapshot().verify() == [])
    #expect(throws: EngineError.readOnly) { try engine.beginWrite() }
    #expect(throws: EngineError.readOnly) { _ = try Engine.compact(Library.path, in: image.disk) }
    #expect(disk.contents(of: Library.path) == image.bytes)
  }

  @Test func unknownCompatibleFeaturesAreKeptByWriters() throws {
    let image = try image(compatible: 1 << 40, names: ["statistics"])
    let disk = image.disk
    do {
      let library = try Library(disk, ringUnits: 0)
      for round in 0..<5 {
        try library.fill(books: 5, from: Int64(100 + 10 * round), seed: 3 + UInt64(round))
      }
    }
    _ = try Engine.compact(Library.path, in: disk)
    let after = FileImage(disk)
    #expect(after.number(at: after.slot + 48) == 1 << 40 as UInt64)
    #expect(Array(after.bytes[after.slot + 256..<after.slot + 268]) == [10] + "statistics\0".utf8)
  }

  @Test(
    arguments: [
      (0, EngineError.fileIsOlder(format: 0)), (2, .fileIsNewer(features: ["file format 2"])),
    ] as [(UInt32, EngineError)])
  func anotherFormatIsRefusedByItsNumber(format: UInt32, refusal: EngineError) throws {
    let disk = SimulatedDisk()
    try Library(disk, ringUnits: 0).fill(books: 1)
    var image = FileImage(disk)
    image.set(format, at: 16)
    image.sealHeader()
    #expect(error(opening: image) == refusal)
  }
}
