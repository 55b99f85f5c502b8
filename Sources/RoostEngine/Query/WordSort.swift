/// Sorts row numbers by two words each: radix from the highest byte on, insertion for the last few.
///
/// Stable: rows that are alike stay in the order of their numbers.
struct WordSort {
  private struct Item {
    var word: UInt64
    var number: UInt32
  }

  private let second: [UInt64]
  private var items: [Item]
  private var spare: [Item]

  /// Ranges of at most this many are sorted by insertion.
  private static let insertionCount = 24

  /// The numbers of the rows in order.
  static func order(_ first: [UInt64], _ second: [UInt64]) -> [UInt32] {
    var sort = WordSort(first, second)
    sort.sortAll()
    return sort.items.map(\.number)
  }

  private init(_ first: [UInt64], _ second: [UInt64]) {
    self.second = second
    items = first.enumerated().map { Item(word: $1, number: UInt32(truncatingIfNeeded: $0)) }
    spare = items
  }

  private mutating func sortAll() {
    let count = items.count
    unsafe items.withUnsafeMutableBufferPointer { items in
      unsafe spare.withUnsafeMutableBufferPointer { spare in
        unsafe second.withUnsafeBufferPointer { second in
          unsafe Sorter(items: items, spare: spare, second: second).sort(
            0..<count, 56, isFirst: true)
        }
      }
    }
  }

  @unsafe
  private struct Sorter {
    let items: UnsafeMutableBufferPointer<Item>
    let spare: UnsafeMutableBufferPointer<Item>
    let second: UnsafeBufferPointer<UInt64>

    /// Sorts items that agree in all bits above the byte at `shift`.
    func sort(_ range: Range<Int>, _ shift: Int, isFirst: Bool) {
      if range.count <= WordSort.insertionCount { return unsafe sortByInsertion(range, isFirst) }
      var shift = shift
      while shift >= 0 {
        let bounds = unsafe distribute(range, UInt64(shift))
        shift -= 8
        guard let bounds else { continue }
        var start = range.lowerBound
        for end in bounds {
          if end - start > 1 {
            unsafe sort(start..<end, shift, isFirst: isFirst)
          }
          start = end
        }
        return
      }
      guard isFirst else { return }
      for index in range { unsafe items[index].word = second[Int(items[index].number)] }
      unsafe sort(range, 56, isFirst: false)
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

    private func sortByInsertion(_ range: Range<Int>, _ isFirst: Bool) {
      for index in range.dropFirst() {
        let item = unsafe items[index]
        var place = index
        while place > range.lowerBound, unsafe precedes(item, items[place - 1], isFirst) {
          unsafe items[place] = items[place - 1]
          place -= 1
        }
        unsafe items[place] = item
      }
    }

    @inline(__always)
    private func precedes(_ item: Item, _ other: Item, _ isFirst: Bool) -> Bool {
      if item.word != other.word { return item.word < other.word }
      return unsafe isFirst && second[Int(item.number)] < second[Int(other.number)]
    }
  }
}
