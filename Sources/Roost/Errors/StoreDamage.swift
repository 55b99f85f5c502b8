package import RoostEngine

/// Damage in a store's file.
public struct StoreDamage: Equatable, Sendable {
  /// The damage in a few words: `checksum`, `node order`, `index entry`.
  public let reason: String
  /// The kind of damage, as a word that is stable across versions: `checksum`, `nodeOrder`, `indexEntry`.
  public let code: String
  /// The position in the file where it was found, in units of 4096 bytes.
  public let unit: UInt64?
  /// The number of the affected tree in the file.
  public let tree: UInt32?
  /// The model whose objects are affected.
  public let model: String?
  /// The field whose index is damaged, if the objects themselves are not.
  public let index: String?
  /// The range of affected objects' keys: those of models whose key is an `Int`, otherwise the store's internal numbers.
  public let keys: ClosedRange<Int64>?

  /// Damage of a model's objects, or damage without a known place.
  ///
  /// - Parameter code: The kind of damage; nil for the reason's words in one.
  package init(
    _ reason: String, code: String? = nil, unit: UInt64? = nil, model: String? = nil,
    keys: ClosedRange<Int64>? = nil
  ) {
    self.reason = reason
    self.code = code ?? Self.code(reason)
    tree = nil
    self.unit = unit
    self.model = model
    self.keys = keys
    index = nil
  }

  package init(_ finding: Corruption, names: TreeNames) {
    let name = finding.tree.flatMap { names[$0] }
    reason = Self.words(finding.reason)
    code = finding.reason.rawValue
    unit = finding.unit
    tree = finding.tree
    model = name?.table
    index = name?.field
    keys = finding.keys
  }

  /// Words joined to a name: `nodeOrder`.
  private static func code(_ words: String) -> String {
    words.split(separator: " ").enumerated().map { place, word in
      place == 0 ? String(word) : word.prefix(1).uppercased() + word.dropFirst()
    }.joined()
  }

  /// A reason's name split into words: `checksum`, `node order`.
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
  /// The damage and its place.
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
