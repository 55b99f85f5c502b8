#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Where a store lies.
public enum Location: Hashable, Sendable, ExpressibleByStringLiteral {
  /// In the file at a path, made where it is missing.
  case file(String)
  /// In the file at a path, which begins as a copy of another one: see ``file(_:seed:)``.
  case seeded(String, seed: String)
  /// In memory, for as long as the ``Store`` is held: for tests and scratch data. It behaves as a file does.
  case inMemory
  /// In memory, and in the file at a path for as long as the disk takes it: see ``inMemory(mirroredTo:)``.
  case mirrored(String)

  /// In the file at a path, which where it is missing is made with the content of another store: one that is shipped with
  /// the app.
  ///
  /// ```swift
  /// let store = try Store(.file("words.roost", seed: shipped), models: Word.self)
  /// ```
  ///
  /// Everything in the seed is read, written to a new file beside the path, verified and put in place: where the app is
  /// killed meanwhile, the next opening begins again. It takes as long as compacting the seed. Then the file is opened as any
  /// other, so that steps of a migration run in it. Where the file is there, the seed is not opened, and need not exist. It is
  /// only read, and may lie where nothing can be written.
  ///
  /// A seed that is damaged, is no store or is open to be written throws the error of opening it, with its path, and leaves
  /// nothing behind. Where the store is opened read-only, nothing is made: a missing file is
  /// ``StoreError/fileNotFound(path:)``. To read a seed where it is, open it read-only as ``file(_:)``.
  public static func file(_ path: String, seed: URL) -> Location {
    .seeded(path, seed: seed.isFileURL ? seed.path : seed.absoluteString)
  }

  /// In memory, beginning with what the file at a path has, and every commit is written to the file too.
  ///
  /// For data that an app must be able to work on with when the disk is full or fails. Memory is the truth then:
  /// no write fails because of the disk. The file stays what it was at the last commit that it took,
  /// ``Store/mirrorFailure`` says why, and at later commits, at first after a second, at
  /// ``Store/synchronize()`` and at the end the store tries to bring it up to date: a new file is written beside it and
  /// takes its place. A file that is there but cannot be opened is an error as without memory.
  ///
  /// All of the file is in memory, so that it should be small.
  public static func inMemory(mirroredTo path: String) -> Location { .mirrored(path) }

  /// The file at a path: `Store("people.roost", …)`.
  public init(stringLiteral path: String) { self = .file(path) }
}
