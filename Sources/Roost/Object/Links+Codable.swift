/// A link is encoded as its target's id.
extension Link: Codable where Target.ID: Codable {
  /// Writes the id.
  public func encode(to encoder: any Encoder) throws {
    // In a container, because an encoder may write some types in its own form: a date, for example.
    var container = encoder.singleValueContainer()
    try container.encode(id)
  }

  /// Reads the id.
  public init(from decoder: any Decoder) throws {
    self.init(id: try decoder.singleValueContainer().decode(Target.ID.self))
  }
}

/// A list of links is encoded as the array of its targets' ids.
extension Links: Codable where Target.ID: Codable {
  /// Writes the ids.
  public func encode(to encoder: any Encoder) throws { try ids.encode(to: encoder) }

  /// Reads the ids.
  public init(from decoder: any Decoder) throws {
    self.init(ids: try [Target.ID](from: decoder))
  }
}
