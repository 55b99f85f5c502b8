internal import Synchronization

/// A mark of a write, by which observers know those that they have made themselves.
///
/// ```swift
/// let mine = WriteTag()
/// try await store.write(tag: mine) { try $0.update(Person.self, id: 7, set: \.age, to: 8) }
/// for try await change in store.changes(of: query) where change.tag != mine { show(change) }
/// ```
///
/// Each tag is another one.
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
  private var tags: [(version: UInt64, tag: WriteTag)] = []

  /// Of older versions the tags are forgotten.
  private static let countMax = 1024

  /// Notes the tag of the write that makes a version, if it is made; it is the newest one.
  mutating func note(_ tag: WriteTag?, of version: UInt64) {
    // A write that has failed was to make the same version.
    while let last = tags.last, last.version >= version { tags.removeLast() }
    guard let tag else { return }
    if tags.count >= 2 * Self.countMax { tags.removeFirst(Self.countMax) }
    tags.append((version, tag))
  }

  /// Whether no tag is known.
  var isEmpty: Bool { tags.isEmpty }

  /// The tag of all versions behind one, up to another; nil where they have none or not the same.
  func tag(behind earlier: UInt64, to later: UInt64) -> WriteTag? {
    guard later > earlier, let last = tags.lastIndex(where: { $0.version == later }),
      let first = tags.firstIndex(where: { $0.version == earlier + 1 }),
      UInt64(last - first) == later - earlier - 1
    else { return nil }
    let tag = tags[last].tag
    return tags[first...last].allSatisfy { $0.tag == tag } ? tag : nil
  }
}
