/// The first 8 bytes of a node.
struct NodeHeader: Sendable {
  /// How the elements lie.
  enum Layout: UInt8 {
    /// Of `width` bits.
    case bits
    /// Of `width` bytes.
    case bytes
    /// Bytes, whose number is the count.
    case blob
  }

  /// Whether it is an inner node of a tree.
  let isInner: Bool
  /// Whether elements may be references.
  let hasReferences: Bool
  /// A flag whose meaning depends on the kind of node.
  let context: Bool
  let layout: Layout
  /// The bits or bytes of an element: 0, or a power of two up to 64.
  let width: Int
  /// The number of elements.
  let count: Int

  /// Decodes a header, which was read as a little-endian number; nil if no node has it.
  init?(_ word: UInt64) {
    let flags = UInt8(truncatingIfNeeded: word >> 32)
    guard let layout = Layout(rawValue: flags >> 3 & 3) else { return nil }
    isInner = flags & 0x80 != 0
    hasReferences = flags & 0x40 != 0
    context = flags & 0x20 != 0
    self.layout = layout
    let code = Int(flags & 7)
    width = code == 0 ? 0 : 1 << (code - 1)
    // The only field of the file whose first byte is the highest.
    let bytes = (word >> 40 & 0xff, word >> 48 & 0xff, word >> 56)
    count = Int(bytes.0 << 16 | bytes.1 << 8 | bytes.2)
  }

  /// The bytes of all elements.
  var payloadBytes: Int {
    switch layout {
    case .bits: (count * width + 7) / 8
    case .bytes: count * width
    case .blob: count
    }
  }
}
