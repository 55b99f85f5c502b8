/// A table as the file defines it.
package struct StoredTable: Equatable, Sendable {
  /// The name; that of a class starts with `class_`.
  package var name: String
  /// The number by which links name the table.
  package var key: UInt32
  package var kind: Kind
  /// The columns in the order of their declaration.
  package var columns: [StoredColumn]
  /// The columns that say which objects link to those of this table.
  package var backlinks: [StoredBacklinks]
  /// The place in ``columns`` of the primary key.
  package var primaryKey: Int?
  /// Where the tree of objects is.
  var root: UInt64

  /// What the objects of a table are.
  package enum Kind: UInt64, Sendable {
    case object = 0
    /// Each belongs to the object that links to it.
    case embedded = 1
    /// Sent to a server, and not kept.
    case asymmetric = 2
  }
}

/// A column as the file defines it.
package struct StoredColumn: Equatable, Sendable {
  package var name: String
  package var type: StoredType
  package var isNullable: Bool
  package var collection: Collection?
  /// Whether a dictionary's keys are integers.
  package var hasIntegerKeys: Bool
  /// The table that links lead to.
  package var target: UInt32?
  package var index: Index
  /// Whether the values are stored as indexes into the distinct ones.
  package var isEnumerated: Bool { enumeration != nil }
  /// The number that identifies the column.
  package var key: UInt64
  /// Which leaf of a cluster holds the values.
  var leafIndex: Int
  /// Where the distinct values are.
  var enumeration: UInt64?

  /// A kind of collection.
  package enum Collection: String, Sendable {
    case list, set, dictionary
  }

  /// A kind of search index.
  package enum Index: String, Sendable {
    case none, general, fulltext
  }

  /// How the leaves of the column, or of its collections, are read.
  var leafType: LeafType {
    LeafType(
      type: type, isNullable: isNullable, target: target, enumeration: enumeration,
      linksArePlusOne: collection == nil)
  }
}

/// A column of backlinks: which objects of a table link by one of its columns.
package struct StoredBacklinks: Equatable, Sendable {
  /// The table of the sources.
  package var table: UInt32
  /// The key of their column.
  package var column: UInt64
  /// Which leaf of a cluster holds the links.
  var leafIndex: Int
}
