/// An estimate of the child for a key in a node: replaces most of a binary search.
///
/// Divides the key range of the node into parts of equal length, and records the child of each part's first
/// key. A part contains a boundary or two between children, as long as their ranges do not differ much in
/// length. So finding a key's child takes a few steps that the processor predicts; it mispredicts every
/// second step of a binary search.
struct InterpolationTable: ~Copyable, Sendable {
  private let first: Int64
  /// The distance from the first key to the last.
  private let span: UInt64
  private let shift: UInt64
  /// Parts per unit of the shifted distance, multiplied by 2^32.
  private let scale: UInt64
  /// For each part the child that contains its first key, or the child before it.
  private let starts: FixedArray<UInt8>

  private static let partCount = 128

  init(_ node: InnerNode) {
    first = node.key(0)
    span = UInt64(bitPattern: node.key(node.childCount - 1) &- first)
    shift = UInt64(max(0, 32 - span.leadingZeroBitCount))
    let steps = span >> shift
    // Steps are below 2^32, so that nothing here overflows.
    scale = steps > 0 ? UInt64(Self.partCount - 1) << 32 / steps : 0
    var starts = FixedArray(repeating: UInt8(0), count: Self.partCount)
    var part = 0
    for child in 1..<max(node.childCount, 1) {
      // A node has at most 101 children.
      let end = Self.part(of: node.key(child), first: first, span: span, shift: shift, scale: scale)
      while part < end {
        part += 1
        starts[part] = UInt8(child - 1)
      }
    }
    self.starts = starts
  }

  /// A copy for a node with the same keys.
  init(copyOf other: borrowing InterpolationTable) {
    first = other.first
    span = other.span
    shift = other.shift
    scale = other.scale
    starts = FixedArray(copyOf: other.starts)
  }

  @inline(__always)
  private static func part(
    of key: Int64, first: Int64, span: UInt64, shift: UInt64, scale: UInt64
  ) -> Int {
    let distance = min(UInt64(bitPattern: key &- first), span)
    return Int(truncatingIfNeeded: (distance &>> shift &* scale) &>> 32)
  }

  /// The child of the node whose range contains `key`, or −1 if the key lies before all of them.
  @inline(__always)
  func child(for key: Int64, in node: InnerNode) -> Int {
    guard key >= first else { return -1 }
    let last = node.childCount &- 1
    let part = Self.part(of: key, first: first, span: span, shift: shift, scale: scale)
    // The distance is at most the span, whose part is the last one: that is what the scale is.
    let start = Int(unsafe starts.unchecked(part))
    // A start is a child of a node with the same keys, and no child asked for lies behind the last.
    let second = min(start &+ 1, last)
    let third = min(start &+ 2, last)
    var child = unsafe node.uncheckedKey(second) <= key ? second : start
    child = unsafe node.uncheckedKey(third) <= key ? third : child
    guard unsafe node.uncheckedKey(child) <= key,
      unsafe child == last || key < node.uncheckedKey(child &+ 1)
    else {
      return node.child(for: key)
    }
    return child
  }
}
