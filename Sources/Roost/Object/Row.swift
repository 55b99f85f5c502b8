internal import RoostEngine

/// An undecoded object: a property is decoded when it is read, and no other.
///
/// ```swift
/// for row in try snapshot.rows(adults) { print(try row.name) }
/// ```
///
/// A row belongs to a version, and does not change while it is retained. It keeps that version, and
/// its leaf, in memory. Reading a property may read the file, and so may throw.
@dynamicMemberLookup
public struct Row<M: Model>: @unchecked Sendable {  // all that it refers to is immutable
  /// Retains the columns and the lookup: a ``RowPage``, or, if the version retains the leaf, the object that
  /// retains the version. It has no other use.
  @usableFromInline let holder: any AnyObject & Sendable
  @usableFromInline let columns: UnownedColumns
  /// The ``ObjectLookup`` that the row is read in; it retains the version and is immutable.
  @usableFromInline let lookup: UnownedLookup
  @usableFromInline let row: Int

  /// A row of columns that the holder retains, together with the lookup.
  @inline(__always)
  init(
    _ columns: UnownedColumns, row: Int, in lookup: UnownedLookup,
    heldBy holder: any AnyObject & Sendable
  ) {
    self.holder = holder
    self.columns = columns
    self.row = row
    self.lookup = lookup
  }

  /// A row of a page, by its position there.
  @inlinable @inline(__always)
  init(_ page: RowPage, _ place: Int) {
    holder = page
    lookup = page.lookup
    // The caller has compared the position with the page's count.
    let place = unsafe page.places.unchecked(place)
    columns = place.columns
    row = place.row
  }

  /// Calls `body` with the columns of the leaf and the row's lookup.
  @inline(__always)
  private func withColumns<Result>(
    _ body: (ModelColumns, ObjectLookup) throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    defer { withExtendedLifetime(self) {} }
    let lookup = lookup.object
    return try columns.with { (columns) throws(StoreError) in try body(columns, lookup) }
  }

  // MARK: Properties

  /// A property of the object.
  ///
  /// - Throws: ``StoreError/corrupt(path:damage:)`` where its place in the file is damaged.
  @inlinable
  public subscript<Value: Storable>(dynamicMember path: KeyPath<M, Value>) -> Value {
    @inline(__always)
    get throws(StoreError) {
      // For a literal key path to a stored property, the compiler makes an offset instead of a key path.
      guard let offset = MemoryLayout<M>.offset(of: path) else { return try _read(path) }
      let value = try Value._read(_cell(atOffset: offset, Value.self))
      // The row retains everything that the cell refers to.
      withExtendedLifetime(self) {}
      return value
    }
  }

  /// An embedded struct of the object, decoded as a whole.
  ///
  /// - Throws: ``StoreError/corrupt(path:damage:)`` where its place in the file is damaged.
  @_disfavoredOverload
  public subscript<Value: PropertyValue>(dynamicMember path: KeyPath<M, Value>) -> Value {
    get throws(StoreError) {
      try withColumns { (columns, lookup) throws(StoreError) in
        guard let positions = M.schema.positions(of: path) else {
          throw .unknownField(
            model: columns.model.name.name, property: M.schema.nameOfUnknown(path))
        }
        for position in positions { _ = try columns.column(position, in: lookup) }
        var cells = _RowReader(
          UnownedColumns(columns), row: row, in: UnownedLookup(lookup),
          from: positions.lowerBound)
        return try Value._decode(&cells)
      }
    }
  }

  /// A property of the object by its key path: `row[\.value]` for one that a member of the row shadows, such as ``value``.
  ///
  /// - Throws: ``StoreError/corrupt(path:damage:)`` where its place in the file is damaged.
  @inlinable
  public subscript<Value: Storable>(_ path: KeyPath<M, Value>) -> Value {
    @inline(__always)
    get throws(StoreError) { try self[dynamicMember: path] }
  }

  /// An embedded struct of the object by its key path, decoded as a whole.
  ///
  /// - Throws: ``StoreError/corrupt(path:damage:)`` where its place in the file is damaged.
  @_disfavoredOverload
  public subscript<Value: PropertyValue>(_ path: KeyPath<M, Value>) -> Value {
    get throws(StoreError) { try self[dynamicMember: path] }
  }

  /// The cell of the stored property of a type at an offset in an object.
  ///
  /// Does not search, so no path needs a program's own code to retain the row: if the property was
  /// not read in any row of the leaf before, the cell finds its column when it is read.
  @inlinable @inline(__always)
  @_lifetime(borrow self)
  func _cell<Value>(atOffset offset: Int, _ type: Value.Type) -> _Cell {
    _Cell(
      word: columns.word(atOffset: offset, of: ObjectIdentifier(type)), row: row,
      columns: columns, lookup: lookup)
  }

  /// A property that is not stored at an offset of its own.
  @usableFromInline
  func _read<Value: Storable>(_ path: KeyPath<M, Value>) throws(StoreError) -> Value {
    defer { withExtendedLifetime(self) {} }
    return try Value._read(_cell(path))
  }

  @usableFromInline
  @_lifetime(borrow self)
  func _cell(_ path: AnyKeyPath) throws(StoreError) -> _Cell {
    let word = try withColumns { (columns, lookup) throws(StoreError) in
      guard let position = M.schema.position(of: path) else {
        throw .unknownField(
          model: columns.model.name.name, property: M.schema.nameOfUnknown(path))
      }
      return try columns.column(position, in: lookup).word
    }
    return _Cell(word: word, row: row, columns: columns, lookup: lookup)
  }

  /// The whole object, decoded.
  public var value: M {
    get throws(StoreError) {
      // The row retains the columns and the lookup.
      defer { withExtendedLifetime(self) {} }
      return try M.schema.object(columns, row: row, in: lookup.object)
    }
  }

  // MARK: Bytes

  /// The bytes of a text or of data, in place in the file's cached page.
  ///
  /// Nothing is copied, unless the value is longer than 1024 bytes and so is stored separately. The bytes are
  /// valid only inside `body`. Nil has no bytes, and gives an empty buffer.
  @inlinable @inline(__always)
  public func withBytes<Value: Storable, Result>(
    _ path: KeyPath<M, Value>, _ body: (UnsafeRawBufferPointer) throws -> Result
  ) throws -> Result {
    let cell =
      if let offset = MemoryLayout<M>.offset(of: path) {
        _cell(atOffset: offset, Value.self)
      } else {
        try _cell(path)
      }
    // The row retains everything that the cell refers to.
    defer { withExtendedLifetime(self) {} }
    // Bytes in place need no reference counted: atomic operations would keep the reads of the next row waiting.
    guard let bytes = try unsafe cell.bytesInPlace else {
      return try cell.withExternalBytes(body)
    }
    return try unsafe body(bytes)
  }
}
