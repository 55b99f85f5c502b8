/// Finds the rows whose raw doubles or floats compare so with a constant, 64 rows a word.
///
/// `notEqual` is not among the kernels: it is the opposite of `equal`, for NaN too.
struct NumberScan {
  let cells: ByteView
  let rowCount: Int

  /// Calls the closure with each word of the result and its index; bits behind the last row are clear.
  @inline(__always)
  func doubles(_ comparison: Comparison, _ constant: Double, _ body: (Int, UInt64) -> Void) {
    let constants = SIMD2<Double>(repeating: constant)
    switch comparison {
    case .equal, .notEqual: doubles(body) { $0 .== constants }
    case .less: doubles(body) { $0 .< constants }
    case .lessOrEqual: doubles(body) { $0 .<= constants }
    case .greater: doubles(body) { $0 .> constants }
    case .greaterOrEqual: doubles(body) { $0 .>= constants }
    }
  }

  /// The same for floats; the constant is a float's value.
  @inline(__always)
  func floats(_ comparison: Comparison, _ constant: Float, _ body: (Int, UInt64) -> Void) {
    let constants = SIMD4<Float>(repeating: constant)
    switch comparison {
    case .equal, .notEqual: floats(body) { $0 .== constants }
    case .less: floats(body) { $0 .< constants }
    case .lessOrEqual: floats(body) { $0 .<= constants }
    case .greater: floats(body) { $0 .> constants }
    case .greaterOrEqual: floats(body) { $0 .>= constants }
    }
  }

  /// Each pair of lanes gives two bits, which the next pair's are shifted past; in four chains, each of
  /// 16 rows, since a step of one waits for the step before it.
  @inline(__always)
  private func doubles(
    _ body: (Int, UInt64) -> Void, _ test: (SIMD2<Double>) -> SIMDMask<SIMD2<Int64>>
  ) {
    words(bytesPerWord: 512, body) { bytes, offset in
      let none = SIMD2<Int64>(repeating: 0)
      var passed = (none, none, none, none)
      @inline(__always) func bits(_ offset: Int) -> SIMD2<Int64> {
        test(bytes.vector(at: offset, as: SIMD2<Double>.self)).lanes & SIMD2<Int64>(1, 2)
      }
      var pair = 7
      while pair >= 0 {
        let place = offset &+ pair &* 16
        passed.0 = passed.0 &<< 2 | bits(place)
        passed.1 = passed.1 &<< 2 | bits(place &+ 128)
        passed.2 = passed.2 &<< 2 | bits(place &+ 256)
        passed.3 = passed.3 &<< 2 | bits(place &+ 384)
        pair &-= 1
      }
      let low = passed.0 | passed.1 &<< 16
      let both = low | passed.2 &<< 32 | passed.3 &<< 48
      return UInt64(bitPattern: both.x | both.y)
    }
  }

  @inline(__always)
  private func floats(
    _ body: (Int, UInt64) -> Void, _ test: (SIMD4<Float>) -> SIMDMask<SIMD4<Int32>>
  ) {
    words(bytesPerWord: 256, body) { bytes, offset in
      @inline(__always) func half(_ offset: Int) -> UInt64 {
        var passed = SIMD4<Int32>(repeating: 0)
        var quad = 7
        while quad >= 0 {
          let mask = test(bytes.vector(at: offset &+ quad &* 16, as: SIMD4<Float>.self))
          passed = passed &<< 4 | mask.lanes & SIMD4<Int32>(1, 2, 4, 8)
          quad &-= 1
        }
        let halves = unsafe unsafeBitCast(passed, to: SIMD2<UInt64>.self)
        let both = halves.x | halves.y
        return (both | both &>> 32) & 0xFFFF_FFFF
      }
      return half(offset) | half(offset &+ 128) &<< 32
    }
  }

  @inline(__always)
  private func words(
    bytesPerWord: Int, _ body: (Int, UInt64) -> Void, word: (ByteView, Int) -> UInt64
  ) {
    let wholeWords = rowCount >> 6
    for index in 0..<wholeWords { body(index, word(cells, index &* bytesPerWord)) }
    let rest = rowCount & 63
    guard rest > 0 else { return }
    let bits = cells.padded(
      from: wholeWords &* bytesPerWord, count: rest &* bytesPerWord / 64, to: bytesPerWord
    ) { word($0, 0) }
    body(wholeWords, bits & Bits.low(rest))
  }
}
