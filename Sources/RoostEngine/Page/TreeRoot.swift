/// The keys that a tree maps from: object keys, or values.
package enum TreeKind: UInt8, Hashable, Sendable {
  /// Object keys to rows.
  case objects = 1
  /// Values to object keys.
  case index = 2
}

/// The root of one tree in one version: the 48-byte root record of Format.md §2.
package struct TreeRoot: Equatable, Sendable {
  /// The tree's number, from 1.
  package var id: UInt32
  /// The kind of the tree.
  package var kind: TreeKind
  /// The number of levels of inner nodes above the leaves.
  package var level: Int
  /// The number of objects or index entries.
  package var count: UInt64
  /// The next surrogate key of an object tree, or the number of values in the leaves of an index.
  package var counter: UInt64
  /// The root node; null in an empty tree.
  package var pointer: ExtentPointer

  /// The bytes that a stored record takes.
  static let size = 48
  /// The highest level of a tree that is read or written.
  package static let levelMax = 12
  /// The highest valid count: more than the units of a file hold, and small enough for sums and differences of counts.
  static let countMax: UInt64 = 1 << 56

  /// An empty tree.
  package init(empty id: UInt32, kind: TreeKind) {
    self.id = id
    self.kind = kind
    level = 0
    count = 0
    counter = kind == .objects ? 1 : 0
    pointer = .null
  }

  /// A tree with this root.
  package init(
    id: UInt32, kind: TreeKind, level: Int, count: UInt64, counter: UInt64, pointer: ExtentPointer
  ) {
    self.id = id
    self.kind = kind
    self.level = level
    self.count = count
    self.counter = counter
    self.pointer = pointer
  }

  /// The record stored at `offset`, in a parent born in `parentBirth`.
  init(_ bytes: ByteView, at offset: Int, parentBirth: UInt64) throws(EngineError) {
    id = bytes.uint32(at: offset)
    level = Int(bytes.uint8(at: offset + 4))
    count = bytes.uint64(at: offset + 8)
    counter = bytes.uint64(at: offset + 16)
    pointer = ExtentPointer(bytes, at: offset + 24)
    guard let kind = TreeKind(rawValue: bytes.uint8(at: offset + 5)), id > 0,
      level <= TreeRoot.levelMax, count <= TreeRoot.countMax,
      kind == .objects || counter <= count
    else { throw .corrupt(Corruption(.roots, tree: id)) }
    self.kind = kind
    if pointer.isNull {
      guard level == 0, count == 0 else { throw .corrupt(Corruption(.roots, tree: id)) }
    } else {
      try pointer.check(kind: rootKind, parentBirth: parentBirth)
    }
  }

  /// Stores the record's 48 bytes at `offset`.
  func store(in bytes: MutableByteView, at offset: Int) {
    bytes.store(id, at: offset)
    bytes.store(UInt8(level), at: offset + 4)
    bytes.store(kind.rawValue, at: offset + 5)
    bytes.store(UInt16(0), at: offset + 6)
    bytes.store(count, at: offset + 8)
    bytes.store(counter, at: offset + 16)
    pointer.store(in: bytes, at: offset + 24)
  }

  /// The kind of extent that the root pointer must name.
  package var rootKind: ExtentKind {
    switch kind {
    case .objects: level == 0 ? .leafHead : .objectInner
    case .index: level == 0 ? .indexLeaf : .indexInner
    }
  }
}
