import Synchronization

/// The columns of one field in all leaves below a node, side by side.
///
/// A scan runs along it and reaches neither nodes nor leaves: the next zone map, or the next column, lies
/// where the one before ends. It belongs to a cached node, which retains the leaves and so their bytes, and
/// is filled leaf by leaf during scans.
@safe
final class NodeColumn: Sendable {
  /// The state of the field's entry for a leaf.
  enum State: UInt8 {
    case unknown = 0
    /// Only the directory entry is known.
    case entry
    /// The column is known too.
    case column
  }

  let field: FieldID
  /// Another field's node column of the same node.
  let next: NodeColumn?
  /// The storage of the node column; retain the node column while using it.
  let places: NodeColumnStorage
  private let filling = Mutex(())

  /// The size in bytes of a node column for the given number of leaves.
  static func byteCount(_ count: Int) -> Int {
    count * (MemoryLayout<ColumnEntry>.stride + MemoryLayout<ColumnChunk>.stride + 1)
  }

  init(_ field: FieldID, count: Int, next: NodeColumn?) {
    self.field = field
    self.next = next
    places = unsafe NodeColumnStorage(
      entries: .allocate(capacity: count), columns: .allocate(capacity: count),
      states: .allocate(capacity: count))
    for place in 0..<count { unsafe (places.states + place).initialize(to: Atomic(0)) }
  }

  deinit {
    // They hold only plain bytes.
    unsafe places.entries.deallocate()
    unsafe places.columns.deallocate()
    unsafe places.states.deallocate()
  }

  /// Records the field's entry in a leaf's directory; the column too, if that needs no read.
  ///
  /// - Parameter leaf: Held by the node.
  func note(_ leaf: LeafReference, at place: Int) throws(EngineError) {
    guard let entry = leaf.head.place(of: field).map({ leaf.head.entries[$0] }), entry.group > 0
    else { return try load(leaf, at: place) }
    filling.withLock { _ in
      guard places.state(place) == .unknown else { return }
      unsafe (places.entries + place).initialize(to: entry)
      places.set(.entry, at: place)
    }
  }

  /// Records the column of a leaf.
  ///
  /// - Parameter leaf: Held by the node.
  func load(_ leaf: LeafReference, at place: Int) throws(EngineError) {
    let column = try leaf.column(field)
    filling.withLock { _ in
      let state = places.state(place)
      guard state != .column else { return }
      if state == .unknown { unsafe (places.entries + place).initialize(to: column.entry) }
      unsafe (places.columns + place).initialize(to: column)
      places.set(.column, at: place)
    }
  }
}

/// The memory of a ``NodeColumn``. Does not retain it.
///
/// Each element is written once, and read only after its state is set.
@safe
struct NodeColumnStorage: @unchecked Sendable {
  fileprivate let entries: UnsafeMutablePointer<ColumnEntry>
  fileprivate let columns: UnsafeMutablePointer<ColumnChunk>
  fileprivate let states: UnsafeMutablePointer<Atomic<UInt8>>

  @inline(__always)
  func state(_ place: Int) -> NodeColumn.State {
    NodeColumn.State(rawValue: unsafe states[place].load(ordering: .acquiring)) ?? .unknown
  }

  fileprivate func set(_ state: NodeColumn.State, at place: Int) {
    unsafe states[place].store(state.rawValue, ordering: .releasing)
  }

  /// A leaf's directory entry; the state must not be `unknown`.
  @inline(__always)
  func entry(_ place: Int) -> UnsafePointer<ColumnEntry> { unsafe UnsafePointer(entries + place) }

  /// The column of a leaf; the state must be `column`.
  @inline(__always)
  func column(_ place: Int) -> UnsafePointer<ColumnChunk> { unsafe UnsafePointer(columns + place) }
}
