/// How long the full chunks and lists of a value are (Format.md §3).
struct ValueListForm {
  /// What a list says of its form.
  let code: UInt8
  /// The bytes of the value in each chunk but the last.
  let chunkBytes: Int
  /// The most pointers in one list.
  let pointersMax: Int

  /// Extents are filled to their last byte. Only read.
  static let first = ValueListForm(code: 0, chunkBytes: 1 << 20, pointersMax: 43_690)
  /// Each extent has room for ``Unit/trailerBytes``.
  static let current = ValueListForm(code: 1, chunkBytes: 255 * Unit.bytes, pointersMax: 43_688)

  private init(code: UInt8, chunkBytes: Int, pointersMax: Int) {
    self.code = code
    self.chunkBytes = chunkBytes
    self.pointersMax = pointersMax
  }

  /// The form with a code; nil where there is none.
  init?(code: UInt8) {
    guard let form = [Self.first, .current].first(where: { $0.code == code }) else { return nil }
    self = form
  }

  /// The bytes of the value below each full child of a list.
  func childBytes(level: Int) -> UInt64 {
    UInt64(chunkBytes) * (level == 0 ? 1 : UInt64(pointersMax))
  }
}

/// The layout of value extents of the kinds 6, 7 and 8 (Format.md §3).
enum ValueLayout {
  /// The most bytes of the value in a chunk that is written: an extent has room for ``Unit/trailerBytes`` more.
  static let chunkBytes = ValueListForm.current.chunkBytes
  /// The most bytes of the value in a chunk: those of the longest extent.
  static let chunkBytesMax = ValueListForm.first.chunkBytes
  /// The most bytes of a part of a blob: small enough for cheap edits of a few bytes, large enough for cheap reads from
  /// the file.
  static let blobPartBytes = 64 << 10
  static let listLevel = 1
  static let listForm = 2
  static let listCount = 4
  static let listLength = 8
  static let listPointers = 16
  /// The highest level of a list; two levels hold more than the longest value.
  static let listLevelMax = 1
  /// The length of the longest value.
  static let bytesMax: UInt64 = 1 << 48

  static func units(_ byteCount: Int) -> Int { (byteCount + Unit.bytes - 1) / Unit.bytes }
}

/// A node in the tree of an edited value: kind 10 (Format.md §3).
enum ValueNodeLayout {
  static let level = 1
  static let count = 2
  static let length = 8
  static let pointers = 32
  /// The most children of a node that is written: their entries leave ``Unit/trailerBytes`` free.
  static let childrenMax = 123
  /// The most children that fit into a node, as older files have them.
  static let places = 127
  /// The offset of the ends of the children.
  static let ends = pointers + ExtentPointer.size * places
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
    let kind = pointer.kind
    self.init(
      pointer: pointer, length: length, parentBirth: parentBirth,
      kind: kind == .valueNode || kind == .valueList ? kind : nil,
      levelMax: kind == .valueNode ? ValueNodeLayout.levelMax : ValueLayout.listLevelMax)
  }

  var damage: EngineError { .corrupt(Corruption(.externalValue, unit: pointer.unit)) }

  func checkChunk() throws(EngineError) {
    let kind: ExtentKind = pointer.kind == .valueLZ4 ? .valueLZ4 : .valueBytes
    try pointer.check(kind: kind, parentBirth: parentBirth)
    guard length <= UInt64(ValueLayout.chunkBytesMax) else { throw damage }
  }
}
