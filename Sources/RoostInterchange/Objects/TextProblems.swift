internal import Roost

/// The mistakes found in a text: the first ones, and how many objects have one.
struct TextProblems {
  /// The most mistakes that an error lists.
  private static let listedMax = 20

  private var listed: [TextProblem] = []
  private var count = 0

  var isEmpty: Bool { count == 0 }

  mutating func add(_ problem: TextProblem) {
    count += 1
    listed.append(problem)
    // Those of an object's parts are found in another order than that of the text.
    if listed.count > 10 * Self.listedMax { listed = first }
  }

  /// The first ones, in the order of the text.
  private var first: [TextProblem] {
    Array(listed.sorted { ($0.line, $0.column) < ($1.line, $1.column) }.prefix(Self.listedMax))
  }

  /// Throws the error for all of them, if there are any.
  func throwIfAny() throws(StoreError) {
    let ordered = first
    guard var first = ordered.first else { return }
    first.others = Array(ordered.dropFirst())
    first.count = count
    throw .malformedText(first)
  }
}
