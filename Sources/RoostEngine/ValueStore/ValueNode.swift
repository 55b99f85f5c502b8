/// The layout of value extents of the kinds 6, 7 and 8 (Format.md §3).
enum ValueLayout {
  /// The most bytes of the value in one chunk.
  static let chunkBytes = 1 << 20
  /// The most bytes of a part of a blob: small enough for cheap edits of a few bytes, large enough for cheap reads from
  /// the file.
  static let blobPartBytes = 64 << 10
  static let listLevel = 1
  static let listCount = 4
  static let listLength = 8
  static let listPointers = 16
  /// The most pointers in one list.
  static let listPointersMax = 43_690
  /// The highest level of a list; two levels hold more than the longest value.
  static let listLevelMax = 1
  /// The length of the longest value.
  static let bytesMax: UInt64 = 1 << 48

  /// The bytes of the value below each full child of a list.
  static func childBytes(level: Int) -> UInt64 {
    level == 0 ? UInt64(chunkBytes) : UInt64(chunkBytes) * UInt64(listPointersMax)
  }

  static func units(_ byteCount: Int) -> Int { (byteCount + Unit.bytes - 1) / Unit.bytes }
}

/// A node in the tree of an edited value: kind 10 (Format.md §3).
enum ValueNodeLayout {
  static let level = 1
  static let count = 2
  static let length = 8
  static let pointers = 32
  /// The most children of one node.
  static let childrenMax = 127
  /// The offset of the ends of the children.
  static let ends = pointers + ExtentPointer.size * childrenMax
  /// The highest level; a node above chunks has level 0.
  static let levelMax = 11
}

/// A list or a tree node, with its children.
struct ValueNode {
  /// The number of levels of lists or nodes below.
  let level: Int
  let children: [ValueEdge]
}

/// A pointer to a value or a part of it, with the facts that its parent stores about it.
struct ValueEdge {
  let pointer: ExtentPointer
  /// The bytes of the value below.
  let length: UInt64
  let parentBirth: UInt64
  /// The extent's kind if it points to others: a list or a tree node. Nil for a chunk.
  let kind: ExtentKind?
  /// The highest level that the extent may have, which limits the depth of a chain of extents.
  let levelMax: Int

  /// Whether the extent points to others.
  var isList: Bool { kind != nil }

  init(
    pointer: ExtentPointer, length: UInt64, parentBirth: UInt64, kind: ExtentKind?, levelMax: Int
  ) {
    self.pointer = pointer
    self.length = length
    self.parentBirth = parentBirth
    self.kind = kind
    self.levelMax = levelMax
  }

  init(root pointer: ExtentPointer, length: UInt64, parentBirth: UInt64) {
    let isTree = pointer.kind == .valueNode
    let isList = length > UInt64(ValueLayout.chunkBytes)
    self.init(
      pointer: pointer, length: length, parentBirth: parentBirth,
      kind: isTree ? .valueNode : isList ? .valueList : nil,
      levelMax: isTree ? ValueNodeLayout.levelMax : ValueLayout.listLevelMax)
  }

  var damage: EngineError { .corrupt(Corruption(.externalValue, unit: pointer.unit)) }

  func checkChunk() throws(EngineError) {
    let kind: ExtentKind = pointer.kind == .valueLZ4 ? .valueLZ4 : .valueBytes
    try pointer.check(kind: kind, parentBirth: parentBirth)
    guard length <= UInt64(ValueLayout.chunkBytes) else { throw damage }
  }
}
