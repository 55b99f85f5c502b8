/// Reads the definitions of all tables.
struct TableReader {
  private let reader: NodeReader
  private var budget: ReadBudget

  /// The most columns of a table, and tables: they are numbered in 16 bits.
  private static let countMax = 1 << 16
  /// What the definition of a column costs in memory, here and in the public face.
  private static let definitionBytes = 512
  private static let noTable: UInt64 = 0x7fff_ffff

  init(_ reader: NodeReader) {
    self.reader = reader
    budget = reader.budget
  }

  /// The tables below the top node of the file; none where it has not been written yet.
  mutating func tables(top: UInt64) throws(RealmFileError) -> [StoredTable] {
    guard top != 0 else { return [] }
    let group = try reader.array(top, countMax: 64, hasReferences: true, &budget)
    try group.require(group.count >= 2, .table)
    let names = try names(group.child(0))
    let tops = try reader.array(
      group.child(1), countMax: Self.countMax, hasReferences: true, &budget)
    try tops.require(names.count >= tops.count, .elementCount)
    var tables: [StoredTable] = []
    var keys: Set<UInt32> = []
    for index in 0..<tops.count {
      // A removed table leaves its place behind.
      guard case .reference(let reference) = try tops.slot(index) else { continue }
      let table = try table(reference, name: names[index])
      guard keys.insert(table.key).inserted else { throw .damaged(at: reference, .table) }
      tables.append(table)
    }
    return tables
  }

  /// A list of names.
  private mutating func names(_ reference: UInt64) throws(RealmFileError) -> [String] {
    let leaf = try ByteLeaf(reference, isText: true, isNullable: false, reader, &budget)
    guard leaf.count <= Self.countMax else { throw .damaged(at: reference, .nodeSize) }
    var names: [String] = []
    for index in 0..<leaf.count {
      let bytes = try leaf.bytes(at: index, reader, &budget) ?? []
      names.append(String(decoding: bytes, as: UTF8.self))
    }
    return names
  }

  private mutating func table(
    _ reference: UInt64, name: String
  ) throws(RealmFileError) -> StoredTable {
    try budget.take(Self.definitionBytes)
    let top = try reader.array(reference, countMax: 64, hasReferences: true, &budget)
    try top.require(top.count >= 9, .table)
    guard let key = UInt32(exactly: try top.number(3)) else { throw top.damage(.table) }
    let flags = try top.slotIfPresent(12)
    var kind = StoredTable.Kind.object
    if case .number(let bits) = flags {
      guard let known = StoredTable.Kind(rawValue: bits & 3) else { throw top.damage(.table) }
      kind = known
    }
    var table = StoredTable(
      name: name, key: key, kind: kind, columns: [], backlinks: [], primaryKey: nil,
      root: try top.child(2))
    try readColumns(of: top, into: &table)
    if case .number(let key) = try top.slotIfPresent(11) {
      table.primaryKey = table.columns.firstIndex { $0.key == key }
      try top.require(table.primaryKey != nil, .table)
    }
    return table
  }

  /// The arrays of a table that describe its columns.
  private struct Arrays {
    var spec: Node
    var types: Node
    var attributes: Node
    var keys: Node
    var indexes: Node?
    var oppositeTables: Node
    var oppositeColumns: Node
    var enumerations: Node?
  }

  private mutating func readColumns(
    of top: Node, into table: inout StoredTable
  ) throws(RealmFileError) {
    let spec = try reader.array(top.child(0), countMax: 64, hasReferences: true, &budget)
    try spec.require(spec.count >= 6, .table)
    let arrays = Arrays(
      spec: spec, types: try integers(spec.child(0)), attributes: try integers(spec.child(2)),
      keys: try integers(spec.child(5)),
      indexes: try references(top.slot(4)), oppositeTables: try integers(top.child(7)),
      oppositeColumns: try integers(top.child(8)),
      enumerations: try references(spec.slotIfPresent(4)))
    let names = try names(spec.child(1))
    let count = arrays.types.count
    try spec.require(
      arrays.attributes.count == count && arrays.keys.count == count && names.count <= count,
      .elementCount)
    var leaves: Set<Int> = []
    for index in 0..<count {
      // A definition costs memory, and tables of a damaged file can share theirs.
      try budget.take(Self.definitionBytes)
      let type = UInt64(bitPattern: try arrays.types.signed(index))
      let key = UInt64(bitPattern: try arrays.keys.signed(index))
      let leafIndex = Int(key & 0xffff)
      guard let known = StoredType(rawValue: UInt16(truncatingIfNeeded: type)) else {
        throw spec.damage(.columnType)
      }
      try spec.require(leaves.insert(leafIndex).inserted, .table)
      let opposite = try oppositeTable(arrays, leafIndex)
      if known == .backlink {
        try spec.require(opposite != nil, .table)
        let column = UInt64(bitPattern: try arrays.oppositeColumns.signed(leafIndex))
        table.backlinks.append(
          StoredBacklinks(table: opposite ?? 0, column: column, leafIndex: leafIndex))
        continue
      }
      try spec.require(index < names.count && known != .typedLink, .table)
      let isLink = known == .link || known == .linkList
      try spec.require(!isLink || opposite != nil, .table)
      let attributes = UInt64(bitPattern: try arrays.attributes.signed(index))
      var enumeration: UInt64?
      if let enumerations = arrays.enumerations, known == .string,
        case .reference(let reference) = try enumerations.slotIfPresent(index)
      {
        enumeration = reference
      }
      table.columns.append(
        StoredColumn(
          name: names[index], type: isLink ? .link : known, isNullable: attributes & 16 != 0,
          collection: known == .linkList ? .list : Self.collection(attributes),
          hasIntegerKeys: attributes & 64 != 0 && type >> 16 == 0, target: isLink ? opposite : nil,
          index: try searchIndex(arrays, leafIndex, attributes), key: key, leafIndex: leafIndex,
          enumeration: enumeration))
    }
  }

  private static func collection(_ attributes: UInt64) -> StoredColumn.Collection? {
    if attributes & 32 != 0 { return .list }
    if attributes & 64 != 0 { return .dictionary }
    return attributes & 128 != 0 ? .set : nil
  }

  private func searchIndex(
    _ arrays: Arrays, _ leafIndex: Int, _ attributes: UInt64
  ) throws(RealmFileError) -> StoredColumn.Index {
    guard let indexes = arrays.indexes, leafIndex < indexes.count,
      try indexes.slot(leafIndex) != .empty
    else { return .none }
    return attributes & 256 != 0 ? .fulltext : .general
  }

  private func oppositeTable(
    _ arrays: Arrays, _ leafIndex: Int
  ) throws(RealmFileError) -> UInt32? {
    let key = UInt64(bitPattern: try arrays.oppositeTables.signed(leafIndex))
    guard key != Self.noTable else { return nil }
    guard let key = UInt32(exactly: key) else { throw arrays.spec.damage(.table) }
    return key
  }

  private mutating func integers(_ reference: UInt64) throws(RealmFileError) -> Node {
    try reader.array(reference, countMax: Self.countMax, hasReferences: false, &budget)
  }

  private mutating func references(_ slot: Slot) throws(RealmFileError) -> Node? {
    guard case .reference(let reference) = slot else { return nil }
    return try reader.array(
      reference, countMax: Self.countMax, hasReferences: true, &budget)
  }
}
