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
    if listed.count < Self.listedMax { listed.append(problem) }
  }

  /// Throws the error for all of them, if there are any.
  func throwIfAny() throws(StoreError) {
    // Values that a Swift type refuses are found after the text of some more objects was read.
    let ordered = listed.sorted { ($0.line, $0.column) < ($1.line, $1.column) }
    guard var first = ordered.first else { return }
    first.others = Array(ordered.dropFirst())
    first.count = count
    throw .malformedText(first)
  }
}
