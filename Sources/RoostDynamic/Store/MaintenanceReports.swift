public import Roost
internal import RoostEngine
internal import RoostMaintenance

extension DynamicStore {
  /// The progress of a long operation on a whole file.
  public struct Progress: Hashable, Sendable {
    /// The phase.
    public enum Phase: String, Hashable, Sendable {
      /// Objects and entries of indexes are written to the new file.
      case copying
      /// The file's units are read and checked.
      case verifying
    }

    /// The phase.
    public let phase: Phase
    /// The amount done.
    public let done: UInt64
    /// The total amount.
    public let total: UInt64
  }

  /// The result of a compaction.
  public struct Compaction: Hashable, Sendable {
    /// The size of the file that was compacted.
    public let fileBytesBefore: UInt64
    /// The size of the file that replaced it.
    public let fileBytesAfter: UInt64
  }

  /// The result of salvaging a damaged store: what was saved, and what was lost.
  public struct Salvage: Equatable, Sendable {
    /// A table in the new file.
    public struct Table: Hashable, Sendable {
      /// The table's name.
      public let name: String
      /// The number of objects in the new file.
      public let objectsSaved: UInt64
      /// The number of objects in the damaged file, as far as the file tells.
      public let objectsBefore: UInt64
    }

    /// Values or objects that could not be read.
    public struct Loss: Equatable, Sendable {
      /// The table's name.
      public let table: String
      /// The field that is now null in these objects; nil if the objects themselves are lost.
      public let field: String?
      /// The affected keys in the file; not every key in the range need have existed.
      public let keys: ClosedRange<Int64>
      /// The error that prevented the read.
      public let cause: StoreError
    }

    /// The tables, in the order in which they were added.
    public let tables: [Table]
    /// The losses; adjacent losses with the same cause are merged.
    public let losses: [Loss]
    /// Whether the file could not be opened by the usual rules, so that its last commits may be lost.
    public let isFromUnconfirmedVersion: Bool

    /// Whether no loss is known.
    public var isComplete: Bool { losses.isEmpty && !isFromUnconfirmedVersion }
  }

  /// The size of a store, and how its space is used.
  public struct Statistics: Equatable, Sendable {
    /// The size of the file.
    public let fileBytes: UInt64
    /// The bytes that the newest version and the named versions use.
    public let usedBytes: UInt64
    /// The number of the newest version.
    public let version: UInt64
    /// The oldest version that this process still holds and that is not the newest, if it takes up space.
    public let oldestSnapshot: OldSnapshot?
    /// The named versions, oldest first.
    public let versions: [KeptVersion]
    /// The ring of records of small commits; nil if the file has none.
    public let ring: Ring?
    /// The tables, in the order in which they were added.
    public let tables: [Table]

    /// The unused bytes of the file: the most that compaction can save.
    public var freeBytes: UInt64 { fileBytes - min(usedBytes, fileBytes) }

    /// The part of the file in which small commits are recorded.
    public struct Ring: Hashable, Sendable {
      /// Its bytes in the file.
      public let bytes: UInt64
      /// The newest version that the file holds without the records.
      public let slotVersion: UInt64
      /// The bytes of nodes, leaves and values that only the records have.
      public let recordedBytes: UInt64
    }

    /// One table.
    public struct Table: Hashable, Sendable {
      /// The table's name.
      public let name: String
      /// The number of objects.
      public let objects: UInt64
      /// The number of levels of the tree, including the leaves; 0 if it is empty.
      public let levels: Int
      /// The number of leaves.
      public let leaves: UInt64
      /// The bytes of nodes and leaves.
      public let bytes: UInt64
      /// The bytes of long values, which lie outside the leaves.
      public let valueBytes: UInt64
      /// The indexes of single fields, in the order of the fields, then the indexes of several fields or of some objects.
      public let indexes: [Index]
    }

    /// One index.
    public struct Index: Hashable, Sendable {
      /// The field's name, or the names of the fields and the condition.
      public let name: String
      /// Whether values must be unique.
      public let isUnique: Bool
      /// The number of entries: one per object, or per object that fulfils the index's condition.
      public let entries: UInt64
      /// The number of levels of the tree, including the leaves; 0 if it is empty.
      public let levels: Int
      /// The bytes of nodes and leaves.
      public let bytes: UInt64
    }
  }
}

extension DynamicStore.Progress {
  init(_ progress: MaintenanceProgress) {
    phase =
      switch progress.phase {
      case .copying: .copying
      case .verifying: .verifying
      }
    done = progress.done
    total = progress.total
  }
}

extension DynamicStore.Salvage {
  init(_ report: SalvageReport, path: String) {
    tables = report.tables.map {
      Table(name: $0.name, objectsSaved: $0.objectsSaved, objectsBefore: $0.objectsBefore)
    }
    losses = report.losses.map {
      Loss(
        table: $0.table, field: $0.field, keys: $0.keys,
        cause: StoreError($0.cause, in: StoreFile(path: path)))
    }
    isFromUnconfirmedVersion = report.isFromUnconfirmedVersion
  }
}

extension DynamicStore.Statistics {
  init(_ statistics: StoreStatistics, _ oldest: OldSnapshot?, _ versions: [KeptVersion]) {
    fileBytes = statistics.fileBytes
    usedBytes = statistics.usedBytes
    version = statistics.version
    oldestSnapshot = oldest
    self.versions = versions
    ring = statistics.ring.map {
      Ring(bytes: $0.bytes, slotVersion: $0.slotVersion, recordedBytes: $0.recordedBytes)
    }
    tables = statistics.tables.map { table in
      Table(
        name: table.name, objects: table.objects, levels: table.levels, leaves: table.leaves,
        bytes: table.bytes, valueBytes: table.valueBytes,
        indexes: table.indexes.map {
          Index(
            name: $0.field, isUnique: $0.isUnique, entries: $0.entries, levels: $0.levels,
            bytes: $0.bytes)
        })
    }
  }
}
