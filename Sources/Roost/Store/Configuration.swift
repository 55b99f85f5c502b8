internal import Foundation
package import RoostEngine

/// The options for opening and keeping a store.
public struct Configuration: Sendable {
  /// Whether the store is read-only. The file must exist, and is not changed in any way.
  public var isReadOnly = false

  /// The default durability of writes.
  public var durability = Durability.full

  /// What happens to an existing file that cannot be opened as a store; see ``Store/unreadableFile``.
  ///
  /// A store that is only read leaves the file unchanged.
  public var onUnreadable = UnreadableFilePolicy.throw

  /// Whether opening the store may change the file's models, by migration steps or by automatic changes.
  ///
  /// False in an app extension or a tool that must not migrate the app's file: if the file does not fit, opening it throws
  /// ``StoreError/migrationRequired(_:)``. Differences that do not matter to a read-only program are ignored.
  public var migrates = true

  /// What happens to a file whose objects fit neither the models nor a step; see ``SchemaChangePolicy``.
  public var onSchemaChange = SchemaChangePolicy.throw

  /// The number of openings of the file through which the version before a migration is kept; 0 keeps none.
  ///
  /// The first of an opening's steps that changes or removes values leaves the version before it under the name
  /// `before STEP`, and the version before the opening's first step, which the older release can open, is left under that
  /// step's name: ``Store/restore(_:)`` and `roost restore` go back to them. They cost what the steps replace. Openings that
  /// fail, only read or do not migrate are not counted, and a process that opens a file several times at once counts once.
  public var keepsBeforeMigration = 10

  /// Receives the progress of migration steps, on the thread that opens the store: at the beginning of a step, and after every
  /// some thousand objects. If the task that opens the store is cancelled, the step ends before the next object with
  /// ``StoreError/cancelled``, and the file stays as it was before the step.
  public var reportsMigration: (@Sendable (MigrationProgress) -> Void)?

  /// Receives lines for the program's log, in plain words. By default there is no log; a debug build of the library prints the
  /// lines about likely mistakes in the models.
  public var log: (@Sendable (String) -> Void)?

  /// The permissions of a new file: the nine bits of a POSIX mode, regardless of the process's mask.
  ///
  /// By default only its owner may read and write it. An existing file keeps its permissions, also when it
  /// is compacted.
  public var newFilePermissions: UInt16 = 0o600

  /// The maximum number of bytes of the file to cache in memory, besides the data of rows in use.
  public var cacheBytesMax = 192 << 20

  /// The bytes of the ring in the file, to which small commits write what they change; nil for a size that fits the file.
  ///
  /// By default 64 KiB, from a file of 1 MiB on 128 KiB, from 2 MiB on a sixteenth of it, at most 1 MiB. A larger one is emptied
  /// less often, and opening the file after a crash reads more. It is rounded up to 4 KiB, and has at least 64 KiB and at most
  /// 1 MiB; 0 or less is none, and each commit writes its pages to their places. A file keeps the ring that it has, unless that
  /// has at most half as many bytes.
  public var ringBytes: Int?

  /// The most bytes of changed pages that small commits leave in memory, before a commit writes them to their places.
  ///
  /// At most a quarter of ``cacheBytesMax``; of a file of less than 64 MiB a sixteenth, but half a MiB: what is replaced takes up
  /// space until then.
  public var waitingBytesMax = 4 << 20

  /// Whether opening the store compacts its file: by default if it has more than 100 MiB and less than half is in use.
  public var compaction = CompactionPolicy.mostlyUnused

  /// The cache policy, if the store is a cache: see ``cache(maxBytes:expiresAfter:keeping:)``.
  public var cache: CachePolicy?

  /// Receives a snapshot that looks forgotten: a minute old, and it keeps 32 MiB of the file from being
  /// reused. Called once for each version, on the writing thread; by default it is a line in ``log``.
  public var reportsOldSnapshot: (@Sendable (OldSnapshot) -> Void)?

  /// Whether a missing file is created.
  package var createsFile = true

  /// The age and the cost from which on a snapshot is reported.
  package var oldSnapshotMin = (age: Duration.seconds(60), bytes: Int64(32 << 20))

  /// The current time: seconds since 2001, as a `Date` counts them.
  package var clock: @Sendable () -> Double = { Date().timeIntervalSinceReferenceDate }

  /// The memory limits of a migration step, and of building an index.
  package var migrationLimits = WriteBufferLimits.ofMigration

  /// The file system: the operating system's, or a failing one for tests.
  package var fileSystem: any FileSystem = PosixFileSystem()

  /// The defaults: a file for reading and writing, compacted when most of a large file is unused.
  public init() {}

  /// The units of the ring, as the engine counts them.
  var ringUnits: Int? {
    ringBytes.map { $0 <= 0 ? 0 : (min(max($0, 64 << 10), 1 << 20) + 4095) / 4096 }
  }
}

/// The policy for a file that does not fit the models, if no migration step applies.
public enum SchemaChangePolicy: Hashable, Sendable {
  /// The error is thrown, and the file stays unchanged.
  case `throw`
  /// The file is removed with all its content, and the store starts empty: for a program in development, before its first
  /// release.
  case recreate
}
