import Synchronization

/// The frames that are in memory, found by their unit, bounded by a number of bytes.
///
/// A frame is identified by its whole pointer. 64 tables, each with its lock, so that readers on
/// different cores seldom meet. Victims are chosen by the clock algorithm (Corbató, 1968): a frame
/// that was used since the hand last passed gets a second round. Frames lie where their hash says, not in the order in
/// which they came, so that a loop over a little more than the cache holds does not find each frame forgotten just before.
final class FrameCache: Sendable {
  private static let shardCount = 64
  private let shards: [Shard]
  let capacityBytes: Int
  private let usedBytes = Atomic<Int>(0)
  private let hand = Atomic<Int>(0)

  init(capacityBytes: Int) {
    self.capacityBytes = max(capacityBytes, 1 << 20)
    shards = (0..<Self.shardCount).map { _ in Shard() }
  }

  /// The frame of this extent, if it is in memory.
  @inline(__always)
  func frame(_ pointer: ExtentPointer) -> Frame? {
    shard(of: pointer).table.withLock { $0.find(pointer) }
  }

  /// Adds a frame, unless another thread was first; returns the one that is in the cache.
  func insert(_ frame: Frame) -> Frame {
    let (kept, change) = shard(of: frame.pointer).table.withLock { $0.insert(frame) }
    let used = usedBytes.add(change, ordering: .relaxed).newValue
    if change > 0, used > capacityBytes { evict(bytes: used - capacityBytes) }
    return kept
  }

  /// Forgets a frame; its bytes go when the last holder does.
  func remove(_ pointer: ExtentPointer) {
    let change = shard(of: pointer).table.withLock { $0.remove(pointer) }
    usedBytes.subtract(change, ordering: .relaxed)
  }

  /// Moves the hand until enough bytes are forgotten or two rounds found nothing more.
  ///
  /// Evicting a frame that is in use frees no memory, and would let the next who asks for it read
  /// it a second time: that is done in the second round only, so that the table stays bounded.
  private func evict(bytes wanted: Int) {
    var freed = 0
    for step in 0..<2 * Self.shardCount where freed < wanted {
      let next = hand.wrappingAdd(1, ordering: .relaxed).newValue & (Self.shardCount - 1)
      freed += shards[next].table.withLock {
        $0.evict(bytes: wanted - freed, sparingHeld: step < Self.shardCount)
      }
    }
    usedBytes.subtract(freed, ordering: .relaxed)
  }

  @inline(__always)
  private func shard(of pointer: ExtentPointer) -> Shard {
    let hash = pointer.unit &* 0x9E37_79B9_7F4A_7C15
    return shards[Int(truncatingIfNeeded: hash >> 58)]
  }

  private final class Shard: Sendable {
    let table = Mutex(FrameTable())
  }
}

/// An open-addressed table of frames by unit, with linear probing.
///
/// The units lie in the table, so that a search looks at one frame and not at those on the way to it.
private struct FrameTable {
  private struct Slot {
    var unit = Slot.noUnit
    var frame: Frame?

    /// More than any file has.
    static let noUnit = UInt64.max
  }

  private var slots = [Slot](repeating: Slot(), count: 16)
  private var count = 0
  /// Where the clock goes on: the next place that is looked at for a victim.
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

  /// Forgets frames that nobody used since the hand last passed; it goes round once at most.
  mutating func evict(bytes wanted: Int, sparingHeld: Bool) -> Int {
    var freed = 0
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
    slots = [Slot](repeating: Slot(), count: old.count * 2)
    for slot in old where slot.frame != nil { slots[index(of: slot.unit)] = slot }
  }
}
