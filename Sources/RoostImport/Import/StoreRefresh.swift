internal import Roost

/// Compares a store with a source, or makes it equal to it.
struct StoreRefresh {
  let store: Store
  let source: ImportSource
  let importer: Importer
  let progress: (@Sendable (ImportProgress) -> Void)?

  func refresh() throws -> ImportChanges {
    let state = try source.foundState()
    let file = try source.open()
    let mappings = try importer.mappings(in: file)
    let names = mappings.map(\.className)
    let pass = try ImportPass(file, names, progress: progress)
    var ids = IDsOfSource()
    let before = store.snapshot()
    try store.write { transaction in
      var conflicts = 0
      try pass.gathering {
        for mapping in mappings { conflicts += try mapping.refresh(transaction, pass, &ids) }
      }
      let report = try pass.report(named: importer.named, ignored: importer.ignored, state)
      // After the others are changed, so that rules apply to the links as they are in the source.
      var deleted = 0
      for ids in ids.all { deleted += try ids.deleteOthers(in: transaction) }
      if deleted > 0 || conflicts > 0 {
        try settle(transaction, mappings, ImportPass(file, names, progress: nil), conflicts)
      }
      for ids in ids.all { try ids.checkCount(in: transaction) }
      try Task.checkCancellation()
      try file.checkUnchanged()
      try transaction.setOwnValue(ImportReport.valueName, to: try report.json)
    }
    let changes = try store.snapshot().changes(since: before)
    return ImportChanges(models: try ids.all.map { try $0.changes(changes) })
  }

  /// Writes the objects again: those whose unique value another object had, and those that rules of deletion have changed.
  private func settle(
    _ transaction: WriteTransaction, _ mappings: [any ClassMapping], _ pass: ImportPass,
    _ conflictsBefore: Int
  ) throws {
    var conflicts = conflictsBefore
    var throwsConflicts = false
    repeat {
      var remaining = 0
      try pass.gathering {
        for mapping in mappings {
          remaining += try mapping.refreshAgain(
            transaction, pass, throwsConflicts: throwsConflicts)
        }
      }
      // If no object got its value, none will.
      throwsConflicts = remaining >= conflicts
      conflicts = remaining
    } while conflicts > 0
  }

  func compare(limit: Int) throws -> ImportComparison {
    _ = try source.foundState()
    let file = try source.open()
    let mappings = try importer.mappings(in: file)
    let pass = try ImportPass(file, mappings.map(\.className), progress: progress)
    let snapshot = store.snapshot()
    var ids = IDsOfSource()
    var comparison = ImportComparison(limit: limit)
    try pass.gathering {
      for mapping in mappings { try mapping.compare(with: snapshot, pass, &ids, &comparison) }
    }
    for ids in ids.all { try ids.compareOthers(in: snapshot, &comparison) }
    try file.checkUnchanged()
    return comparison
  }
}
