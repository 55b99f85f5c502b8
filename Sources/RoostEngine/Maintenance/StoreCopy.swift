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
  ///
  /// - Returns: What was read, which the copy must hold.
  func run() throws(EngineError) -> StoreContent {
    let meter = ProgressMeter(.copying, total: total, progress)
    var content = StoreContent()
    try target.write { (transaction) throws(EngineError) in
      try transaction.catalogDidChange()
      transaction.catalog = source.catalog
      let view = source.view
      for table in source.catalog.tables {
        let objects = try view.objects(table.id)
        let digest = ObjectsDigest(objects.shape)
        transaction.changedRoots[table.tree] = try objects.repacked(
          with: transaction.writer, digest: digest, progress: meter.advance)
        content.objects[table.tree] = StoreContent.Objects(
          digest: digest.value(counter: objects.root.counter), movedLeaves: digest.movedLeaves)
        for tree in table.indexTrees {
          var digest = IndexDigest(seed: content.seed)
          transaction.changedRoots[tree] = try view.index(tree: tree).repacked(
            with: transaction.writer, progress: meter.advance
          ) { value, keys in
            let hash = XXH3.hash(value)
            keys.forEachKey { digest.add(hash, $0) }
          }
          content.indexes[tree] = digest
        }
      }
    }
    return content
  }

  private var total: UInt64 {
    source.version.roots.values.reduce(0) { $0 &+ $1.count }
  }
}

/// What the tables and indexes of a version amount to, by their trees.
struct StoreContent {
  /// Chosen anew for every copy, so that nobody can choose entries that cancel each other out.
  let seed = UInt64.random(in: .min ... .max)
  var objects: [UInt32: Objects] = [:]
  var indexes: [UInt32: IndexDigest] = [:]

  /// What the objects of a table amount to.
  struct Objects {
    let digest: UInt64
    /// The first keys of the leaves that the copy has as they were, ascending.
    let movedLeaves: [Int64]
  }
}
