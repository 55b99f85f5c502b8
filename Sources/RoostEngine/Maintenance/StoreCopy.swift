/// Writes everything that a version holds to an empty store, every tree packed full.
///
/// Tables, fields and trees keep their numbers, and objects their keys. Memory is bounded: a leaf at a
/// time is read, and a few leaves' rows wait to be written.
struct StoreCopy {
  private let source: EngineSnapshot
  private let target: Engine
  private let progress: ((MaintenanceProgress) -> Void)?

  /// A copy of a version to the store that an engine has open, which must be empty.
  init(
    of source: EngineSnapshot, to target: Engine, _ progress: ((MaintenanceProgress) -> Void)?
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
      let view = try source.view
      for table in source.catalog.tables {
        let objects = try view.objects(table.id)
        let digest = ObjectsDigest(objects.shape)
        transaction.changedRoots.update(
          with: try objects.repacked(
            with: transaction.writer, digest: digest, progress: meter.advance))
        content.objects[table.tree] = StoreContent.Objects(
          digest: digest.value(counter: objects.root.counter), movedLeaves: digest.movedLeaves)
        for tree in table.indexTrees {
          var digest = IndexDigest(seed: content.seed)
          let root = try view.index(tree: tree).repacked(
            with: transaction.writer, progress: meter.advance
          ) { value, keys in
            let hash = XXH3.hash(value)
            keys.forEachKey { digest.add(hash, $0) }
          }
          transaction.changedRoots.update(with: root)
          content.indexes[tree] = digest
        }
      }
    }
    return content
  }

  private var total: UInt64 {
    source.version.appliedRoots.all.reduce(0) { $0 &+ $1.count }
  }
}

// MARK: Versions that have names

extension StoreCopy {
  /// Copies the named versions, oldest first, each in a transaction, and then the version itself.
  ///
  /// A tree that has one root in all versions is packed full; one that has several is copied extent by extent, each once.
  /// - Returns: What the copy must hold: of each version's tables and objects, the newest last.
  func runWithNamed() throws(EngineError) -> [UInt64] {
    let named = source.namedVersions
    var versions: [EngineSnapshot] = []
    for version in named {
      versions.append(EngineSnapshot(version: try source.version.content(of: version)))
    }
    versions.append(source)
    let copies = try TreeCopies(of: versions)
    var digests: [UInt64] = []
    var commits: [PendingCommit] = []
    for (place, version) in versions.enumerated() {
      digests.append(try version.contentDigest())
      let transaction = try target.beginWrite()
      if place > 0 {
        let before = named[place - 1]
        try transaction.keepBase(as: before.name, date: before.date, openings: before.openings)
      }
      try transaction.replaceContent(with: version, copies: copies)
      if let commit = try transaction.stage(.full) { commits.append(commit) }
    }
    // One slot, the last version's: a version with some of the names never is the file's newest.
    for commit in commits { try commit.makeDurable() }
    return digests
  }
}

/// The copies of the trees of several versions.
final class TreeCopies {
  private let extents: ExtentCopies
  private var copied: [ExtentPointer: TreeRoot] = [:]
  /// The trees that have several roots.
  private let changed: Set<UInt32>

  init(of versions: [EngineSnapshot]) throws(EngineError) {
    var roots: [UInt32: ExtentPointer] = [:]
    var changed: Set<UInt32> = []
    for version in versions {
      for root in try version.version.roots().all where !root.pointer.isNull {
        if roots.updateValue(root.pointer, forKey: root.id) ?? root.pointer != root.pointer {
          changed.insert(root.id)
        }
      }
    }
    self.changed = changed
    // The newest version's reader reads the extents of all.
    guard let newest = versions.last else { preconditionFailure("There is a version to copy.") }
    extents = ExtentCopies(from: try newest.view.reader)
  }

  func copy(
    _ root: TreeRoot, of version: EngineSnapshot, with writer: PageWriter
  ) throws(EngineError) -> TreeRoot {
    guard !root.pointer.isNull else { return root }
    if var known = copied[root.pointer] {
      known.counter = root.counter
      return known
    }
    let copy =
      changed.contains(root.id)
      ? try extents.copy(root, with: writer) : try version.repacked(root, with: writer)
    copied[root.pointer] = copy
    return copy
  }
}
