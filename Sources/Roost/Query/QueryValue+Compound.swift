internal import RoostEngine

extension QueryValue where Value: CompoundKey {
  /// Whether the key begins with these parts.
  ///
  /// - Precondition: They have the types of the key's first parts.
  public func begins<each Part: Storable>(with part: repeat each Part) -> QueryCondition {
    let shape = Value.parts.shape
    let sink = shape.sink()
    var position = 0
    do throws(StoreError) {
      for part in repeat each part {
        try write(part, shape, at: position, to: sink)
        position += 1
      }
    } catch {
      return QueryCondition(filter: .always(false))
    }
    let bytes = CompoundBytes.bytes(sink.columns.prefix(position), as: shape.shapes)
    return QueryCondition(filter: .beginning(term, bytes))
  }

  private func write<Part: Storable>(
    _ part: Part, _ shape: CompoundShape, at position: Int, to sink: RowSink
  ) throws(StoreError) {
    let type = Part._fieldType
    // Traps: a programming error.
    precondition(
      position < shape.parts.count && type.kind == shape.parts[position].type
        && (!type.isOptional || shape.parts[position].isOptional),
      "The key's part \(position) is of another type.")
    try part._write(to: sink.cell(position))
  }
}
