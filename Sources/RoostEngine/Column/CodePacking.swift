/// Packs codes of every width.
enum CodePacking {
  /// Writes `count` codes of `width` bits from the view's start.
  ///
  /// The closure is inlined into a loop of its own for each width.
  @inline(__always)
  static func pack(
    _ count: Int, width: Int, into bytes: MutableByteView, _ code: (Int) -> UInt64
  ) {
    switch width {
    case 0: break
    case 1, 2, 4: packBits(count, width: width, into: bytes, code)
    case 8: packWhole(count, as: UInt8.self, into: bytes, code)
    case 16: packWhole(count, as: UInt16.self, into: bytes, code)
    case 32: packWhole(count, as: UInt32.self, into: bytes, code)
    case 64: packWhole(count, as: UInt64.self, into: bytes, code)
    default: packBytes(count, byteWidth: width / 8, into: bytes, code)
    }
  }

  @inline(__always)
  private static func packBits(
    _ count: Int, width: Int, into bytes: MutableByteView, _ code: (Int) -> UInt64
  ) {
    let perWord = 64 / width
    var index = 0
    while index < count {
      var word: UInt64 = 0
      var shift: UInt64 = 0
      for row in index..<min(index &+ perWord, count) {
        word |= code(row) &<< shift
        shift &+= UInt64(truncatingIfNeeded: width)
      }
      bytes.store(word, at: index &* width / 8)
      index &+= perWord
    }
  }

  @inline(__always)
  private static func packWhole<Code: FixedWidthInteger & BitwiseCopyable>(
    _ count: Int, as type: Code.Type, into bytes: MutableByteView, _ code: (Int) -> UInt64
  ) {
    for row in 0..<count {
      bytes.store(Code(truncatingIfNeeded: code(row)), at: row &* MemoryLayout<Code>.size)
    }
  }

  /// Each store writes 8 bytes; the next store overwrites the bytes above the code.
  ///
  /// The bytes above the last code, zeros, go to the 8 bytes of slack after it.
  @inline(__always)
  private static func packBytes(
    _ count: Int, byteWidth: Int, into bytes: MutableByteView, _ code: (Int) -> UInt64
  ) {
    for row in 0..<count { bytes.store(code(row), at: row &* byteWidth) }
  }
}
