/// An extent's bytes while they are made from those of an older extent, from the front to the back, with the operations that say
/// how (Format.md §7).
///
/// The code that changes a page knows what it changes, so the two pages need not be compared afterwards: that would take a
/// quarter of a small insert's time.
package struct PageCopy: ~Copyable {
  private let base: ByteView
  /// What is made; of any content before.
  package let target: MutableByteView
  private var ops = DeltaOps()
  /// The number of bytes made so far.
  package private(set) var place = 0
  /// How much further on than ``place`` the bytes lie in the base that were copied last.
  private var shift = 0
  /// The same for the last operation.
  private var shiftOfOps = 0
  /// The last bytes that were made and have no operation yet: copied ones, or others.
  private var copied = 0
  private var literals = 0

  package init(of base: ByteView, in target: MutableByteView) {
    self.base = base
    self.target = target
  }

  /// Copies bytes of the base.
  package mutating func copy(_ count: Int, from source: Int) {
    guard count > 0 else { return }
    flushLiterals()
    if copied > 0, source - place != shift { flushCopied() }
    shift = source - place
    target.copy(base.slice(source, count), at: place)
    copied += count
    place += count
  }

  /// Copies the bytes up to an offset, from the same offsets.
  package mutating func copy(to end: Int) { copy(end - place, from: place) }

  /// Adds bytes.
  package mutating func append(_ bytes: ByteView) {
    target.copy(bytes, at: append(bytes.count))
  }

  /// Adds an integer.
  package mutating func append<Word: FixedWidthInteger & BitwiseCopyable>(_ word: Word) {
    target.store(word, at: append(MemoryLayout<Word>.size))
  }

  /// Adds a pointer.
  mutating func append(_ pointer: ExtentPointer) {
    pointer.store(in: target, at: append(ExtentPointer.size))
  }

  /// Adds bytes that the caller stores in ``target``, and returns where.
  package mutating func append(_ count: Int) -> Int {
    flushCopied()
    defer {
      literals += count
      place += count
    }
    return place
  }

  /// Copies bytes of the base for the caller to change, and returns the copies.
  package mutating func edit(_ count: Int, from source: Int) -> MutableByteView {
    append(base.slice(source, count))
    return target.slice(place - count, count)
  }

  /// Copies words of the base, and adds a number to each.
  package mutating func add<Word: FixedWidthInteger & UnsignedInteger & BitwiseCopyable>(
    _ addend: Word, to count: Int, from source: Int
  ) {
    let size = MemoryLayout<Word>.size
    guard addend != 0 else { return copy(count * size, from: source) }
    guard count > 0 else { return }
    flushCopied()
    flushLiterals()
    if source - place != shiftOfOps {
      ops.copy(0, shiftingBy: source - place - shiftOfOps)
      shiftOfOps = source - place
    }
    let unused = Int64(64 - Word.bitWidth)
    ops.add(
      (Int64(truncatingIfNeeded: addend) << unused) >> unused, to: count,
      size == 2 ? .two : size == 4 ? .four : .eight)
    for index in 0..<count {
      let word = base.load(at: source + index * size, as: Word.self)
      target.store(word &+ addend, at: place + index * size)
    }
    place += count * size
  }

  /// Fills the rest with zeros, and returns all operations.
  package consuming func finish() -> DeltaOps {
    flushCopied()
    flushLiterals()
    let rest = target.count - place
    if rest > 0 {
      target.slice(place, rest).zero()
      ops.zeros(rest)
    }
    return ops
  }

  private mutating func flushCopied() {
    guard copied > 0 else { return }
    if shift == shiftOfOps {
      ops.copy(copied)
    } else {
      ops.copy(copied, shiftingBy: shift - shiftOfOps)
      shiftOfOps = shift
    }
    copied = 0
  }

  private mutating func flushLiterals() {
    guard literals > 0 else { return }
    ops.literal(target.readOnly.slice(place - literals, literals))
    literals = 0
  }
}
