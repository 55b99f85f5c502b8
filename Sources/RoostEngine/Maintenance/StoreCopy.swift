/// Writes everything that a version holds to an empty store, every tree packed full.
///
/// Tables, fields and trees keep their numbers, and objects their keys. Memory is bounded: a leaf at a
/// time is read, and a few leaves' rows wait to be written.
struct StoreCopy {
  private let source: Snapshot
  private let target: Engine
  private let progress: ((MaintenanceProgress) -> Void)?

  /// A copy of a version to the store that an engine has open, which must be empty.
  init(
    of source: Snapshot, to target: Engine, _ progress: ((MaintenanceProgress) -> Void)?
  ) {
    self.source = source
    self.target = target
    self.progress = progress
  }

  /// Copies everything in one transaction.
  func run() throws(EngineError) {
    let meter = ProgressMeter(.copying, total: total, progress)
    try target.write { (transaction) throws(EngineError) in
      try transaction.catalogDidChange()
      transaction.catalog = source.catalog
      let view = source.view
      for table in source.catalog.tables {
        let objects = try view.objects(table.id)
        transaction.changedRoots[table.tree] = try objects.repacked(
          with: transaction.writer, progress: meter.advance)
        for field in table.fields where field.indexTree != 0 {
          transaction.changedRoots[field.indexTree] = try view.index(field).repacked(
            with: transaction.writer, progress: meter.advance)
        }
      }
    }
  }

  private var total: UInt64 {
    source.version.roots.values.reduce(0) { $0 &+ $1.count }
  }
}
