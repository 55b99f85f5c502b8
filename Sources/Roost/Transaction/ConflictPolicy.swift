/// The policy of ``WriteTransaction/upsert(_:onConflict:)`` for an object whose id already exists.
public struct ConflictPolicy<M: Model>: Sendable {
  enum Kind: Sendable {
    case replace, keep, mergeGiven
    case merge([any PartialKeyPath<M> & Sendable])
  }

  let kind: Kind

  /// The existing object gets all values of the new one.
  public static var replace: Self { Self(kind: .replace) }

  /// The existing object stays unchanged.
  public static var keep: Self { Self(kind: .keep) }

  /// The existing object gets the values that a JSON text gives, and keeps its own of all others.
  ///
  /// A member that is missing gives none, and `null` is a value. In a new object a missing member is nil or empty, or has the
  /// field's default; each object has its key. An object that is no text's, and a record of CSV, gives all of its values.
  public static var mergeGiven: Self { Self(kind: .mergeGiven) }

  /// Whether an existing object keeps what a text does not give.
  package var mergesGiven: Bool {
    if case .mergeGiven = kind { true } else { false }
  }

  /// The existing object gets the new object's values of these fields, and keeps its own of all others.
  public static func merge(_ fields: (any PartialKeyPath<M> & Sendable)...) -> Self {
    Self(kind: .merge(fields))
  }
}
