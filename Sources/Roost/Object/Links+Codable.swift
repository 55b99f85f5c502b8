/// A link is written as its target's id, and nothing else.
extension Link: Codable where Target.ID: Codable {
  /// Writes the id.
  public func encode(to encoder: any Encoder) throws {
    // By a container, for an encoder has forms of its own for some types: a date, for example.
    var container = encoder.singleValueContainer()
    try container.encode(id)
  }

  /// Reads the id.
  public init(from decoder: any Decoder) throws {
    self.init(id: try decoder.singleValueContainer().decode(Target.ID.self))
  }
}

/// A list of links is written as the array of its targets' ids.
extension Links: Codable where Target.ID: Codable {
  /// Writes the ids.
  public func encode(to encoder: any Encoder) throws { try ids.encode(to: encoder) }

  /// Reads the ids.
  public init(from decoder: any Decoder) throws {
    self.init(ids: try [Target.ID](from: decoder))
  }
}
