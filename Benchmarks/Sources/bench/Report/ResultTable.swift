import Foundation

/// The results as text: each database's median, and how much better Roost was than each peer.
struct ResultTable {
  let subjects: [Subject]
  let rows: [ResultRow]

  var text: String {
    var lines = [header]
    for row in rows {
      var line = [row.workload.title, grouped(row.workload.objects), row.workload.unit.rawValue]
      for subject in subjects {
        line.append(row.measurements[subject].map { Self.figure($0.median) } ?? "–")
      }
      for peer in peers {
        line.append(ratio(to: peer, in: row))
        if peer == .sqlite { line.append(row.workload.target.map(Self.figure) ?? "–") }
      }
      line.append(row.checksum.text)
      lines.append(line)
    }
    return Self.aligned(lines)
  }

  private var peers: [Subject] {
    subjects.contains(.roost) ? subjects.filter { $0 != .roost } : []
  }

  private var header: [String] {
    var header = ["workload", "objects", "unit"] + subjects.map(\.rawValue)
    for peer in peers {
      header.append("× \(peer.rawValue)")
      if peer == .sqlite { header.append("target") }
    }
    return header + ["answers"]
  }

  /// The ratio with its spread in percent.
  private func ratio(to peer: Subject, in row: ResultRow) -> String {
    guard let ratio = row.ratio(of: .roost, to: peer),
      let spread = row.spread(of: .roost, to: peer)
    else { return "–" }
    return "\(Self.figure(ratio)) (\(Int((spread * 100).rounded())) %)"
  }

  /// The first column to the left, the others to the right.
  private static func aligned(_ lines: [[String]]) -> String {
    let widths = lines[0].indices.map { column in lines.map { $0[column].count }.max() ?? 0 }
    return lines.map { line in
      zip(line, widths).enumerated().map { column, cell in
        let padding = String(repeating: " ", count: cell.1 - cell.0.count)
        return column == 0 ? cell.0 + padding : padding + cell.0
      }.joined(separator: "  ")
    }.joined(separator: "\n")
  }

  /// Three digits that count.
  static func figure(_ value: Double) -> String {
    value >= 1000
      ? grouped(Int(value.rounded()))
      : String(
        format: value >= 100 ? "%.0f" : value >= 10 ? "%.1f" : value >= 1 ? "%.2f" : "%.3f", value)
  }
}
