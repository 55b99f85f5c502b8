internal import RoostEngine

extension QueryValue where Value: CompoundKey {
  /// Whether the key begins with these parts.
  ///
  /// A query with parts that do not have the types of the key's first parts throws
  /// ``StoreError/queryInvalid(model:reason:)``.
  public func begins<each Part: Storable>(with part: repeat each Part) -> QueryCondition {
    let shape = Value.parts.shape
    let sink = shape.sink()
    var position = 0
    do throws(StoreError) {
      for part in repeat each part {
        guard isPart(part, of: shape, at: position) else {
          return QueryCondition(filter: .beginning(term, nil))
        }
        try part._write(to: sink.cell(position))
        position += 1
      }
    } catch {
      // What no key can have.
      return QueryCondition(filter: .always(false))
    }
    let bytes = CompoundBytes.bytes(sink.columns.prefix(position), as: shape.shapes)
    return QueryCondition(filter: .beginning(term, bytes))
  }

  private func isPart<Part: Storable>(
    _ part: Part, of shape: CompoundShape, at position: Int
  ) -> Bool {
    let type = Part._fieldType
    return position < shape.parts.count && type.kind == shape.parts[position].type
      && (!type.isOptional || shape.parts[position].isOptional)
  }
}
