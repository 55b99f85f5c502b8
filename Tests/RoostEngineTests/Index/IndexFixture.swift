import RoostEngine
import RoostTestSupport

/// An index in a file in memory, with a writer for each version.
final class IndexFixture {
  private let file: any StorageFile
  private(set) var reader: PageReader
  /// The newest version's tree.
  private(set) var tree: IndexTree
  private(set) var transaction: UInt64 = 0
  private var highWater = Unit.firstExtent

  init(cacheBytes: Int = 256 << 20) throws {
    file = try MemoryFileSystem().open("index", .create)
    reader = PageReader(scratch: file, cacheBytes: cacheBytes)
    tree = IndexTree(root: TreeRoot(empty: 7, kind: .index), reader: reader)
  }

  var root: TreeRoot { tree.root }

  /// Forgets what is in memory.
  func reopen(cacheBytes: Int) {
    reader = PageReader(scratch: file, cacheBytes: cacheBytes)
    tree = IndexTree(root: root, reader: reader)
  }

  /// The writer of the next version, or of a later one, which takes other units.
  func writer(later versions: UInt64 = 0) -> PageWriter {
    PageWriter(
      scratch: reader, transaction: transaction + 1 + versions,
      highWater: highWater + 256 * versions)
  }

  /// Makes the next version.
  func apply(_ changes: borrowing IndexChanges) throws {
    let writer = writer()
    try end(writer, try tree.apply(changes, writer: writer))
  }

  /// Makes the next version.
  func apply(_ run: borrowing IndexRun) throws {
    let writer = writer()
    try end(writer, try tree.apply(run, writer: writer))
  }

  /// Makes the next version, without the entries of objects whose keys ascend.
  func sweep(_ keys: [Int64]) throws {
    let writer = writer()
    try end(writer, try tree.removing(KeySet(ascending: keys), writer: writer))
  }

  private func end(_ writer: PageWriter, _ root: TreeRoot) throws {
    tree = IndexTree(root: root, reader: reader)
    try writer.writeOut()
    transaction += 1
    highWater = writer.highWater
  }

  /// Makes the next version of additions and removals.
  func apply(add: [Pair] = [], remove: [Pair] = []) throws {
    var changes = IndexChanges()
    for pair in remove { view(pair.value) { changes.remove($0, pair.key) } }
    for pair in add { view(pair.value) { changes.add($0, pair.key) } }
    try apply(changes)
  }

  /// How many units were written in all versions.
  var unitCount: Int { Int(highWater - Unit.firstExtent) }

  /// How many bytes the tree's extents take.
  func byteCount() throws -> Int {
    var bytes = 0
    try tree.walk { bytes += $0.byteCount }
    return bytes
  }
}

/// A value and an object key.
struct Pair: Hashable, Comparable {
  var value: [UInt8]
  var key: Int64

  init(_ value: [UInt8], _ key: Int64) {
    self.value = value
    self.key = key
  }

  init(_ value: String, _ key: Int64) { self.init([1] + value.utf8, key) }

  static func < (a: Pair, b: Pair) -> Bool {
    let order = view(a.value) { a in view(b.value) { b in a.compare(b) } }
    return order == 0 ? a.key < b.key : order < 0
  }
}

/// Calls `body` with a view of an array.
func view<R, E: Error>(_ bytes: [UInt8], _ body: (ByteView) throws(E) -> R) throws(E) -> R {
  try unsafe bytes.withUnsafeBufferPointer { (bytes) throws(E) -> R in
    unsafe try body(ByteView(UnsafeRawBufferPointer(bytes)))
  }
}

extension IndexTree {
  /// All entries, in order.
  func pairs(
    _ range: IndexRange = IndexRange(), descending: Bool = false
  ) throws(EngineError) -> [Pair] {
    var pairs: [Pair] = []
    try scan(range, descending: descending) { (value, keys) throws(EngineError) in
      let value = value.array
      if descending {
        for key in keys.reversed() { pairs.append(Pair(value, key)) }
      } else {
        for key in keys { pairs.append(Pair(value, key)) }
      }
      return true
    }
    return pairs
  }

  /// The keys of a value.
  func keys(equal value: [UInt8]) throws -> [Int64] {
    var keys: [Int64] = []
    try view(value) { try self.keys(equal: $0, into: &keys) }
    return keys
  }
}
