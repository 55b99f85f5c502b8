internal import RoostEngine

/// The readable part of a damaged file: the tables of one version, and those of its trees whose roots are known.
struct SalvageSource {
  let catalog: Catalog
  let roots: TreeRoots
  /// The trees of the catalog whose roots are lost; they are treated as empty.
  let lostTrees: Set<UInt32>
  let slot: MetaSlot
  let view: ReadView
  /// What records of the ring say of rows that is not in the trees, oldest first.
  let unapplied: [[RecordedRows]]
  /// Whether the file could not be opened by the rules of recovery.
  let isUnconfirmed: Bool

  /// The number of the new file's first version: continues the damaged file's numbers, unless too few are left.
  var firstTransaction: UInt64 {
    slot.transaction < MetaSlot.transactionMax / 2 ? slot.transaction : NewFile.firstTransaction
  }

  private static let cacheBytes = 8 << 20

  /// Opens the version that recovery would choose, or else the newest version whose
  /// slot and catalog are intact.
  ///
  /// - Throws: `.corrupt` where no slot leads to a catalog; `.fileIsNewer`.
  init(_ file: any StorageFile) throws(EngineError) {
    let reader = PageReader(file: file, cacheBytes: Self.cacheBytes)
    if let found = try Self.recovered(file, reader) {
      (slot, unapplied) = (found.slot, found.unapplied)
      (catalog, roots, lostTrees) = (found.catalog, found.roots, found.lostTrees)
      isUnconfirmed = false
    } else {
      let found = try Self.newest(file, reader)
      (slot, unapplied) = (found.slot, found.unapplied)
      (catalog, roots, lostTrees) = (found.catalog, found.roots, found.lostTrees)
      isUnconfirmed = true
    }
    view = try ReadView(catalog: catalog, roots: roots, reader: reader, pin: nil)
  }

  private typealias Found = (
    slot: MetaSlot, unapplied: [[RecordedRows]], catalog: Catalog, roots: TreeRoots,
    lostTrees: Set<UInt32>
  )

  /// The version that recovery chooses.
  private static func recovered(
    _ file: any StorageFile, _ reader: PageReader
  ) throws(EngineError) -> Found? {
    let bytes = AlignedBytes(count: Unit.bytes)
    do { _ = try file.read(into: bytes.mutableView, at: 0) } catch { return nil }
    do {
      let header = try bytes.withView { view throws(EngineError) in
        try FileHeader(view, isWhole: true, path: file.path)
      }
      let slots = SlotStore(file: file, identity: header.identity)
      let size = try EngineError.wrap { () throws(FileError) in try file.size() }
      let recovery = Recovery(
        slots: slots, reader: reader, fileUnits: size / UInt64(Unit.bytes))
      let found = try recovery.find()
      found.replay?.letReaderFind(reader)
      return try content(of: found.slot, found.replay?.unappliedRows() ?? [], reader)
    } catch {
      if case .fileIsNewer = error { throw error }
      return nil
    }
  }

  /// The newest version whose slot and catalog can be read, regardless of the header and marks.
  private static func newest(
    _ file: any StorageFile, _ reader: PageReader
  ) throws(EngineError) -> Found {
    var slots: [MetaSlot] = []
    for index in 0..<MetaSlot.count {
      let bytes = AlignedBytes(count: Unit.bytes)
      do { _ = try file.read(into: bytes.mutableView, at: MetaSlot.offset(of: index)) } catch {
        continue
      }
      let slot = bytes.withView { view in try? MetaSlot(view, identity: MetaSlot.identity(in: view))
      }
      if let slot = slot ?? nil { slots.append(slot) }
    }
    slots.sort { $0.transaction > $1.transaction }
    for slot in slots {
      do {
        let (slot, unapplied) = try extended(slot, file, reader)
        return try content(of: slot, unapplied, reader)
      } catch {
        if case .fileIsNewer = error { throw error }
      }
    }
    throw .corrupt(Corruption(.noValidSlot))
  }

  /// The version that the ring's records make of a slot's version, as far as they are sound.
  private static func extended(
    _ slot: MetaSlot, _ file: any StorageFile, _ reader: PageReader
  ) throws(EngineError) -> (slot: MetaSlot, unapplied: [[RecordedRows]]) {
    _ = try slot.features.check()
    guard let ring = slot.ring else { return (slot, []) }
    var replay = RingReplay(from: slot, at: ring)
    do {
      let content = try RingContent(reading: ring.pointer, from: file)
      while try replay.applyNext(of: content) {}
    } catch {
      guard case .corrupt = error else { throw error }
    }
    replay.letReaderFind(reader)
    return (replay.slot, try replay.unappliedRows())
  }

  private static func content(
    of slot: MetaSlot, _ unapplied: [[RecordedRows]], _ reader: PageReader
  ) throws(EngineError) -> Found {
    _ = try slot.features.check()
    let catalog = try Catalog(reading: slot, reader: reader)
    var hasEveryRoot = slot.hasEveryRoot
    var stored = slot.inlineRoots
    do { stored = try RootTable(slot, reader: reader).roots.all } catch {
      // The roots in the slot itself are still available.
      hasEveryRoot = true
    }
    var known = TreeRoots()
    for root in stored { known.update(with: root) }
    var roots = TreeRoots()
    var lostTrees: Set<UInt32> = []
    for tree in catalog.trees {
      if let root = known[tree.id], root.kind == tree.kind {
        roots.update(with: root)
        continue
      }
      roots.update(with: TreeRoot(empty: tree.id, kind: tree.kind))
      if hasEveryRoot { lostTrees.insert(tree.id) }
    }
    return (slot, unapplied, catalog, roots, lostTrees)
  }
}
