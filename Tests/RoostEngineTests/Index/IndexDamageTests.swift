import RoostEngine
import RoostTestSupport
import Testing

/// Nodes with changed bytes under right checksums: reading and writing throw, or give some answer, and
/// neither trap nor run on.
@Suite struct IndexDamageTests {
  @Test(arguments: 0..<4)
  func survivesDamagedNodesWithRightChecksums(shape: Int) throws {
    var generator = SeededGenerator(seed: UInt64(shape) + 77)
    let fixture = try IndexFixture(cacheBytes: 8 << 20)
    try fixture.apply(add: Self.pairs(shape, &generator))
    #expect(fixture.root.level >= 1)
    var extents: [ExtentPointer] = []
    try fixture.tree.walk { extents.append($0) }
    var refused = 0
    let count = scaled(2000)
    for _ in 0..<count {
      let root = try Self.damage(fixture, extents, &generator)
      if !Self.use(IndexTree(root: root, reader: fixture.reader), fixture, &generator) {
        refused += 1
      }
    }
    print(
      "shape \(shape): level \(fixture.root.level), \(refused) of \(count) damaged trees refused")
    #expect(refused > count / 5)
    try fixture.tree.checkInvariants()
  }

  private static func pairs(_ shape: Int, _ generator: inout SeededGenerator) -> [Pair] {
    switch shape {
    case 0:
      (0..<2500).map {
        Pair("name \($0 % 2000)" + String(repeating: "x", count: 900), Int64($0))
      }
    case 1: (0..<9000).map { Pair([1, 0, UInt8($0 % 3)], Int64($0) * 11) }
    case 2:
      (0..<3000).map { Pair([1] + (generator.next() >> 20).description.utf8, Int64($0) - 500) }
    default:
      (0..<4000).map {
        Pair(
          [UInt8](repeating: 9, count: 300) + [UInt8($0 >> 8), UInt8($0 & 255), 1, 2, 3, 4],
          Int64.max - Int64($0 % 7))
      }
    }
  }

  /// A root above a copy of the tree's path to one extent, in which some bytes are changed.
  private static func damage(
    _ fixture: IndexFixture, _ extents: [ExtentPointer], _ generator: inout SeededGenerator
  ) throws -> TreeRoot {
    var root = fixture.root
    if generator.chance(1, in: 40) { root.count &+= generator.next() >> 60 }
    if generator.chance(1, in: 40) { root.counter = generator.next() }
    if generator.chance(1, in: 40) { root.level += Int.random(in: -1...1, using: &generator) }
    let stop = Int.random(in: 0...max(root.level, 0), using: &generator)
    root.pointer = try copy(
      root.pointer, fixture.writer(), depth: 0, stop: stop, extents, &generator)
    return root
  }

  private static func copy(
    _ pointer: ExtentPointer, _ writer: PageWriter, depth: Int, stop: Int,
    _ extents: [ExtentPointer], _ generator: inout SeededGenerator
  ) throws -> ExtentPointer {
    let frame = try writer.reader.frame(pointer)
    var bytes = frame.bytes.array
    if depth < stop, bytes[0] == 4 {
      let children = Int(bytes[2]) | Int(bytes[3]) << 8
      let place = 32 + 24 * Int.random(in: 0..<children, using: &generator)
      let child = ExtentPointer(frame.bytes, at: place)
      let new = try copy(
        child, writer, depth: depth + 1, stop: stop, extents, &generator)
      unsafe bytes.withUnsafeMutableBytes { bytes in
        guard let base = bytes.baseAddress else { return }
        new.store(in: unsafe MutableByteView(base: base, count: bytes.count), at: place)
      }
    } else {
      change(&bytes, frame.bytes, extents, &generator)
    }
    return try writer.write(
      kind: pointer.kind ?? .indexLeaf, units: pointer.units
    ) { target in
      unsafe bytes.withUnsafeBytes { unsafe target.copy(ByteView($0), at: 0) }
    }
  }

  private static func change(
    _ bytes: inout [UInt8], _ original: ByteView, _ extents: [ExtentPointer],
    _ generator: inout SeededGenerator
  ) {
    for _ in 0..<Int.random(in: 1...3, using: &generator) {
      let near = generator.chance(1, in: 2) ? 34 : generator.chance(1, in: 2) ? 200 : bytes.count
      let offset = Int.random(in: 0..<near, using: &generator)
      switch Int.random(in: 0..<6, using: &generator) {
      case 0: bytes[offset] ^= 1 << UInt8.random(in: 0...7, using: &generator)
      case 1: bytes[offset] = UInt8.random(in: 0...255, using: &generator)
      case 2: bytes[offset] = [0, 1, 127, 128, 255].randomElement(using: &generator) ?? 0
      case 3:
        for place in offset..<min(offset + 8, bytes.count) {
          bytes[place] = UInt8.random(in: 0...255, using: &generator)
        }
      case 4:
        // A part of the node over another part.
        let source = Int.random(in: 0..<bytes.count - 32, using: &generator)
        for place in 0..<min(24, bytes.count - offset) {
          bytes[offset + place] = bytes[source + place]
        }
      default:
        // Another extent's pointer in place of one of the node's.
        guard bytes[0] == 4, let other = extents.randomElement(using: &generator) else { continue }
        let place = 32 + 24 * Int.random(in: 0..<3, using: &generator)
        unsafe bytes.withUnsafeMutableBytes { bytes in
          guard let base = bytes.baseAddress else { return }
          other.store(in: unsafe MutableByteView(base: base, count: bytes.count), at: place)
        }
      }
    }
  }

  /// Reads and changes a tree in every way; false when something was refused.
  private static func use(
    _ tree: IndexTree, _ fixture: IndexFixture, _ generator: inout SeededGenerator
  ) -> Bool {
    var isWhole = true
    func attempt(_ body: () throws(EngineError) -> Void) {
      do throws(EngineError) { try body() } catch { isWhole = false }
    }
    var some: [Pair] = []
    attempt { () throws(EngineError) in
      var visited = 0
      try tree.scan { (value, keys) throws(EngineError) in
        visited += 1
        if visited % 40 == 1 { some.append(Pair(value.array, keys[keys.count - 1])) }
        return true
      }
    }
    attempt { () throws(EngineError) in
      try tree.scan(descending: true) { (_, keys) throws(EngineError) in keys.count > 0 }
    }
    attempt { () throws(EngineError) in try tree.checkInvariants() }
    some.append(Pair([1, UInt8.random(in: 0...255, using: &generator)], 5))
    for pair in some {
      attempt { () throws(EngineError) in
        _ = try view(pair.value) { (value) throws(EngineError) in try tree.count(equal: value) }
        _ = try view(pair.value) { (value) throws(EngineError) in try tree.first(equal: value) }
        _ = try view(pair.value) { (value) throws(EngineError) in
          try tree.contains(value, pair.key)
        }
        _ = try tree.count(in: IndexRange(from: .exclusive(pair.value)))
      }
    }
    attempt { () throws(EngineError) in
      var changes = IndexChanges()
      let pair = some[0]
      view(pair.value) { changes.remove($0, pair.key) }
      view(pair.value) { changes.add($0, pair.key ^ 2) }
      let writer = fixture.writer(later: 1)
      let root = try tree.apply(changes, writer: writer)
      try IndexTree(root: root, reader: writer.reader).checkInvariants()
    }
    attempt { () throws(EngineError) in
      var changes = IndexChanges()
      for (place, pair) in some.enumerated() {
        if place % 2 == 0, place + 1 < some.count {
          view(pair.value) { changes.remove($0, pair.key) }
        } else {
          view(pair.value) { changes.add($0, pair.key ^ 1) }
        }
      }
      let writer = fixture.writer(later: 1)
      let root = try tree.apply(changes, writer: writer)
      try IndexTree(root: root, reader: writer.reader).checkInvariants()
    }
    return isWhole
  }
}
