/// Sorts row numbers by a few words each: radix from the highest byte on, insertion for the last few.
///
/// Stable: rows that are alike stay in the order of their numbers.
struct WordSort {
  private struct Item {
    var word: UInt64
    var number: UInt32
  }

  private let words: SortWords
  private var items: [Item]
  private var spare: [Item]

  /// Ranges of at most this many are sorted by insertion.
  private static let insertionCount = 24

  /// The numbers of the rows in order.
  ///
  /// - Throws: `.cancelled` when the task was cancelled.
  static func order(_ words: SortWords) throws(EngineError) -> [UInt32] {
    var sort = WordSort(words)
    sort.sortAll()
    try checkCancellation()
    return sort.items.map(\.number)
  }

  private init(_ words: SortWords) {
    self.words = words
    items = (0..<words.rowCount).map {
      Item(word: words.words[$0 * words.wordCount], number: UInt32(truncatingIfNeeded: $0))
    }
    spare = items
  }

  private mutating func sortAll() {
    let count = items.count
    let wordCount = words.wordCount
    unsafe words.words.withUnsafeBufferPointer { words in
      unsafe items.withUnsafeMutableBufferPointer { items in
        unsafe spare.withUnsafeMutableBufferPointer { spare in
          unsafe Sorter(items: items, spare: spare, words: words, wordCount: wordCount)
            .sort(0..<count, 56, word: 0)
        }
      }
    }
  }

  @unsafe
  private struct Sorter {
    let items: UnsafeMutableBufferPointer<Item>
    let spare: UnsafeMutableBufferPointer<Item>
    let words: UnsafeBufferPointer<UInt64>
    let wordCount: Int

    /// Sorts items that agree in all bits above the byte at `shift`.
    func sort(_ range: Range<Int>, _ shift: Int, word: Int) {
      if range.count <= WordSort.insertionCount { return unsafe sortByInsertion(range, word) }
      // The items are in no order then, and nobody sees them.
      if Task.isCancelled { return }
      var shift = shift
      while shift >= 0 {
        let bounds = unsafe distribute(range, UInt64(shift))
        shift -= 8
        guard let bounds else { continue }
        var start = range.lowerBound
        for end in bounds {
          if end - start > 1 {
            unsafe sort(start..<end, shift, word: word)
          }
          start = end
        }
        return
      }
      guard unsafe word + 1 < wordCount else { return }
      for index in range {
        unsafe items[index].word = words[Int(items[index].number) &* wordCount &+ word &+ 1]
      }
      unsafe sort(range, 56, word: word + 1)
    }

    /// Moves items to the places of their byte; the end of each byte's items, or nil where all have one.
    private func distribute(_ range: Range<Int>, _ shift: UInt64) -> [Int]? {
      var ends = [Int](repeating: 0, count: 256)
      for index in range { unsafe ends[Int(items[index].word &>> shift & 0xFF)] &+= 1 }
      let sample = unsafe Int(items[range.lowerBound].word &>> shift & 0xFF)
      if ends[sample] == range.count { return nil }
      var next = range.lowerBound
      for byte in 0..<256 {
        let count = ends[byte]
        ends[byte] = next
        next += count
      }
      for index in range {
        let item = unsafe items[index]
        let byte = Int(item.word &>> shift & 0xFF)
        unsafe spare[ends[byte]] = item
        ends[byte] &+= 1
      }
      for index in range { unsafe items[index] = spare[index] }
      return ends
    }

    private func sortByInsertion(_ range: Range<Int>, _ word: Int) {
      for index in range.dropFirst() {
        let item = unsafe items[index]
        var place = index
        while place > range.lowerBound, unsafe precedes(item, items[place - 1], word) {
          unsafe items[place] = items[place - 1]
          place -= 1
        }
        unsafe items[place] = item
      }
    }

    @inline(__always)
    private func precedes(_ item: Item, _ other: Item, _ word: Int) -> Bool {
      if item.word != other.word { return item.word < other.word }
      var next = word &+ 1
      while unsafe next < wordCount {
        let first = unsafe words[Int(item.number) &* wordCount &+ next]
        let second = unsafe words[Int(other.number) &* wordCount &+ next]
        if first != second { return first < second }
        next &+= 1
      }
      return false
    }
  }
}
