/// Sorts row numbers by a few words each: a radix sort from the highest byte on, and insertion sort for short ranges.
///
/// Stable: equal rows stay in the order of their numbers.
struct WordSort: ~Copyable {
  private struct Item: BitwiseCopyable {
    var word: UInt64
    var number: UInt32
  }

  private let words: SortWords
  private var items: PlainBuffer<Item>
  private var spare: PlainBuffer<Item>

  /// Ranges of at most this many are sorted by insertion.
  private static let insertionCount = 24

  /// The row numbers in sorted order.
  ///
  /// - Throws: `.cancelled` when the task was cancelled.
  static func order(_ words: SortWords) throws(EngineError) -> [UInt32] {
    var sort = WordSort(words)
    sort.sort(0..<words.rowCount, 56, word: 0)
    try checkCancellation()
    return (0..<words.rowCount).map { sort.items[$0].number }
  }

  private init(_ words: SortWords) {
    self.words = words
    items = PlainBuffer(minimumCapacity: words.rowCount)
    spare = .uninitialized(words.rowCount)
    for row in 0..<words.rowCount {
      items.append(
        Item(
          word: words.words[row * words.wordCount], number: UInt32(truncatingIfNeeded: row)))
    }
  }

  /// Sorts items that agree in all bits above the byte at `shift`.
  private mutating func sort(_ range: Range<Int>, _ shift: Int, word: Int) {
    if range.count <= WordSort.insertionCount {
      let words = words
      return items.sortByInsertion(range) { Self.precedes($0, $1, word, words) }
    }
    // The items are then unsorted, but never used.
    if Task.isCancelled { return }
    for shift in stride(from: shift, through: 0, by: -8) {
      var ends = [Int](repeating: 0, count: 256)
      let differ = items.distribute(range, using: &spare, ends: &ends) {
        Int(truncatingIfNeeded: $0.word &>> UInt64(shift))
      }
      guard differ else { continue }
      var start = range.lowerBound
      for end in ends {
        if end - start > 1 { sort(start..<end, shift - 8, word: word) }
        start = end
      }
      return
    }
    guard word + 1 < words.wordCount else { return }
    for index in range {
      items[index].word = words.words[Int(items[index].number) &* words.wordCount &+ word &+ 1]
    }
    sort(range, 56, word: word + 1)
  }

  @inline(__always)
  private static func precedes(
    _ item: Item, _ other: Item, _ word: Int, _ words: SortWords
  ) -> Bool {
    if item.word != other.word { return item.word < other.word }
    for next in word + 1..<max(words.wordCount, word + 1) {
      let first = words.words[Int(item.number) &* words.wordCount &+ next]
      let second = words.words[Int(other.number) &* words.wordCount &+ next]
      if first != second { return first < second }
    }
    return false
  }
}
