/// The changes that opening a store would make to its file: see ``Store/dryRun(at:models:configuration:migrations:)``.
public struct MigrationReport: Hashable, Sendable {
  /// The changes of one step, or the changes that need no step.
  public struct Part: Hashable, Sendable {
    /// The step's name; nil for changes that need no step, which come after all steps.
    public let step: String?
    /// The models, fields and indexes that change.
    public let changes: [SchemaChange]
    /// The numbers of changed objects, by model; models without changes are omitted.
    public let objects: [ObjectCounts]
    /// The models and fields, such as `Person.nmae`, that the step names and the file does not have: what it was to do with them
    /// was left out. They are mistyped, or the file comes from a release without them.
    public let ignored: [String]
    /// The duration, including the writes to a scratch file.
    public let duration: Duration

    package init(
      step: String?, changes: [SchemaChange], objects: [ObjectCounts], ignored: [String] = [],
      duration: Duration
    ) {
      self.step = step
      self.changes = changes
      self.objects = objects
      self.ignored = ignored
      self.duration = duration
    }
  }

  /// The numbers of changed objects of a model.
  public struct ObjectCounts: Hashable, Sendable {
    /// The model's new name; its old name if it is removed.
    public let model: String
    /// The number of inserted objects.
    public let inserted: Int
    /// The number of deleted objects.
    public let deleted: Int
    /// The number of other objects with another value than before, also in a new field or one of another type; all objects if the
    /// model gets another key.
    public let changed: Int

    package init(model: String, inserted: Int, deleted: Int, changed: Int) {
      self.model = model
      self.inserted = inserted
      self.deleted = deleted
      self.changed = changed
    }
  }

  /// The changes, in order; empty if the file fits the models.
  public let parts: [Part]
  /// Hints at likely mistakes, as ``Configuration/log`` gets them: what the models declare and the file does not get, for
  /// example.
  public let notes: [String]

  package init(parts: [Part], notes: [String] = []) {
    self.parts = parts
    self.notes = notes
  }
}

/// A change of the models, fields and indexes in a file.
@nonexhaustive
public enum SchemaChange: Hashable, Sendable {
  /// A model is added.
  case modelAdded(String)
  /// A model is removed, with its objects.
  case modelRemoved(String)
  /// A model is renamed.
  case modelRenamed(String, to: String)
  /// Another field becomes the key.
  case keyChanged(model: String, from: String, to: String)
  /// A field is added.
  case fieldAdded(model: String, field: String, type: String)
  /// A field is removed, with its values.
  case fieldRemoved(model: String, field: String)
  /// A field is renamed.
  case fieldRenamed(model: String, field: String, to: String)
  /// A field changes its type, or whether it may be nil.
  case fieldRetyped(model: String, field: String, from: String, to: String)
  /// An index of some fields is added, where no index of this kind existed before.
  case indexAdded(model: String, fields: [String], isUnique: Bool)
  /// An index of some fields is removed.
  case indexRemoved(model: String, fields: [String], isUnique: Bool)
}

extension SchemaChange: CustomStringConvertible {
  /// The change in words.
  public var description: String {
    func index(_ isUnique: Bool) -> String { isUnique ? "a unique index" : "an index" }
    return switch self {
    case .modelAdded(let model): "\(model) is added"
    case .modelRemoved(let model): "\(model) is removed"
    case .modelRenamed(let model, let name): "\(model) becomes \(name)"
    case .keyChanged(let model, let old, let new): "the key of \(model) is \(new), and was \(old)"
    case .fieldAdded(let model, let field, let type): "\(model).\(field) is added: \(type)"
    case .fieldRemoved(let model, let field): "\(model).\(field) is removed"
    case .fieldRenamed(let model, let field, let name): "\(model).\(field) becomes \(name)"
    case .fieldRetyped(let model, let field, let old, let new):
      "\(model).\(field) is \(new), and was \(old)"
    case .indexAdded(let model, let fields, let isUnique):
      "\(model) gets \(index(isUnique)) of \(fields.joined(separator: ", "))"
    case .indexRemoved(let model, let fields, let isUnique):
      "\(model) loses \(index(isUnique)) of \(fields.joined(separator: ", "))"
    }
  }
}

extension MigrationReport: CustomStringConvertible {
  /// All changes in words, a line each.
  public var description: String {
    guard !parts.isEmpty else {
      return (["The file fits the models."] + notes).joined(separator: "\n")
    }
    let words = parts.flatMap { part in
      let milliseconds = Int((part.duration / .milliseconds(1)).rounded())
      let title = part.step.map { "\"\($0)\"" } ?? "Without a step"
      return ["\(title), \(milliseconds) ms:"] + part.changes.map { "  \($0)" }
        + part.objects.map {
          "  \($0.model): \($0.inserted) inserted, \($0.changed) changed, \($0.deleted) deleted"
        } + part.ignored.map { "  the file has no \($0): left out" }
    }
    return (words + notes).joined(separator: "\n")
  }
}
