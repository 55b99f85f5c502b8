/// The differences between a source and a store.
public struct ImportComparison: Hashable, Sendable {
  /// The first differences, up to the limit.
  public internal(set) var differences: [ImportDifference] = []
  /// How many there are, also those beyond the limit.
  public internal(set) var count = 0
  /// How many objects of the source were compared.
  public internal(set) var compared = 0
  let limit: Int

  init(limit: Int) { self.limit = limit }

  /// Whether the source and the store have the same objects.
  public var isEmpty: Bool { count == 0 }

  mutating func add(_ difference: ImportDifference) {
    count += 1
    if differences.count < limit { differences.append(difference) }
  }
}

/// A difference between a source and a store.
public struct ImportDifference: Hashable, Sendable {
  /// The model.
  public let model: String
  /// The object's id, as text.
  public let key: String
  /// What is different.
  public let kind: Kind

  /// A kind of difference.
  public enum Kind: Hashable, Sendable {
    /// The store does not have the object.
    case onlyInSource
    /// The source does not have the object.
    case onlyInStore
    /// A field has two values, here as text of up to 200 characters; nil for no value. A part of an
    /// ``/Roost/Embedded`` struct has the path to it.
    case value(field: String, inSource: String?, inStore: String?)
  }
}

extension ImportDifference: CustomStringConvertible {
  /// The difference in words.
  public var description: String {
    switch kind {
    case .onlyInSource: "\(model) \(key) is only in the source"
    case .onlyInStore: "\(model) \(key) is only in the store"
    case .value(let field, let source, let store):
      "\(model) \(key): \(field) is \(source ?? "nil") in the source, and \(store ?? "nil") in the store"
    }
  }
}
