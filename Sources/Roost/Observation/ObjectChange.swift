internal import RoostEngine

/// The change of one object.
public struct ObjectChange<M: Model>: Sendable {
  /// The object before the change; nil if it did not exist, and in the initial state.
  public let before: M?
  /// The object after the change; nil if it does not exist.
  public let after: M?
  /// The new version, for reading related data.
  public let snapshot: Snapshot
  /// The kind of change.
  private let kind: Kind
  /// The tag of the write that made the change, or of all such writes; nil if they have none or different tags.
  public let tag: WriteTag?
  private let changed: ChangedFields

  fileprivate init(
    _ kind: Kind, from before: M?, to after: M?, in version: VersionContext, tag: WriteTag?,
    _ changed: ChangedFields
  ) {
    self.kind = kind
    self.before = before
    self.after = after
    snapshot = Snapshot(version)
    self.tag = tag
    self.changed = changed
  }

  /// Whether this is the initial state; no field counts as changed then.
  public var isInitial: Bool { kind == .initial }
  /// Whether the object was deleted.
  public var isDeletion: Bool { kind == .deletion }
  /// Whether the object was inserted.
  public var isInsertion: Bool { kind == .insertion }

  /// The names in the schema of the fields that changed; empty for an insertion or a deletion.
  public var fields: [String] { changed.names }

  /// Whether a property, or some part of an embedded struct, changed; false for an insertion or a
  /// deletion.
  ///
  /// - Throws: ``StoreError/unknownField(model:property:)`` where the key path leads to no property of the schema.
  public func hasChanged<Value: PropertyValue>(
    _ property: KeyPath<M, Value>
  ) throws(StoreError) -> Bool {
    try changed.contains(property)
  }
}

/// The kinds of changes of an object.
private enum Kind { case initial, insertion, modification, deletion }

/// The fields of an object that changed.
struct ChangedFields: Sendable, CustomStringConvertible {
  let model: ModelBinding
  let fields: [FieldID]

  /// Their names in the schema. The kind of a value changes only with the value, which is named.
  var names: [String] {
    model.fields.indices.filter { !model.isKind[$0] && fields.contains(model.fields[$0]) }
      .map { model.fieldNames[$0] }
  }

  /// The names, where a change is printed.
  var description: String { "\(names)" }

  /// Whether a property, or some part of an embedded struct, is among them.
  func contains<M: Model, Value: PropertyValue>(
    _ property: KeyPath<M, Value>
  ) throws(StoreError) -> Bool {
    guard let positions = M.schema.positions(of: property) else {
      throw .unknownField(
        model: model.name.name, property: M.schema.nameOfUnknown(property))
    }
    return positions.contains { fields.contains(model.fields[$0]) }
  }
}

/// An observed object.
final class ObservedObject<M: Model> {
  private let id: M.ID
  /// The positions of the fields whose changes are reported; nil for all.
  private let watched: [Int]?
  /// The version seen last; nil before the first.
  private var version: VersionContext?

  init(_ id: M.ID, watching watched: [Int]? = nil) {
    self.id = id
    self.watched = watched
  }

  /// Advances to another version; in the first version it reports the current state.
  func step(_ differences: Differences) throws(StoreError) -> ObjectChange<M>? {
    let later = differences.version
    let model = try later.model(M.self)
    // In its trees two places can be compared.
    _ = try later.view()
    let place = try later.place(of: id, in: model)
    guard let earlier = version else {
      let object = try later.object(of: M.self, model, at: place)
      version = later
      return ObjectChange(
        .initial, from: nil, to: object, in: later, tag: nil,
        ChangedFields(model: model, fields: []))
    }
    let old = try earlier.place(of: id, in: model)
    var fields: [FieldID] = []
    let kind: Kind?
    switch (old, place) {
    case (nil, nil): kind = nil
    case (nil, _?): kind = .insertion
    case (_?, nil): kind = .deletion
    case (let before?, let after?):
      fields = try working(on: later.file) { () throws(EngineError) in
        try after.changedFields(since: before)
      }
      let isWatched = watched.map { $0.contains { fields.contains(model.fields[$0]) } }
      kind = isWatched ?? !fields.isEmpty ? .modification : nil
    }
    guard let kind else {
      version = later
      return nil
    }
    let change = ObjectChange(
      kind, from: try earlier.object(of: M.self, model, at: old),
      to: try later.object(of: M.self, model, at: place), in: later,
      tag: differences.tag(since: earlier), ChangedFields(model: model, fields: fields))
    version = later
    return change
  }
}

extension VersionContext {
  /// The object at a place, if there is one.
  fileprivate func object<M: Model>(
    of type: M.Type, _ model: ModelBinding, at place: RowPlace?
  ) throws(StoreError) -> M? {
    guard let place else { return nil }
    return try object(M.schema, of: model, at: place)
  }
}
