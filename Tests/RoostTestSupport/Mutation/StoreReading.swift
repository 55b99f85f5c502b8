package import RoostEngine

/// Everything that can be read of a version, as hashes of rows and sums of index entries.
package struct StoreReading: Sendable, Equatable {
  /// A row, by the hash of its values.
  package struct Row: Sendable, Equatable {
    package let key: Int64
    package let hash: UInt64
  }

  /// The rows of a table that could be read.
  package struct Table: Sendable, Equatable {
    package var rows: [Row] = []
    /// What the index of each field must hold, by its tree.
    package var entries: [UInt32: EntrySum] = [:]
  }

  /// What index entries amount to, in whatever order they come.
  package struct EntrySum: Sendable, Equatable {
    package var count: UInt64 = 0
    package var sum: UInt64 = 0

    mutating func add(_ value: UInt64, _ key: Int64) {
      count &+= 1
      sum &+= StoreReading.mix(value, UInt64(bitPattern: key))
    }

    /// Adds the entries of a list of links: of each a target, and how many links to it come before.
    mutating func add(links targets: [Int64], of key: Int64) {
      var seen: [Int64: UInt64] = [:]
      for target in targets {
        let before = seen[target, default: 0]
        seen[target] = before + 1
        var bytes: [UInt8] = [1]
        let bits = UInt64(bitPattern: target) ^ 1 << 63
        for shift in stride(from: 56, through: 0, by: -8) {
          bytes.append(UInt8(truncatingIfNeeded: bits >> UInt64(shift)))
        }
        for shift in stride(from: 56, through: 0, by: -8) where before > 0 {
          bytes.append(UInt8(truncatingIfNeeded: before >> UInt64(shift)))
        }
        add(unsafe bytes.withUnsafeBytes { unsafe XXH3.hash($0) }, key)
      }
    }
  }

  /// The tables and fields.
  package let catalog: Catalog
  /// By table.
  package private(set) var tables: [UInt32: Table] = [:]
  /// The entries of each index, by its tree; nothing where it could not be read to its end.
  package private(set) var indexes: [UInt32: EntrySum] = [:]
  /// How many objects some queries find, by their numbers; nothing where one could not be answered.
  package private(set) var answers: [Int: Int] = [:]
  /// How often something could not be read.
  package private(set) var errors = 0

  /// Reads a version whatever it holds.
  package init(_ snapshot: EngineSnapshot) {
    catalog = snapshot.catalog
    for table in catalog.tables {
      tables[table.id] = read(table, in: snapshot)
      for field in table.fields where field.indexTree != 0 {
        indexes[field.indexTree] = readIndex(of: field, in: snapshot)
      }
    }
    for (number, query) in Self.queries(catalog).enumerated() {
      answers[number] = attempt { () throws(EngineError) in try snapshot.view.count(query) }
    }
    for (number, query) in Self.groups(catalog).enumerated() {
      answers[100 + number] = attempt { () throws(EngineError) in
        try snapshot.view.groups(query).count
      }
    }
  }

  /// Reads a version in which nothing is wrong.
  package init(sound snapshot: EngineSnapshot) throws(EngineError) {
    self.init(snapshot)
    guard errors == 0 else { throw .corrupt(Corruption(.catalog)) }
  }

  /// Whether the rows could all be read and are these, wherever they lie in the file.
  package static func mix(_ one: UInt64, _ other: UInt64) -> UInt64 {
    let product = (one ^ 0x9E37_79B9_7F4A_7C15).multipliedFullWidth(
      by: (other &* 0xD6E8_FEB8_6659_FD93) | 1)
    return (product.high ^ product.low &+ other) &* 0xA076_1D64_78BD_642F
  }

  /// A few queries that zone maps, indexes and scans answer.
  private static func queries(_ catalog: Catalog) -> [ObjectQuery] {
    guard let table = catalog.table(named: "Thing") else { return [] }
    func field(_ name: String) -> FieldID { table.field(named: name)?.id ?? 0 }
    let predicates: [Predicate] = [
      .compare(field("price"), .greater, .double(3)),
      .compare(field("rank"), .less, .integer(500)),
      .compare(field("kind"), .equal, .bytes(Array("kind 3".utf8))),
      .text(field("title"), .prefix, Array("Title 3".utf8)),
      .and([
        .compare(field("ratio"), .less, .float(5000)),
        .compare(field("made"), .greater, .double(622_050_000)),
      ]),
      .isNull(field("content")),
      .text(field("kind"), .contains, Array("d 4".utf8)),
      .matches(
        .field(field("title")),
        TextPattern(.wildcards, Array("t?tle*7*LONG".utf8), folding: .caseInsensitive)),
      .comparison(
        .target(
          field("owner"), .field(catalog.table(named: "Owner")?.field(named: "rank")?.id ?? 0)),
        .greater, .constant(.integer(7_000_000_000))),
    ]
    return predicates.map { ObjectQuery(table: table.id, predicate: $0) }
      + [
        ObjectQuery(
          table: table.id, predicate: predicates[1], order: [SortKey(field: field("title"))],
          limit: 40),
        ObjectQuery(
          table: table.id, predicate: predicates[0],
          order: [SortKey(field: field("ratio"), descending: true)], limit: 25),
      ]
  }

  /// A few groups.
  private static func groups(_ catalog: Catalog) -> [GroupQuery] {
    guard let table = catalog.table(named: "Thing") else { return [] }
    func field(_ name: String) -> FieldID { table.field(named: name)?.id ?? 0 }
    let all = ObjectQuery(table: table.id)
    return [
      GroupQuery(
        all, by: [.field(field("kind"))],
        [Aggregate(.sum, of: field("price")), Aggregate(.maximum, of: field("rank"))]),
      GroupQuery(all, by: [.field(field("owner")), .field(field("isNew"))]),
    ]
  }

  private mutating func attempt<Result>(
    _ body: () throws(EngineError) -> Result
  ) -> Result? {
    do { return try body() } catch {
      switch error {
      case .unknownTable, .unknownField, .unknownColumn, .unknownIndex, .malformedQuery, .wrongType:
        break  // The catalog says so: there are other tables or fields.
      default: errors += 1
      }
      return nil
    }
  }

  // MARK: Objects

  private mutating func read(_ definition: TableDefinition, in snapshot: EngineSnapshot) -> Table {
    var table = Table()
    guard
      let objects = attempt({ () throws(EngineError) in try snapshot.view.objects(definition.id) })
    else { return table }
    var first: Int64? = .min
    while let start = first {
      first = nil
      var cursor: LeafCursor
      do throws(EngineError) { cursor = try objects.leaves(in: start...Int64.max) } catch {
        errors += 1
        guard case .corrupt(let damage) = error, let last = damage.keys?.upperBound, last >= start,
          last < .max
        else { break }
        first = last + 1
        continue
      }
      while true {
        do throws(EngineError) {
          guard let leaf = try cursor.next() else { break }
          try add(leaf, definition, to: &table)
        } catch { errors += 1 }
      }
    }
    // By their keys, as the cursor gives them.
    for place in table.rows.indices where place % 97 == 13 {
      let row = table.rows[place]
      _ = attempt { () throws(EngineError) in
        guard try objects.find(row.key)?.key == row.key,
          try snapshot.view.find(row.key, in: definition.id) != nil
        else { throw .missing(table: definition.name, key: "\(row.key)") }
      }
    }
    return table
  }

  private mutating func add(
    _ leaf: LeafReference, _ definition: TableDefinition, to table: inout Table
  ) throws(EngineError) {
    var hashes = [UInt64](repeating: 0, count: leaf.rowCount)
    var isReadable = [Bool](repeating: true, count: leaf.rowCount)
    var key = IndexKey()
    for field in definition.fields where !field.isObjectKey {
      let column = try leaf.column(field.id)
      var entries = EntrySum()
      for row in 0..<leaf.rowCount {
        var hash: UInt64 = 77
        if let reference = column.external(row) {
          let value = attempt { () throws(EngineError) in
            try leaf.value(reference, of: field.id)
          }
          guard let value else {
            isReadable[row] = false
            continue
          }
          value.withByteView {
            hash = XXH3.hash($0)
            key.set($0)
          }
          if field.type == .links { entries.add(links: LinkList.targets(value), of: leaf.key(row)) }
        } else if column.isNull(row) {
          key.setNull()
        } else {
          switch column.type {
          case .integer:
            hash = UInt64(bitPattern: column.integer(row))
            key.set(column.integer(row))
          case .double:
            hash = column.double(row).bitPattern
            key.set(column.double(row))
          case .float:
            hash = UInt64(column.float(row).bitPattern)
            key.set(column.float(row))
          case .bytes:
            hash = XXH3.hash(column.bytes(row))
            key.set(column.bytes(row))
          case .uuid:
            let halves = column.uuid(row)
            hash = Self.mix(halves.high, halves.low)
            key.set(uuid: halves.high, halves.low)
          }
        }
        hashes[row] = Self.mix(hashes[row], hash)
        guard field.indexTree != 0 else { continue }
        if field.type != .links {
          entries.add(key.withView { XXH3.hash($0) }, leaf.key(row))
        } else if column.external(row) == nil {
          entries.add(links: LinkList.targets(column.bytes(row)), of: leaf.key(row))
        }
      }
      guard field.indexTree != 0 else { continue }
      table.entries[field.indexTree, default: EntrySum()].count &+= entries.count
      table.entries[field.indexTree, default: EntrySum()].sum &+= entries.sum
    }
    for row in 0..<leaf.rowCount where isReadable[row] {
      table.rows.append(Row(key: leaf.key(row), hash: hashes[row]))
    }
    withExtendedLifetime(leaf) {}
  }

  // MARK: Indexes

  private mutating func readIndex(of field: FieldDefinition, in snapshot: EngineSnapshot)
    -> EntrySum?
  {
    return attempt { () throws(EngineError) in
      let index = try snapshot.view.index(field)
      var entries = EntrySum()
      var isAscending = true
      var last: [UInt8] = []
      try index.scan { value, keys in
        let hash = XXH3.hash(value)
        for key in keys { entries.add(hash, key) }
        let bytes = value.array
        if bytes.lexicographicallyPrecedes(last) { isAscending = false }
        last = bytes
        return true
      }
      guard isAscending else { throw .corrupt(Corruption(.nodeOrder)) }
      var backwards: UInt64 = 0
      try index.scan(descending: true) { _, keys in
        backwards += UInt64(keys.count)
        return true
      }
      guard backwards == entries.count else { throw .corrupt(Corruption(.objectCount)) }
      return entries
    }
  }
}

extension StoreReading {
  /// A number that stands for all rows and index entries.
  package var hash: UInt64 {
    var hash: UInt64 = 0
    for definition in catalog.tables {
      for row in tables[definition.id]?.rows ?? [] {
        hash = Self.mix(hash, UInt64(bitPattern: row.key) ^ row.hash)
      }
      for field in definition.fields {
        guard let entries = indexes[field.indexTree] else { continue }
        hash = Self.mix(hash, entries.sum &+ entries.count)
      }
    }
    return hash
  }

  /// What is not as it must be, of what could be read.
  func firstWrong(comparedWith right: StoreReading) -> String? {
    guard catalog == right.catalog else { return "the catalog is another one" }
    for (id, table) in tables {
      guard let rightTable = right.tables[id] else { return "table \(id) is new" }
      var next = 0
      for row in table.rows {
        while next < rightTable.rows.count, rightTable.rows[next].key < row.key { next += 1 }
        guard next < rightTable.rows.count, rightTable.rows[next] == row else {
          return "object \(row.key) of table \(id) is wrong"
        }
        next += 1
      }
    }
    for (tree, entries) in indexes where entries != right.indexes[tree] {
      return "the index \(tree) is wrong"
    }
    for (query, answer) in answers where answer != right.answers[query] {
      return "the query \(query) is wrong"
    }
    return nil
  }
}
