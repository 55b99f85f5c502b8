/// How much better Roost was than each peer, as bars with the spread of single rounds, on a logarithmic scale.
struct RatioPlot {
  let rows: [ResultRow]
  let peers: [Subject]
  /// What was measured, when and where.
  let caption: String

  private static let left = 330.0
  private static let width = 560.0
  private static let bar = 9.0
  /// The scale ends here on both sides: a hundredth and a thousand times.
  private static let exponents = -2.0...3.0

  var svg: String {
    let drawn = rows.filter { row in peers.contains { row.ratio(of: .roost, to: $0) != nil } }
    let step = Self.bar * Double(peers.count) + 9
    let height = 50 + step * Double(drawn.count)
    var picture = Drawing(width: Self.left + Self.width + 60, height: height + 26)
    for exponent in -2...3 {
      let x = Self.x(Double(exponent))
      picture.line(x, 40, x, height, exponent == 0 ? .axis : .grid)
      let label = ["0.01 ×", "0.1 ×", "1 ×", "10 ×", "100 ×", "1,000 ×"][exponent + 2]
      picture.text(label, x, 32, anchor: "middle")
    }
    for (place, peer) in peers.enumerated() {
      picture.rectangle(Self.left + Double(place) * 140, 6, 10, 10, .subject(peer))
      picture.text("against \(peer.rawValue)", Self.left + Double(place) * 140 + 15, 15)
    }
    for (index, row) in drawn.enumerated() {
      let top = 46 + step * Double(index)
      picture.text(row.workload.title, Self.left - 8, top + (step - 9) / 2 + 4, anchor: "end")
      for (place, peer) in peers.enumerated() {
        draw(row, peer, at: top + Self.bar * Double(place), in: &picture)
      }
    }
    picture.text(caption, 8, height + 18)
    return picture.svg
  }

  private func draw(_ row: ResultRow, _ peer: Subject, at top: Double, in picture: inout Drawing) {
    guard let ratio = row.ratio(of: .roost, to: peer) else { return }
    let ratios = row.ratios(of: .roost, to: peer)
    let ends = [Self.x(of: 1), Self.x(of: ratio)].sorted()
    picture.rectangle(ends[0], top, max(ends[1] - ends[0], 1), Self.bar - 2, .subject(peer))
    let middle = top + (Self.bar - 2) / 2
    picture.line(
      Self.x(of: ratios.min() ?? ratio), middle, Self.x(of: ratios.max() ?? ratio), middle,
      .spread)
  }

  private static func x(of ratio: Double) -> Double {
    x(Drawing.logarithm(ratio))
  }

  private static func x(_ exponent: Double) -> Double {
    let clamped = min(max(exponent, exponents.lowerBound), exponents.upperBound)
    let share =
      (clamped - exponents.lowerBound) / (exponents.upperBound - exponents.lowerBound)
    return left + width * share
  }
}
