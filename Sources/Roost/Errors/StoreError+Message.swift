internal import RoostEngine

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension StoreError: CustomStringConvertible, LocalizedError {
  /// The same as ``message``.
  public var description: String { message }

  /// The same as ``message``, for code that shows errors through Foundation.
  public var errorDescription: String? { message }

  /// What happened, and what to do next.
  ///
  /// Control characters in names and values are escaped for terminals: `\u001B`.
  public var message: String {
    // It has several lines; names are escaped in each.
    if case .migrationRequired(let differences) = self { return Self.message(of: differences) }
    if case .malformedText(let problem) = self { return problem.text(isEscaped: true) }
    return words.visible
  }

  static func message(of differences: [SchemaDifference]) -> String {
    var lines = ["The file does not fit the models, and was left as it is."]
    lines += differences.map(\.description)
    let renames = SchemaDifference.possibleRenames(in: differences)
    lines += renames.map(\.remedy)
    lines += differences.compactMap(\.otherRemedy)
    // Several links may lead to one model, and one step renames what may be one of several fields.
    var steps: [String] = []
    for difference in differences {
      let step = difference.rename(among: renames)?.step ?? difference.step
      if let step, !steps.contains(step) { steps.append(step) }
    }
    if steps.isEmpty {
      lines.append("Open it with the program that may run the steps.")
    } else {
      lines.append("Add a step to the plan that the store is opened with, such as:")
      lines += steps.flatMap { $0.split(separator: "\n").map(String.init) }
    }
    return lines.map(\.visible).joined(separator: "\n")
  }
}

extension String {
  /// The text, with a full stop unless it ends with a sign of its own.
  var sentence: String {
    guard let last, !".!?…".contains(last) else { return self }
    return self + "."
  }
}
