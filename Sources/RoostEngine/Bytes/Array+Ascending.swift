extension Array {
  /// The elements, sorted stably and ascending by a number.
  ///
  /// For rare sorts: each specialisation of the standard sort adds kilobytes to every program.
  package func ascending(by number: (Element) -> Int) -> [Element] {
    guard count <= insertedMax else { return places(ofAscending: map(number)).map { self[$0] } }
    // Each small commit sorts a few roots, extents and versions: an insertion sort of them allocates nothing else.
    // They mostly are in order.
    var last = Int.min
    let ascends = allSatisfy { element in
      let number = number(element)
      defer { last = number }
      return last <= number
    }
    guard !ascends else { return self }
    var sorted = self
    for place in sorted.indices.dropFirst() {
      var lower = place
      while lower > 0, number(sorted[lower]) < number(sorted[lower - 1]) {
        sorted.swapAt(lower, lower - 1)
        lower -= 1
      }
    }
    return sorted
  }
}

/// The most elements that an insertion sort is for.
private let insertedMax = 8

extension RandomAccessCollection where Index == Int {
  /// The first index whose element belongs to the second part; all elements of the first part must come before.
  ///
  /// For a range of numbers, the first number that belongs to the second part, or the range's end.
  @inline(__always)
  package func partitioningIndex<E>(
    _ belongsToSecond: (Element) throws(E) -> Bool
  ) throws(E) -> Int {
    var low = startIndex
    var high = endIndex
    while low < high {
      let middle = low &+ (high &- low) &>> 1
      if try belongsToSecond(self[middle]) { high = middle } else { low = middle &+ 1 }
    }
    return low
  }
}

extension [Int64] {
  /// The numbers, ascending.
  @inline(never)
  package func ascending() -> [Int64] {
    guard count > 1 else { return self }
    var numbers = self
    numbers.sort()
    return numbers
  }

  /// Sorts the numbers as those of a buffer, so that a program contains one specialisation of the standard sort for both.
  @inline(never)
  mutating func sort() { unsafe withUnsafeMutableBufferPointer { unsafe $0.sort() } }
}

/// The indices of the numbers, ascending by number.
@inline(never)
func places(ofAscending numbers: [Int]) -> [Int] {
  numbers.indices.sorted { a, b in
    numbers[a] == numbers[b] ? a < b : numbers[a] < numbers[b]
  }
}
