extension Array {
  /// The elements, ascending by a number of each; those with the same number stay in their order.
  ///
  /// For what is sorted seldom: each type that is sorted by itself adds kilobytes to every program.
  package func ascending(by number: (Element) -> Int) -> [Element] {
    places(ofAscending: map(number)).map { self[$0] }
  }
}

extension RandomAccessCollection where Index == Int {
  /// The first place whose element belongs to the second part; elements that do not come first.
  ///
  /// Of a range of numbers, the first that belongs to the second part, or the range's end.
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
  /// The numbers, ascending; sorted as an array is in place, so that a program has that way of sorting them alone.
  @inline(never)
  package func ascending() -> [Int64] {
    var numbers = self
    numbers.sort()
    return numbers
  }
}

/// The places of numbers, ascending by the numbers.
@inline(never)
private func places(ofAscending numbers: [Int]) -> [Int] {
  numbers.indices.sorted { a, b in
    numbers[a] == numbers[b] ? a < b : numbers[a] < numbers[b]
  }
}
