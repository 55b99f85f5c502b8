internal import RoostEngine

/// Objects of a result that lie together in the file, to be read column by column.
///
/// It belongs to a version, and stays as it is for as long as it is held.
@safe
public struct RowBatch<M: Model>: Sendable {
  /// What rows are read by: it holds the leaf.
  private let leaf: LeafReference
  private let columns: UnownedColumns
  /// What holds the version, and changes no more.
  private nonisolated(unsafe) let lookup: ObjectLookup
  private let rows: LeafRows
  /// What single rows hold.
  private let holder: RowPage
  /// The index of the first of the rows in the whole result.
  public let startIndex: Int

  init(_ batch: ResultBatch, of model: ModelBinding, in lookup: ObjectLookup) {
    leaf = batch.leaf
    columns = ModelColumns.of(batch.leaf, for: model)
    rows = batch.rows
    startIndex = batch.position
    unsafe self.lookup = lookup
    holder = RowPage(EmptyCollection(), of: columns, owner: batch.leaf, in: lookup)
  }

  /// How many rows there are.
  public var count: Int { rows.count }

  /// The row at a place, from 0.
  public subscript(place: Int) -> Row<M> {
    unsafe Row(columns, row: rows[place], in: lookup, heldBy: holder)
  }

  /// The values of a property, one for each row.
  ///
  /// Numbers, dates and links to integers in rows that lie side by side are decoded at once; ask for the columns that are
  /// read to the end, and take a ``Row`` for a few values.
  /// - Throws: ``StoreError/unknownField(model:property:)`` where the schema does not list the property;
  ///   ``StoreError/corrupt(path:unit:reason:)`` where its place in the file is damaged.
  public func column<Value: Storable>(
    _ path: KeyPath<M, Value>
  ) throws(StoreError) -> RowColumn<Value> {
    try columns.with { (columns) throws(StoreError) in
      guard let position = M.schema.position(of: path) else {
        throw .unknownField(model: columns.model.name.name, property: "\(path)")
      }
      let column = unsafe try columns.column(position, in: lookup)
      return unsafe RowColumn(
        column, columns: self.columns, leaf: leaf, lookup: lookup, rows: rows)
    }
  }
}

/// The values of one property in the rows of a ``RowBatch``.
@safe
public struct RowColumn<Value: Storable>: Sendable {
  private let leaf: LeafReference
  /// The memory of what was decoded.
  private let decoded: DecodedColumn?
  /// The values, or where texts lie in the heap: the offset of the first byte in the lower half of each word, that after
  /// the last in the upper one. Nil where each is read by itself.
  @usableFromInline nonisolated(unsafe) let values: UnsafeRawPointer?
  /// Where the bytes of texts are; nil for anything else.
  @usableFromInline nonisolated(unsafe) let heap: UnsafeRawPointer?
  @usableFromInline let columns: UnownedColumns
  @usableFromInline nonisolated(unsafe) let lookup: ObjectLookup
  @usableFromInline let word: UInt
  @usableFromInline let first: Int
  /// The rows' numbers; empty where the rows follow one another.
  @usableFromInline let numbers: ArraySlice<UInt16>
  /// How many values there are.
  public let count: Int

  init(
    _ column: CellColumn, columns: UnownedColumns, leaf: LeafReference, lookup: ObjectLookup,
    rows: LeafRows
  ) {
    word = column.word
    self.columns = columns
    self.leaf = leaf
    unsafe self.lookup = lookup
    first = rows.contiguous?.lowerBound ?? 0
    numbers = rows.numbers
    count = rows.count
    if let chunk = unsafe column.chunk, let rows = rows.contiguous {
      decoded = unsafe DecodedColumn(chunk, rows, as: Value.self)
    } else {
      decoded = nil
    }
    unsafe values = UnsafeRawPointer(decoded?.memory)
    unsafe heap = decoded?.heap
  }

  /// The places of the values, from 0.
  @inlinable public var indices: Range<Int> { 0..<count }

  /// The value at a place.
  @inlinable
  public subscript(place: Int) -> Value {
    @inline(__always)
    get throws(StoreError) {
      // The column holds what is read here.
      defer { withExtendedLifetime(self) {} }
      if let values = unsafe values, unsafe heap == nil {
        check(place)
        return unsafe values.assumingMemoryBound(to: Value.self)[place]
      }
      return try Value._read(cell(place))
    }
  }

  /// The bytes of a text or of data at a place, in place: as ``Row/withBytes(_:_:)``.
  @inlinable
  public func withBytes<Result>(
    _ place: Int, _ body: (UnsafeRawBufferPointer) throws -> Result
  ) throws -> Result {
    defer { withExtendedLifetime(self) {} }
    if let values = unsafe values, let heap = unsafe heap {
      check(place)
      let span = unsafe values.assumingMemoryBound(to: UInt64.self)[place]
      let start = Int(truncatingIfNeeded: span & 0xFFFF_FFFF)
      let end = Int(truncatingIfNeeded: span &>> 32)
      return try unsafe body(UnsafeRawBufferPointer(start: heap + start, count: end &- start))
    }
    let cell = cell(place)
    guard let bytes = try unsafe cell._bytesInPlace else { return try unsafe cell._withBytes(body) }
    return try unsafe body(bytes)
  }

  @inlinable @inline(__always)
  func check(_ place: Int) {
    precondition(UInt(bitPattern: place) < UInt(bitPattern: count), "No such place in the batch.")
  }

  @inlinable @inline(__always)
  func cell(_ place: Int) -> _Cell {
    check(place)
    let row = numbers.isEmpty ? first &+ place : Int(numbers[numbers.startIndex &+ place])
    return unsafe _Cell(
      word: word, row: row, columns: columns,
      lookup: UnsafeRawPointer(Unmanaged.passUnretained(lookup).toOpaque()))
  }
}
