package import RoostEngine

/// What a salvage saved from a damaged store, and what was lost.
package struct SalvageReport: Equatable, Sendable {
  /// A table in the new file.
  package struct Table: Equatable, Sendable {
    /// The table's name.
    package var name: String
    /// The number of objects in the new file.
    package var objectsSaved: UInt64
    /// The number of objects in the damaged file, as far as the file tells.
    package var objectsBefore: UInt64
  }

  /// Values or objects that could not be read.
  package struct Loss: Equatable, Sendable {
    /// The table's name.
    package var table: String
    /// The field that is now null in these objects; nil if the objects themselves are lost.
    package var field: String?
    /// The affected object keys; not every key in the range need have existed.
    package var keys: ClosedRange<Int64>
    /// The error that prevented the read.
    package var cause: EngineError
  }

  /// The tables, in the order of the catalog.
  package var tables: [Table] = []
  /// The losses; adjacent losses with the same cause are merged.
  package var losses: [Loss] = []
  /// Whether the file could not be opened by the usual rules, so that its last commits may be lost.
  package var isFromUnconfirmedVersion = false

  /// Whether no loss is known.
  package var isComplete: Bool { losses.isEmpty && !isFromUnconfirmedVersion }

  /// Adds a loss; adjacent losses with the same cause are merged.
  mutating func add(_ loss: Loss) {
    guard let last = losses.last, last.table == loss.table, last.field == loss.field,
      last.cause.isLike(loss.cause)
    else { return losses.append(loss) }
    let keys = losses.removeLast().keys
    var joined = loss
    joined.keys =
      min(keys.lowerBound, loss.keys.lowerBound)...max(keys.upperBound, loss.keys.upperBound)
    losses.append(joined)
  }
}

extension EngineError {
  /// Whether both errors have the same cause: the same damage of one extent, or equal errors.
  fileprivate func isLike(_ other: EngineError) -> Bool {
    guard case .corrupt(let one) = self, case .corrupt(let two) = other else {
      return self == other
    }
    return one.reason == two.reason && one.unit == two.unit && one.tree == two.tree
  }
}
