internal import RoostEngine

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A migration step that was run in a file.
public struct AppliedStep: Hashable, Sendable {
  /// The step's name.
  public let name: String
  /// When it was run.
  public let date: Date
  /// The version of Roost that ran it.
  public let library: String
  /// A hash, in hexadecimal digits, of the models and fields that the file had before; equal if these were.
  public let fingerprintBefore: String
  /// The same hash for the state afterwards. If both are equal, the file was created after the step.
  public let fingerprintAfter: String
  /// Whether programs that do not know the step may use the file.
  public let isCompatible: Bool
}

/// The steps recorded in a file: a value under a name that is reserved for the store.
struct MigrationHistory {
  private(set) var entries: [Entry] = []

  /// The name of the value.
  static let valueName = TableDefinition.ownValuePrefix + "history"
  /// The name of its table.
  static let tableName = TableDefinition.name(ofValue: valueName)

  struct Entry: Embedded {
    var name: String
    var date: Date
    var library: String
    var before: String
    var after: String
    var isCompatible: Bool

    static let fields = Fields(
      Entry.init, Part("name", \.name), Part("date", \.date), Part("library", \.library),
      Part("before", \.before), Part("after", \.after), Part("isCompatible", \.isCompatible))

    var step: AppliedStep {
      AppliedStep(
        name: name, date: date, library: library, fingerprintBefore: before,
        fingerprintAfter: after, isCompatible: isCompatible)
    }
  }

  /// The history of a file in which no step was ever run.
  init() {}

  /// The history of the file that a context reads.
  init(_ context: some ReadContext) throws(StoreError) {
    entries = try context.value(Self.valueName, [Entry].self) ?? []
  }

  /// The steps of a plan that were not run yet, in its order.
  func pending(of plan: MigrationPlan) -> [MigrationStep] {
    guard !plan.steps.isEmpty else { return [] }
    let known = Set(entries.map(\.name))
    return plan.steps.filter { !known.contains($0.name) }
  }

  /// The steps that were run and that a plan lacks, except for compatible steps.
  func unknown(to plan: MigrationPlan) -> [String] {
    guard !entries.isEmpty else { return [] }
    let known = Set(plan.steps.map(\.name))
    return entries.filter { !$0.isCompatible && !known.contains($0.name) }.map(\.name)
  }

  /// Adds a step that was run.
  mutating func append(_ step: MigrationStep, from before: Catalog, to after: Catalog) {
    entries.append(
      Entry(
        name: step.name, date: Date(), library: roostVersion, before: before.fingerprint,
        after: after.fingerprint, isCompatible: step.isCompatible))
  }

  /// Writes the history to the file.
  func store(in context: WriteContext) throws(StoreError) {
    try context.setValue(Self.valueName, to: entries)
  }
}

/// The version of this library.
package let roostVersion = "0.1.0"

extension Catalog {
  /// A hash of the names and types of all models and fields.
  fileprivate var fingerprint: String {
    var text = ""
    let models = tables.filter { !$0.holdsNamedValue }.map(\.name)
    for table in models.sorted().compactMap(self.table(named:)) {
      text += "\(table.name)\n"
      for field in table.fields.map(\.name).sorted().compactMap(table.field(named:)) {
        let type = _FieldType.describe(
          field.type, isOptional: field.isOptional, target: self.table(field.target)?.name,
          field.parts)
        text += "\t\(field.name)\t\(type)\t\(field.isIdentifier)\(field.isUnique)\n"
      }
    }
    let hash = text.withByteView { XXH3.hash($0) }
    let digits = String(hash, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
