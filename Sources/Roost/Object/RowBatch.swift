internal import RoostEngine

/// Results that are stored together in the file, to be read column by column.
///
/// It belongs to a version, and does not change while it is retained.
public struct RowBatch<M: Model>: Sendable {
  /// The columns that rows are read by; they retain the leaf.
  private let leaf: LeafReference
  private let columns: UnownedColumns
  /// Retains the version; immutable.
  private let lookup: any ObjectLookup & Sendable
  private let rows: LeafRows
  /// Retained by single rows.
  private let holder: RowPage
  /// The index of the first row in the whole result.
  public let startIndex: Int

  init(_ batch: ResultBatch, of model: ModelBinding, in lookup: any ObjectLookup & Sendable) {
    leaf = batch.leaf
    columns = ModelColumns.of(batch, for: model)
    rows = batch.rows
    startIndex = batch.position
    self.lookup = lookup
    holder = RowPage(EmptyCollection(), of: columns, owner: batch.leaf, in: lookup)
  }

  /// The number of rows.
  public var count: Int { rows.count }

  /// The row at a position, from 0.
  public subscript(place: Int) -> Row<M> {
    Row(columns, row: rows[place], in: UnownedLookup(lookup), heldBy: holder)
  }

  /// The values of a property, one for each row.
  ///
  /// If the rows are a large part of the values stored together in the file, all these are decoded at once: request only
  /// columns that are read to the end.
  /// - Throws: ``StoreError/unknownField(model:property:)`` where the schema does not list the property;
  ///   ``StoreError/corrupt(path:damage:)`` where its place in the file is damaged.
  public func column<Value: Storable>(
    _ path: KeyPath<M, Value>
  ) throws(StoreError) -> RowColumn<Value> {
    try columns.with { (columns) throws(StoreError) in
      guard let position = M.schema.position(of: path) else {
        throw .unknownField(
          model: columns.model.name.name, property: M.schema.nameOfUnknown(path))
      }
      let word = try columns.column(position, in: lookup).word
      return RowColumn(
        word: word, columns: self.columns, leaf: leaf, lookup: lookup, rows: rows)
    }
  }
}

extension ModelColumns {
  /// The columns of a batch's leaf.
  ///
  /// If many of its rows are read, and no other result uses the leaf, they are decoded as a whole.
  static func of(_ batch: ResultBatch, for model: ModelBinding) -> UnownedColumns {
    let columns = of(batch.leaf, for: model)
    let count = batch.rows.count
    if count > 16, count >= batch.leaf.rowCount / 4, !batch.leaf.isShared {
      columns.with { $0.decode() }
    }
    return columns
  }
}

/// The values of one property in the rows of a ``RowBatch``.
public struct RowColumn<Value: Storable>: Sendable {
  private let leaf: LeafReference
  @usableFromInline let columns: UnownedColumns
  @usableFromInline let lookup: any ObjectLookup & Sendable
  @usableFromInline let word: UInt
  @usableFromInline let first: Int
  /// The rows' numbers; empty if the rows are consecutive.
  @usableFromInline let numbers: ArraySlice<UInt16>
  /// The number of values.
  public let count: Int

  init(
    word: UInt, columns: UnownedColumns, leaf: LeafReference, lookup: any ObjectLookup & Sendable,
    rows: LeafRows
  ) {
    self.word = word
    self.columns = columns
    self.leaf = leaf
    self.lookup = lookup
    first = rows.contiguous?.lowerBound ?? 0
    numbers = rows.numbers
    count = rows.count
  }

  /// The positions of the values, from 0.
  @inlinable public var indices: Range<Int> { 0..<count }

  /// The value at a position.
  @inlinable
  public subscript(place: Int) -> Value {
    @inline(__always)
    get throws(StoreError) {
      let value = try Value._read(cell(place))
      // The column retains everything that the cell refers to.
      withExtendedLifetime(self) {}
      return value
    }
  }

  /// The bytes of a text or of data at a position, in place: like ``Row/withBytes(_:_:)``.
  @inlinable @inline(__always)
  public func withBytes<Result>(
    _ place: Int, _ body: (UnsafeRawBufferPointer) throws -> Result
  ) throws -> Result {
    let cell = cell(place)
    defer { withExtendedLifetime(self) {} }
    // Bytes in place need no reference counted: atomic operations would keep the reads of the next row waiting.
    guard let bytes = try unsafe cell.bytesInPlace else {
      return try cell.withExternalBytes(body)
    }
    return try unsafe body(bytes)
  }

  @inlinable @inline(__always)
  @_lifetime(borrow self)
  func cell(_ place: Int) -> _Cell {
    precondition(UInt(bitPattern: place) < UInt(bitPattern: count), "No such place in the batch.")
    let row = numbers.isEmpty ? first &+ place : Int(numbers[numbers.startIndex &+ place])
    return _Cell(word: word, row: row, columns: columns, lookup: UnownedLookup(lookup))
  }
}
