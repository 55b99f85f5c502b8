/// A copied pair of value and object key.
struct OwnedIndexEntry: ~Copyable {
  private var bytes = PlainBuffer<UInt8>()
  private var key = Int64.min
  /// Whether there is a pair.
  private(set) var isSet = false

  /// Copies a separator; nil is the position before everything.
  mutating func set(_ separator: IndexSeparator?) {
    bytes.removeAll()
    isSet = true
    key = separator?.key ?? Int64.min
    guard let separator else { return }
    bytes.append(separator.bytes.prefix)
    bytes.append(separator.bytes.suffix)
  }

  mutating func clear() { isSet = false }

  /// The pair; valid until another is set.
  var separator: IndexSeparator {
    IndexSeparator(bytes: SplitBytes(bytes.view(0, bytes.count)), key: key)
  }

  /// The shortest separator between this entry and one that follows it.
  func separator(before value: ByteView, _ key: Int64) -> IndexSeparator {
    let last = bytes.view(0, bytes.count)
    let shared = last.sharedPrefix(with: value)
    guard shared < value.count else { return IndexSeparator(bytes: SplitBytes(value), key: key) }
    return IndexSeparator(bytes: SplitBytes(value.slice(0, shared + 1)), key: Int64.min)
  }
}
