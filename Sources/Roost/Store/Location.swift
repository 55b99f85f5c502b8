#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The location of a store.
public enum Location: Hashable, Sendable, ExpressibleByStringLiteral {
  /// In the file at a path, created if it is missing.
  case file(String)
  /// In the file at a path, created as a copy of another file: see ``file(_:seed:)``.
  case seeded(String, seed: String)
  /// In memory, while the ``Store`` is retained: for tests and scratch data. It behaves like a file.
  case inMemory
  /// In memory, and in the file at a path as long as the disk works: see ``inMemory(mirroredTo:)``.
  case mirrored(String)

  /// In the file at a path, created with the content of another store if it is missing: a store that is shipped with
  /// the app.
  ///
  /// ```swift
  /// let store = try Store(.file("words.roost", seed: shipped), models: Word.self)
  /// ```
  ///
  /// The whole seed is read, written to a new file beside the path, verified and put in place: if the app is
  /// killed meanwhile, the next opening starts over. It takes as long as compacting the seed. Then the file is opened like any
  /// other, so migration steps run in it. If the file exists, the seed is not opened, and need not exist. The seed is
  /// only read, and may be on a read-only volume.
  ///
  /// If the seed is damaged, is not a store or is open for writing, this throws the error of opening the seed, with its path,
  /// and leaves no file. If the store is opened read-only, no file is created: a missing file throws
  /// ``StoreError/fileNotFound(path:)``. To read a seed in place, open it read-only as ``file(_:)-enum.case``.
  public static func file(_ path: String, seed: URL) -> Location {
    .seeded(path, seed: filePath(of: seed))
  }

  /// In the file at a URL, created with the content of another store if it is missing: see ``file(_:seed:)``.
  public static func file(_ url: URL, seed: URL) -> Location {
    .file(filePath(of: url), seed: seed)
  }

  /// In the file at a URL, created if it is missing.
  ///
  /// The URL must be that of a file.
  public static func file(_ url: URL) -> Location { .file(filePath(of: url)) }

  /// In memory, loaded from the file at a path; every commit is written to the file too.
  ///
  /// For data that an app must be able to use when the disk is full or fails. Memory is authoritative:
  /// no write fails because of the disk. The file keeps the last commit that was written to it,
  /// ``Store/mirrorFailure`` has the reason, and the store tries to update the file at later commits (at first after a
  /// second), at ``Store/synchronize()`` and at the end: a new file is written beside it and
  /// replaces it. An existing file that cannot be opened throws the same error as without memory.
  ///
  /// The whole file is in memory, so it should be small.
  public static func inMemory(mirroredTo path: String) -> Location { .mirrored(path) }

  /// In memory, loaded from the file at a URL: see ``inMemory(mirroredTo:)``.
  public static func inMemory(mirroredTo url: URL) -> Location { .mirrored(filePath(of: url)) }

  /// The file at a path: `Store("people.roost", …)`.
  public init(stringLiteral path: String) { self = .file(path) }

  /// The path of the store's file; nil in memory.
  var path: String? {
    switch self {
    case .file(let path), .seeded(let path, _), .mirrored(let path): path
    case .inMemory: nil
    }
  }

  /// The path of a file's URL; of another URL its text, which is the path of no file, so that errors name it.
  package static func filePath(of url: URL) -> String {
    url.isFileURL ? url.path : url.absoluteString
  }
}
