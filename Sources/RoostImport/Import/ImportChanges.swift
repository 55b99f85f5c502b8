/// What a refresh changed, model by model.
public struct ImportChanges: Hashable, Sendable {
  /// The models that the mapping names, in its order.
  public internal(set) var models: [Model]

  /// Whether the store was up to date.
  public var isEmpty: Bool {
    models.allSatisfy { $0.inserted == 0 && $0.updated == 0 && $0.deleted == 0 }
  }

  /// The changes of a model's objects.
  public struct Model: Hashable, Sendable {
    /// The model.
    public let name: String
    /// How many objects are new.
    public let inserted: Int
    /// How many have other values.
    public let updated: Int
    /// How many are gone.
    public let deleted: Int
  }
}
