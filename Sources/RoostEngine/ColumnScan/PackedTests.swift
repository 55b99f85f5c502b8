/// Tests 32 codes of 2 bits at once, in one word.
///
/// Tests even and odd codes separately, in fields of 4 bits whose highest bit becomes the answer.
struct PairTest {
  private let atLeast: UInt64
  private let atMost: UInt64

  init(_ range: CodeRange) {
    let ones: UInt64 = 0x1111_1111_1111_1111
    atLeast = ones &* (8 - min(range.lower, 3))
    atMost = ones &* (8 + min(range.upper, 3))
  }

  /// A bit for each code that lies in the range.
  @inline(__always)
  func passing(_ codes: UInt64) -> UInt64 {
    let even = codes & 0x3333_3333_3333_3333
    let odd = codes &>> 2 & 0x3333_3333_3333_3333
    let evenFlags = (even &+ atLeast) & (atMost &- even) & 0x8888_8888_8888_8888
    let oddFlags = (odd &+ atLeast) & (atMost &- odd) & 0x8888_8888_8888_8888
    var bits = evenFlags &>> 3 | oddFlags &>> 2
    bits = (bits | bits &>> 2) & 0x0F0F_0F0F_0F0F_0F0F
    bits = (bits | bits &>> 4) & 0x00FF_00FF_00FF_00FF
    bits = (bits | bits &>> 8) & 0x0000_FFFF_0000_FFFF
    return (bits | bits &>> 16) & 0xFFFF_FFFF
  }
}

/// Tests 16 codes of 4 bits at once, likewise in fields of 8 bits.
struct NibbleTest {
  private let atLeast: UInt64
  private let atMost: UInt64

  init(_ range: CodeRange) {
    let ones: UInt64 = 0x0101_0101_0101_0101
    atLeast = ones &* (0x80 - min(range.lower, 15))
    atMost = ones &* (0x80 + min(range.upper, 15))
  }

  /// A bit for each code that lies in the range.
  @inline(__always)
  func passing(_ codes: UInt64) -> UInt64 {
    let even = codes & 0x0F0F_0F0F_0F0F_0F0F
    let odd = codes &>> 4 & 0x0F0F_0F0F_0F0F_0F0F
    let evenFlags = (even &+ atLeast) & (atMost &- even) & 0x8080_8080_8080_8080
    let oddFlags = (odd &+ atLeast) & (atMost &- odd) & 0x8080_8080_8080_8080
    var bits = evenFlags &>> 7 | oddFlags &>> 6
    bits = (bits | bits &>> 6) & 0x000F_000F_000F_000F
    bits = (bits | bits &>> 12) & 0x0000_00FF_0000_00FF
    return (bits | bits &>> 24) & 0xFFFF
  }
}
