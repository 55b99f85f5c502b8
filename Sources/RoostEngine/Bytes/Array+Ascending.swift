extension Array {
  /// The elements, ascending by a number of each; those with the same number stay in their order.
  ///
  /// For what is sorted seldom: each type that is sorted by itself adds kilobytes to every program.
  package func ascending(by number: (Element) -> Int) -> [Element] {
    places(ofAscending: map(number)).map { self[$0] }
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
