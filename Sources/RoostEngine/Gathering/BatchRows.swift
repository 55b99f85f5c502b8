/// The rows of a batch by key: a hash table of row numbers over keys that lie in the batch.
///
/// Linear probing, at most half full. A row is never removed: a repeated key replaces its row.
struct BatchRows: ~Copyable {
  private var slots = PlainBuffer<Int32>()
  private var count = 0
  private let seed = HashSeed.ofProcess

  private static let none: Int32 = -1

  /// Forgets all rows and frees the memory.
  mutating func removeAll() {
    if count > 0 { self = BatchRows() }
  }

  /// The row of a key.
  func row(of key: Int64, _ keys: ColumnBuffer) -> Int? {
    guard !slots.isEmpty else { return nil }
    let row = slots[slot(of: key, keys)]
    return row == Self.none ? nil : Int(row)
  }

  /// Notes a row, in place of one with the same key.
  mutating func insert(_ row: Int, _ keys: ColumnBuffer) {
    if (count + 1) * 2 > slots.count { grow(to: count + 1, keys) }
    let slot = slot(of: keys.integer(row), keys)
    if slots[slot] == Self.none { count += 1 }
    slots[slot] = Int32(row)
  }

  /// The slot of the key's row in the table, or the slot where it belongs.
  @inline(__always)
  private func slot(of key: Int64, _ keys: ColumnBuffer) -> Int {
    let product = (UInt64(bitPattern: key) ^ seed).multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
    let mask = slots.count - 1
    var slot = Int(truncatingIfNeeded: product.high ^ product.low) & mask
    while slots[slot] != Self.none, keys.integer(Int(slots[slot])) != key {
      slot = (slot + 1) & mask
    }
    return slot
  }

  private mutating func grow(to needed: Int, _ keys: ColumnBuffer) {
    var size = max(slots.count, 64)
    while size < needed * 4 { size *= 2 }
    guard size > slots.count else { return }
    var old = PlainBuffer<Int32>()
    swap(&old, &slots)
    slots.resize(to: size, filling: Self.none)
    for index in 0..<old.count where old[index] != Self.none {
      slots[slot(of: keys.integer(Int(old[index])), keys)] = old[index]
    }
  }
}
