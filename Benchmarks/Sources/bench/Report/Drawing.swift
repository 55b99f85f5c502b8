import Foundation

/// Lines, rectangles and text, written down as SVG.
struct Drawing {
  private let width: Double
  private let height: Double
  private var elements: [String] = []

  init(width: Double, height: Double) {
    self.width = width
    self.height = height
  }

  var svg: String {
    """
    <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(Self.number(width)) \(Self.number(height))" \
    font-family="sans-serif" font-size="11">
    <rect width="100%" height="100%" fill="white"/>
    \(elements.joined(separator: "\n"))
    </svg>

    """
  }

  mutating func line(_ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double, color: String) {
    let (x1, y1, x2, y2) = (Self.number(x1), Self.number(y1), Self.number(x2), Self.number(y2))
    elements.append(#"<line x1="\#(x1)" y1="\#(y1)" x2="\#(x2)" y2="\#(y2)" stroke="\#(color)"/>"#)
  }

  mutating func rectangle(
    _ x: Double, _ y: Double, _ width: Double, _ height: Double, color: String
  ) {
    let (x, y) = (Self.number(x), Self.number(y))
    let (width, height) = (Self.number(width), Self.number(height))
    elements.append(
      #"<rect x="\#(x)" y="\#(y)" width="\#(width)" height="\#(height)" fill="\#(color)"/>"#)
  }

  mutating func text(_ text: String, _ x: Double, _ y: Double, anchor: String = "start") {
    let escaped = text.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
      .replacing(">", with: "&gt;")
    let (x, y) = (Self.number(x), Self.number(y))
    elements.append(#"<text x="\#(x)" y="\#(y)" text-anchor="\#(anchor)">\#(escaped)</text>"#)
  }

  static func logarithm(_ value: Double) -> Double { log10(max(value, .leastNormalMagnitude)) }

  private static func number(_ value: Double) -> String { String(format: "%.1f", value) }
}

extension Subject {
  /// What stands for it in plots.
  var color: String {
    switch self {
    case .roost: "#c2410c"
    case .sqlite: "#2563eb"
    case .lmdb: "#0d9488"
    #if GRDB
    case .grdb: "#7c3aed"
    case .grdbRows: "#c4b5fd"
    #endif
    }
  }
}
