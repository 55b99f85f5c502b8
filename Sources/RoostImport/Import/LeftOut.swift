/// Thrown for an object that is not imported, by what makes the objects of its class: the report counts each reason.
public struct LeftOut: Error, Hashable, Sendable {
  /// The reason, in words of yours.
  public let reason: String

  /// Leaves an object out for this reason.
  public init(_ reason: String) { self.reason = reason }

  /// The reason of an object for which nil was returned.
  static let byMapping = "the mapping left it out"
}
