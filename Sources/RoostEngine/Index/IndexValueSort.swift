/// Sorts distinct values by their bytes, eight at a time.
///
/// Each value is sorted by its next eight bytes as one big-endian number; values with an equal number are
/// sorted by the eight after, and so on. Large groups use a radix sort that skips bytes that all
/// values share, small groups an insertion sort.
struct IndexValueSort: ~Copyable {
  /// A value's number with its current eight bytes.
  private struct Item: BitwiseCopyable {
    let chunk: UInt64
    let number: UInt32
    /// The number of bytes of the value from the chunk on; 9 for more than eight.
    let rest: UInt32

    @inline(__always)
    func precedes(_ other: Item) -> Bool {
      chunk != other.chunk ? chunk < other.chunk : rest < other.rest
    }
  }

  private var items = PlainBuffer<Item>()
  private var spare = PlainBuffer<Item>()
  private static let insertionCount = 48

  /// The numbers of all values in ascending order of their bytes.
  static func order(_ changes: borrowing IndexChanges) -> [UInt32] {
    var sort = IndexValueSort()
    let count = changes.values.count
    for number in 0..<count {
      sort.items.append(Self.item(changes, UInt32(number), at: 0))
    }
    sort.spare = .uninitialized(count)
    sort.sort(0..<count, depth: 0, changes)
    return (0..<count).map { sort.items[$0].number }
  }

  private static func item(
    _ changes: borrowing IndexChanges, _ number: UInt32, at depth: Int
  ) -> Item {
    let bytes = changes.bytes(Int(number))
    let rest = max(bytes.count - depth, 0)
    var chunk: UInt64 = 0
    if rest >= 8 {
      chunk = bytes.uint64(at: depth).byteSwapped
    } else {
      for offset in 0..<rest {
        chunk |= UInt64(bytes.uint8(at: depth + offset)) << (56 - 8 * offset)
      }
    }
    return Item(chunk: chunk, number: number, rest: UInt32(min(rest, 9)))
  }

  /// Sorts items that agree in their first `depth` bytes.
  private mutating func sort(
    _ range: Range<Int>, depth: Int, _ changes: borrowing IndexChanges
  ) {
    if range.count <= Self.insertionCount {
      items.sortByInsertion(range) { $0.precedes($1) }
    } else {
      sortByRadix(range)
    }
    var start = range.lowerBound
    while start < range.upperBound {
      var end = start + 1
      while end < range.upperBound, items[end].chunk == items[start].chunk { end += 1 }
      // Among values with equal chunks, those that end here come first; they differ in length.
      var longer = start
      while longer < end, items[longer].rest <= 8 { longer += 1 }
      if end - longer > 1 {
        for index in longer..<end {
          items[index] = Self.item(changes, items[index].number, at: depth + 8)
        }
        sort(longer..<end, depth: depth + 8, changes)
      }
      start = end
    }
  }

  /// Sorts from the lowest byte to the highest; `rest` is the lowest of all.
  private mutating func sortByRadix(_ range: Range<Int>) {
    var differing: UInt64 = 0
    var restDiffers = false
    var isSorted = true
    for index in range.dropFirst() {
      differing |= items[index].chunk ^ items[range.lowerBound].chunk
      restDiffers = restDiffers || items[index].rest != items[range.lowerBound].rest
      isSorted = isSorted && !items[index].precedes(items[index - 1])
    }
    if isSorted { return }
    if restDiffers { pass(range) { Int($0.rest) } }
    for shift in stride(from: 0, to: 64, by: 8) where differing >> shift & 0xFF != 0 {
      pass(range) { Int(truncatingIfNeeded: $0.chunk >> shift) }
    }
  }

  @inline(__always)
  private mutating func pass(_ range: Range<Int>, _ digit: (Item) -> Int) {
    var ends = [Int](repeating: 0, count: 256)
    _ = items.distribute(range, using: &spare, ends: &ends, by: digit)
  }
}
