extension MigrationPlan {
  /// Finds steps that have no effect, because their names do not exist, without a file: for a unit test.
  ///
  /// ```swift
  /// @Test func theMigrationsAreSound() throws {
  ///   try App.migrations.validate(models: Person.self, Dog.self)
  /// }
  /// ```
  ///
  /// A name that a step leaves behind must be a field of the models, or be renamed or removed by a later step. The
  /// steps run without objects: closures that visit objects are not called.
  /// - Throws: ``StoreError/planInvalid(step:reason:)`` for the first such step, and for a name that two steps have; what a
  ///   step throws by itself.
  public func validate<each M: Model>(models: repeat (each M).Type) throws {
    var descriptions: [ModelDescription] = []
    for model in repeat each models { descriptions.append(try ModelDescription(model)) }
    try checkNames()
    var uses: [(step: String, use: MigrationUse)] = []
    for step in steps {
      let migration = Migration(nil)
      try step.body(migration)
      uses += migration.uses.map { (step.name, $0) }
    }
    let names = SchemaNames(descriptions, uses.map(\.use))
    for (place, entry) in uses.enumerated() {
      guard let reason = names.mistake(at: place) else { continue }
      throw StoreError.planInvalid(step: entry.step, reason: reason)
    }
  }

  /// Throws if two steps have the same name: the second would never be run.
  func checkNames() throws(StoreError) {
    var names: Set<String> = []
    for step in steps where !names.insert(step.name).inserted {
      throw .planInvalid(
        step: step.name, reason: "Two steps have this name. Give the newer one another.")
    }
  }
}

/// The names in the models, and the uses of names by the steps before.
private struct SchemaNames {
  private let fields: [String: [String]]
  private let uses: [MigrationUse]

  init(_ models: [ModelDescription], _ uses: [MigrationUse]) {
    fields = Dictionary(
      models.map { ($0.name.name, $0.fields.map(\.name)) }, uniquingKeysWith: { first, _ in first })
    self.uses = uses
  }

  /// The mistake in a use; nil for none.
  func mistake(at place: Int) -> String? {
    switch uses[place] {
    case .renamed(_, let model, let name), .copied(_, let model, let name):
      mistake(name, of: model, after: place)
    case .made(let field, let model), .touched(let field, let model):
      mistake(field, of: model, after: place)
    case .renamedModel(_, let name): mistake(model: name, after: place)
    case .madeModel(let model), .touchedModel(let model): mistake(model: model, after: place)
    case .removed(let field, let model):
      isDeclared(field, of: model)
        ? "It removes \(model).\(field), which the model declares. Remove the field from the model."
        : nil
    case .removedModel(let model):
      fields[model] != nil
        ? "It removes \(model), which is among the models. Open the store without the model." : nil
    }
  }

  /// The mistake in a field's name after a use; nil for none.
  private func mistake(_ field: String, of model: String, after place: Int) -> String? {
    var (field, model) = (field, model)
    for use in uses.dropFirst(place + 1) {
      switch use {
      case .renamed(let old, of: model, let name) where isPart(field, of: old):
        field = name + field.dropFirst(old.count)
      case .renamedModel(model, let name): model = name
      case .removed(let old, of: model) where isPart(field, of: old): return nil
      case .removedModel(model): return nil
      default: break
      }
    }
    return isDeclared(field, of: model)
      ? nil
      : "No model declares \(model).\(field), and no later step renames or removes it. Mend the name, or remove the field "
        + "in a later step."
  }

  /// The mistake in a model's name after a use; nil for none.
  private func mistake(model: String, after place: Int) -> String? {
    var model = model
    for use in uses.dropFirst(place + 1) {
      switch use {
      case .renamedModel(model, let name): model = name
      case .removedModel(model): return nil
      default: break
      }
    }
    return fields[model] != nil
      ? nil
      : "There is no model \(model), and no later step renames or removes it. Mend the name, or remove the model in a later "
        + "step."
  }

  private func isPart(_ field: String, of name: String) -> Bool {
    field == name || field.hasPrefix(name + ".")
  }

  private func isDeclared(_ field: String, of model: String) -> Bool {
    fields[model]?.contains { isPart($0, of: field) } ?? false
  }
}
