internal import Roost
internal import RoostDynamic

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// What takes a transaction back: the objects that it changed as they were before, other objects' links among them.
///
/// It has values, not a version: whatever becomes of the file's space meanwhile, it can be taken back.
struct UndoStep: Sendable {
  /// What was done.
  let title: String
  fileprivate var deletions: [(model: String, key: DynamicValue)] = []
  fileprivate var insertions: [(model: String, values: [String: DynamicValue])] = []
  fileprivate var updates: [Update] = []

  fileprivate struct Update: Sendable {
    let model: String
    let key: DynamicValue
    let before: [String: DynamicValue]
    let after: [String: DynamicValue]
  }

  /// The most bytes of blobs in a step, and the most objects; what is more cannot be taken back.
  static let blobBytesMax: UInt64 = 32 << 20
  static let objectsMax = 20_000

  /// The step that leads from a version back to the one before it.
  ///
  /// - Returns: Nil where it would be too large.
  init?(_ title: String, from before: DynamicSnapshot, to after: DynamicSnapshot) throws {
    self.title = title
    let changes = try after.changes(since: before)
    var objects = 0
    var blobBytes: UInt64 = 0
    func values(
      _ fields: [DynamicField], of object: DynamicObject
    ) throws -> [String: DynamicValue]? {
      var values: [String: DynamicValue] = [:]
      for field in fields {
        if field.type == .blob {
          blobBytes += try object.byteCount(of: field.name)
          guard blobBytes <= Self.blobBytesMax else { return nil }
        }
        values[field.name] = try object.exportedValue(field)
      }
      return values
    }
    for model in changes.tables {
      let found = try changes.of(model)
      objects += found.insertions.count + found.deletions.count + found.modifications.count
      guard objects <= Self.objectsMax else { return nil }
      let fields = before.table(model)?.fields ?? []
      deletions += found.insertions.map { (model, $0) }
      for key in found.deletions {
        guard let object = try before.object(model, key),
          let values = try values(fields, of: object)
        else { return nil }
        insertions.append((model, values))
      }
      for change in found.modifications {
        let changed = fields.filter { change.fields.contains($0.name) }
        guard let old = try before.object(model, change.key),
          let new = try after.object(model, change.key),
          let oldValues = try values(changed, of: old),
          let newValues = try values(changed, of: new)
        else { return nil }
        updates.append(Update(model: model, key: change.key, before: oldValues, after: newValues))
      }
    }
  }

  /// Takes the changes back in a transaction.
  ///
  /// - Throws: ``BrowseError`` where a value was changed since by somebody else.
  func apply(to transaction: DynamicTransaction) throws {
    for (model, key) in deletions { try transaction.delete(key, from: model) }
    for (model, values) in insertions { try transaction.insert(values, into: model) }
    for update in updates {
      guard let found = try transaction.object(update.model, update.key),
        update.after.allSatisfy({ found[$0.key]?.json == $0.value.json })
      else {
        throw BrowseError(
          "\(update.model) \(update.key.plainText) has changed since: it cannot be undone.")
      }
      try transaction.update(update.key, of: update.model, update.before)
    }
  }
}
