import Synchronization

/// The bytes of a leaf head (Format.md §3).
enum LeafLayout {
  static let level = 1
  static let groupCount = 2
  static let tree = 4
  static let rowCount = 8
  static let columnCount = 12
  static let firstKey = 16
  static let lastKey = 24
  static let directory = 64
  /// The maximum number of rows of a leaf.
  static let rowsMax = 4096
  /// The object key and 1024 fields, and as many again that were dropped but not yet removed by a rewrite.
  static let columnsMax = 2049
  /// The maximum number of units of a head, unless its directory needs more.
  static let headUnitsMax = 4

  /// The offset of the first column in a head.
  static func columnsOffset(columns: Int, groups: Int) -> Int {
    directory + ColumnEntry.byteCount * columns + ExtentPointer.size * groups
  }
}

/// A leaf's validated head; kept beside its frame, so that it is validated once.
///
/// Does not retain the frame; ``LeafReference`` does.
package final class LeafHead: Sendable {
  let tree: UInt32
  let rowCount: Int
  let firstKey: Int64
  let lastKey: Int64
  /// The directory; the first entry is the object key's.
  package let entries: [ColumnEntry]
  /// The pointers to the groups.
  package let groups: [ExtentPointer]
  /// The size of all groups in bytes.
  let groupBytes: Int
  /// The columns whose group is 0, in the order of the directory.
  let columns: PinnedColumns
  /// For each entry its index among the columns of its group, or of the head.
  let placeInGroup: [Int]
  /// The distance of neighbouring keys if it is constant, else 0.
  let keyStride: UInt64
  /// The average number of rows per unit of key distance, multiplied by 2^64.
  private let rowsPerDistance: UInt64
  /// The object keys.
  let keys: ColumnChunk
  /// The columns of all fields up to this one were found to have their field's type.
  private let checkedThrough = Atomic<FieldID>(0)

  /// Validates all fields of the head.
  init(validating bytes: ByteView, pointer: ExtentPointer) throws(EngineError) {
    func damage(_ reason: Corruption.Reason) -> EngineError {
      .corrupt(Corruption(reason, unit: pointer.unit))
    }
    guard bytes.count >= Unit.bytes, bytes.uint8(at: 0) == ExtentKind.leafHead.rawValue else {
      throw damage(.nodeTag)
    }
    guard bytes.uint8(at: LeafLayout.level) == 0 else { throw damage(.nodeLevel) }
    tree = bytes.uint32(at: LeafLayout.tree)
    let rowCount = Int(bytes.uint32(at: LeafLayout.rowCount))
    guard (1...LeafLayout.rowsMax).contains(rowCount) else { throw damage(.nodeCount) }
    self.rowCount = rowCount
    let groupCount = Int(bytes.uint16(at: LeafLayout.groupCount))
    let columnCount = Int(bytes.uint16(at: LeafLayout.columnCount))
    let columnsOffset = LeafLayout.columnsOffset(columns: columnCount, groups: groupCount)
    guard (1...LeafLayout.columnsMax).contains(columnCount), groupCount < columnCount,
      columnsOffset <= bytes.count
    else { throw damage(.directory) }

    guard
      let entries = Self.entries(
        bytes, count: columnCount, groupCount: groupCount, columnsOffset: columnsOffset)
    else { throw damage(.directory) }

    groups = try Self.groups(bytes, count: groupCount, behind: columnCount, of: pointer)
    guard let keyEntry = entries.first, keyEntry.field == 0, keyEntry.type == .integer,
      keyEntry.group == 0, keyEntry.nullCount == 0, keyEntry.encoding != .allNull
    else { throw damage(.directory) }
    columns = try PinnedColumns(
      validating: groupCount == 0 ? entries : entries.filter { $0.group == 0 }, extent: bytes,
      rowCount: rowCount, unit: pointer.unit)
    let keys = columns[0]
    firstKey = bytes.int64(at: LeafLayout.firstKey)
    lastKey = bytes.int64(at: LeafLayout.lastKey)
    keyStride = try Self.stride(of: keyEntry, keys: keys, rowCount: rowCount, damage(.nodeOrder))
    guard keys.integer(0) == firstKey, keys.integer(rowCount - 1) == lastKey else {
      throw damage(.keyRange)
    }
    let span = UInt64(bitPattern: lastKey &- firstKey)
    let rows = UInt64(rowCount - 1)
    // Keys ascend strictly, so the rows are no more than the keys span.
    rowsPerDistance = span > rows ? span.dividingFullWidth((rows, 0)).quotient : .max
    self.keys = keys
    self.entries = entries
    groupBytes = groups.reduce(0) { $0 + $1.byteCount }
    var filled = [Int](repeating: 0, count: groupCount + 1)
    placeInGroup = entries.map { entry in
      defer { filled[Int(entry.group)] += 1 }
      return filled[Int(entry.group)]
    }
  }

  /// The directory's column entries; nil if an entry is invalid, or two have the same field.
  private static func entries(
    _ bytes: ByteView, count: Int, groupCount: Int, columnsOffset: Int
  ) -> [ColumnEntry]? {
    var entries: [ColumnEntry] = []
    entries.reserveCapacity(count)
    for place in 0..<count {
      let offset = LeafLayout.directory + ColumnEntry.byteCount * place
      guard let entry = ColumnEntry(bytes, at: offset), Int(entry.group) <= groupCount,
        entry.group > 0 || entry.length == 0 || entry.offset >= columnsOffset
      else { return nil }
      entries.append(entry)
    }
    return fieldsAreDistinct(entries) ? entries : nil
  }

  /// The pointers to the groups, which follow the entries of the given number of columns.
  private static func groups(
    _ bytes: ByteView, count: Int, behind columnCount: Int, of head: ExtentPointer
  ) throws(EngineError) -> [ExtentPointer] {
    var groups: [ExtentPointer] = []
    groups.reserveCapacity(count)
    let start = LeafLayout.directory + ColumnEntry.byteCount * columnCount
    for place in 0..<count {
      let group = ExtentPointer(bytes, at: start + ExtentPointer.size * place)
      try group.check(kind: .leafGroup, parentBirth: head.birth)
      groups.append(group)
    }
    guard areApart(groups, head: head) else {
      throw .corrupt(Corruption(.overlap, unit: head.unit))
    }
    return groups
  }

  /// The distance of the keys if it is constant, after checking that they ascend strictly.
  private static func stride(
    of entry: ColumnEntry, keys: ColumnChunk, rowCount: Int, _ damage: EngineError
  ) throws(EngineError) -> UInt64 {
    if entry.encoding == .stride {
      // The column was validated: there are at least two rows, and the division is exact.
      let minimum = Int64(bitPattern: entry.minimum)
      let maximum = Int64(bitPattern: entry.maximum)
      guard minimum < maximum else { throw damage }
      return (entry.maximum &- entry.minimum) / UInt64(rowCount - 1)
    }
    var previous = keys.integer(0)
    for row in 1..<max(rowCount, 1) {
      let key = keys.integer(row)
      guard key > previous else { throw damage }
      previous = key
    }
    return 0
  }

  /// Whether no two groups share a unit, nor a group and the head.
  private static func areApart(_ groups: [ExtentPointer], head: ExtentPointer) -> Bool {
    guard !groups.contains(where: head.overlaps) else { return false }
    // Usually they were written one after another.
    if ascend(groups) { return true }
    return ascend(groups.ascending { Int($0.unit) })
  }

  private static func ascend(_ groups: [ExtentPointer]) -> Bool {
    var end: UInt64 = 0
    for group in groups {
      guard group.unit >= end else { return false }
      end = group.end
    }
    return true
  }

  private static func fieldsAreDistinct(_ entries: [ColumnEntry]) -> Bool {
    var isAscending = true
    for place in entries.indices.dropFirst()
    where entries[place].field <= entries[place - 1].field {
      isAscending = false
    }
    return isAscending || Set(entries.map(\.field)).count == entries.count
  }

  /// The offset of the group pointers in the head's bytes.
  var groupPointers: Int { LeafLayout.columnsOffset(columns: entries.count, groups: 0) }

  /// Whether every column has the type of its field.
  ///
  /// A field's type never changes and numbers only rise, so a shape is compared with a head once.
  @inline(__always)
  func fits(_ context: TreeContext) -> Bool {
    checkedThrough.load(ordering: .relaxed) >= context.lastField || fits(context.shape)
  }

  @inline(never)
  private func fits(_ shape: TableShape) -> Bool {
    for entry in entries {
      if let index = shape.index(of: entry.field), shape.fields[index].type != entry.type {
        return false
      }
    }
    checkedThrough.max(shape.fields.last?.id ?? 0, ordering: .relaxed)
    return true
  }

  /// The index of a field in the directory; nil if the leaf was written without it.
  @inline(__always)
  package func place(of field: FieldID) -> Int? {
    // Entries are written in field order, with numbers that are mostly 1, 2, 3 …
    let guess = Int(field)
    if guess < entries.count, entries[guess].field == field { return guess }
    return entries.firstIndex { $0.field == field }
  }

  /// The row of a key.
  @inline(__always)
  func row(of key: Int64) -> Int? {
    guard key >= firstKey, key <= lastKey else { return nil }
    if keyStride != 0 {
      let distance = UInt64(bitPattern: key &- firstKey)
      if keyStride == 1 { return Int(truncatingIfNeeded: distance) }
      let (row, rest) = distance.quotientAndRemainder(dividingBy: keyStride)
      return rest == 0 ? Int(truncatingIfNeeded: row) : nil
    }
    let row = lowerBound(key)
    return keys.integer(row) == key ? row : nil
  }

  /// The first row whose key is not below `key`; the row count if all are below.
  func lowerBound(_ key: Int64) -> Int {
    if key <= firstKey { return 0 }
    if key > lastKey { return rowCount }
    if keyStride != 0 {
      let (row, rest) = UInt64(bitPattern: key &- firstKey)
        .quotientAndRemainder(dividingBy: keyStride)
      return Int(truncatingIfNeeded: row) + (rest == 0 ? 0 : 1)
    }
    return lowerBoundBetween(key)
  }

  /// The first row whose key is not below `key`, which lies behind the first key and not behind the last.
  ///
  /// Keys are mostly evenly spaced: starts where the key would be if all were, and continues with
  /// an exponential search.
  private func lowerBoundBetween(_ key: Int64) -> Int {
    // The key of `low` is below `key`, that of `high` is not.
    var low = 0
    var high = rowCount - 1
    let distance = UInt64(bitPattern: key &- firstKey)
    // At most the last row, since the distance is at most the last key's.
    let guess = Int(truncatingIfNeeded: distance.multipliedFullWidth(by: rowsPerDistance).high)
    var step = 1
    if keys.integer(guess) < key {
      low = guess
      while low + step < high, keys.integer(low + step) < key {
        low += step
        step *= 2
      }
      high = min(high, low + step)
    } else {
      high = guess
      while high - step > low, keys.integer(high - step) >= key {
        high -= step
        step *= 2
      }
      low = max(low, high - step)
    }
    return (low + 1..<high).partitioningIndex { keys.integer($0) >= key }
  }

  /// The key of a row.
  @inline(__always)
  func key(_ row: Int) -> Int64 {
    keyStride != 0
      ? firstKey &+ Int64(bitPattern: keyStride &* UInt64(truncatingIfNeeded: row))
      : keys.integer(row)
  }
}
