/// Doubles as whole multiples of a negative power of ten: value = scaled / 10^exponent.
enum Scaling {
  /// 10^0 to 10^6, the largest exponent of the format.
  static let powersOfTen: [Double] = [1, 10, 100, 1_000, 10_000, 100_000, 1_000_000]

  /// Adding this rounds a double to a whole number, half to even, and leaves it in the lowest bits.
  private static let rounder = 0x1.8p52

  /// The whole number whose division by `power` yields exactly the value's bits; nil if there is none.
  ///
  /// NaN, the infinities and −0 have none, nor has anything from 2^51 on.
  @inline(__always)
  static func scaled(_ value: Double, by power: Double) -> Int64? {
    let product = value * power
    let shifted = product + rounder
    guard abs(product) < 0x1p51, ((shifted - rounder) / power).bitPattern == value.bitPattern
    else { return nil }
    return Int64(bitPattern: shifted.bitPattern &- rounder.bitPattern)
  }

  /// As ``scaled(_:by:)``, for a value that is known to scale.
  @inline(__always)
  static func knownToScale(_ value: Double, by power: Double) -> Int64 {
    Int64(bitPattern: (value * power + rounder).bitPattern &- rounder.bitPattern)
  }
}
