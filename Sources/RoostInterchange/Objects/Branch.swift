public import Roost

/// A branch of a model's objects: the other objects that a text has within them.
///
/// A text with branches is nested: the targets of a ``/Roost/Link`` and of ``/Roost/Links``, and the objects that an
/// ``/Roost/Inverse`` leads to, stand whole within the object. ``Branches`` names them.
public struct Branch<M: Model>: Sendable {
  let body: any BranchBody<M>
}

/// The branches that a model's objects may have, by the names of its properties.
///
/// ```swift
/// try transaction.upsert(Menu.self, from: .text(json), including: { $0.items { $0.modifiers } })
/// ```
///
/// A property is a link, a list of links, or a static ``/Roost/Inverse`` that says what its member is called. Several branches
/// stand on lines of their own; a branch in braces is one of the objects before them.
@dynamicMemberLookup
public struct Branches<M: Model>: Sendable {
  init() {}

  /// The target of a link. The member has the field's name, and may also be the target's id alone.
  public subscript<Target: Model>(
    dynamicMember path: any KeyPath<M, Link<Target>> & Sendable
  ) -> LinkedBranch<M, Target> {
    LinkedBranch(path) { [$0[keyPath: path].id] }
  }

  /// The target of an optional link. The member has the field's name, and may also be the target's id alone.
  public subscript<Target: Model>(
    dynamicMember path: any KeyPath<M, Link<Target>?> & Sendable
  ) -> LinkedBranch<M, Target> {
    LinkedBranch(path) { object in object[keyPath: path].map { [$0.id] } ?? [] }
  }

  /// The targets of a list of links. The member has the field's name, and may also have ids alone.
  public subscript<Target: Model>(
    dynamicMember path: any KeyPath<M, Links<Target>> & Sendable
  ) -> LinkedBranch<M, Target> {
    LinkedBranch(path) { Array($0[keyPath: path]) }
  }

  /// The objects that link to an object, which belong to it. The member has the name that the inverse gives it.
  public subscript<Source: Model>(
    dynamicMember path: KeyPath<M.Type, Inverse<M, Source>>
  ) -> OwnedBranch<M, Source> {
    OwnedBranch(M.self[keyPath: path])
  }
}

/// A branch to the targets of links.
public struct LinkedBranch<M: Model, Target: Model>: Sendable {
  private let path: any PartialKeyPath<M> & Sendable
  private let targets: @Sendable (M) -> [Target.ID]

  init(
    _ path: any PartialKeyPath<M> & Sendable, _ targets: @escaping @Sendable (M) -> [Target.ID]
  ) {
    self.path = path
    self.targets = targets
  }

  /// The branch with branches of its own.
  public func callAsFunction(
    @BranchBuilder<Target> including branches: (Branches<Target>) -> [Branch<Target>]
  ) -> Branch<M> {
    branch(branches(Branches()))
  }

  func branch(_ branches: [Branch<Target>]) -> Branch<M> {
    Branch(body: LinkedBody(path: path, targets: targets, branches: branches))
  }
}

/// A branch to the objects that link to an object, and belong to it.
public struct OwnedBranch<M: Model, Source: Model>: Sendable {
  private let inverse: Inverse<M, Source>

  init(_ inverse: Inverse<M, Source>) { self.inverse = inverse }

  /// The branch with branches of its own, and how its objects are recognized in a text that does not have their keys.
  ///
  /// ```swift
  /// $0.items(identifiedBy: \.name, replacing: true) { $0.modifiers }
  /// ```
  ///
  /// Export takes no account of the first two.
  /// - Parameters:
  ///   - properties: An object without a key is the one of the same owner that has its values of these properties, or a new
  ///     one, whose key the store gives (``/Roost/KeyOption/assigned``).
  ///   - isReplacing: Whether a list in the text is all that the owner has: its other objects are deleted, by the rules of the
  ///     links to them. An object without a key is then one that has all values that the text gives, or a new one.
  ///   - branches: Which members of these objects have objects in their turn.
  public func callAsFunction(
    identifiedBy properties: any PartialKeyPath<Source> & Sendable...,
    replacing isReplacing: Bool = false,
    @BranchBuilder<Source> including branches: (Branches<Source>) -> [Branch<Source>] = { _ in [] }
  ) -> Branch<M> {
    Branch(
      body: OwnedBody(
        inverse: inverse, properties: properties, isReplacing: isReplacing,
        branches: branches(Branches())))
  }
}

/// Makes a list of branches of the lines of a closure.
@resultBuilder
public enum BranchBuilder<M: Model> {
  /// A branch.
  public static func buildExpression(_ branch: Branch<M>) -> [Branch<M>] { [branch] }
  /// A branch without branches of its own.
  public static func buildExpression<Target: Model>(
    _ branch: LinkedBranch<M, Target>
  ) -> [Branch<M>] {
    [branch.branch([])]
  }
  /// A branch without branches of its own, whose objects have keys.
  public static func buildExpression<Source: Model>(
    _ branch: OwnedBranch<M, Source>
  ) -> [Branch<M>] {
    [branch(replacing: false)]
  }
  /// Branches made before, such as by a function.
  public static func buildExpression(_ branches: [Branch<M>]) -> [Branch<M>] { branches }
  /// Branches on a condition.
  public static func buildOptional(_ branches: [Branch<M>]?) -> [Branch<M>] { branches ?? [] }
  /// The branches of a condition that is true.
  public static func buildEither(first branches: [Branch<M>]) -> [Branch<M>] { branches }
  /// The branches of a condition that is false.
  public static func buildEither(second branches: [Branch<M>]) -> [Branch<M>] { branches }
  /// All of them.
  public static func buildBlock(_ branches: [Branch<M>]...) -> [Branch<M>] {
    branches.flatMap { $0 }
  }
}

/// What a branch to the targets of links is made of.
struct LinkedBody<Owner: Model, Target: Model>: Sendable {
  let path: any PartialKeyPath<Owner> & Sendable
  let targets: @Sendable (Owner) -> [Target.ID]
  let branches: [Branch<Target>]
}

/// What a branch to the objects that link to an object is made of.
struct OwnedBody<Owner: Model, Source: Model>: Sendable {
  let inverse: Inverse<Owner, Source>
  let properties: [any PartialKeyPath<Source> & Sendable]
  let isReplacing: Bool
  let branches: [Branch<Source>]

  /// The member, and the column of the link to the owner.
  func place() throws(StoreError) -> (member: String, column: Int) {
    let (owner, source) = (DetachedRows<Owner>.modelName, DetachedRows<Source>.modelName)
    guard let column = inverse.linkColumn else {
      throw .unknownField(model: source, property: inverse.linkName)
    }
    guard !inverse.isOfList else {
      throw .branchInvalid(
        model: owner, branch: "\(source).\(inverse.linkName)",
        reason: "it is the inverse of a list of links, whose objects belong to no single owner. "
          + "Name the list in a branch of \(source).")
    }
    guard let member = inverse.member else {
      throw .branchInvalid(
        model: owner, branch: "\(source).\(inverse.linkName)",
        reason: "the inverse does not say what its member is called. "
          + "Name it: `Inverse(\\\(source).\(inverse.linkName), \"…\")`.")
    }
    return (member, column)
  }
}
