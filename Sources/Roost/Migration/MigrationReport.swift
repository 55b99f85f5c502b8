/// What opening a store would change in its file: see ``Store/dryRun(at:models:configuration:migrations:)``.
public struct MigrationReport: Hashable, Sendable {
  /// The changes of one step, or those that need none.
  public struct Part: Hashable, Sendable {
    /// The step's name; nil for what needs no step, which comes after all of them.
    public let step: String?
    /// The models, fields and indexes that change.
    public let changes: [SchemaChange]
    /// The objects that change, by models; a model of which none does is not among them.
    public let objects: [ObjectCounts]
    /// How long it took, the writing to a scratch file included.
    public let duration: Duration

    package init(
      step: String?, changes: [SchemaChange], objects: [ObjectCounts], duration: Duration
    ) {
      self.step = step
      self.changes = changes
      self.objects = objects
      self.duration = duration
    }
  }

  /// How many objects of a model change.
  public struct ObjectCounts: Hashable, Sendable {
    /// The model's name afterwards; before, where it is removed.
    public let model: String
    /// How many objects come.
    public let inserted: Int
    /// How many objects go.
    public let deleted: Int
    /// How many others have another value in some field, also in a new one; of a model that gets another key all do.
    public let changed: Int

    package init(model: String, inserted: Int, deleted: Int, changed: Int) {
      self.model = model
      self.inserted = inserted
      self.deleted = deleted
      self.changed = changed
    }
  }

  /// The changes, in order; empty where the file fits the models.
  public let parts: [Part]

  package init(parts: [Part]) { self.parts = parts }
}

/// A change of what a file knows of models, fields and indexes.
@nonexhaustive
public enum SchemaChange: Hashable, Sendable {
  /// A model is new.
  case modelAdded(String)
  /// A model goes, with its objects.
  case modelRemoved(String)
  /// A model has another name.
  case modelRenamed(String, to: String)
  /// Another field is the key.
  case keyChanged(model: String, from: String, to: String)
  /// A field is new.
  case fieldAdded(model: String, field: String, type: String)
  /// A field goes, with its values.
  case fieldRemoved(model: String, field: String)
  /// A field has another name.
  case fieldRenamed(model: String, field: String, to: String)
  /// A field has another type, or may be nil where it could not, or the other way round.
  case fieldRetyped(model: String, field: String, from: String, to: String)
  /// There is an index of some fields, or none any more of this kind before.
  case indexAdded(model: String, fields: [String], isUnique: Bool)
  /// An index of some fields goes.
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
    guard !parts.isEmpty else { return "The file fits the models." }
    return parts.flatMap { part in
      let milliseconds = Int((part.duration / .milliseconds(1)).rounded())
      let title = part.step.map { "\"\($0)\"" } ?? "Without a step"
      return ["\(title), \(milliseconds) ms:"] + part.changes.map { "  \($0)" }
        + part.objects.map {
          "  \($0.model): \($0.inserted) inserted, \($0.changed) changed, \($0.deleted) deleted"
        }
    }.joined(separator: "\n")
  }
}
