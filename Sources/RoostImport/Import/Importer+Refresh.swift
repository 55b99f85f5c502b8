internal import Roost

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
}
