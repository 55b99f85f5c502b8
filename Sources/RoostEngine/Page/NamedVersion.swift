/// A version with a name in the file; the version is kept until the name is dropped (Format.md §6).
package struct NamedVersion: Equatable, Sendable {
  /// The name, unique in the file.
  package let name: String
  /// The transaction that made the version.
  package let transaction: UInt64
  /// The time of naming, in seconds since 2001-01-01 00:00 UTC.
  package let date: Double
  /// The number of further openings of the file for which the version is kept; 0 for a version kept until it is dropped.
  package internal(set) var openings: UInt32
  /// The description of its content, as its slot has it or would have had it.
  let content: Content

  struct Content: Equatable, Sendable {
    var highWater: UInt64
    var hasEveryRoot: Bool
    var catalog: ExtentPointer
    var catalogLength: UInt64
    var rootsExtent: ExtentPointer
    var inlineRoots: [TreeRoot]
  }

  /// The most bytes that a name may have.
  package static let nameBytesMax = 255
  /// The most named versions in one file.
  package static let countMax = 64

  /// A name for the version that a slot describes.
  init(_ name: String, date: Double, openings: UInt32, of slot: MetaSlot) {
    self.name = name
    transaction = slot.transaction
    self.date = date
    self.openings = openings
    content = Content(
      highWater: slot.highWater, hasEveryRoot: slot.hasEveryRoot, catalog: slot.catalog,
      catalogLength: slot.catalogLength, rootsExtent: slot.rootsExtent,
      inlineRoots: slot.inlineRoots)
  }

  /// A slot that describes the version's content, but not the file's free space.
  ///
  /// - Parameter newer: That of a version which has the name in its list.
  func slot(beside newer: MetaSlot) -> MetaSlot {
    var slot = MetaSlot(transaction: transaction, confirmed: 0, identity: newer.identity)
    slot.highWater = content.highWater
    slot.hasEveryRoot = content.hasEveryRoot
    slot.catalog = content.catalog
    slot.catalogLength = content.catalogLength
    slot.rootsExtent = content.rootsExtent
    slot.inlineRoots = content.inlineRoots
    return slot
  }
}

// MARK: In the file

extension [NamedVersion] {
  /// Decodes the list in the extent that a slot points to, in the order of the versions.
  init(_ bytes: ByteView, of slot: MetaSlot) throws(EngineError) {
    self = []
    let pointer = slot.namedVersions
    let damage = EngineError.corrupt(Corruption(.namedVersions, unit: pointer.unit))
    let count = Int(bytes.uint32(at: Layout.count))
    guard bytes.uint8(at: 0) == ExtentKind.namedVersions.rawValue,
      bytes.uint64(at: Layout.transaction) == pointer.birth, 1...NamedVersion.countMax ~= count
    else { throw damage }
    var offset = Layout.entries
    for _ in 0..<count {
      guard let entry = bytes.checkedSlice(offset, Layout.entry) else { throw damage }
      let nameLength = Int(entry.uint8(at: Layout.nameLength))
      let roots = Int(entry.uint16(at: Layout.inlineRoots))
      guard let whole = bytes.checkedSlice(offset, Layout.size(nameLength, roots: roots)),
        nameLength > 0, roots <= MetaSlot.inlineRootsMax,
        whole.slice(Layout.entry, nameLength).isUTF8
      else { throw damage }
      let version = try NamedVersion(whole, nameLength, roots)
      guard version.transaction < pointer.birth, version.content.highWater <= slot.highWater,
        last.map({ $0.transaction <= version.transaction }) ?? true,
        !contains(where: { $0.name == version.name })
      else { throw damage }
      append(version)
      offset += whole.count
    }
  }

  /// The number of units of the list.
  var units: Int {
    let bytes = reduce(Layout.entries) {
      $0 + Layout.size($1.name.utf8.count, roots: $1.content.inlineRoots.count)
    }
    return (bytes + Unit.bytes - 1) / Unit.bytes
  }

  /// Fills an extent's bytes, which must be zero.
  func store(in bytes: MutableByteView, transaction: UInt64) {
    bytes.store(ExtentKind.namedVersions.rawValue, at: 0)
    bytes.store(UInt32(count), at: Layout.count)
    bytes.store(transaction, at: Layout.transaction)
    var offset = Layout.entries
    for version in self {
      let size = Layout.size(
        version.name.utf8.count, roots: version.content.inlineRoots.count)
      version.store(in: bytes.slice(offset, size))
      offset += size
    }
  }
}

/// The layout of a list of named versions.
private enum Layout {
  static let count = 4
  static let transaction = 8
  static let entries = 16

  // Offsets in an entry.
  static let date = 8
  static let highWater = 16
  static let openings = 24
  static let inlineRoots = 28
  static let nameLength = 30
  static let flags = 31
  static let catalog = 32
  static let catalogLength = 56
  static let rootsExtent = 64
  /// The bytes of an entry before the name.
  static let entry = 88

  static let everyRootFlag: UInt8 = 1

  static func rootsOffset(_ nameLength: Int) -> Int { (entry + nameLength + 7) & ~7 }

  static func size(_ nameLength: Int, roots: Int) -> Int {
    rootsOffset(nameLength) + roots * TreeRoot.size
  }
}

extension NamedVersion {
  fileprivate init(_ bytes: ByteView, _ nameLength: Int, _ roots: Int) throws(EngineError) {
    transaction = bytes.uint64(at: 0)
    date = Double(bitPattern: bytes.uint64(at: Layout.date))
    openings = bytes.uint32(at: Layout.openings)
    name = String(decoding: bytes.slice(Layout.entry, nameLength).array, as: UTF8.self)
    var inlineRoots: [TreeRoot] = []
    for index in 0..<roots {
      inlineRoots.append(
        try TreeRoot(
          bytes, at: Layout.rootsOffset(nameLength) + index * TreeRoot.size,
          parentBirth: transaction))
    }
    content = Content(
      highWater: bytes.uint64(at: Layout.highWater),
      hasEveryRoot: bytes.uint8(at: Layout.flags) & Layout.everyRootFlag != 0,
      catalog: ExtentPointer(bytes, at: Layout.catalog),
      catalogLength: bytes.uint64(at: Layout.catalogLength),
      rootsExtent: ExtentPointer(bytes, at: Layout.rootsExtent), inlineRoots: inlineRoots)
    guard transaction > 0, content.highWater >= Unit.firstExtent else {
      throw .corrupt(Corruption(.namedVersions))
    }
    if !content.rootsExtent.isNull {
      try content.rootsExtent.check(kind: .roots, parentBirth: transaction)
    }
  }

  fileprivate func store(in bytes: MutableByteView) {
    bytes.store(transaction, at: 0)
    bytes.store(date.bitPattern, at: Layout.date)
    bytes.store(content.highWater, at: Layout.highWater)
    bytes.store(openings, at: Layout.openings)
    bytes.store(UInt16(content.inlineRoots.count), at: Layout.inlineRoots)
    bytes.store(UInt8(name.utf8.count), at: Layout.nameLength)
    bytes.store(content.hasEveryRoot ? Layout.everyRootFlag : 0, at: Layout.flags)
    content.catalog.store(in: bytes, at: Layout.catalog)
    bytes.store(content.catalogLength, at: Layout.catalogLength)
    content.rootsExtent.store(in: bytes, at: Layout.rootsExtent)
    for (index, byte) in name.utf8.enumerated() { bytes.store(byte, at: Layout.entry + index) }
    for (index, root) in content.inlineRoots.enumerated() {
      root.store(
        in: bytes, at: Layout.rootsOffset(name.utf8.count) + index * TreeRoot.size)
    }
  }
}
