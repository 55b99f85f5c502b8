import Foundation

/// The results as text: the median of each database with its fastest and slowest round, and the ratios.
///
/// A ratio is the peer's figure by Roost's, so that above 1 Roost is better.
struct ResultTable {
  let subjects: [String]
  let rows: [ResultRow]
  /// Which of the subjects is Roost, if it takes part.
  let roost: Int?

  var text: String {
    var lines = [["workload", "unit"] + subjects + peers.map { "\(subjects[$0]) / Roost" }]
    for row in rows {
      lines.append(
        [row.title, row.unit] + row.measurements.map(spread)
          + peers.map { figure(ratio(of: $0, in: row)) })
    }
    let widths = lines[0].indices.map { column in lines.map { $0[column].count }.max() ?? 0 }
    return lines.map { line in
      zip(line, widths).enumerated().map { column, cell in
        let padding = String(repeating: " ", count: cell.1 - cell.0.count)
        return column == 0 ? cell.0 + padding : padding + cell.0
      }.joined(separator: "  ")
    }.joined(separator: "\n")
  }

  var json: String {
    let objects = rows.map { row in
      let figures = zip(subjects, row.measurements).map { "\"\($0)\": \($1.median)" }
      let ratios = peers.map { "\"\(subjects[$0]) / Roost\": \(ratio(of: $0, in: row))" }
      return "{\"workload\": \"\(row.title)\", \"unit\": \"\(row.unit)\", "
        + (figures + ratios).joined(separator: ", ") + "}"
    }
    return "[" + objects.joined(separator: ",\n ") + "]"
  }

  private var peers: [Int] {
    roost.map { roost in subjects.indices.filter { $0 != roost } } ?? []
  }

  private func ratio(of peer: Int, in row: ResultRow) -> Double {
    guard let roost else { return .nan }
    return row.measurements[peer].median / row.measurements[roost].median
  }

  private func spread(_ measurements: Measurements) -> String {
    figure(measurements.median) + " (" + figure(measurements.fastest) + "…"
      + figure(measurements.slowest) + ")"
  }

  /// Three digits that count.
  private func figure(_ value: Double) -> String {
    value >= 100
      ? String(format: "%.0f", value)
      : String(format: value >= 10 ? "%.1f" : value >= 1 ? "%.2f" : "%.3f", value)
  }
}
