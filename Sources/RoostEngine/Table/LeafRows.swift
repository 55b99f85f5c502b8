/// Some rows of one leaf, in the order in which a result has them.
@usableFromInline
package struct LeafRows: RandomAccessCollection, Sendable {
  @usableFromInline let first: Int
  /// The rows' numbers; empty where the rows follow one another.
  @usableFromInline package let numbers: ArraySlice<UInt16>
  /// How many rows there are.
  @usableFromInline package let count: Int

  /// Rows that follow one another.
  init(_ range: Range<Int>) {
    first = range.lowerBound
    numbers = []
    count = range.count
  }

  /// Rows by their numbers.
  init(_ numbers: ArraySlice<UInt16>) {
    first = 0
    self.numbers = numbers
    count = numbers.count
  }

  /// The rows as a range, where they follow one another.
  package var contiguous: Range<Int>? { numbers.isEmpty ? first..<first + count : nil }

  /// 0.
  @inlinable package var startIndex: Int { 0 }
  /// The count.
  @inlinable package var endIndex: Int { count }

  /// The row at a place.
  @inlinable package subscript(place: Int) -> Int {
    precondition(UInt(bitPattern: place) < UInt(bitPattern: count), "No such row.")
    return numbers.isEmpty ? first &+ place : Int(numbers[numbers.startIndex &+ place])
  }
}
