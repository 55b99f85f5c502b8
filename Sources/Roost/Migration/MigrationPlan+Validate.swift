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
  /// - Throws: ``StoreError/planInvalid(step:reason:)`` with the first such step, and the mistakes of all steps, names that two
  ///   steps have among them; what a step throws by itself.
  public func validate<each M: Model>(models: repeat (each M).Type) throws {
    var descriptions: [ModelDescription] = []
    for model in repeat each models { descriptions.append(try ModelDescription(model)) }
    var mistakes = nameMistakes
    var uses: [(step: String, use: MigrationUse)] = []
    for step in steps {
      let migration = Migration(nil)
      try step.body(migration)
      uses += migration.uses.map { (step.name, $0) }
    }
    let names = StepNames(descriptions, uses.map(\.use))
    for (place, entry) in uses.enumerated() {
      guard let reason = names.mistake(at: place) else { continue }
      let mistake = PlanMistake(step: entry.step, reason: reason)
      if !mistakes.contains(mistake) { mistakes.append(mistake) }
    }
    if let error = PlanMistake.error(for: mistakes) { throw error }
  }

  /// Throws if two steps have the same name: the second would never be run.
  func checkNames() throws(StoreError) {
    if let error = PlanMistake.error(for: nameMistakes) { throw error }
  }

  private var nameMistakes: [PlanMistake] {
    var names: Set<String> = []
    return steps.compactMap { step in
      names.insert(step.name).inserted
        ? nil
        : PlanMistake(
          step: step.name, reason: "Two steps have this name. Give the newer one another.")
    }
  }
}

/// A mistake in a step of a plan.
private struct PlanMistake: Equatable {
  let step: String
  let reason: String

  /// The most mistakes that an error tells.
  private static let toldMax = 20

  /// The error for all mistakes, under the step of the first; nil for none.
  static func error(for mistakes: [PlanMistake]) -> StoreError? {
    guard let first = mistakes.first else { return nil }
    var reasons = [first.reason]
    var step = first.step
    for mistake in mistakes.dropFirst().prefix(toldMax - 1) {
      reasons.append(
        mistake.step == step ? mistake.reason : "Step \"\(mistake.step)\": \(mistake.reason)")
      step = mistake.step
    }
    if mistakes.count > toldMax { reasons.append("And \(mistakes.count - toldMax) more.") }
    return .planInvalid(step: first.step, reason: reasons.joined(separator: " "))
  }
}

extension StepNames {
  /// The mistake in a use; nil for none.
  fileprivate func mistake(at place: Int) -> String? {
    switch uses[place] {
    case .renamed(_, let model, let name), .copied(_, let model, let name):
      mistake(name, of: model, after: place)
    case .made(let field, let model), .touched(let field, let model):
      mistake(field, of: model, after: place)
    case .renamedModel(_, let name): mistake(model: name, after: place)
    case .madeModel(let model), .touchedModel(let model): mistake(model: model, after: place)
    case .removed(let field, let name):
      model(named: name)?.fields.contains { $0.name.isPart(of: field) } == true
        ? "It removes \(name).\(field), which the model declares. Remove the field from the model."
        : nil
    case .removedModel(let name):
      model(named: name) != nil
        ? "It removes \(name), which is among the models. Open the store without the model." : nil
    }
  }

  /// The mistake in a field's name after a use; nil for none.
  ///
  /// An older name of a declared field is none: opening finds the field by either name.
  private func mistake(_ field: String, of model: String, after place: Int) -> String? {
    guard let last = lastName(of: field, in: model, before: place + 1) else { return nil }
    let fields = self.model(named: last.model)?.fields ?? []
    let isKnown = fields.contains { known in
      ([known.name] + known.olderNames).contains { $0.isPart(of: last.field) }
    }
    guard !isKnown else { return nil }
    return
      "No model declares \(last.model).\(last.field), and no later step renames or removes it. Mend the name, or remove the "
      + "field in a later step."
  }

  /// The mistake in a model's name after a use; nil for none.
  private func mistake(model: String, after place: Int) -> String? {
    guard let last = lastName(ofModel: model, before: place + 1), self.model(named: last) == nil
    else { return nil }
    return
      "There is no model \(last), and no later step renames or removes it. Mend the name, or remove the model in a later "
      + "step."
  }
}
