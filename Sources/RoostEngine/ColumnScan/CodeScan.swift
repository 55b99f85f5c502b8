/// Finds the rows whose codes lie in a range, 64 rows per word.
///
/// The kernels use operations of both SSE2 and NEON: signed comparisons of 16 bytes at a time. Codes are
/// unsigned; subtracting `lower` with the sign bit flipped turns two comparisons into one signed comparison.
/// (Unsigned comparisons and wider vectors fall back to scalar code, twenty times slower.)
struct CodeScan {
  let cells: ByteView
  let reader: CodeReader
  let rowCount: Int

  /// Calls the closure with each word of the result and its index; bits behind the last row are zero.
  @inline(__always)
  func words(_ range: CodeRange, _ body: (Int, UInt64) -> Void) {
    switch reader.width {
    case 1:
      let lower = range.lower == 0 ? ~0 as UInt64 : 0
      let upper = range.upper >= 1 ? ~0 as UInt64 : 0
      words(byteWidth: 8, rowsPerStep: 64, body) { bytes, offset in
        let codes = bytes.uint64(at: offset)
        return ~codes & lower | codes & upper
      }
    case 2:
      let test = PairTest(range)
      words(byteWidth: 8, rowsPerStep: 32, body) { bytes, offset in
        test.passing(bytes.uint64(at: offset))
      }
    case 4:
      let test = NibbleTest(range)
      words(byteWidth: 8, rowsPerStep: 16, body) { bytes, offset in
        test.passing(bytes.uint64(at: offset))
      }
    case 8: wordsOfBytes(range, body)
    case 16: wordsOfShorts(range, body)
    case 32: wordsOfLongs(range, body)
    case 64:
      words(byteWidth: 8, rowsPerStep: 1, body) { bytes, offset in
        bytes.uint64(at: offset) &- range.lower <= range.upper &- range.lower ? 1 : 0
      }
    case 24: wordsOfOddBytes(3, range, body)
    case 40: wordsOfOddBytes(5, range, body)
    case 48: wordsOfOddBytes(6, range, body)
    case 56: wordsOfOddBytes(7, range, body)
    default:
      let word = range.lower == 0 ? ~0 as UInt64 : 0
      for index in 0..<(rowCount + 63) >> 6 {
        body(index, word & Bits.low(rowCount &- index &* 64))
      }
    }
  }

  // MARK: Widths of whole bytes

  @inline(__always)
  private func wordsOfBytes(_ range: CodeRange, _ body: (Int, UInt64) -> Void) {
    let lower = UInt8(truncatingIfNeeded: range.lower)
    let span = UInt8(truncatingIfNeeded: range.upper) &- lower
    let weights = SIMD16<Int8>(1, 2, 4, 8, 16, 32, 64, -128, 1, 2, 4, 8, 16, 32, 64, -128)
    if span == 0 {
      let equal = SIMD16<Int8>(repeating: Int8(bitPattern: lower))
      words(byteWidth: 16, rowsPerStep: 16, body) { bytes, offset in
        let mask = bytes.vector(at: offset, as: SIMD16<Int8>.self) .== equal
        return Self.bits(mask.lanes & weights)
      }
    } else {
      let shift = SIMD16<Int8>(repeating: Int8(bitPattern: lower ^ 0x80))
      let limit = SIMD16<Int8>(repeating: Int8(bitPattern: span ^ 0x80))
      words(byteWidth: 16, rowsPerStep: 16, body) { bytes, offset in
        let outside = (bytes.vector(at: offset, as: SIMD16<Int8>.self) &- shift) .> limit
        return Self.bits(outside.lanes & weights) ^ 0xFFFF
      }
    }
  }

  /// Adds the weights in each group of 8 bytes, which sets a bit for each byte that passed.
  @inline(__always)
  private static func bits(_ passed: SIMD16<Int8>) -> UInt64 {
    let halves = unsafe unsafeBitCast(passed, to: SIMD2<UInt64>.self)
    let low = (halves.x &* 0x0101_0101_0101_0101) &>> 56
    let high = (halves.y &* 0x0101_0101_0101_0101) &>> 56
    return low | high &<< 8
  }

  @inline(__always)
  private func wordsOfShorts(_ range: CodeRange, _ body: (Int, UInt64) -> Void) {
    let lower = UInt16(truncatingIfNeeded: range.lower)
    let span = UInt16(truncatingIfNeeded: range.upper) &- lower
    let shift = SIMD8<Int16>(repeating: Int16(bitPattern: lower ^ 0x8000))
    let limit = SIMD8<Int16>(repeating: Int16(bitPattern: span ^ 0x8000))
    let weights = SIMD8<Int16>(1, 2, 4, 8, 16, 32, 64, 128)
    words(byteWidth: 32, rowsPerStep: 16, body) { bytes, offset in
      let first = (bytes.vector(at: offset, as: SIMD8<Int16>.self) &- shift) .> limit
      let second = (bytes.vector(at: offset &+ 16, as: SIMD8<Int16>.self) &- shift) .> limit
      let failed = first.lanes & weights | second.lanes & (weights &<< 8)
      let halves = unsafe unsafeBitCast(failed, to: SIMD2<UInt64>.self)
      // The bits of the lanes are distinct, so adding the lanes collects them.
      return ((halves.x | halves.y) &* 0x0001_0001_0001_0001) &>> 48 ^ 0xFFFF
    }
  }

  @inline(__always)
  private func wordsOfLongs(_ range: CodeRange, _ body: (Int, UInt64) -> Void) {
    let lower = UInt32(truncatingIfNeeded: range.lower)
    let span = UInt32(truncatingIfNeeded: range.upper) &- lower
    let shift = SIMD4<Int32>(repeating: Int32(bitPattern: lower ^ 0x8000_0000))
    let limit = SIMD4<Int32>(repeating: Int32(bitPattern: span ^ 0x8000_0000))
    words(byteWidth: 64, rowsPerStep: 16, body) { bytes, offset in
      var failed = SIMD4<Int32>(repeating: 0)
      for index in 0..<4 {
        let codes = bytes.vector(at: offset &+ index &* 16, as: SIMD4<Int32>.self)
        let weights = SIMD4<Int32>(1, 2, 4, 8) &<< Int32(truncatingIfNeeded: index &* 4)
        failed |= ((codes &- shift) .> limit).lanes & weights
      }
      let halves = unsafe unsafeBitCast(failed, to: SIMD2<UInt64>.self)
      let both = halves.x | halves.y
      return (both | both &>> 32) & 0xFFFF ^ 0xFFFF
    }
  }

  @inline(__always)
  private func wordsOfOddBytes(
    _ byteWidth: Int, _ range: CodeRange, _ body: (Int, UInt64) -> Void
  ) {
    let span = range.upper &- range.lower
    let mask = reader.mask
    words(byteWidth: byteWidth, rowsPerStep: 1, slack: 8, body) { bytes, offset in
      (bytes.uint64(at: offset) & mask) &- range.lower <= span ? 1 : 0
    }
  }

  // MARK: Steps and words

  /// Assembles words from steps of `rowsPerStep` rows, each of `byteWidth` bytes.
  ///
  /// The rows of the last, incomplete word are first copied to padded memory, so that a step never
  /// reads behind the column.
  @inline(__always)
  private func words(
    byteWidth: Int, rowsPerStep: Int, slack: Int = 0, _ body: (Int, UInt64) -> Void,
    step: (ByteView, Int) -> UInt64
  ) {
    let stepsPerWord = 64 / rowsPerStep
    let bytesPerWord = stepsPerWord &* byteWidth
    @inline(__always) func word(_ bytes: ByteView, _ offset: Int) -> UInt64 {
      var word: UInt64 = 0
      for index in 0..<stepsPerWord {
        let bits = step(bytes, offset &+ index &* byteWidth)
        word |= bits &<< UInt64(truncatingIfNeeded: index &* rowsPerStep)
      }
      return word
    }
    let wholeWords = rowCount >> 6
    for index in 0..<wholeWords { body(index, word(cells, index &* bytesPerWord)) }
    let rest = rowCount & 63
    guard rest > 0 else { return }
    let start = wholeWords &* bytesPerWord
    let bits = cells.padded(
      from: start, count: CodeWidth.aligned((rest &* reader.width &+ 7) / 8 &+ slack),
      to: bytesPerWord &+ slack
    ) { word($0, 0) }
    body(wholeWords, bits & Bits.low(rest))
  }
}

extension SIMDMask where Storage: BitwiseCopyable {
  /// The mask as a vector of lanes with all bits set or clear.
  @inline(__always) var lanes: Storage { unsafe unsafeBitCast(self, to: Storage.self) }
}

extension ByteView {
  /// A vector at any alignment, with little-endian lanes, as on all of Swift's platforms.
  @inline(__always)
  func vector<Vector: SIMD & BitwiseCopyable>(at offset: Int, as type: Vector.Type) -> Vector {
    precondition(
      offset >= 0 && offset <= count &- MemoryLayout<Vector>.size, "Load outside the view.")
    return unsafe withUnsafeBytes { bytes in
      unsafe bytes.loadUnaligned(fromByteOffset: offset, as: Vector.self)
    }
  }

  /// The same without a bounds check, for loops that check their bounds first.
  ///
  /// - Parameter offset: Inside of the view with all of the vector's bytes: say beside the call why it is.
  @unsafe
  @inline(__always)
  func uncheckedVector<Vector: SIMD & BitwiseCopyable>(
    at offset: Int, as type: Vector.Type
  ) -> Vector {
    assert(offset >= 0 && offset <= count &- MemoryLayout<Vector>.size, "Load outside the view.")
    return unsafe withUnsafeBytes { bytes in
      unsafe bytes.loadUnaligned(fromByteOffset: offset, as: Vector.self)
    }
  }

  /// Calls the closure with a copy of some bytes, padded with zeros up to `total`, at most 1 KiB.
  @inline(__always)
  func padded<Result>(
    from offset: Int, count: Int, to total: Int, _ body: (ByteView) -> Result
  ) -> Result {
    precondition(total <= 1024, "More than is kept for a copy.")
    return unsafe withUnsafeTemporaryAllocation(byteCount: 1024, alignment: 16) { buffer in
      guard let base = buffer.baseAddress else { return body(ByteView()) }
      let copy = unsafe MutableByteView(base: base, count: total)
      copy.zero()
      copy.copy(slice(offset, min(count, total)), at: 0)
      return body(copy.readOnly)
    }
  }
}
