/// A change of the models in a release of a program, with the conversion of existing objects.
///
/// ```swift
/// MigrationStep("2026-01 title becomes name") { try $0.rename("title", of: "Person", to: "name") }
/// ```
///
/// A step is run once in each file, which records its name. It uses the names that models and fields have in the file at
/// that time, never the program's types: these keep changing, and a published step does not.
public struct MigrationStep: Sendable {
  /// How a step is run.
  public struct Option: Hashable, Sendable {
    enum Kind: Hashable, Sendable { case compatible }

    let kind: Kind

    /// Programs that do not know the step may use the file after it, because they find everything they need.
    public static var compatible: Option { Option(kind: .compatible) }
  }

  /// The name by which a file records the step: never changed, and never used for another step.
  public let name: String
  /// Whether programs that do not know the step may use the file after it.
  let isCompatible: Bool
  let body: @Sendable (Migration) throws -> Void

  /// A step.
  ///
  /// - Parameters:
  ///   - name: The name by which a file knows that it has run the step.
  ///   - options: What holds of the step besides.
  ///   - body: What is done, in a transaction of its own; nothing is, where it throws.
  public init(
    _ name: String, _ options: Option..., body: @escaping @Sendable (Migration) throws -> Void
  ) {
    self.name = name
    isCompatible = options.contains(.compatible)
    self.body = body
  }
}

/// All steps of a program's releases, oldest first.
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
/// Add steps at the end, and keep them as long as a file may lack them. New models, fields that are optional or have a
/// default, and indexes need no step.
public struct MigrationPlan: Sendable {
  /// The steps, in the order in which they are run.
  public let steps: [MigrationStep]

  /// A plan of some steps.
  public init(@MigrationPlanBuilder _ steps: () -> [MigrationStep] = { [] }) {
    self.steps = steps()
  }
}

/// Builds a ``MigrationPlan`` from a list of steps.
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
