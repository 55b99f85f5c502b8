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
  /// An error, in place of a leaf.
  private final class Failure: Sendable {
    let error: StoreError
    init(_ error: StoreError) { self.error = error }
  }

  /// The leaf, which holds the columns, where the version does not hold it; or a ``Failure``.
  private let owner: (any AnyObject & Sendable)?
  /// The columns; nil where the row could not be found.
  @usableFromInline let columns: UnownedColumns?
  /// What the row is read in, which holds the version and changes no more.
  @usableFromInline nonisolated(unsafe) let lookup: ObjectLookup
  @usableFromInline let row: Int

  /// A row of a leaf, whose columns these are; of nil where the version holds the leaf.
  @inline(__always)
  init(
    _ columns: UnownedColumns, of leaf: LeafReference?, row: Int, in lookup: ObjectLookup
  ) {
    owner = leaf
    self.columns = columns
    self.row = row
    unsafe self.lookup = lookup
  }

  /// A row that could not be found.
  init(_ error: StoreError, in lookup: ObjectLookup) {
    owner = Failure(error)
    columns = nil
    row = 0
    unsafe self.lookup = lookup
  }

  @inline(__always)
  private func found() throws(StoreError) -> UnownedColumns {
    if let columns { return columns }
    throw (owner as? Failure)?.error ?? .closed
  }

  // MARK: Properties

  /// A property of the object.
  ///
  /// - Throws: ``StoreError/corrupt(path:unit:reason:)`` where its place in the file is damaged.
  @inlinable
  public subscript<Value: Storable>(dynamicMember path: KeyPath<M, Value>) -> Value {
    @inline(__always)
    get throws(StoreError) {
      // Of a literal key path to a stored property the compiler makes a number, and no key path.
      guard let offset = MemoryLayout<M>.offset(of: path) else { return try _read(path) }
      let value = try Value._read(_cell(atOffset: offset, Value.self))
      // The row holds what the cell refers to.
      withExtendedLifetime(self) {}
      return value
    }
  }

  /// The cell of the stored property of a type at an offset in an object.
  @inlinable @inline(__always)
  func _cell<Value>(atOffset offset: Int, _ type: Value.Type) throws(StoreError) -> _Cell {
    if let columns {
      let word = columns.word(atOffset: offset, of: ObjectIdentifier(type))
      if word != 0 {
        return unsafe _Cell(
          word: word, row: row, columns: columns.address,
          lookup: UnsafeRawPointer(Unmanaged.passUnretained(lookup).toOpaque()))
      }
    }
    return try _findCell(atOffset: offset, type)
  }

  /// The same cell, its column looked for in the leaf.
  @usableFromInline
  @inline(never)
  func _findCell(atOffset offset: Int, _ type: Any.Type) throws(StoreError) -> _Cell {
    try found().with { (columns) throws(StoreError) in
      let position = columns.model.position(atOffset: offset, of: ObjectIdentifier(type))
      guard let position else {
        throw .unknownField(
          model: columns.model.name.name, property: "the \(type) at byte \(offset)")
      }
      return try unsafe columns.cell(position, row: row, in: lookup)
    }
  }

  /// A property that is not stored at an offset of its own.
  @usableFromInline
  func _read<Value: Storable>(_ path: KeyPath<M, Value>) throws(StoreError) -> Value {
    defer { withExtendedLifetime(self) {} }
    return try Value._read(_cell(path))
  }

  @usableFromInline
  func _cell(_ path: AnyKeyPath) throws(StoreError) -> _Cell {
    try found().with { (columns) throws(StoreError) in
      guard let position = M.schema.position(of: path) else {
        throw .unknownField(model: columns.model.name.name, property: "\(path)")
      }
      return try unsafe columns.cell(position, row: row, in: lookup)
    }
  }

  /// The whole object, decoded.
  public var value: M {
    get throws(StoreError) {
      defer { withExtendedLifetime(self) {} }
      return try unsafe M.schema.object(found(), row: row, in: lookup)
    }
  }

  // MARK: Bytes

  /// The bytes of a text or of data, in place: where they lie in the file's page in memory.
  ///
  /// Nothing is copied, unless the value is longer than 1024 bytes and so lies apart. The bytes are to be
  /// used inside of `body` only. Nil has no bytes, and gives an empty buffer.
  @inlinable
  public func withBytes<Value: Storable, Result>(
    _ path: KeyPath<M, Value>, _ body: (UnsafeRawBufferPointer) throws -> Result
  ) throws -> Result {
    let cell =
      if let offset = MemoryLayout<M>.offset(of: path) {
        try _cell(atOffset: offset, Value.self)
      } else {
        try _cell(path)
      }
    // The row holds what the cell refers to.
    defer { withExtendedLifetime(self) {} }
    guard let bytes = unsafe cell._bytesInPlace else { return try unsafe cell._withBytes(body) }
    return try unsafe body(bytes)
  }
}
