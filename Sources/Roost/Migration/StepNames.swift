internal import RoostEngine

/// Follows the names that migration steps use through the later steps, to the names that the models declare.
struct StepNames {
  /// What the steps use, in the order in which they do.
  let uses: [MigrationUse]
  private let models: [String: ModelDescription]

  /// - Parameter models: The models that the file has after all steps.
  init(_ models: [ModelDescription], _ uses: [MigrationUse]) {
    self.models = Dictionary(models.map { ($0.name.name, $0) }, uniquingKeysWith: { old, _ in old })
    self.uses = uses
  }

  /// A model by its last name.
  func model(named name: String) -> ModelDescription? { models[name] }

  /// The last name of a field that has a name before a use; nil if the field or its model is removed.
  func lastName(
    of field: String, in model: String, before place: Int
  ) -> (field: String, model: String)? {
    var (field, model) = (field, model)
    for use in uses.dropFirst(place) {
      switch use {
      case .renamed(let old, of: model, let name) where field.isPart(of: old):
        field = name + field.dropFirst(old.count)
      case .renamedModel(model, let name): model = name
      case .removed(let old, of: model) where field.isPart(of: old): return nil
      case .removedModel(model): return nil
      default: break
      }
    }
    return (field, model)
  }

  /// The last name of a model that has a name before a use; nil if it is removed.
  func lastName(ofModel name: String, before place: Int) -> String? {
    lastName(of: "", in: name, before: place)?.model
  }
}

extension String {
  /// Whether it is a field's name, or the name of a part of the struct with that name.
  func isPart(of name: String) -> Bool { self == name || hasPrefix(name + ".") }
}

/// A name of a model or a field that a step uses, and how it uses it.
enum MigrationUse: Equatable {
  case renamed(String, of: String, to: String)
  case renamedModel(String, to: String)
  case removed(String, of: String)
  case removedModel(String)
  case made(String, of: String)
  case madeModel(String)
  case copied(String, of: String, to: String)
  /// A field that the step changes, and that exists afterwards.
  case touched(String, of: String)
  case touchedModel(String)
}

/// Finds the fields that a step names and that the file has under other names, which `.was` tells.
///
/// A release with `.was` renames a field when it opens a file. A step of a later release names that field by its new name. A file
/// that skipped the release with `.was` still has the older name when the step is run.
final class FormerNames {
  private let models: [ModelDescription]
  private let steps: [MigrationStep]
  private lazy var uses: (names: StepNames, starts: [String: Int])? = findUses()

  /// - Parameter steps: The steps that the file lacks.
  init(_ models: [ModelDescription], _ steps: [MigrationStep]) {
    self.models = models
    self.steps = steps
  }

  /// The place of a running step: its use of a name, and how many uses it had before.
  struct Place {
    let step: String
    var count = 0
    var use: MigrationUse?
  }

  /// The fields to rename so that a table has a field that a step names, and the parts of a struct that it names.
  ///
  /// Two names belong to the same field if the later steps lead both to a name that one field of the models has or had. So
  /// a field that a later step removes, and whose name another field has since, is not mistaken for that one. A step that
  /// renames a field and makes another of its name means what `.was` tells of that.
  func renames(
    to name: String, of table: TableDefinition, at place: Place
  ) -> [(field: FieldID, name: String)] {
    guard models.contains(where: { $0.fields.contains { !$0.olderNames.isEmpty } }),
      let (names, starts) = uses, let start = starts[place.step]
    else { return [] }
    let index = start + place.count - 1
    guard names.uses.indices.contains(index), names.uses[index] == place.use else { return [] }
    var origin = index
    if case .renamed = names.uses[index] {
      let end = starts.values.filter { $0 > index }.min() ?? names.uses.count
      let remade = names.uses[index..<end].firstIndex(of: .made(name, of: table.name))
      origin = remade ?? index
    }
    guard let last = names.lastName(of: name, in: table.name, before: origin),
      let model = names.model(named: last.model)
    else { return [] }
    // The last names of the table's fields.
    let stored = table.fields.compactMap { known in
      let end = names.lastName(of: known.name, in: table.name, before: index)
      return end.flatMap { $0.model == last.model ? (known: known, name: $0.field) : nil }
    }
    var renames: [(field: FieldID, name: String)] = []
    for field in model.fields {
      let called = ([field.name] + field.olderNames).first {
        $0.isPart(of: last.field)
      }
      guard let called else { continue }
      let wanted = name + called.dropFirst(last.field.count)
      guard table.field(named: wanted) == nil else { continue }
      let candidates = stored.filter { field.isCalled($0.name) }
      let found = candidates.first { $0.known.name == field.name } ?? candidates.first
      if let found { renames.append((found.known.id, wanted)) }
      // What is a struct in the file and none in the model takes its parts along.
      guard !model.fields.contains(where: { $0.presence == field.name }) else { continue }
      for part in stored {
        let owner = field.olderNames.first { part.name.hasPrefix("\($0).") }
        guard let owner, !model.fields.contains(where: { $0.isCalled(part.name) }) else { continue }
        renames.append((part.known.id, wanted + part.name.dropFirst(owner.count)))
      }
    }
    return renames
  }

  /// The names that the steps use; nil if a step cannot be run without a file.
  private func findUses() -> (StepNames, starts: [String: Int])? {
    var uses: [MigrationUse] = []
    var starts: [String: Int] = [:]
    for step in steps {
      starts[step.name] = uses.count
      let migration = Migration(nil)
      do { try step.body(migration) } catch { return nil }
      uses += migration.uses
    }
    return (StepNames(models, uses), starts)
  }
}
