internal import RoostEngine

/// Objects of a result that lie together in the file, to be read column by column.
///
/// It belongs to a version, and stays as it is for as long as it is held.
@safe
public struct RowBatch<M: Model>: Sendable {
  /// The columns that rows are read by; they retain the leaf.
  private let leaf: LeafReference
  private let columns: UnownedColumns
  /// Retains the version; immutable.
  private nonisolated(unsafe) let lookup: ObjectLookup
  private let rows: LeafRows
  /// What single rows hold.
  private let holder: RowPage
  /// The index of the first of the rows in the whole result.
  public let startIndex: Int

  init(_ batch: ResultBatch, of model: ModelBinding, in lookup: ObjectLookup) {
    leaf = batch.leaf
    columns = ModelColumns.of(batch, for: model)
    rows = batch.rows
    startIndex = batch.position
    unsafe self.lookup = lookup
    holder = RowPage(EmptyCollection(), of: columns, owner: batch.leaf, in: lookup)
  }

  /// How many rows there are.
  public var count: Int { rows.count }

  /// The row at a place, from 0.
  public subscript(place: Int) -> Row<M> {
    unsafe Row(
      columns, row: rows[place], in: Unmanaged.passUnretained(lookup), heldBy: holder)
  }

  /// The values of a property, one for each row.
  ///
  /// Where the rows are a good part of what lies together in the file, all of that is decoded at once: ask for the columns
  /// that are read to the end.
  /// - Throws: ``StoreError/unknownField(model:property:)`` where the schema does not list the property;
  ///   ``StoreError/corrupt(path:damage:)`` where its place in the file is damaged.
  public func column<Value: Storable>(
    _ path: KeyPath<M, Value>
  ) throws(StoreError) -> RowColumn<Value> {
    try columns.with { (columns) throws(StoreError) in
      guard let position = M.schema.position(of: path) else {
        throw .unknownField(model: columns.model.name.name, property: "\(path)")
      }
      let word = unsafe try columns.column(position, in: lookup).word
      return unsafe RowColumn(
        word: word, columns: self.columns, leaf: leaf, lookup: lookup, rows: rows)
    }
  }
}

extension ModelColumns {
  /// The columns of a batch's leaf.
  ///
  /// Where many of its rows are read, and the leaf is the result's alone, they are decoded as a whole.
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
@safe
public struct RowColumn<Value: Storable>: Sendable {
  private let leaf: LeafReference
  @usableFromInline let columns: UnownedColumns
  @usableFromInline nonisolated(unsafe) let lookup: ObjectLookup
  @usableFromInline let word: UInt
  @usableFromInline let first: Int
  /// The rows' numbers; empty where the rows follow one another.
  @usableFromInline let numbers: ArraySlice<UInt16>
  /// How many values there are.
  public let count: Int

  init(
    word: UInt, columns: UnownedColumns, leaf: LeafReference, lookup: ObjectLookup, rows: LeafRows
  ) {
    self.word = word
    self.columns = columns
    self.leaf = leaf
    unsafe self.lookup = lookup
    first = rows.contiguous?.lowerBound ?? 0
    numbers = rows.numbers
    count = rows.count
  }

  /// The places of the values, from 0.
  @inlinable public var indices: Range<Int> { 0..<count }

  /// The value at a place.
  @inlinable
  public subscript(place: Int) -> Value {
    @inline(__always)
    get throws(StoreError) {
      let value = try Value._read(cell(place))
      // The column holds what the cell refers to.
      withExtendedLifetime(self) {}
      return value
    }
  }

  /// The bytes of a text or of data at a place, in place: as ``Row/withBytes(_:_:)``.
  @inlinable @inline(__always)
  public func withBytes<Result>(
    _ place: Int, _ body: (UnsafeRawBufferPointer) throws -> Result
  ) throws -> Result {
    let cell = cell(place)
    defer { withExtendedLifetime(self) {} }
    guard let bytes = try unsafe cell._bytesInPlace else { return try unsafe cell._withBytes(body) }
    return try unsafe body(bytes)
  }

  @inlinable @inline(__always)
  @_lifetime(borrow self)
  func cell(_ place: Int) -> _Cell {
    precondition(UInt(bitPattern: place) < UInt(bitPattern: count), "No such place in the batch.")
    let row = numbers.isEmpty ? first &+ place : Int(numbers[numbers.startIndex &+ place])
    return unsafe _Cell(
      word: word, row: row, columns: columns,
      lookup: UnsafeRawPointer(Unmanaged.passUnretained(lookup).toOpaque()))
  }
}
