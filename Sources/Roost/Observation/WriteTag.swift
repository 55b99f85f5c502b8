internal import Synchronization

/// A mark of a write, by which observers recognize their own writes.
///
/// ```swift
/// let mine = WriteTag()
/// try await store.write(tag: mine) { try $0.update(Person.self, id: 7, set: \.age, to: 8) }
/// for try await change in store.changes(of: query) where change.tag != mine { show(change) }
/// ```
///
/// Each tag is unique.
public struct WriteTag: Hashable, Sendable {
  private static let last = Atomic<UInt64>(0)
  private let number: UInt64

  /// A new tag.
  public init() {
    number = Self.last.wrappingAdd(1, ordering: .relaxed).newValue
  }
}

/// The tags of the newest versions of a store.
struct WriteTags: Sendable {
  private struct Entry: Sendable {
    let version: UInt64
    /// The version that the write began from: numbers of writes that failed, or changed nothing, are not reused.
    let base: UInt64
    let tag: WriteTag
  }

  private var entries: [Entry] = []

  /// The tags of older versions are dropped.
  private static let countMax = 1024

  /// Notes the tag of a write that is about to make a version from another.
  mutating func note(_ tag: WriteTag, of version: UInt64, from base: UInt64) {
    if entries.count >= 2 * Self.countMax { entries.removeFirst(Self.countMax) }
    entries.append(Entry(version: version, base: base, tag: tag))
  }

  /// The tag of all versions after one, up to another; nil if they have none or different tags.
  func tag(behind earlier: UInt64, to later: UInt64) -> WriteTag? {
    var version = later
    var tag: WriteTag?
    // Each version was made from a base version; a tagged write of this store has an entry for it.
    for entry in entries.reversed() where entry.version == version && version > earlier {
      guard tag == nil || tag == entry.tag else { return nil }
      tag = entry.tag
      version = entry.base
    }
    return version == earlier ? tag : nil
  }
}
