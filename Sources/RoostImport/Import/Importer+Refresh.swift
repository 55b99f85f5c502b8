internal import Roost
internal import RoostInterchange

extension ObjectMapping {
  func refresh(
    _ transaction: WriteTransaction, _ pass: ImportPass, _ ids: inout IDsOfSource
  ) throws -> Int {
    let ids = ids.ids(of: M.self)
    return try upsert(into: transaction, pass, throwsConflicts: false) { (id) throws(StoreError) in
      try ids.insert(id)
    }
  }

  func refreshAgain(
    _ transaction: WriteTransaction, _ pass: ImportPass, throwsConflicts: Bool
  ) throws -> Int {
    try upsert(into: transaction, pass, throwsConflicts: throwsConflicts) { _ in }
  }

  private func upsert(
    into transaction: WriteTransaction, _ pass: ImportPass, throwsConflicts: Bool,
    _ note: (M.ID) throws(StoreError) -> Void
  ) throws -> Int {
    var conflicts = 0
    try walk(pass) { object in
      try note(object.id)
      do throws(StoreError) { try transaction.upsert(object) } catch {
        guard case .duplicateKey = error, !throwsConflicts else { throw error }
        conflicts += 1
      }
    }
    return conflicts
  }

  func compare(
    with snapshot: Snapshot, _ pass: ImportPass, _ ids: inout IDsOfSource,
    _ comparison: inout ImportComparison
  ) throws {
    let ids = ids.ids(of: M.self)
    let model = modelName
    var found = comparison
    let reader = try snapshot._reader
    try walk(pass) { object in
      try ids.insert(object.id)
      found.compared += 1
      let key = "\(object.id)"
      guard let stored = try snapshot.fetch(M.self, id: object.id) else {
        found.add(ImportDifference(model: model, key: key, kind: .onlyInSource))
        return
      }
      let differences = FieldDifferences(
        inSource: try object.dictionary(readingBlobsFrom: nil),
        inStore: try stored.dictionary(readingBlobsFrom: reader))
      for (field, source, store) in differences.list {
        found.add(
          ImportDifference(
            model: model, key: key, kind: .value(field: field, inSource: source, inStore: store)))
      }
    }
    comparison = found
  }
}
