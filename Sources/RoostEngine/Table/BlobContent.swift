/// The content of a blob in one version; reads only the requested parts.
///
/// Retains the leaf that refers to it; the caller must retain the version.
package struct BlobContent: Sendable {
  private enum Place {
    /// In the leaf.
    case inline([UInt8])
    case extents(ValueEdge)
  }

  private let leaf: LeafReference
  private let key: Int64
  private let place: Place

  /// The content of a field in a row of a leaf: of a blob, or of any value that is bytes and not null.
  package init(_ leaf: LeafReference, row: Int, field: FieldID) throws(EngineError) {
    self.leaf = leaf
    key = leaf.key(row)
    let column = try leaf.column(field)
    guard column.type == .bytes, !column.isNull(row) else {
      throw leaf.located(.corrupt(Corruption(.directory, unit: leaf.pointer.unit)))
    }
    if let reference = column.external(row) {
      let birth = leaf.head.place(of: field).map { leaf.birth(ofColumnAt: $0) }
      place = .extents(
        ValueEdge(
          root: reference.pointer, length: reference.length,
          parentBirth: birth ?? leaf.pointer.birth))
    } else {
      place = .inline(column.bytes(row).array)
    }
  }

  /// The length in bytes.
  package var length: UInt64 {
    switch place {
    case .inline(let bytes): UInt64(bytes.count)
    case .extents(let edge): edge.length
    }
  }

  /// The part that contains the byte at an offset, which must lie in the content.
  ///
  /// - Throws: `.corrupt` where that part, or the way to it, is damaged.
  package func piece(at offset: UInt64) throws(EngineError) -> ValuePiece {
    switch place {
    case .inline(let bytes): return ValuePiece(range: 0..<length, content: .bytes(bytes))
    case .extents(let edge):
      do { return try leaf.context.reader.valuePiece(edge, at: offset) } catch {
        throw error.located(in: leaf.context.tree, keys: key...key)
      }
    }
  }
}
