import Synchronization

/// The frames in memory, by unit; their total size is bounded.
///
/// A frame is identified by its whole pointer. 64 tables, each with its lock, so that readers on
/// different cores seldom meet. Victims are chosen by the clock algorithm (Corbató, 1968): a frame
/// that was used since the hand last passed gets a second round. Frames lie where their hash says, not in insertion
/// order, so that a loop over a little more than the cache holds does not find each frame just evicted.
final class FrameCache: Sendable {
  private let tables = FrameTables()
  let capacityBytes: Int
  private let usedBytes = Atomic<Int>(0)
  private let hand = Atomic<Int>(0)

  init(capacityBytes: Int) {
    self.capacityBytes = max(capacityBytes, 1 << 20)
  }

  /// The frame of this extent, if it is in memory.
  @inline(__always)
  func frame(_ pointer: ExtentPointer) -> Frame? {
    tables.withLock(Self.place(of: pointer)) { $0.find(pointer) }
  }

  /// Adds a frame, unless another thread was first; returns the cached frame.
  func insert(_ frame: Frame) -> Frame {
    let (kept, change) = tables.withLock(Self.place(of: frame.pointer)) { $0.insert(frame) }
    let used = usedBytes.add(change, ordering: .relaxed).newValue
    if change > 0, used > capacityBytes { evict(bytes: used - capacityBytes) }
    return kept
  }

  /// Removes a frame; its bytes are freed by the last holder.
  func remove(_ pointer: ExtentPointer) {
    let change = tables.withLock(Self.place(of: pointer)) { $0.remove(pointer) }
    usedBytes.subtract(change, ordering: .relaxed)
  }

  /// Moves the hand until enough bytes are evicted or two rounds found nothing more.
  ///
  /// Evicting a frame that is in use frees no memory, and would make the next request read
  /// it a second time: that is done in the second round only, so that the table stays bounded.
  private func evict(bytes wanted: Int) {
    var freed = 0
    for step in 0..<2 * FrameTables.count where freed < wanted {
      let next = hand.wrappingAdd(1, ordering: .relaxed).newValue & (FrameTables.count - 1)
      freed += tables.withLock(next) {
        $0.evict(bytes: wanted - freed, sparingHeld: step < FrameTables.count)
      }
    }
    usedBytes.subtract(freed, ordering: .relaxed)
  }

  /// The place of the table that an extent's frame is in.
  @inline(__always)
  private static func place(of pointer: ExtentPointer) -> Int {
    let hash = pointer.unit &* 0x9E37_79B9_7F4A_7C15
    return Int(truncatingIfNeeded: hash >> 58)
  }
}

/// Tables of frames, each with its lock, in one piece of memory: a store in memory is made in fewer steps so.
///
/// Safe, because the memory lives as long as this value, which nobody copies, and each place in it is checked.
@safe
private struct FrameTables: ~Copyable, @unchecked Sendable {  // each table has its lock
  static let count = 64

  /// As large as a cache line, so that cores seldom meet that use different tables.
  private struct Shard: ~Copyable {
    let table = Mutex(FrameTable())
    private let padding = SIMD4<UInt64>()
  }

  private let shards: UnsafeMutablePointer<Shard>

  init() {
    unsafe shards = .allocate(capacity: Self.count)
    for place in 0..<Self.count { unsafe (shards + place).initialize(to: Shard()) }
  }

  deinit {
    unsafe shards.deinitialize(count: Self.count)
    unsafe shards.deallocate()
  }

  @inline(__always)
  func withLock<Result: Sendable>(_ place: Int, _ body: (inout FrameTable) -> Result) -> Result {
    precondition(place >= 0 && place < Self.count, "No such table.")
    return unsafe shards[place].table.withLock { body(&$0) }
  }
}

/// An open-addressed table of frames by unit, with linear probing.
///
/// The units lie in the table, so that a search reads one frame and not those that it probes on the way.
private struct FrameTable {
  private struct Slot {
    var unit = Slot.noUnit
    var frame: Frame?

    /// Greater than any unit of a file.
    static let noUnit = UInt64.max
  }

  /// The slots of every empty table, so that small stores do not make 64 arrays.
  private static let none = [Slot](repeating: Slot(), count: 1)
  private static let leastCount = 16

  private var slots = Self.none
  private var count = 0
  /// The position of the clock hand: the next place to check for a victim.
  private var hand = 0

  @inline(__always)
  private func home(_ unit: UInt64) -> Int {
    let hash = unit &* 0x9E37_79B9_7F4A_7C15
    return Int(truncatingIfNeeded: hash >> 20) & (slots.count - 1)
  }

  private func index(of unit: UInt64) -> Int {
    var index = home(unit)
    while slots[index].unit != unit, slots[index].unit != Slot.noUnit {
      index = (index + 1) & (slots.count - 1)
    }
    return index
  }

  @inline(__always)
  func find(_ pointer: ExtentPointer) -> Frame? {
    guard let frame = slots[index(of: pointer.unit)].frame, frame.pointer == pointer else {
      return nil
    }
    if !frame.wasUsed.load(ordering: .relaxed) { frame.wasUsed.store(true, ordering: .relaxed) }
    return frame
  }

  mutating func insert(_ frame: Frame) -> (kept: Frame, byteChange: Int) {
    if (count + 1) * 2 > slots.count { grow() }
    let index = index(of: frame.pointer.unit)
    guard let old = slots[index].frame else {
      slots[index] = Slot(unit: frame.pointer.unit, frame: frame)
      count += 1
      return (frame, frame.bytes.count)
    }
    guard old.pointer != frame.pointer else { return (old, 0) }
    slots[index].frame = frame
    return (frame, frame.bytes.count - old.bytes.count)
  }

  mutating func remove(_ pointer: ExtentPointer) -> Int {
    let index = index(of: pointer.unit)
    guard let frame = slots[index].frame, frame.pointer == pointer else { return 0 }
    removeSlot(index)
    return frame.bytes.count
  }

  /// Evicts frames that were not used since the hand last passed; makes at most one round.
  mutating func evict(bytes wanted: Int, sparingHeld: Bool) -> Int {
    var freed = 0
    guard count > 0 else { return 0 }
    for _ in 0..<slots.count where freed < wanted {
      hand &= slots.count - 1
      guard !sparingHeld || isKnownUniquelyReferenced(&slots[hand].frame),
        let frame = slots[hand].frame,
        frame.isWritten.load(ordering: .relaxed),
        !frame.wasUsed.exchange(false, ordering: .relaxed)
      else {
        hand += 1
        continue
      }
      freed += frame.bytes.count
      removeSlot(hand)  // another frame may move here, so the hand stays
    }
    return freed
  }

  /// Empties a slot and closes the gap (Knuth, volume 3, algorithm 6.4R).
  private mutating func removeSlot(_ removed: Int) {
    let mask = slots.count - 1
    count -= 1
    var gap = removed
    var index = (removed + 1) & mask
    while slots[index].unit != Slot.noUnit {
      let home = home(slots[index].unit)
      if (index - home) & mask >= (index - gap) & mask {
        slots[gap] = slots[index]
        gap = index
      }
      index = (index + 1) & mask
    }
    slots[gap] = Slot()
  }

  private mutating func grow() {
    let old = slots
    slots = [Slot](repeating: Slot(), count: max(old.count * 2, Self.leastCount))
    for slot in old where slot.frame != nil { slots[index(of: slot.unit)] = slot }
  }
}
