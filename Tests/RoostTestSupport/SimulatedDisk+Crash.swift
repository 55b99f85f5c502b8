import RoostEngine
import Synchronization

extension SimulatedDisk {
  /// Which of the pending writes reach the medium; within one, each sector for itself.
  package enum Survival: Hashable, Sendable {
    /// Nothing.
    case nothing
    /// Everything.
    case everything
    /// Each sector with this chance.
    case share(percent: Int)
    /// Those before the `count`-th, and a part of it.
    case first(Int)
    /// Those from the `count`-th on, and a part of the one before.
    case allButFirst(Int)
    /// All but the `index`-th, of which a part.
    case allBut(Int)
    /// Those whose bit is set, whole: the changes of names first, then those of each file.
    case subset(UInt64)

    /// A random kind of survival for that many writes.
    static func random(_ count: Int, using generator: inout SeededGenerator) -> Survival {
      let index = Int.random(in: 0...max(0, count - 1), using: &generator)
      switch Int.random(in: 0..<8, using: &generator) {
      case 0: return .nothing
      case 1: return .everything
      case 2: return .first(index)
      case 3: return .allButFirst(index)
      case 4: return .allBut(index)
      case 5: return .share(percent: 5)
      case 6: return .share(percent: 95)
      default: return .share(percent: 50)
      }
    }

    /// What survives of the changes behind the first `count`.
    func dropping(_ count: Int) -> Survival {
      guard case .subset(let bits) = self else { return self }
      return .subset(count < 64 ? bits >> UInt64(count) : 0)
    }

    /// Whether a part of the `index`-th change survives.
    func keeps(_ index: Int, using generator: inout SeededGenerator) -> Bool {
      switch self {
      case .nothing: false
      case .everything: true
      case .share(let percent): generator.chance(percent, in: 100)
      case .first(let count): index < count || (index == count && generator.chance(1, in: 2))
      case .allButFirst(let count):
        index >= count || (index == count - 1 && generator.chance(1, in: 2))
      case .allBut(let lost): index != lost || generator.chance(1, in: 2)
      case .subset(let bits): index < 64 && bits >> UInt64(index) & 1 == 1
      }
    }
  }

  /// What a power failure at this moment could leave: a disk without open files, locks and faults.
  ///
  /// Of every file it has the durable bytes. Of the pending writes any part can have been added, sector by
  /// sector: an older write to a sector may be there and a newer one not; a sector that was being
  /// written may be torn, partly old, new or garbage; the file may have the old length or a later one.
  /// The names are the durable ones with some of the pending changes. The same seed and the same
  /// history give the same image.
  ///
  /// - Parameter survival: Which pending writes survive, nothing torn; nil lets the seed decide on both.
  package func crashImage(seed: UInt64, survival: Survival? = nil) -> SimulatedDisk {
    let state = self.state.withLock { $0 }
    var generator = SeededGenerator(seed: seed)
    let tearing = [0, 0, 64, 8][Int.random(in: 0..<4, using: &generator)]

    var image = State(seed: generator.next())
    // Also an image of an image that was taken with the same seed gives other numbers.
    var numbers = state.numbers
    image.numbers = SeededGenerator(seed: numbers.next() ^ seed)
    image.directories = state.directories
    image.lastInode = state.lastInode
    image.durableNames = state.crashedNames(survival, using: &generator)
    image.names = image.durableNames
    var changeCount = state.nameChanges.count
    for inode in state.nameableInodes {
      guard let file = state.inodes[inode] else { continue }
      let bytes = file.crashed(
        file.pending,
        survival?.dropping(changeCount) ?? .random(file.pending.count, using: &generator),
        tornIn: survival == nil ? tearing : 0, using: &generator)
      changeCount += file.pending.count
      image.inodes[inode] = SimulatedInode(durable: bytes)
    }
    let found = Set(image.names.values)
    image.inodes = image.inodes.filter { found.contains($0.key) }
    return SimulatedDisk(image)
  }

  /// What the death of every process leaves: all that was written, of which a power failure may still take what was
  /// not synced; no open files, locks or faults.
  package func killImage() -> SimulatedDisk {
    var state = self.state.withLock { $0 }
    state.faults = []
    state.counters = Counters()
    let nameable = Set(state.nameableInodes)
    state.inodes = state.inodes.filter { nameable.contains($0.key) }
    for inode in nameable {
      state.inodes[inode]?.locks = LockTable()
      state.inodes[inode]?.openCount = 0
    }
    return SimulatedDisk(state)
  }

  /// How many changes, of names and of files that may have one after a crash, are not durable yet.
  package var pendingChangeCount: Int {
    state.withLock { state in
      state.nameableInodes.reduce(state.nameChanges.count) {
        $0 + (state.inodes[$1]?.pending.count ?? 0)
      }
    }
  }
}

extension SimulatedDisk.State {
  /// The files that have a name, or may have one after a crash, in order.
  fileprivate var nameableInodes: [UInt64] {
    var inodes = Set(durableNames.values).union(names.values)
    for change in nameChanges { inodes.insert(change.inode) }
    return inodes.sorted()
  }

  /// The durable names with what survives of the pending changes.
  fileprivate func crashedNames(
    _ survival: SimulatedDisk.Survival?, using generator: inout SeededGenerator
  ) -> [String: UInt64] {
    let survival = survival ?? .random(nameChanges.count, using: &generator)
    var names = durableNames
    for (index, change) in nameChanges.enumerated()
    where survival.keeps(index, using: &generator) {
      change.apply(to: &names)
    }
    return names
  }
}

extension SimulatedInode {
  typealias Survival = SimulatedDisk.Survival

  /// The durable bytes with what survives of some changes after them.
  ///
  /// - Parameter tearing: One in how many touched sectors is torn; 0 for none.
  func crashed(
    _ changes: [Change], _ survival: Survival, tornIn tearing: Int,
    using generator: inout SeededGenerator
  ) -> SparseBytes {
    guard !changes.isEmpty else { return durable }

    // For every sector, the change after which it is as the medium has it, and whether it is torn.
    var survivors: [UInt64: Int] = [:]
    var torn: Set<UInt64> = []
    let isReordering = survival != .everything && generator.chance(1, in: 4)
    for (index, change) in changes.enumerated() {
      for sector in change.sectors {
        if tearing > 0, case .write = change, generator.chance(1, in: tearing) {
          torn.insert(sector)
        }
        guard survival.keeps(index, using: &generator) else { continue }
        if isReordering, survivors[sector] != nil, generator.chance(1, in: 2) { continue }
        survivors[sector] = index
      }
    }

    // The sectors have the bytes that they had after these changes, so all are done once more.
    var replay = durable
    var image = durable
    var sizes = [durable.size]
    for (index, change) in changes.enumerated() {
      change.apply(to: &replay)
      sizes.append(replay.size)
      for sector in change.sectors where survivors[sector] == index {
        image.write(
          replay.bytes(at: sector * sectorBytes, Int(sectorBytes)), at: sector * sectorBytes)
      }
    }
    for sector in torn.sorted() {
      let offset = sector * sectorBytes
      let new = replay.bytes(at: offset, Int(sectorBytes))
      let old = image.bytes(at: offset, Int(sectorBytes))
      image.write(tear(old, new, using: &generator), at: offset)
    }
    image.resize(to: crashedSize(sizes, survival, using: &generator))
    return image
  }

  /// The old size, one of the later ones, or one between two that follow each other.
  private func crashedSize(
    _ sizes: [UInt64], _ survival: Survival, using generator: inout SeededGenerator
  ) -> UInt64 {
    let last = sizes.count - 1
    switch survival {
    case .nothing: return sizes[0]
    case .everything: return sizes[last]
    case .subset(let bits):
      // The size after the last change that survives.
      let survivors = min(64 - bits.leadingZeroBitCount, last)
      return sizes[survivors]
    case .first(let count) where count < last && generator.chance(1, in: 2): return sizes[count]
    case .first, .allButFirst, .allBut, .share:
      let index = Int.random(in: 0...last, using: &generator)
      // Most crashes leave the last size, so that what lies near the end is not always cut off.
      guard generator.chance(1, in: 3) else { return sizes[last] }
      let next = sizes[min(index + 1, last)]
      return generator.chance(1, in: 2)
        ? sizes[index]
        : UInt64.random(
          in: min(sizes[index], next)...max(sizes[index], next), using: &generator)
    }
  }

  /// A sector whose writing was cut short.
  private func tear(
    _ old: [UInt8], _ new: [UInt8], using generator: inout SeededGenerator
  ) -> [UInt8] {
    let cut = Int.random(in: 0...new.count, using: &generator)
    switch Int.random(in: 0..<4, using: &generator) {
    case 0: return Array(new[..<cut] + old[cut...])
    case 1: return Array(old[..<cut] + new[cut...])
    case 2: return Array(new[..<cut]) + generator.bytes(new.count - cut)
    default: return generator.bytes(new.count)
    }
  }
}
