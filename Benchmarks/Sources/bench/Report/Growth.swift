import Foundation

/// What an operation costs as the number of objects grows.
struct Growth {
  /// The rows of one workload, by the number of objects.
  let rows: [ResultRow]

  /// The workloads that ran with more than one number of objects.
  static func all(in rows: [ResultRow]) -> [Growth] {
    let names = rows.map(\.workload.name)
    let distinct = names.indices.filter { names[..<$0].contains(names[$0]) == false }
      .map { names[$0] }
    return distinct.map { name in
      Growth(
        rows: rows.filter { $0.workload.name == name }
          .sorted { $0.workload.objects < $1.workload.objects })
    }.filter { $0.rows.count > 1 }
  }

  /// Of one database: nanoseconds an operation at each size.
  func nanoseconds(of subject: Subject) -> [Double] {
    rows.compactMap { row in
      guard let scale = row.workload.unit.nanoseconds else { return nil }
      return row.measurements[subject].map {
        $0.median * scale / Double(row.workload.operations)
      }
    }
  }

  /// A line for each workload: what an operation of Roost costs at each size.
  static func text(of all: [Growth]) -> String {
    all.compactMap { growth in
      let times = growth.nanoseconds(of: .roost)
      guard times.count == growth.rows.count, let name = growth.rows.first?.workload.name else {
        return nil
      }
      let steps = zip(growth.rows, times).map { row, time in
        "\(grouped(row.workload.objects)): \(ResultTable.figure(time)) ns"
      }
      let factors = zip(times, times.dropFirst()).map { ResultTable.figure($1 / $0) }
      return "\(name): " + steps.joined(separator: ", ")
        + " an operation; × " + factors.joined(separator: ", × ")
    }.joined(separator: "\n")
  }
}

extension Unit {
  /// Of one of a unit of time.
  fileprivate var nanoseconds: Double? {
    switch self {
    case .milliseconds: 1e6
    case .microseconds: 1e3
    case .seconds: 1e9
    case .mebibytes, .kibibytes, .perSecond, .allocations: nil
    }
  }
}

/// Time an operation against the number of objects: a small chart for each workload, both scales logarithmic.
struct GrowthPlot {
  let growths: [Growth]
  let subjects: [Subject]
  /// What was measured, when and where.
  let caption: String

  private static let width = 260.0
  private static let height = 170.0

  var svg: String {
    let drawn = growths.filter { !$0.nanoseconds(of: .roost).isEmpty }
    let lines = (drawn.count + 2) / 3
    var picture = Drawing(width: Self.width * 3, height: 44 + Self.height * Double(lines))
    for (place, subject) in subjects.enumerated() {
      let x = 10 + Double(place) * 100
      picture.rectangle(x, 6, 10, 10, .subject(subject))
      picture.text(subject.rawValue, x + 15, 15)
    }
    for (index, growth) in drawn.enumerated() {
      draw(
        growth, left: Self.width * Double(index % 3) + 50,
        top: 24 + Self.height * Double(index / 3) + 24, in: &picture)
    }
    picture.text(caption, 10, 24 + Self.height * Double(lines) + 10)
    return picture.svg
  }

  private func draw(_ growth: Growth, left: Double, top: Double, in picture: inout Drawing) {
    let (width, height) = (Self.width - 70, Self.height - 60)
    let all = subjects.flatMap { growth.nanoseconds(of: $0) }.map(Drawing.logarithm)
    let low = (all.min() ?? 0).rounded(.down)
    let high = max((all.max() ?? 1).rounded(.up), low + 1)
    func y(_ exponent: Double) -> Double {
      top + height * (1 - (exponent - low) / (high - low))
    }
    picture.text("\(growth.rows[0].workload.name), for each", left, top - 6)
    for exponent in Int(low)...Int(high) {
      picture.line(left, y(Double(exponent)), left + width, y(Double(exponent)), .grid)
      picture.text(Self.time(exponent), left - 5, y(Double(exponent)) + 4, anchor: "end")
    }
    let step = width / Double(growth.rows.count - 1)
    for (index, row) in growth.rows.enumerated() {
      picture.text(
        Self.short(row.workload.objects), left + step * Double(index), top + height + 14,
        anchor: "middle")
    }
    for subject in subjects {
      let heights = growth.nanoseconds(of: subject).map { y(Drawing.logarithm($0)) }
      for index in heights.indices.dropFirst() {
        picture.line(
          left + step * Double(index - 1), heights[index - 1], left + step * Double(index),
          heights[index], .subject(subject))
      }
    }
  }

  /// Ten to this power, of nanoseconds.
  private static func time(_ exponent: Int) -> String {
    let figure = pow(10, Double(exponent))
    return switch exponent {
    case ..<3: "\(figure.formatted()) ns"
    case ..<6: "\((figure / 1e3).formatted()) µs"
    case ..<9: "\((figure / 1e6).formatted()) ms"
    default: "\((figure / 1e9).formatted()) s"
    }
  }

  private static func short(_ objects: Int) -> String {
    objects % 1_000_000 == 0 ? "\(objects / 1_000_000) M" : "\(objects / 1000) k"
  }
}
