public import RoostEngine

/// What was saved of a damaged store, and what was lost.
public struct SalvageReport: Equatable, Sendable {
  /// A table in the new file.
  public struct Table: Equatable, Sendable {
    /// The table's name.
    public var name: String
    /// How many objects the new file has.
    public var objectsSaved: UInt64
    /// How many the damaged one had, as far as it says so.
    public var objectsBefore: UInt64
  }

  /// Something that could not be read.
  public struct Loss: Equatable, Sendable {
    /// The table's name.
    public var table: String
    /// The field that is null now in these objects; nil where the objects themselves are lost.
    public var field: String?
    /// The object keys that are hit; not each of them need have been there.
    public var keys: ClosedRange<Int64>
    /// What kept it from being read.
    public var cause: EngineError
  }

  /// The tables, in the order of the catalog.
  public var tables: [Table] = []
  /// What was lost, neighbours together.
  public var losses: [Loss] = []
  /// Whether the file could not be opened as it was, so that its last commits may be lost.
  public var isFromUnconfirmedVersion = false

  /// Whether nothing is known to be lost.
  public var isComplete: Bool { losses.isEmpty && !isFromUnconfirmedVersion }

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
