public import Roost
internal import RoostEngine

/// An object in a version of a store: its fields are read on access.
///
/// It belongs to a version: later writes do not change it, on any thread, for as long as it is held.
public struct DynamicObject: Sendable {
  /// The location of the object, or the error that prevents finding it.
  typealias Place = Result<(leaf: LeafReference, row: Int), StoreError>

  let place: Place
  let definition: TableDefinition
  let content: SnapshotContent

  init(_ place: Place, of table: TableDefinition, in content: SnapshotContent) {
    self.place = place
    definition = table
    self.content = content
  }

  /// The name of the table.
  public var table: String { definition.name }

  /// The key.
  ///
  /// - Throws: ``/Roost/StoreError/corrupt(path:damage:)`` where the file is damaged, here and in all that is read of an
  ///   object.
  public var key: DynamicValue {
    get throws(StoreError) {
      let (leaf, row) = try place.get()
      guard let identifier = definition.identifier else { return .int(leaf.key(row)) }
      return try value(identifier)
    }
  }

  /// The value of a field.
  ///
  /// - Complexity: What the value takes; of a link to an object whose key is no integer a look at that.
  /// - Throws: ``/Roost/StoreError/unknownField(model:property:)``.
  public subscript(field: String) -> DynamicValue {
    get throws(StoreError) { try value(try content.field(field, of: definition)) }
  }

  /// The values of all fields, in their order.
  public var values: [DynamicValue] {
    get throws(StoreError) {
      var values: [DynamicValue] = []
      for field in definition.fields { values.append(try value(field)) }
      return values
    }
  }

  private func value(_ field: FieldDefinition) throws(StoreError) -> DynamicValue {
    let (leaf, row) = try place.get()
    return try content.value(of: field, in: leaf, row, of: definition)
  }

  // MARK: Blobs

  /// The number of bytes in a blob. Reads none of them.
  ///
  /// - Throws: ``/Roost/StoreError/unknownField(model:property:)`` where there is no such blob.
  public func byteCount(of field: String) throws(StoreError) -> UInt64 { try blob(field).length }

  /// The bytes of a blob in a range, as far as the range lies in the blob.
  ///
  /// - Complexity: O(n) in the bytes of the range.
  public func bytes(of field: String, in range: Range<UInt64>) throws(StoreError) -> [UInt8] {
    try bytes(of: try blob(field), in: range)
  }

  /// The bytes of a content in a range, as far as the range lies in it.
  func bytes(
    of blob: BlobContent, in range: Range<UInt64>
  ) throws(StoreError) -> [UInt8] {
    let end = min(range.upperBound, blob.length)
    var place = range.lowerBound
    var bytes: [UInt8] = []
    while place < end {
      let position = place
      let piece = try content.working { _ throws(EngineError) in try blob.piece(at: position) }
      let part = position..<min(end, piece.range.upperBound)
      guard !part.isEmpty else { break }
      bytes += piece.withBytes(in: part) { $0.array }
      place = part.upperBound
    }
    return bytes
  }

  private func blob(_ name: String) throws(StoreError) -> BlobContent {
    let field = try content.field(name, of: definition)
    let (leaf, row) = try place.get()
    let key = leaf.key(row)
    let blob = try content.working { view throws(EngineError) in
      try view.blob(field.id, of: key, in: definition.id)
    }
    guard let blob else { throw .notFound(model: definition.name, id: "\(key)") }
    return blob
  }
}
