internal import RoostEngine

/// An object where it lies: each property is decoded when it is asked for, and no other.
///
/// ```swift
/// for row in try snapshot.rows(adults) { print(try row.name) }
/// ```
///
/// A row belongs to a version, and stays as it is for as long as it is held. It keeps that version, and
/// the leaf that it lies in, in memory. Reading a property may read the file, and so throws.
@dynamicMemberLookup
public struct Row<M: Model>: Sendable {
  /// Where a row is, or why that is not known.
  enum Place: Sendable {
    case leaf(LeafReference, Int)
    case failed(Failure)
  }

  /// An error, in a box that keeps the row small.
  final class Failure: Sendable {
    let error: StoreError
    init(_ error: StoreError) { self.error = error }
  }

  let layout: RowLayout<M>
  let place: Place

  private func resolved() throws(StoreError) -> (leaf: LeafReference, row: Int) {
    switch place {
    case .leaf(let leaf, let row): return (leaf, row)
    case .failed(let failure): throw failure.error
    }
  }

  /// A property of the object.
  ///
  /// - Throws: ``StoreError/corrupt(path:unit:reason:)`` where its place in the file is damaged.
  public subscript<Value: Storable>(dynamicMember path: KeyPath<M, Value>) -> Value {
    get throws(StoreError) {
      let (leaf, row) = try resolved()
      return try layout.read(Value.self, try layout.position(of: path), leaf: leaf, row: row)
    }
  }

  /// The whole object, decoded.
  public var value: M {
    get throws(StoreError) {
      let (leaf, row) = try resolved()
      let window = layout.window()
      try window.move(to: leaf)
      var cells = RowReader(window, row: row)
      return try layout.schema.decode(&cells)
    }
  }

  /// The bytes of a text or of data, in place: where they lie in the file's page in memory.
  ///
  /// Nothing is copied, unless the value is longer than 1024 bytes and so lies apart. The bytes are to be
  /// used inside of `body` only. Nil has no bytes, and gives an empty buffer.
  public func withBytes<Value: Storable, Result>(
    _ path: KeyPath<M, Value>, _ body: (UnsafeRawBufferPointer) throws -> Result
  ) throws -> Result {
    let (leaf, row) = try resolved()
    let position = try layout.position(of: path)
    let window = layout.window()
    try window.move(to: leaf, only: position)
    return try unsafe window.withBytes(position, row: row, body)
  }
}
