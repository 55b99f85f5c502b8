internal import RoostEngine

/// The error that a text is not a valid query for a store, and its position.
public struct QueryTextError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The problem, and the valid form.
  public let message: String
  /// The byte offset where the problem was found.
  public let offset: Int

  /// The message with its position.
  public var description: String { "At byte \(offset): \(message.visible)" }
}
