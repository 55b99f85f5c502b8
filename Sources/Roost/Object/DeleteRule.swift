internal import RoostEngine

/// What happens to a link, and to the object that has it, when its target is deleted.
public struct DeleteRule<Value: PropertyValue>: Hashable, Sendable {
  /// The engine's value for it.
  let engine: ReferentialAction

  /// Fails with ``StoreError/linkedTarget(model:id:linkingModel:linkingField:isListed:)`` if the link remains at the transaction's end.
  ///
  /// The default rule of a single link.
  public static var deny: Self { Self(engine: .deny) }

  /// The object that has the link is deleted too, and the rules of the links to it are applied.
  public static var cascade: Self { Self(engine: .cascade) }
}

/// A type that can lose links: an optional link or a list of links. Part of ``DeleteRule/nullify``.
public protocol _LosesLinks {}
extension Optional: _LosesLinks {}
extension Links: _LosesLinks {}

extension DeleteRule where Value: _LosesLinks {
  /// The link becomes nil, which requires an optional link, or leaves its list.
  ///
  /// The default rule of a list.
  public static var nullify: Self { Self(engine: .nullify) }
}

extension FieldOption {
  /// What happens to the link when its target is deleted.
  ///
  /// ```swift
  /// Field("owner", \.owner, .onTargetDelete(.cascade))
  /// ```
  ///
  /// It takes effect with the deletion: all later reads and writes of the same transaction find
  /// the links nil and the objects deleted, through any depth and any cycle of links. A rule can be changed
  /// without a migration: objects are not rewritten.
  /// - Complexity: A deletion looks its object up in the index of each such link; many of them in a row
  ///   are looked up together, before something asks for what they change.
  public static func onTargetDelete<Target>(_ rule: DeleteRule<Value>) -> Self
  where Value == Link<Target> {
    Self(kind: .onTargetDelete(rule.engine))
  }

  /// What happens to the links of a list when their target is deleted.
  ///
  /// By default they are removed from the list.
  public static func onTargetDelete<Target>(_ rule: DeleteRule<Value>) -> Self
  where Value == Links<Target> {
    Self(kind: .onTargetDelete(rule.engine))
  }

  /// What happens to the link when its target is deleted.
  ///
  /// Like that of a link that is not optional; it may also be nullified.
  public static func onTargetDelete<Target>(_ rule: DeleteRule<Value>) -> Self
  where Value == Link<Target>? {
    Self(kind: .onTargetDelete(rule.engine))
  }
}
