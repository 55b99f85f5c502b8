/// Doubles as whole multiples of a negative power of ten: value = scaled / 10^exponent.
enum Scaling {
  /// 10^0 to 10^6, the largest exponent of the format.
  static let powersOfTen: [Double] = [1, 10, 100, 1_000, 10_000, 100_000, 1_000_000]

  /// The whole number of which the division gives back the value's very bits; nil where there is none.
  ///
  /// NaN, the infinities and −0 have none, nor has anything beyond 2^53.
  @inline(__always)
  static func scaled(_ value: Double, by power: Double) -> Int64? {
    let rounded = (value * power).rounded(.toNearestOrEven)
    guard abs(rounded) <= 0x1p53 else { return nil }
    let whole = Int64(rounded)
    guard (Double(whole) / power).bitPattern == value.bitPattern else { return nil }
    return whole
  }
}
