/// Some rows of one leaf, in result order.
@usableFromInline
package struct LeafRows: RandomAccessCollection, Sendable {
  @usableFromInline let first: Int
  /// The rows' numbers; empty if the rows are consecutive.
  @usableFromInline package let numbers: ArraySlice<UInt16>
  /// The number of rows.
  @usableFromInline package let count: Int

  /// Consecutive rows.
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

  /// The rows as a range, if they are consecutive.
  package var contiguous: Range<Int>? { numbers.isEmpty ? first..<first + count : nil }

  /// 0.
  @inlinable package var startIndex: Int { 0 }
  /// The count.
  @inlinable package var endIndex: Int { count }

  /// The row at an index.
  @inlinable package subscript(place: Int) -> Int {
    precondition(UInt(bitPattern: place) < UInt(bitPattern: count), "No such row.")
    return numbers.isEmpty ? first &+ place : Int(numbers[numbers.startIndex &+ place])
  }

  /// Passes through the rows; a type of its own, because the default one makes five calls a row in debug builds.
  @inlinable package func makeIterator() -> Iterator { Iterator(self) }

  @usableFromInline
  package struct Iterator: IteratorProtocol {
    @usableFromInline let rows: LeafRows
    @usableFromInline let isContiguous: Bool
    @usableFromInline var place = 0

    @inlinable init(_ rows: LeafRows) {
      self.rows = rows
      isContiguous = rows.numbers.isEmpty
    }

    @inlinable package mutating func next() -> Int? {
      guard place < rows.count else { return nil }
      defer { place &+= 1 }
      return isContiguous
        ? rows.first &+ place : Int(rows.numbers[rows.numbers.startIndex &+ place])
    }
  }
}
