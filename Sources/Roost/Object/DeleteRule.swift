internal import RoostEngine

/// What happens to a link, and to the object that has it, when its target is deleted.
public struct DeleteRule<Value: PropertyValue>: Hashable, Sendable {
  /// The engine's word for it.
  let engine: ReferentialAction

  /// The transaction fails with ``StoreError/linkedTarget(model:id:linkingModel:linkingField:)``, unless the link is gone at its end.
  ///
  /// The rule of a single link that names none.
  public static var deny: Self { Self(engine: .deny) }

  /// The object that has the link is deleted too, and what the rules of the links to it say follows.
  public static var cascade: Self { Self(engine: .cascade) }
}

/// An optional link or a list of links, which can lose one. Part of ``DeleteRule/nullify``.
public protocol _LosesLinks {}
extension Optional: _LosesLinks {}
extension Links: _LosesLinks {}

extension DeleteRule where Value: _LosesLinks {
  /// The link becomes nil, which only an optional one can, or leaves its list.
  ///
  /// The rule of a list that names none.
  public static var nullify: Self { Self(engine: .nullify) }
}

extension FieldOption {
  /// What happens to the link when its target is deleted.
  ///
  /// ```swift
  /// Field("owner", \.owner, .onTargetDelete(.cascade))
  /// ```
  ///
  /// It is as if it happened with the deletion: whatever the same transaction reads or writes after it finds
  /// the links nil and the objects gone, through any depth and any circle of links. A rule can be changed
  /// without a migration: objects are not rewritten.
  /// - Complexity: A deletion looks its object up in the index of each such link; many of them in a row
  ///   are looked up together, before something asks for what they change.
  public static func onTargetDelete<Target>(_ rule: DeleteRule<Value>) -> Self
  where Value == Link<Target> {
    Self(kind: .onTargetDelete(rule.engine))
  }

  /// What happens to the links of a list when their target is deleted.
  ///
  /// They leave the list, unless another rule is named.
  public static func onTargetDelete<Target>(_ rule: DeleteRule<Value>) -> Self
  where Value == Links<Target> {
    Self(kind: .onTargetDelete(rule.engine))
  }

  /// What happens to the link when its target is deleted.
  ///
  /// As for a link that is not optional, and it may be nullified.
  public static func onTargetDelete<Target>(_ rule: DeleteRule<Value>) -> Self
  where Value == Link<Target>? {
    Self(kind: .onTargetDelete(rule.engine))
  }
}
