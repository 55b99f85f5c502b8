internal import RoostEngine

/// Something in a store's file that is not as it must be.
public struct StoreDamage: Equatable, Sendable {
  /// What is wrong, in a few words: `checksum`, `node order`, `index entry`.
  public let reason: String
  /// Where in the file it was found, in units of 4096 bytes.
  public let unit: UInt64?
  /// The model whose objects it hits.
  public let model: String?
  /// The field whose index it hits, where that and not the objects themselves is damaged.
  public let index: String?
  /// Between which objects' keys it lies: those of models whose key is an `Int`, else numbers of the store's own.
  public let keys: ClosedRange<Int64>?

  /// Damage of a model's objects, or of nothing that is known.
  package init(
    _ reason: String, unit: UInt64? = nil, model: String? = nil, keys: ClosedRange<Int64>? = nil
  ) {
    self.reason = reason
    self.unit = unit
    self.model = model
    self.keys = keys
    index = nil
  }

  init(_ finding: Corruption, names: TreeNames) {
    let name = finding.tree.flatMap { names[$0] }
    reason = Self.words(finding.reason)
    unit = finding.unit
    model = name?.table
    index = name?.field
    keys = finding.keys
  }

  /// A reason's name as words: `checksum`, `node order`.
  private static func words(_ reason: Corruption.Reason) -> String {
    reason.rawValue.reduce(into: "") { words, character in
      if character.isUppercase, words.last?.isLowercase == true {
        words += " " + character.lowercased()
      } else {
        words.append(character)
      }
    }
  }
}

extension StoreDamage: CustomStringConvertible {
  /// What is wrong, and where.
  public var description: String {
    var parts = [reason]
    if let unit { parts.append("unit \(unit)") }
    if let model { parts.append(index.map { "index of \(model).\($0)" } ?? model) }
    if let keys {
      let first = keys.lowerBound == .min ? "" : "\(keys.lowerBound)"
      let last = keys.upperBound == .max ? "" : "\(keys.upperBound)"
      parts.append(first + last == "" ? "all keys" : "keys \(first)…\(last)")
    }
    return parts.joined(separator: ", ").visible
  }
}
