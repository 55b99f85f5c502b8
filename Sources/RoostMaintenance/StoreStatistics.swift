package import RoostEngine

/// The size of a store, and how its space is used.
package struct StoreStatistics: Equatable, Sendable {
  /// The size of the file.
  package var fileBytes: UInt64
  /// The bytes of all units that the newest version or a named version uses, including the header and the slots.
  package var usedBytes: UInt64
  /// The number of the newest version.
  package var version: UInt64
  /// The oldest version that this process still holds and that is not the newest, if it takes up space.
  package var oldestSnapshot: OldestPinnedVersion?
  /// The tables, in the order of the catalog.
  package var tables: [Table] = []

  /// The ring of records of small commits; nil if the file has none.
  package var ring: Ring?

  /// The named versions, oldest first.
  package var namedVersions: [NamedVersionSize] = []

  /// The unused bytes of the file: the most that compaction can save.
  package var freeBytes: UInt64 { fileBytes - min(usedBytes, fileBytes) }

  /// The ring, in which small commits are recorded.
  package struct Ring: Equatable, Sendable {
    /// Its bytes in the file.
    package var bytes: UInt64
    /// The newest version that the file holds without the ring's records.
    package var slotVersion: UInt64
    /// The bytes of nodes, leaves and values that only the records have.
    package var recordedBytes: UInt64
  }

  /// A named version.
  package struct NamedVersionSize: Equatable, Sendable {
    /// The version's name.
    package var name: String
    /// Its number.
    package var version: UInt64
    /// When it was named, in seconds since 2001-01-01 00:00 UTC.
    package var seconds: Double
    /// The bytes that only this version uses: dropping it would free them.
    package var bytes: UInt64
    /// The number of further openings for which it is kept; 0 until it is dropped.
    package var openings: UInt32
  }

  /// One table.
  package struct Table: Equatable, Sendable {
    /// The table's name.
    package var name: String
    /// The number of objects.
    package var objects: UInt64
    /// The number of levels of the tree, including the leaves; 0 if it is empty.
    package var levels: Int
    /// The number of leaves.
    package var leaves: UInt64
    /// The bytes of nodes and leaves.
    package var bytes: UInt64
    /// The bytes of long values, which lie outside the leaves.
    package var valueBytes: UInt64
    /// The indexes of single fields, in the order of the fields, then the table indexes.
    package var indexes: [Index]
  }

  /// One index.
  package struct Index: Equatable, Sendable {
    /// The field's name, or the names of the fields and the condition.
    package var field: String
    /// Whether values must be unique.
    package var isUnique: Bool
    /// The number of entries: one per object, or per object that fulfils the index's condition.
    package var entries: UInt64
    /// The number of levels of the tree, including the leaves; 0 if it is empty.
    package var levels: Int
    /// The bytes of nodes and leaves.
    package var bytes: UInt64
  }
}

extension Engine {
  /// The size of the store, and how its space is used.
  ///
  /// Reads nodes, leaf headers, indexes, and the columns with long values; not the other columns.
  package func statistics() throws(EngineError) -> StoreStatistics {
    let snapshot = snapshot()
    var statistics = StoreStatistics(
      fileBytes: try fileBytes(), usedBytes: try snapshot.usedBytesWithNamed(),
      version: snapshot.version.transaction, oldestSnapshot: oldestSnapshot)
    if snapshot.ringBytes > 0 {
      statistics.ring = StoreStatistics.Ring(
        bytes: snapshot.ringBytes, slotVersion: snapshot.slotVersion,
        recordedBytes: snapshot.recordedBytes)
    }
    statistics.namedVersions = zip(snapshot.namedVersions, try snapshot.namedBytes().each).map {
      StoreStatistics.NamedVersionSize(
        name: $0.name, version: $0.transaction, seconds: $0.date, bytes: $1, openings: $0.openings)
    }
    for table in snapshot.catalog.tables {
      var indexes: [StoreStatistics.Index] = []
      for field in table.fields where field.indexTree != 0 {
        indexes.append(
          try snapshot.view.index(field).statistics(named: field.name, isUnique: field.isUnique))
      }
      for index in table.indexes {
        indexes.append(
          try snapshot.view.index(tree: index.tree)
            .statistics(named: table.name(of: index), isUnique: index.isUnique))
      }
      let objects = try snapshot.view.objects(table.id)
      statistics.tables.append(
        try objects.statistics(named: table.name, indexes: indexes))
    }
    return statistics
  }
}

extension IndexTree {
  fileprivate func statistics(
    named name: String, isUnique: Bool
  ) throws(EngineError) -> StoreStatistics.Index {
    var bytes: UInt64 = 0
    try walk { bytes += UInt64($0.byteCount) }
    return StoreStatistics.Index(
      field: name, isUnique: isUnique, entries: count,
      levels: root.pointer.isNull ? 0 : root.level + 1, bytes: bytes)
  }
}

extension ObjectTree {
  fileprivate func statistics(
    named name: String, indexes: [StoreStatistics.Index]
  ) throws(EngineError) -> StoreStatistics.Table {
    var table = StoreStatistics.Table(
      name: name, objects: count, levels: root.pointer.isNull ? 0 : root.level + 1, leaves: 0,
      bytes: 0, valueBytes: 0, indexes: indexes)
    if let edge = TreeEdge(root: root) { try add(edge, to: &table) }
    return table
  }

  private func add(
    _ edge: TreeEdge, to table: inout StoreStatistics.Table
  ) throws(EngineError) {
    table.bytes += UInt64(edge.pointer.byteCount)
    guard edge.level > 0 else { return try add(try LeafReference(edge, in: context), to: &table) }
    for child in try children(of: edge) { try add(child, to: &table) }
  }

  private func add(
    _ leaf: LeafReference, to table: inout StoreStatistics.Table
  ) throws(EngineError) {
    table.leaves += 1
    for group in leaf.head.groups { table.bytes += UInt64(group.byteCount) }
    for (place, entry) in leaf.head.entries.enumerated() where entry.flags.contains(.external) {
      let column = try leaf.column(at: place)
      for row in 0..<leaf.rowCount {
        guard let reference = column.external(row) else { continue }
        var bytes: UInt64 = 0
        do {
          try reader.visitExtents(of: reference, parentBirth: leaf.birth(ofColumnAt: place)) {
            bytes += UInt64($0.byteCount)
          }
        } catch { throw leaf.located(error) }
        table.valueBytes += bytes
      }
    }
    withExtendedLifetime(leaf) {}
  }
}
