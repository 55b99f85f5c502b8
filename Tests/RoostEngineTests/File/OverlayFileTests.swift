import RoostEngine
import RoostTestSupport
import Testing

/// A file with changes of its own over one that is only read.
@Suite struct OverlayFileTests {
  private func overlay(of bytes: [UInt8]) throws -> (MemoryFileSystem, any StorageFile) {
    let base = MemoryFileSystem()
    let file = try base.open("base", .create)
    try file.write(bytes, at: 0)
    let system = OverlayFileSystem(of: "base", in: base, scratchPath: "scratch")
    let overlay = try system.open("base", .readWrite)
    #expect(try base.kind(of: "scratch") == nil)
    return (base, overlay)
  }

  @Test(arguments: 1...24)
  func itReadsAsAFileThatWasChangedAndTheOneBelowStays(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let bytes = (0..<Int.random(in: 0...40_000, using: &generator)).map { _ in
      UInt8.random(in: 0...255, using: &generator)
    }
    let (base, overlay) = try overlay(of: bytes)
    var expected = bytes
    func grow(to size: Int) {
      if expected.count < size {
        expected += [UInt8](repeating: 0, count: size - expected.count)
      }
    }
    for step in 0..<300 {
      // Half of all positions are borders of units, or beside one.
      let offset =
        Bool.random(using: &generator)
        ? Int.random(in: 0...60_000, using: &generator)
        : max(
          0,
          4096 * Int.random(in: 0...14, using: &generator)
            + Int.random(in: -1...1, using: &generator))
      let count = Int.random(in: 0...9000, using: &generator)
      switch Int.random(in: 0..<10, using: &generator) {
      case 0..<4:
        let parts = (0..<2).map { _ in
          [UInt8](repeating: UInt8.random(in: 1...255, using: &generator), count: count / 2)
        }
        try overlay.write(parts: parts, at: UInt64(offset))
        let written = parts.flatMap(\.self)
        guard !written.isEmpty else { continue }
        grow(to: offset + written.count)
        expected.replaceSubrange(offset..<offset + written.count, with: written)
      case 4:
        try overlay.truncate(to: UInt64(offset))
        if offset < expected.count { expected.removeLast(expected.count - offset) }
        grow(to: offset)
      case 5:
        try overlay.allocate(UInt64(offset)..<UInt64(offset + count))
        if count > 0 { grow(to: offset + count) }
      default:
        let read = try overlay.bytes(at: UInt64(offset), count)
        let end = min(expected.count, offset + count)
        #expect(read == (offset < end ? Array(expected[offset..<end]) : []), "step \(step)")
      }
      #expect(try overlay.size() == UInt64(expected.count))
    }
    #expect(try overlay.bytes(at: 0, 100_000) == expected)
    #expect(try base.open("base", .readOnly).bytes(at: 0, 100_000) == bytes)
  }

  @Test func nobodyWritesTheFileBelowWhileItIsLocked() throws {
    let (base, overlay) = try overlay(of: [1, 2, 3])
    #expect(try overlay.lock(exclusive: true))
    #expect(try !base.open("base", .readWrite).lock(exclusive: true))
    overlay.close()
    #expect(try base.open("base", .readWrite).lock(exclusive: true))
  }

  @Test func aPositionThatNoFileHasIsAnError() throws {
    let (_, overlay) = try overlay(of: [])
    #expect(throws: FileError(.write, path: "base", .tooLarge)) {
      try overlay.write([1], at: UInt64.max)
    }
    #expect(throws: FileError(.allocate, path: "base", .tooLarge)) {
      try overlay.allocate(0..<UInt64.max)
    }
    #expect(try overlay.size() == 0)
  }
}
