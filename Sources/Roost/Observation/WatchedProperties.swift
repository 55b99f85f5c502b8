/// The properties whose changes are reported.
@usableFromInline
struct WatchedProperties: Sendable {
  /// Their positions in the schema.
  private(set) var positions: [Int] = []
  /// The error if a key path is not a property.
  private(set) var error: StoreError?

  @usableFromInline
  init<M: Model, each Property: PropertyValue>(of property: repeat KeyPath<M, each Property>) {
    for property in repeat each property {
      guard let found = M.schema.positions(of: property) else {
        positions = []
        error = .unknownField(
          model: ModelName(M.self).name, property: M.schema.nameOfUnknown(property))
        return
      }
      positions += found
    }
  }
}
