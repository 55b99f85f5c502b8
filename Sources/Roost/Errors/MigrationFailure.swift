/// The place and the reason of a failed migration step.
public struct MigrationFailure: Hashable, Sendable {
  /// The step's name.
  public let step: String
  /// The model, if it is known.
  public let model: String?
  /// The object's id, if the failure concerns one object.
  public let id: String?
  /// The field, if the failure concerns one field.
  public let field: String?
  /// The reason.
  public let reason: String
  /// The steps that this opening has run before the one that failed, in order: they are in the file, and are not run again.
  public let completed: [String]

  package init(
    step: String, model: String?, id: String?, field: String?, reason: String,
    completed: [String] = []
  ) {
    self.step = step
    self.model = model
    self.id = id
    self.field = field
    self.reason = reason
    self.completed = completed
  }
}

extension MigrationFailure: CustomStringConvertible {
  /// What failed, and what to do next.
  public var description: String {
    let place =
      switch (model, id, field) {
      case (let model?, let id?, let field?): " at \(field) of \(model) \(id)"
      case (let model?, let id?, nil): " at \(model) \(id)"
      case (let model?, nil, let field?): " at \(model).\(field)"
      case (let model?, nil, nil): " at \(model)"
      case (nil, _, let field?): " at \(field)"
      case (nil, _, nil): ""
      }
    let message =
      "The migration's step \"\(step)\" could not go on\(place): \(reason.sentence) "
      + "The file is as it was before the step."
    guard !completed.isEmpty else { return message }
    let names = completed.map { "\"\($0)\"" }.joined(separator: ", ")
    return message + (completed.count == 1 ? " The step \(names) was" : " The steps \(names) were")
      + " run before it and will not run again: to correct \(completed.count == 1 ? "it" : "one"), add a step."
  }
}
