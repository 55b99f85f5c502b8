/// Where in a node the children of keys are, for the most part: what is left of a binary search.
///
/// The range of the node's keys is cut into parts of one length, and of each is known the child that its
/// first key belongs to. A part has a boundary or two between children as long as they do not differ much in
/// length. So a key's child is found by a few steps that the processor foresees; of the steps of a binary
/// search every second one is a surprise to it.
@safe
struct InterpolationTable: @unchecked Sendable {  // immutable after init
  private let first: Int64
  /// From the first key to the last.
  private let span: UInt64
  private let shift: UInt64
  /// How many parts there are to a distance of one after the shift, in parts of 2^32.
  private let scale: UInt64
  /// For each part the child that its first key belongs to, or one before it.
  private let starts: UnsafeMutablePointer<UInt8>

  private static let partCount = 128

  init(_ node: InnerNode) {
    first = node.key(0)
    span = UInt64(bitPattern: node.key(node.childCount - 1) &- first)
    shift = UInt64(max(0, 32 - span.leadingZeroBitCount))
    let steps = span >> shift
    // Steps are below 2^32, so that nothing here overflows.
    scale = steps > 0 ? UInt64(Self.partCount - 1) << 32 / steps : 0
    unsafe starts = .allocate(capacity: Self.partCount)
    unsafe starts.initialize(repeating: 0, count: Self.partCount)
    var part = 0
    for child in 1..<max(node.childCount, 1) {
      // A node has at most 101 children.
      let end = self.part(of: node.key(child))
      while part < end {
        part += 1
        unsafe starts[part] = UInt8(child - 1)
      }
    }
  }

  /// The same for a node with the same keys.
  init(copyOf other: InterpolationTable) {
    first = other.first
    span = other.span
    shift = other.shift
    scale = other.scale
    unsafe starts = .allocate(capacity: Self.partCount)
    unsafe starts.initialize(from: other.starts, count: Self.partCount)
  }

  func deallocate() { unsafe starts.deallocate() }

  @inline(__always)
  private func part(of key: Int64) -> Int {
    let distance = min(UInt64(bitPattern: key &- first), span)
    return Int(truncatingIfNeeded: (distance &>> shift &* scale) &>> 32)
  }

  /// The child of the node whose range holds `key`, or −1 where the key lies before all of them.
  @inline(__always)
  func child(for key: Int64, in node: InnerNode) -> Int {
    guard key >= first else { return -1 }
    let last = node.childCount &- 1
    // The part is below the count of parts, for the distance is at most the span; a start is a child of a node with the
    // same keys, and no child asked for lies behind the last.
    let start = unsafe Int(starts[part(of: key)])
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
