/// The offsets of the parts of an index leaf (Format.md §4).
///
/// Computed from the counts in the header when a leaf is read, and from the content when one is
/// written; so both sides agree.
struct IndexLeafLayout {
  /// Offsets in the header.
  enum Header {
    static let level = 1
    static let valueCount = 2
    static let tree = 4
    static let entryCount = 8
    static let keyWidth = 12
    static let prefixLength = 14
    static let base = 16
    static let suffixLength = 24
    static let size = 32
  }

  /// The stored suffix length of a leaf whose suffixes differ in length.
  static let mixedLengths = 0xFFFF
  /// The padding bytes behind the keys, so that a key can be loaded as eight bytes.
  static let slack = 8
  /// The maximum number of units of a leaf.
  static let unitsMax = 4
  /// A leaf is sized for at least this many values of its average size, if they fit.
  private static let valuesWanted = 8
  /// The maximum number of entries of a leaf.
  static let entriesMax = 0xFFFF

  let valueCount: Int
  let entryCount: Int
  let keyWidth: Int
  let prefixLength: Int
  /// The length of every suffix, or ``mixedLengths``.
  let suffixLength: Int
  /// The bytes of all suffixes.
  let heapLength: Int

  /// Whether some value has several keys, so that the leaf stores the index of each value's first key.
  @inline(__always) var hasStarts: Bool { entryCount != valueCount }
  /// Whether the suffixes differ in length, so that the leaf stores the offset of each.
  @inline(__always) var hasOffsets: Bool { suffixLength == Self.mixedLengths }

  var startsAt: Int { Header.size + prefixLength }
  var offsetsAt: Int { startsAt + (hasStarts ? 2 * (valueCount + 1) : 0) }
  var heapAt: Int { offsetsAt + (hasOffsets ? 2 * (valueCount + 1) : 0) }
  var keysAt: Int { heapAt + heapLength }
  /// The size of the leaf in bytes.
  var size: Int { keysAt + entryCount * keyWidth + Self.slack }
  /// The size of the leaf in units.
  var units: Int { (size + Unit.bytes - 1) / Unit.bytes }

  /// The maximum size in bytes of a leaf of these values.
  ///
  /// A leaf is small, since changing an entry rewrites it. But the keys of a value are read together,
  /// so values with many keys get larger leaves.
  static func bytesMax(values: Int, bytes: Int) -> Int {
    let wanted = valuesWanted * bytes / max(values, 1)
    let units = (wanted + Unit.bytes - 1) / Unit.bytes
    return min(max(units, 1), unitsMax) * Unit.bytes
  }

  /// The size in bytes below which leaves are merged with a neighbour, when the maximum is `bytesMax`.
  static func bytesMin(_ bytesMax: Int) -> Int { bytesMax / 4 }

  /// The minimum number of bytes for every difference up to `span`.
  static func keyWidth(of span: UInt64) -> Int { (64 - span.leadingZeroBitCount + 7) / 8 }
}
