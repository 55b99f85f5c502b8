public import Roost
internal import RoostEngine
internal import RoostMaintenance

extension DynamicStore {
  /// How far a long piece of work on a whole file is.
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
    /// How much of it is done.
    public let done: UInt64
    /// How much there is to do.
    public let total: UInt64
  }

  /// The result of a compaction.
  public struct Compaction: Hashable, Sendable {
    /// The size of the file that was compacted.
    public let fileBytesBefore: UInt64
    /// The size of the one that took its place.
    public let fileBytesAfter: UInt64
  }

  /// The result of salvaging a damaged store: what was saved, and what was lost.
  public struct Salvage: Equatable, Sendable {
    /// A table in the new file.
    public struct Table: Hashable, Sendable {
      /// The table's name.
      public let name: String
      /// How many objects the new file has.
      public let objectsSaved: UInt64
      /// How many the damaged one had, as far as it says so.
      public let objectsBefore: UInt64
    }

    /// Something that could not be read.
    public struct Loss: Equatable, Sendable {
      /// The table's name.
      public let table: String
      /// The field that is null now in these objects; nil where the objects themselves are lost.
      public let field: String?
      /// The keys in the file that are hit; not each of them need have been there.
      public let keys: ClosedRange<Int64>
      /// The reason why it could not be read.
      public let cause: StoreError
    }

    /// The tables, in the order in which they were added.
    public let tables: [Table]
    /// What was lost, adjacent losses with the same cause as one.
    public let losses: [Loss]
    /// Whether the file could not be opened as it was, so that its last commits may be lost.
    public let isFromUnconfirmedVersion: Bool

    /// Whether nothing is known to be lost.
    public var isComplete: Bool { losses.isEmpty && !isFromUnconfirmedVersion }
  }

  /// How large a store is, and what its space is used for.
  public struct Statistics: Equatable, Sendable {
    /// The size of the file.
    public let fileBytes: UInt64
    /// The bytes that the newest version and those that are kept under names use.
    public let usedBytes: UInt64
    /// The number of the newest version.
    public let version: UInt64
    /// The oldest version that this process still holds although there are newer ones, if it costs anything.
    public let oldestSnapshot: OldSnapshot?
    /// The versions that are kept under names, the oldest first.
    public let versions: [KeptVersion]
    /// The tables, in the order in which they were added.
    public let tables: [Table]

    /// The bytes of the file that hold nothing: what compacting would save, at most.
    public var freeBytes: UInt64 { fileBytes - min(usedBytes, fileBytes) }

    /// One table.
    public struct Table: Hashable, Sendable {
      /// The table's name.
      public let name: String
      /// How many objects there are.
      public let objects: UInt64
      /// How many levels the tree has, the leaves included; 0 for an empty one.
      public let levels: Int
      /// How many leaves there are.
      public let leaves: UInt64
      /// The bytes of nodes and leaves.
      public let bytes: UInt64
      /// The bytes of long values, which lie outside the leaves.
      public let valueBytes: UInt64
      /// The indexes, in the order of their fields, and behind them those of several fields or of some objects.
      public let indexes: [Index]
    }

    /// One index.
    public struct Index: Hashable, Sendable {
      /// The field's name, or the names of the fields and the condition.
      public let name: String
      /// Whether no two objects may have one value.
      public let isUnique: Bool
      /// How many entries there are: one for each object, or for each that fulfils the index's condition.
      public let entries: UInt64
      /// How many levels the tree has, the leaves included; 0 for an empty one.
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
