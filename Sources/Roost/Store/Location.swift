/// Where a store lies.
public enum Location: Hashable, Sendable, ExpressibleByStringLiteral {
  /// In the file at a path, made where it is missing.
  case file(String)
  /// In memory, for as long as the ``Store`` is held: for tests and scratch data. It behaves as a file does.
  case inMemory
  /// In memory, and in the file at a path for as long as the disk takes it: see ``inMemory(mirroredTo:)``.
  case mirrored(String)

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
