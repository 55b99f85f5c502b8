internal import RoostEngine

/// Conditions on a blob.
extension QueryValue where Value == Blob {
  /// Whether the blob has no byte.
  public var isEmpty: QueryCondition {
    QueryCondition(filter: .compare(term, .equal, .bytes([])))
  }
}
