/// One change of the models that a program's release brought, with what becomes of the objects that files have.
///
/// ```swift
/// MigrationStep("2026-01 title becomes name") { try $0.rename("title", of: "Person", to: "name") }
/// ```
///
/// A step is run once in each file, and its name is kept there. It speaks of models and fields by their names in the file at
/// that time, never by the program's types: these go on changing, and a step that has shipped does not.
public struct MigrationStep: Sendable {
  /// How a step is run.
  public struct Option: Hashable, Sendable {
    enum Kind: Hashable, Sendable { case compatible }

    let kind: Kind

    /// Programs that do not know the step may use the file after it: they find what they look for.
    public static var compatible: Option { Option(kind: .compatible) }
  }

  /// The name, by which a file knows that the step was run: never changed, and never used for another step.
  public let name: String
  /// Whether programs that do not know the step may use the file after it.
  let isCompatible: Bool
  let body: @Sendable (Migration) throws -> Void

  /// A step.
  ///
  /// - Parameter body: What is done, in a transaction of its own; nothing is, where it throws.
  public init(
    _ name: String, _ options: Option..., body: @escaping @Sendable (Migration) throws -> Void
  ) {
    self.name = name
    isCompatible = options.contains(.compatible)
    self.body = body
  }
}

/// All steps of a program's releases, the oldest first.
///
/// ```swift
/// static let migrations = MigrationPlan {
///   MigrationStep("2026-01 title becomes name") { try $0.rename("title", of: "Person", to: "name") }
///   MigrationStep("2026-03 age is a text") {
///     try $0.convert("age", of: "Person", from: Int.self, to: String.self) { "\($0)" }
///   }
/// }
/// ```
///
/// Steps are added at the end, and stay for as long as a file may lack them. New models, fields that are optional or have a
/// default, and indexes need no step.
public struct MigrationPlan: Sendable {
  /// The steps, in the order in which they are run.
  public let steps: [MigrationStep]

  /// A plan of some steps.
  public init(@MigrationPlanBuilder _ steps: () -> [MigrationStep] = { [] }) {
    self.steps = steps()
  }
}

/// Makes a ``MigrationPlan`` of the steps that are written one below the other.
@resultBuilder
public enum MigrationPlanBuilder {
  /// A step.
  public static func buildExpression(_ step: MigrationStep) -> [MigrationStep] { [step] }
  /// The steps of a plan.
  public static func buildExpression(_ plan: MigrationPlan) -> [MigrationStep] { plan.steps }
  /// Steps one after the other.
  public static func buildBlock(_ steps: [MigrationStep]...) -> [MigrationStep] {
    steps.flatMap(\.self)
  }
  /// Steps of a loop.
  public static func buildArray(_ steps: [[MigrationStep]]) -> [MigrationStep] {
    steps.flatMap(\.self)
  }
}
