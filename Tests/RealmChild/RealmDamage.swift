import RoostTestSupport

/// Damages copies of a `.realm` file, in the ways that its structure invites.
struct RealmDamage {
  private let original: [UInt8]
  /// Where nodes seem to start: each has this mark, which nothing reads.
  private let nodes: [Int]

  init(_ original: [UInt8]) {
    self.original = original
    nodes = stride(from: 24, to: max(24, original.count - 8), by: 8).filter {
      original[$0..<$0 + 4].allSatisfy { $0 == UInt8(ascii: "A") }
    }
  }

  /// The damaged copy of a number.
  func copy(seed: UInt64, number: Int) -> [UInt8] {
    var generator = SeededGenerator(seed: seed &* 0x1_0000_0001 &+ UInt64(number))
    var bytes = original
    guard bytes.count >= 32, !nodes.isEmpty else { return bytes }
    for _ in 0..<max(1, Int.random(in: -2...4, using: &generator)) { change(&bytes, &generator) }
    return bytes
  }

  private func change(_ bytes: inout [UInt8], _ generator: inout SeededGenerator) {
    guard bytes.count >= 32 else { return }
    let node = nodes[Int.random(in: 0..<nodes.count, using: &generator)]
    switch Int.random(in: 0..<9, using: &generator) {
    case 0:
      let place = Int.random(in: 0..<bytes.count, using: &generator)
      bytes[place] = UInt8.random(in: .min ... .max, using: &generator)
    case 1:
      let place = Int.random(in: 0..<bytes.count, using: &generator)
      bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
    case 2:
      // The flags and the width of a node.
      set(UInt64.random(in: 0...255, using: &generator), 1, at: node + 4, &bytes)
    case 3:
      // The number of its elements.
      let count = UInt64.random(in: .min ... .max, using: &generator)
      set(count >> UInt64.random(in: 0..<64, using: &generator), 3, at: node + 5, &bytes)
    case 4:
      // A reference to another node, perhaps one that contains this one.
      let target = nodes[Int.random(in: 0..<nodes.count, using: &generator)]
      let width = [2, 4, 8].randomElement(using: &generator) ?? 4
      let place = node + 8 + width * Int.random(in: 0..<12, using: &generator)
      set(UInt64(target), width, at: place, &bytes)
    case 5:
      let words: [UInt64] = [
        0, 1, 2, 8, .max, .max - 1, UInt64(Int64.max), 1 << 63, UInt64(bytes.count),
        UInt64(bytes.count - 8), UInt64(bytes.count / 8 * 8 + 8),
      ]
      let width = [1, 2, 4, 8].randomElement(using: &generator) ?? 8
      let place = node + 8 + width * Int.random(in: 0..<12, using: &generator)
      set(words.randomElement(using: &generator) ?? 0, width, at: place, &bytes)
    case 6:
      // A part of the file in the place of another.
      let length = Int.random(in: 1...min(512, bytes.count / 2), using: &generator)
      let from = Int.random(in: 0...bytes.count - length, using: &generator)
      let to = Int.random(in: 0...bytes.count - length, using: &generator)
      bytes.replaceSubrange(to..<to + length, with: Array(bytes[from..<from + length]))
    case 7:
      bytes.removeLast(Int.random(in: 0..<bytes.count, using: &generator) / 8 * 8)
    default:
      // The header, and the footer of a copy.
      let place = Int.random(in: -16..<24, using: &generator)
      let byte = UInt64.random(in: 0...255, using: &generator)
      set(byte, 1, at: place < 0 ? bytes.count + place : place, &bytes)
    }
  }

  private func set(_ value: UInt64, _ width: Int, at place: Int, _ bytes: inout [UInt8]) {
    for index in 0..<width where bytes.indices.contains(place + index) {
      bytes[place + index] = UInt8(truncatingIfNeeded: value >> UInt64(8 * index))
    }
  }
}
