import RoostEngine
import RoostMaintenance
import RoostTestSupport
import Testing

/// What an error says of damage in a version that was confirmed.
@Suite struct DamageLocationTests {
  /// What damage of an extent hits, by the undamaged file.
  private struct Owner {
    var tree: UInt32
    /// The keys of the objects; nil where it is a part of an index.
    var keys: ClosedRange<Int64>?
  }

  /// For every extent of the sound file below a root, what it belongs to.
  private func owners(of image: StoreImage) -> [Int: Owner] {
    var owners: [Int: Owner] = [:]
    // Those below are there before.
    for (index, extent) in image.extents.enumerated().reversed() {
      let start = extent.range.lowerBound
      let tree = image.number(at: start + 4, as: UInt32.self)
      switch extent.kind {
      case .leafHead:
        owners[index] = Owner(
          tree: tree,
          keys: image.number(
            at: start + 16, as: Int64.self)...image.number(
              at: start + 24, as: Int64.self))
      case .objectInner:
        let below = image.extents.indices.filter { image.extents[$0].parent == index }
        let keys = below.compactMap { owners[$0]?.keys }
        guard let first = keys.map(\.lowerBound).min(), let last = keys.map(\.upperBound).max()
        else { continue }
        owners[index] = Owner(tree: tree, keys: first...last)
      case .indexInner, .indexLeaf: owners[index] = Owner(tree: tree, keys: nil)
      default: continue
      }
    }
    // Groups and values belong to the leaf that is above them.
    for (index, extent) in image.extents.enumerated() where owners[index] == nil {
      if let parent = extent.parent { owners[index] = owners[parent] }
    }
    return owners
  }

  /// Everything that programs do with a store, each by itself; what each of them throws.
  private func errors(of library: Library) -> [EngineError] {
    guard let view = try? library.engine.snapshot().view else { return [] }
    var errors: [EngineError] = []
    func attempt(_ body: () throws(EngineError) -> Void) {
      do throws(EngineError) { try body() } catch { errors.append(error) }
    }
    attempt { () throws(EngineError) in _ = try library.engine.statistics() }
    attempt { () throws(EngineError) in _ = try library.digest() }
    for table in view.catalog.tables {
      attempt { () throws(EngineError) in
        guard let last = try view.objects(table.id).last() else { return }
        _ = try view.find(last.key, in: table.id)
      }
      for field in table.fields where !field.isObjectKey {
        for predicate in [
          Predicate.isNull(field.id), .not(.isNull(field.id)),
          .compare(field.id, .equal, .double(1)), .text(field.id, .contains, [1, 2, 3]),
        ] {
          attempt { () throws(EngineError) in
            _ = try view.count(ObjectQuery(table: table.id, predicate: predicate))
          }
        }
        attempt { () throws(EngineError) in
          _ = try view.matches(
            ObjectQuery(table: table.id, order: [SortKey(field: field.id)], limit: 10))
        }
        guard field.indexTree != 0 else { continue }
        attempt { () throws(EngineError) in try view.index(field).checkInvariants() }
      }
    }
    attempt { () throws(EngineError) in
      try library.deleteBooks(0..<4000) { $0 % 3 == 0 }
    }
    attempt { () throws(EngineError) in
      try library.engine.write { (transaction) throws(EngineError) in
        for key in Int64(0)..<4000 where key % 7 == 0 {
          _ = try transaction.update(library.books, key: key, field: 3, to: .bytes([1]))
        }
      }
    }
    return errors
  }

  @Test func anErrorNamesTheTableTheKeysAndThePageThatDamageHits() throws {
    let disk = SimulatedDisk()
    var keysOfTree: [UInt32: [Int64]] = [:]
    do {
      let library = try Library(disk, ringUnits: 0)
      try library.fill(books: 3000, authors: 2000)
      // Leaves of several ages.
      try library.deleteBooks(0..<3000) { $0 % 11 == 0 }
      let catalog = library.engine.snapshot().catalog
      keysOfTree[try #require(catalog.table(library.books)).tree] = (0..<3000).filter {
        $0 % 11 != 0
      }
      keysOfTree[try #require(catalog.table(library.authors)).tree] = Array(1...2000)
    }
    let image = StoreImage(try #require(disk.contents(of: Library.path)))
    let owners = owners(of: image)
    let names = TreeNames(try Library(disk, ringUnits: 0).engine.snapshot().catalog)
    var random = SeededGenerator(seed: 3)
    var damagedTrees: Set<UInt32> = []
    for (index, owner) in owners.sorted(by: { $0.key < $1.key }) {
      let extent = image.extents[index]
      let unit = UInt64(extent.range.lowerBound / Unit.bytes)
      var bytes = image.bytes
      bytes[Int.random(in: extent.range, using: &random)] ^= 16
      let damaged = SimulatedDisk()
      damaged.install(bytes, at: Library.path)
      let errors = errors(of: try Library(damaged))
      #expect(!errors.isEmpty, "\(extent.kind) at unit \(unit)")
      for error in errors {
        guard case .corrupt(let corruption) = error else {
          // A query that makes no sense for the field's type.
          if case .wrongType = error { continue }
          Issue.record("\(error) of damage at unit \(unit)")
          continue
        }
        #expect(corruption.unit == unit, "\(extent.kind)")
        #expect(corruption.tree == owner.tree, "\(extent.kind) at unit \(unit)")
        #expect(corruption.tree.flatMap { names[$0] } != nil)
        guard let expected = owner.keys else { continue }
        let all = try #require(keysOfTree[owner.tree])
        let keys = try #require(corruption.keys, "\(extent.kind) at unit \(unit)")
        // The range may reach to the neighbours, but not to an object of theirs.
        #expect(
          all.filter { keys.contains($0) } == all.filter { expected.contains($0) },
          "\(extent.kind) at unit \(unit)")
      }
      damagedTrees.insert(owner.tree)
    }
    #expect(damagedTrees.count == 6)
    #expect(owners.count > 60)
  }
}
