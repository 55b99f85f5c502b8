/// Where a store lies.
public enum Location: Hashable, Sendable, ExpressibleByStringLiteral {
  /// In the file at a path, made where it is missing.
  case file(String)
  /// In memory, for as long as the ``Store`` is held: for tests and scratch data. It behaves as a file does.
  case inMemory

  /// The file at a path: `Store("people.roost", …)`.
  public init(stringLiteral path: String) { self = .file(path) }
}
