/// Finds the rows whose raw doubles or floats meet a comparison with a constant, 64 rows per word.
///
/// There is no kernel for `notEqual`: it is the negation of `equal`, for NaN too.
struct NumberScan {
  let cells: ByteView
  let rowCount: Int

  /// Calls the closure with each word of the result and its index; bits behind the last row are zero.
  @inline(__always)
  func doubles(_ comparison: Comparison, _ constant: Double, _ body: (Int, UInt64) -> Void) {
    let constants = SIMD4<Double>(repeating: constant)
    switch comparison {
    case .equal, .notEqual: doubles(body) { $0 .== constants }
    case .less: doubles(body) { $0 .< constants }
    case .lessOrEqual: doubles(body) { $0 .<= constants }
    case .greater: doubles(body) { $0 .> constants }
    case .greaterOrEqual: doubles(body) { $0 .>= constants }
    }
  }

  /// The same for floats; the constant must be a float.
  @inline(__always)
  func floats(_ comparison: Comparison, _ constant: Float, _ body: (Int, UInt64) -> Void) {
    let constants = SIMD8<Float>(repeating: constant)
    switch comparison {
    case .equal, .notEqual: floats(body) { $0 .== constants }
    case .less: floats(body) { $0 .< constants }
    case .lessOrEqual: floats(body) { $0 .<= constants }
    case .greater: floats(body) { $0 .> constants }
    case .greaterOrEqual: floats(body) { $0 .>= constants }
    }
  }

  // Each step reads one cache line, in sequence: in another order, data that is not cached takes three times as
  // long. Each lane keeps one bit of its mask, shifted by eight more places in each step.

  @inline(__always)
  private func doubles(
    _ body: (Int, UInt64) -> Void, _ test: (SIMD4<Double>) -> SIMDMask<SIMD4<Int64>>
  ) {
    words(bytesPerWord: 512, body) { bytes, offset in
      var low = SIMD4<Int64>(repeating: 0)
      var high = SIMD4<Int64>(repeating: 0)
      var kept = SIMD4<Int64>(1, 2, 4, 8)
      for line in 0..<8 {
        let place = offset &+ line &* 64
        low |= test(bytes.vector(at: place, as: SIMD4<Double>.self)).lanes & kept
        high |= test(bytes.vector(at: place &+ 32, as: SIMD4<Double>.self)).lanes & kept
        kept = kept &<< 8
      }
      let all = low | high &<< 4
      let halves = all.lowHalf | all.highHalf
      return UInt64(bitPattern: halves.x | halves.y)
    }
  }

  @inline(__always)
  private func floats(
    _ body: (Int, UInt64) -> Void, _ test: (SIMD8<Float>) -> SIMDMask<SIMD8<Int32>>
  ) {
    words(bytesPerWord: 256, body) { bytes, offset in
      @inline(__always) func half(_ offset: Int) -> UInt64 {
        var passed = SIMD8<Int32>(repeating: 0)
        var kept = SIMD8<Int32>(1, 2, 4, 8, 16, 32, 64, 128)
        for row in 0..<4 {
          let place = offset &+ row &* 32
          passed |= test(bytes.vector(at: place, as: SIMD8<Float>.self)).lanes & kept
          kept = kept &<< 8
        }
        let halves = passed.lowHalf | passed.highHalf
        let quarter = halves.lowHalf | halves.highHalf
        return UInt64(UInt32(bitPattern: quarter.x | quarter.y))
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
