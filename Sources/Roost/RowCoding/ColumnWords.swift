internal import RoostEngine
internal import Synchronization

/// The word of the ``CellColumn`` of each field of a schema, in memory that one owner allocates and frees.
///
/// Copies share the memory and count no references. A word is set once, when its column is found, and does not change any
/// more. Invariant: a copy is used only while the owner lives,
/// which calls ``deallocate()`` at its end and nowhere else.
@safe
struct ColumnWords: @unchecked Sendable {  // words are atomic
  /// As many words as columns, and one more: 1 if all columns are known.
  private let first: UnsafeMutablePointer<Atomic<UInt>>
  let count: Int

  /// Columns that have not been found.
  init(count: Int) {
    self.count = count
    unsafe first = .allocate(capacity: count + 1)
    unsafe (first + count).initialize(to: Atomic(0))
    for position in 0..<count {
      unsafe (first + position).initialize(to: Atomic(CellColumn(unknownAt: position).word))
    }
  }

  func deallocate() {
    unsafe first.deinitialize(count: count + 1)
    unsafe first.deallocate()
  }

  /// Whether all columns are known.
  @_transparent
  var isComplete: Bool { unsafe first[count].load(ordering: .acquiring) != 0 }

  /// Notes that all columns are known.
  func setComplete() { unsafe first[count].store(1, ordering: .releasing) }

  @inline(__always)
  subscript(position: Int) -> CellColumn {
    CellColumn(word: self[word: position].load(ordering: .acquiring))
  }

  /// Sets a column that is not known. One thread at a time may do that.
  func set(_ position: Int, _ column: CellColumn) {
    self[word: position].store(column.word, ordering: .releasing)
  }

  /// The words from a position on, all of which have been found.
  @_transparent
  func found(from position: Int) -> WordCursor {
    // A found word does not change any more, so it can be read like any number.
    let words = unsafe UnsafeRawPointer(first).assumingMemoryBound(to: UInt.self)
    return unsafe WordCursor(words, position: min(max(position, 0), count), count: count)
  }

  @inline(__always)
  private subscript(word position: Int) -> Atomic<UInt> {
    unsafeAddress {
      precondition(UInt(bitPattern: position) < UInt(bitPattern: count), "No such field.")
      return unsafe UnsafePointer(first + position)
    }
  }
}

/// The words of a row's columns, one after the other; used while their memory is retained.
@safe
@usableFromInline
struct WordCursor: BitwiseCopyable {
  /// The next column's word.
  @usableFromInline var place: UnsafePointer<UInt>
  /// Behind the last column's word.
  @usableFromInline let end: UnsafePointer<UInt>

  /// The words of so many columns, from a position on that is not behind the last.
  @_transparent
  fileprivate init(_ words: UnsafePointer<UInt>, position: Int, count: Int) {
    unsafe place = words + position
    unsafe end = words + count
  }

  /// Calls `body` with the words of some buffers, which are retained until it returns.
  static func with<Result, Failure: Error>(
    _ buffers: [ColumnBuffer], _ body: (WordCursor) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    defer { withExtendedLifetime(buffers) {} }
    let words = buffers.map { CellColumn($0).word }
    return try unsafe words.withUnsafeBufferPointer { (words) throws(Failure) -> Result in
      // An empty array may have no address; no word is read then.
      let none = unsafe UnsafePointer<UInt>(bitPattern: 8).unsafelyUnwrapped
      return try body(
        unsafe WordCursor(words.baseAddress ?? none, position: 0, count: words.count))
    }
  }

  /// The word of a missing column, behind the last.
  @usableFromInline static var wordBehindLast: UInt { ~0 << 3 | 3 }

  /// The next word, or the word of a missing column.
  @inlinable @_transparent
  mutating func next() -> UInt {
    guard unsafe place < end else { return Self.wordBehindLast }
    defer { unsafe place += 1 }
    return unsafe place.pointee
  }

  /// Skips words.
  mutating func skip(_ count: Int) { unsafe place += min(count, end - place) }
}
