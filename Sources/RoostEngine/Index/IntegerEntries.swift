/// Entries to add to an index of integers, gathered in any order: two words each, sorted as numbers.
///
/// Used for most links and numbers when objects are inserted; ``IndexChanges`` takes removals, and other
/// values.
package struct IntegerEntries: ~Copyable {
  /// An entry. The numbers sort unsigned as the integers do signed.
  struct Entry: BitwiseCopyable {
    let value: UInt64
    let key: UInt64

    @inline(__always)
    init(_ value: Int64, _ key: Int64) {
      self.value = UInt64(bitPattern: value) ^ Entry.sign
      self.key = UInt64(bitPattern: key) ^ Entry.sign
    }

    /// An entry of unsigned numbers.
    @inline(__always)
    init(value: UInt64, key: UInt64) {
      self.value = value
      self.key = key
    }

    var integer: Int64 { Int64(bitPattern: value ^ Entry.sign) }
    var objectKey: Int64 { Int64(bitPattern: key ^ Entry.sign) }

    private static let sign: UInt64 = 1 << 63
  }

  private(set) var entries = PlainBuffer<Entry>()
  /// The keys of objects without a value.
  private(set) var nullKeys = PlainBuffer<Int64>()

  /// No entries.
  package init() {}

  /// The number of entries.
  package var count: Int { entries.count + nullKeys.count }
  /// The memory of the entries in bytes.
  package var byteCount: Int {
    entries.count * MemoryLayout<Entry>.stride + nullKeys.count * 8
  }

  /// Adds the entries of some rows.
  package mutating func add(_ column: ColumnBuffer, keys: ColumnBuffer, rows: Range<Int>) {
    guard column.nullCount > 0 else {
      let first = rows.lowerBound
      return entries.append(count: rows.count) { place in
        Entry(column.integer(first + place), keys.integer(first + place))
      }
    }
    for row in rows {
      if column.isNull(row) {
        nullKeys.append(keys.integer(row))
      } else {
        entries.append(Entry(column.integer(row), keys.integer(row)))
      }
    }
  }

  /// Calls `body` with each value, once per run of consecutive entries with that value.
  package func forEachRunOfValues(_ body: (Int64) -> Void) {
    for index in 0..<entries.count
    where index == 0 || entries[index - 1].value != entries[index].value {
      body(entries[index].integer)
    }
  }

  /// Moves all entries to `changes`.
  package mutating func move(to changes: inout IndexChanges) {
    var key = IndexKey()
    for index in 0..<nullKeys.count { key.withView { changes.add($0, nullKeys[index]) } }
    for index in 0..<entries.count {
      let entry = entries[index]
      key.set(entry.integer)
      key.withView { changes.add($0, entry.objectKey) }
    }
    self = IntegerEntries()
  }

  /// Sorts the entries into index order.
  mutating func sort() {
    sortEntries()
    nullKeys.sort()
  }

  /// Sorts by the keys, and then by the values.
  private mutating func sortEntries() {
    guard entries.count > 1 else { return }
    var least = entries[0]
    var greatest = least
    var keysAscend = true
    var previous = least.key
    for index in 0..<entries.count {
      let entry = entries[index]
      keysAscend = keysAscend && previous <= entry.key
      previous = entry.key
      least = Entry(value: min(least.value, entry.value), key: min(least.key, entry.key))
      greatest = Entry(
        value: max(greatest.value, entry.value), key: max(greatest.key, entry.key))
    }
    var spare = PlainBuffer<Entry>.uninitialized(entries.count)
    if !keysAscend { entries.sort(by: \.key, in: least.key...greatest.key, using: &spare) }
    entries.sort(by: \.value, in: least.value...greatest.value, using: &spare)
  }
}

extension IndexRun {
  /// The additions of integers, which are sorted here.
  ///
  /// - Throws: `.corrupt` with the reason `indexEntry` when a pair is added twice.
  package init(_ added: inout IntegerEntries, tree: UInt32) throws(EngineError) {
    self.init()
    added.sort()
    var key = IndexKey()
    if added.nullKeys.count > 0 { key.withView { open($0) } }
    for index in 0..<added.nullKeys.count {
      let object = added.nullKeys[index]
      if index > 0, added.nullKeys[index - 1] == object { throw Self.twice(object, tree) }
      append(object)
    }
    for index in 0..<added.entries.count {
      let entry = added.entries[index]
      if index > 0, added.entries[index - 1].value == entry.value {
        guard added.entries[index - 1].key != entry.key else {
          throw Self.twice(entry.objectKey, tree)
        }
      } else {
        key.set(entry.integer)
        key.withView { open($0) }
      }
      append(entry.objectKey)
    }
  }

  private static func twice(_ key: Int64, _ tree: UInt32) -> EngineError {
    .corrupt(Corruption(.indexEntry, tree: tree, keys: key...key))
  }
}
