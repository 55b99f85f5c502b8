internal import RoostEngine

/// Conditions on a blob.
extension QueryValue where Value == Blob {
  /// Whether the blob is empty.
  public var isEmpty: QueryCondition {
    QueryCondition(filter: .compare(term, .equal, .bytes([])))
  }
}
