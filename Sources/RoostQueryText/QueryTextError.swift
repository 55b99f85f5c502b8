internal import RoostEngine

/// A text that is no query of a store, and where in it the trouble is.
public struct QueryTextError: Error, Equatable, Sendable, CustomStringConvertible {
  /// What is wrong, and what would be right.
  public let message: String
  /// The byte of the text where it was noticed.
  public let offset: Int

  /// The message with the place.
  public var description: String { "At byte \(offset): \(message.visible)" }
}
