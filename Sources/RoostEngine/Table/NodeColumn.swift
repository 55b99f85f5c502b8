import Synchronization

/// The columns of one field in all leaves below a node, side by side.
///
/// A scan goes along it and meets neither nodes nor leaves: the next zone map, or the next column, lies
/// where the one before ends. It belongs to a cached node, which holds the leaves and so the bytes, and
/// is filled leaf by leaf as scans come by.
@safe
final class NodeColumn: Sendable {
  /// The state of the field's entry for a leaf.
  enum State: UInt8 {
    case unknown = 0
    /// Only the directory's entry is known.
    case entry
    /// The column too.
    case column
  }

  let field: FieldID
  /// Another field's node column of the same node.
  let next: NodeColumn?
  /// The places; used while the node column is held.
  let places: NodeColumnStorage
  private let filling = Mutex(())

  /// The bytes of a node column of so many leaves.
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
    // All of them are plain bytes.
    unsafe places.entries.deallocate()
    unsafe places.columns.deallocate()
    unsafe places.states.deallocate()
  }

  /// Takes in what a leaf's directory says of the field; the column too, where that reads nothing.
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

  /// Takes in the column of a leaf.
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

/// Where the parts of a ``NodeColumn`` lie. Does not retain them.
///
/// What is written once is read after its state says so.
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

  /// What the directory of a leaf says; the state must not be `unknown`.
  @inline(__always)
  func entry(_ place: Int) -> UnsafePointer<ColumnEntry> { unsafe UnsafePointer(entries + place) }

  /// The column of a leaf; the state must be `column`.
  @inline(__always)
  func column(_ place: Int) -> UnsafePointer<ColumnChunk> { unsafe UnsafePointer(columns + place) }
}
