import Synchronization

/// The validated columns of one group; kept beside the group's frame, so that they are validated once.
///
/// Does not retain the frame; ``PinnedGroup`` does.
final class LeafGroup: Sendable {
  /// The directory entries that the columns were validated against.
  let entries: [ColumnEntry]
  /// The columns, in the order of `entries`.
  let columns: PinnedColumns
  let rowCount: Int

  init(validating frame: Frame, entries: [ColumnEntry], rowCount: Int) throws(EngineError) {
    columns = try PinnedColumns(
      validating: entries, extent: frame.bytes, rowCount: rowCount, unit: frame.pointer.unit)
    self.entries = entries
    self.rowCount = rowCount
  }
}

/// A group with the frame that holds its bytes.
final class PinnedGroup: Sendable {
  let frame: Frame
  let group: LeafGroup

  /// A group of a leaf, counted from 0.
  init(_ index: Int, of head: LeafHead, frame: Frame) throws(EngineError) {
    self.frame = frame
    if let known = frame.attachment(as: LeafGroup.self), head.describes(known, index) {
      group = known
      return
    }
    let entries = head.entries.filter { Int($0.group) == index + 1 }
    let checked = try LeafGroup(validating: frame, entries: entries, rowCount: head.rowCount)
    let attached = frame.attach(checked)
    // Another head may describe the group differently; then this head keeps its own.
    group = head.describes(attached, index) ? attached : checked
  }
}

extension LeafHead {
  /// Whether a group was validated against exactly this head's entries for it.
  func describes(_ group: LeafGroup, _ index: Int) -> Bool {
    guard group.rowCount == rowCount else { return false }
    var place = 0
    for entry in entries where Int(entry.group) == index + 1 {
      guard place < group.entries.count, group.entries[place] == entry else { return false }
      place += 1
    }
    return place == group.entries.count
  }
}

/// The groups of a leaf loaded so far: each is set once and never changes.
///
/// The first few have fixed slots, which are read without a lock.
struct PinnedGroups: ~Copyable, Sendable {
  private let first = PublishedReference<PinnedGroup>()
  private let second = PublishedReference<PinnedGroup>()
  private let third = PublishedReference<PinnedGroup>()
  private let fourth = PublishedReference<PinnedGroup>()
  /// The other ones, by their number among all.
  private let others = Mutex<[PinnedGroup?]>([])

  init() {}

  /// A group, counted from 0, if it is loaded.
  @inline(__always)
  func load(_ index: Int) -> PinnedGroup? {
    switch index {
    case 0: first.reference?.object
    case 1: second.reference?.object
    case 2: third.reference?.object
    case 3: fourth.reference?.object
    default: others.withLock { index < $0.count ? $0[index] : nil }
    }
  }

  /// Stores a group, unless another thread was first; returns the stored one.
  func store(_ index: Int, _ group: PinnedGroup) -> PinnedGroup {
    switch index {
    case 0: return first.publish(group)
    case 1: return second.publish(group)
    case 2: return third.publish(group)
    case 3: return fourth.publish(group)
    default:
      return others.withLock { others in
        while others.count <= index { others.append(nil) }
        if let known = others[index] { return known }
        others[index] = group
        return group
      }
    }
  }
}
