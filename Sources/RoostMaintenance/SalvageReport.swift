package import RoostEngine

/// What was saved of a damaged store, and what was lost.
package struct SalvageReport: Equatable, Sendable {
  /// A table in the new file.
  package struct Table: Equatable, Sendable {
    /// The table's name.
    package var name: String
    /// How many objects the new file has.
    package var objectsSaved: UInt64
    /// How many the damaged one had, as far as it says so.
    package var objectsBefore: UInt64
  }

  /// Something that could not be read.
  package struct Loss: Equatable, Sendable {
    /// The table's name.
    package var table: String
    /// The field that is null now in these objects; nil where the objects themselves are lost.
    package var field: String?
    /// The object keys that are hit; not each of them need have been there.
    package var keys: ClosedRange<Int64>
    /// What kept it from being read.
    package var cause: EngineError
  }

  /// The tables, in the order of the catalog.
  package var tables: [Table] = []
  /// What was lost, neighbours together.
  package var losses: [Loss] = []
  /// Whether the file could not be opened as it was, so that its last commits may be lost.
  package var isFromUnconfirmedVersion = false

  /// Whether nothing is known to be lost.
  package var isComplete: Bool { losses.isEmpty && !isFromUnconfirmedVersion }

  /// Notes a loss; neighbours that one damage hits are one.
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
  /// Whether one damage of one extent is behind both.
  fileprivate func isLike(_ other: EngineError) -> Bool {
    guard case .corrupt(let one) = self, case .corrupt(let two) = other else {
      return self == other
    }
    return one.reason == two.reason && one.unit == two.unit && one.tree == two.tree
  }
}
