internal import Roost

/// The ids of a model's objects that a source has, without the model's type.
protocol SourceIDs: AnyObject {
  /// Removes the objects of a store that the source does not have; returns how many there were.
  func deleteOthers(in transaction: WriteTransaction) throws -> Int
  /// Throws if a transaction has not as many objects of the model as the source.
  func checkCount(in transaction: WriteTransaction) throws
  /// Notes the objects of a store that the source does not have.
  func compareOthers(in snapshot: Snapshot, _ comparison: inout ImportComparison) throws
  /// The changes of the model's objects between two versions.
  func changes(_ changes: StoreChanges) throws -> ImportChanges.Model
}

final class IDsOfModel<M: Model>: SourceIDs {
  /// As the store compares them: texts that are equal in Swift may differ in bytes.
  private var ids: Set<_Constant> = []

  private var modelName: String { DetachedRows<M>.modelName }

  /// Adds an id.
  ///
  /// - Throws: ``/Roost/StoreError/duplicateKey(model:field:value:)`` where another object has it.
  func insert(_ id: M.ID) throws(StoreError) {
    guard !ids.insert(id._constant).inserted else { return }
    throw .duplicateKey(
      model: modelName, field: try DetachedRows<M>().keyName, value: "\(id)")
  }

  func deleteOthers(in transaction: WriteTransaction) throws -> Int {
    try transaction.deleteAll(M.self) { ids.contains($0._constant) }
  }

  func checkCount(in transaction: WriteTransaction) throws {
    let found = try transaction.count(M.all)
    guard found == ids.count else {
      throw ImportError.countMismatch(model: modelName, written: ids.count, found: found)
    }
  }

  func compareOthers(in snapshot: Snapshot, _ comparison: inout ImportComparison) throws {
    for row in try snapshot.rows(M.all) {
      let id = try row.id
      guard !ids.contains(id._constant) else { continue }
      comparison.add(ImportDifference(model: modelName, key: "\(id)", kind: .onlyInStore))
    }
  }

  func changes(_ changes: StoreChanges) throws -> ImportChanges.Model {
    let changes = try changes.of(M.self)
    return ImportChanges.Model(
      name: modelName, inserted: changes.insertions.count,
      updated: changes.modifications.count, deleted: changes.deletions.count)
  }
}

/// The ids of all models of a mapping that a source has.
struct IDsOfSource {
  private var byModel: [String: any SourceIDs] = [:]
  private(set) var all: [any SourceIDs] = []

  /// The ids of a model, which several classes may become.
  mutating func ids<M: Model>(of model: M.Type) -> IDsOfModel<M> {
    let name = DetachedRows<M>.modelName
    if let known = byModel[name] as? IDsOfModel<M> { return known }
    let made = IDsOfModel<M>()
    byModel[name] = made
    all.append(made)
    return made
  }
}
