import Foundation

/// Numbers below a bound, the small ones far more often: as YCSB draws them, with its constant 0.99.
///
/// Jim Gray et al., Quickly Generating Billion-Record Synthetic Databases, SIGMOD 1994.
struct Zipfian: Sendable {
  private static let theta = 0.99
  private let count: Int
  private let zeta: Double
  private let eta: Double

  init(below count: Int) {
    self.count = count
    zeta = (1...count).reduce(0) { $0 + pow(1 / Double($1), Self.theta) }
    let two = 1 + pow(0.5, Self.theta)
    eta = (1 - pow(2 / Double(count), 1 - Self.theta)) / (1 - two / zeta)
  }

  func next(using random: inout SplitMix64) -> Int {
    let unit = random.unit()
    if unit * zeta < 1 { return 0 }
    if unit * zeta < 1 + pow(0.5, Self.theta) { return 1 }
    let place = Int(Double(count) * pow(eta * unit - eta + 1, 1 / (1 - Self.theta)))
    return min(place, count - 1)
  }

  /// The same with the often drawn numbers spread over the whole range.
  func nextScattered(using random: inout SplitMix64) -> Int {
    var scatter = SplitMix64(seed: UInt64(next(using: &random)))
    return scatter.below(count)
  }
}
