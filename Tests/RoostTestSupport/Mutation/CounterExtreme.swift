import RoostEngine

/// A counter that has come to its end, or nearly so, in a file that is sound: it can be read, and what needs the counter
/// is refused.
package enum CounterExtreme: String, CaseIterable, Sendable {
  case tables, trees, fields, objects, transactions

  /// Sets a counter, and makes the file's checksums right again; false where there is no place for it.
  package func apply(to image: inout StoreImage, _ random: inout SeededGenerator) -> Bool {
    let less = UInt64.random(in: 0...3, using: &random)
    switch self {
    case .tables, .trees, .fields:
      guard let map = CatalogMap(image), let table = map.tables.randomElement(using: &random)
      else { return false }
      let place =
        self == .tables ? map.nextTable : self == .trees ? map.nextTree : table.nextField
      image.set(UInt32.max - UInt32(less), at: place)
      image.seal([0])
    case .objects:
      let objects = image.roots.filter { image.bytes[$0.place + 5] == 1 }
      guard let root = objects.randomElement(using: &random) else { return false }
      let next = random.chance(1, in: 2) ? UInt64(Int64.max) - less : UInt64.max - less
      image.set(next, at: root.place + 16)
      image.seal(root.holder.map { [$0] } ?? [])
    case .transactions:
      image.setTransaction((1 << 62) - 1 - less)
    }
    return true
  }
}
