import Foundation

/// Lines, rectangles and text, written down as SVG, for readers whose pages are light or dark.
struct Drawing {
  /// What a line or a rectangle stands for.
  enum Ink {
    case axis
    case grid
    /// The spread of a measurement.
    case spread
    case subject(Subject)

    /// The name of its class in the style.
    fileprivate var name: String {
      switch self {
      case .axis: "axis"
      case .grid: "grid"
      case .spread: "spread"
      case .subject(let subject): "\(subject)"
      }
    }
  }

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
    <style>
    \(Self.style(page: "#ffffff", text: "#1f2328", grid: "#d8dee4") { $0.color })
    @media (prefers-color-scheme: dark) {
    \(Self.style(page: "#0d1117", text: "#e6edf3", grid: "#30363d") { $0.colorOnDark })
    }
    </style>
    <rect class="page" width="100%" height="100%"/>
    \(elements.joined(separator: "\n"))
    </svg>

    """
  }

  private static func style(
    page: String, text: String, grid: String, _ color: (Subject) -> String
  ) -> String {
    let subjects = Subject.allCases.map {
      "rect.\($0) { fill: \(color($0)) } line.\($0) { stroke: \(color($0)); stroke-width: 1.5 }"
    }
    return """
      .page { fill: \(page) } text { fill: \(text) } .axis, .spread { stroke: \(text) } \
      .grid { stroke: \(grid) }
      """ + "\n" + subjects.joined(separator: "\n")
  }

  mutating func line(_ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double, _ ink: Ink) {
    let (x1, y1, x2, y2) = (Self.number(x1), Self.number(y1), Self.number(x2), Self.number(y2))
    elements.append(
      #"<line class="\#(ink.name)" x1="\#(x1)" y1="\#(y1)" x2="\#(x2)" y2="\#(y2)"/>"#)
  }

  mutating func rectangle(
    _ x: Double, _ y: Double, _ width: Double, _ height: Double, _ ink: Ink
  ) {
    let (x, y) = (Self.number(x), Self.number(y))
    let (width, height) = (Self.number(width), Self.number(height))
    elements.append(
      #"<rect class="\#(ink.name)" x="\#(x)" y="\#(y)" width="\#(width)" height="\#(height)"/>"#)
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
  fileprivate var color: String {
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

  fileprivate var colorOnDark: String {
    switch self {
    case .roost: "#fb923c"
    case .sqlite: "#60a5fa"
    case .lmdb: "#2dd4bf"
    #if GRDB
    case .grdb: "#a78bfa"
    case .grdbRows: "#6d54b5"
    #endif
    }
  }
}
