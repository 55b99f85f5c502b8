internal import Foundation
package import RoostEngine

/// How a store is opened and kept.
public struct Configuration: Sendable {
  /// Whether nothing may be written. The file must exist, and is not changed in any way.
  public var isReadOnly = false

  /// The durability of writes that do not name one.
  public var durability = Durability.full

  /// What happens to an existing file that cannot be opened as a store; see ``Store/unreadableFile``.
  ///
  /// Nothing becomes of it where the store is only read.
  public var onUnreadable = UnreadableFilePolicy.throw

  /// Whether opening the store may change the file's models: by steps of a migration, and by what needs none.
  ///
  /// False in an app's extension, or a tool, that must not migrate the app's file: where the file does not fit, it gets
  /// ``StoreError/migrationRequired(_:)``. What a program that only reads can do without is no difference.
  public var migrates = true

  /// What happens to a file whose objects fit neither the models nor a step; see ``SchemaChangePolicy``.
  public var onSchemaChange = SchemaChangePolicy.throw

  /// Through how many openings of the file the version before a migration is kept; 0 keeps none.
  ///
  /// The first of an opening's steps that changes or removes values leaves the version before it under the name
  /// `before STEP`: ``Store/restore(_:)`` and `roost rollback` go back to it. It costs what the steps replace. Openings that
  /// only read or do not migrate are not counted, and a process that opens a file several times at once counts once.
  public var keepsBeforeMigration = 10

  /// Told of a migration's steps, by the thread that opens the store: when one begins, and as it goes through objects, for
  /// each some thousand. Where the task that opens the store is cancelled, the step ends before the next object with
  /// ``StoreError/cancelled``, and the file is as it was before the step.
  public var reportsMigration: (@Sendable (MigrationProgress) -> Void)?

  /// Told in plain words of what is worth a line in a program's log. By default nobody is.
  public var log: (@Sendable (String) -> Void)?

  /// Who may use a file that the store makes: the nine bits of a POSIX mode, whatever the process's mask.
  ///
  /// By default its owner alone may read and write it. A file that is there keeps its permissions, also when it
  /// is compacted.
  public var newFilePermissions: UInt16 = 0o600

  /// How many bytes of the file may be kept in memory, beside what rows in use hold.
  public var cacheBytesMax = 192 << 20

  /// Whether opening the store compacts its file: by default one of more than 100 MiB, less than half of which is used.
  public var compaction = CompactionPolicy.mostlyUnused

  /// The cache policy, where the store is a cache: see ``cache(maxBytes:expiresAfter:keeping:)``.
  public var cache: CachePolicy?

  /// Told of a snapshot that looks forgotten: a minute old, and it keeps 32 MiB of the file from being used
  /// again. Once for each version, by the thread that writes; by default it is a line in ``log``.
  public var reportsOldSnapshot: (@Sendable (OldSnapshot) -> Void)?

  /// Whether a missing file is made.
  package var createsFile = true

  /// How old a snapshot must be, and what it must cost, to be reported.
  package var oldSnapshotMin = (age: Duration.seconds(60), bytes: Int64(32 << 20))

  /// The current time: seconds since 2001, as a `Date` counts them.
  package var clock: @Sendable () -> Double = { Date().timeIntervalSinceReferenceDate }

  /// How much a step of a migration, and the making of an index, gather in memory.
  package var migrationLimits = WriteBufferLimits.ofMigration

  /// The file system: the operating system's, or one that fails as a test wants it.
  package var fileSystem: any FileSystem = PosixFileSystem()

  /// The defaults: a file for reading and writing, compacted when most of a large file is unused.
  public init() {}
}

/// What happens to a file that does not fit the models, where no migration step applies.
public enum SchemaChangePolicy: Hashable, Sendable {
  /// The error is thrown, and the file left as it is.
  case `throw`
  /// The file is removed with everything in it, and the store starts anew: while a program is written, before its first
  /// release.
  case recreate
}
