internal import RoostEngine

/// A stored value of one field of one row, to be read by ``Storable``'s hooks.
///
/// Programs that use Roost have no need of it.
public struct _Cell: ~Escapable {
  /// The word of the ``CellColumn``.
  @usableFromInline let word: UInt
  @usableFromInline let row: Int
  /// The columns of the row, which the reader of the cell holds.
  @usableFromInline let columns: UnownedColumns
  /// What the row is read in, which the reader of the cell holds.
  @usableFromInline let lookup: UnownedLookup

  @inlinable @_transparent
  @_lifetime(immortal)
  init(word: UInt, row: Int, columns: UnownedColumns, lookup: UnownedLookup) {
    self.word = word
    self.row = row
    self.columns = columns
    self.lookup = lookup
  }

  /// The column; searched for in the leaf if none of its cells was read before.
  @_transparent
  private var column: CellColumn {
    get throws(StoreError) {
      let column = CellColumn(word: word)
      return column.isKnown ? column : try find(column)
    }
  }

  @inline(never)
  private func find(_ column: CellColumn) throws(StoreError) -> CellColumn {
    guard let position = column.unknownPosition else {
      let isBehindLast = word == WordCursor.wordBehindLast
      throw .unknownField(
        model: holder.model.name.name,
        property: isBehindLast ? "what lies behind its last" : unknownProperty)
    }
    return try holder.column(position, row: row, in: reads)
  }

  /// What is known of a property that no field is declared with: it may be the one that a computed `id` returns.
  private var unknownProperty: String {
    let (model, text) = (holder.model, "the property at byte \(word >> 3)")
    guard !model.places.hasOffset(of: model.keyPosition) else { return text }
    let key = model.fieldNames[model.keyPosition]
    return text
      + ". If `id` returns it, declare the key with it, `Key(\"\(key)\", \\.\(key))`, and not with `\\.id`"
  }

  /// The number in a decoded column; nil in any other column.
  @inlinable @_transparent
  func decoded<Number: BitwiseCopyable>(as type: Number.Type) -> Number? {
    DecodedColumn.number(word, row: row, as: type)
  }

  @usableFromInline
  var isNull: Bool {
    @_effects(releasenone)
    get throws(StoreError) {
      let column = try column
      if column.isDecoded { return false }
      if let chunk = column.chunk { return chunk.column.isNull(row) }
      return column.withBuffer { $0.isNull(row) }
    }
  }

  @_transparent
  var integer: Int64 {
    get throws(StoreError) {
      let column = try column
      if let chunk = column.chunk { return chunk.column.integer(row) }
      if let number = DecodedColumn.number(column.word, row: row, as: Int64.self) { return number }
      return column.withBuffer { $0.integer(row) }
    }
  }

  /// The integer in a column that was not decoded.
  @usableFromInline
  var foundInteger: Int64 {
    @_effects(releasenone)
    get throws(StoreError) { try integer }
  }

  /// The error for an integer that the Swift type does not know.
  @usableFromInline
  @inline(never)
  func undecodable(_ stored: Int64) -> StoreError {
    undecodable(columnType?.text(.integer(stored)) ?? "\(stored)")
  }

  @_transparent
  var double: Double {
    get throws(StoreError) {
      let column = try column
      if let chunk = column.chunk { return chunk.column.double(row) }
      if let number = DecodedColumn.number(column.word, row: row, as: Double.self) { return number }
      return column.withBuffer { $0.double(row) }
    }
  }

  @_transparent
  var float: Float {
    get throws(StoreError) {
      let column = try column
      if let chunk = column.chunk { return chunk.column.float(row) }
      if let number = DecodedColumn.number(column.word, row: row, as: Float.self) { return number }
      return column.withBuffer { $0.float(row) }
    }
  }

  @_transparent
  var uuid: (high: UInt64, low: UInt64) {
    get throws(StoreError) {
      let column = try column
      if let chunk = column.chunk { return chunk.column.uuid(row) }
      return column.withBuffer { $0.uuid(row) }
    }
  }

  /// The bytes of a text or of data, in place; nil if they lie outside the leaf.
  @_transparent
  var bytes: ByteView? {
    get throws(StoreError) { bytes(in: try column) }
  }

  @_transparent
  private func bytes(in column: CellColumn) -> ByteView? {
    // As any view, these bytes are used while the reader of the cell retains the column.
    if let text = unsafe DecodedColumn.text(column.word, row: row) {
      return unsafe ByteView(text)
    }
    guard let chunk = column.chunk else { return column.withBuffer { $0.bytes(row) } }
    return chunk.column.isExternal(row) ? nil : chunk.column.bytes(row)
  }

  /// The bytes of a text or of data, in place; empty for a value that has no bytes, nil if they lie outside the leaf.
  ///
  /// They stay where they are while the reader of the cell retains the column.
  @inlinable @_transparent
  var bytesInPlace: UnsafeRawBufferPointer? {
    get throws(StoreError) {
      if let text = unsafe DecodedColumn.text(word, row: row) { return unsafe text }
      return try unsafe foundBytesInPlace
    }
  }

  /// The bytes in place in a column that was not decoded as text.
  @usableFromInline
  var foundBytesInPlace: UnsafeRawBufferPointer? {
    @_effects(releasenone)
    get throws(StoreError) {
      let column = try column
      let view = hasBytes(column) ? bytes(in: column) : ByteView()
      return unsafe view?.withUnsafeBytes { unsafe $0 }
    }
  }

  /// Whether the cell, of this column, has a text or data, and is not null.
  @_transparent
  private func hasBytes(_ column: CellColumn) -> Bool {
    if let chunk = column.chunk { return chunk.column.type == .bytes && !chunk.column.isNull(row) }
    if column.isDecoded { return DecodedColumn.isText(column.word) }
    return column.withBuffer { $0.type == .bytes && !$0.isNull(row) }
  }

  /// Calls `body` with the bytes of a text or of data, in place in the leaf.
  @inline(__always)
  func withBytes<R>(_ body: (ByteView) throws(StoreError) -> R) throws(StoreError) -> R {
    if let bytes = try bytes { return try body(bytes) }
    return try readExternalBytes(body)
  }

  /// Calls `body` with the bytes of a text or of data that lie outside the leaf, and are valid only inside `body`.
  @safe
  @usableFromInline
  func withExternalBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) throws -> R {
    let result = try readExternalBytes { view in
      unsafe view.withUnsafeBytes { bytes in Result { try unsafe body(bytes) } }
    }
    return try result.get()
  }

  @inline(never)
  private func readExternalBytes<R>(
    _ body: (ByteView) throws(StoreError) -> R
  ) throws(StoreError) -> R {
    let bytes = try holder.externalBytes(of: column, position, row: row, in: reads)
    return try bytes.withByteView(body)
  }

  /// The blob in the cell; bytes outside the leaf are not read.
  func blob() throws(StoreError) -> Blob {
    let column = try column
    let origin = holder.blobOrigin(position, row: row, in: reads)
    if let reference = column.external(row) {
      return Blob(length: reference.length, checksum: reference.pointer.checksum, origin: origin)
    }
    return try withBytes { Blob($0.array, origin: origin) }
  }

  private var holder: ModelColumns { columns.object }

  private var reads: ObjectLookup { lookup.object }

  /// The id of the target of a link whose key is not an integer.
  @usableFromInline
  @inline(never)
  func id<Target: Model>(of target: Target.Type) throws(StoreError) -> Target.ID {
    try reads.id(of: target, objectKey: integer, linkedFrom: holder.model)
  }

  /// The error for a value that the Swift type does not know.
  @inline(never)
  func undecodable(_ value: String) -> StoreError {
    let model = holder.model
    let field = position.map { model.fieldNames[$0] } ?? "?"
    return .undecodable(model: model.name.name, field: field, value: value)
  }

  /// Whether this is a field of an object, but not its key: the stored value stays until another value is set.
  @inline(never)
  var isOfField: Bool { position.map { $0 != holder.model.keyPosition } ?? false }

  /// The place of the field in the schema.
  private var position: Int? {
    CellColumn(word: word).unknownPosition ?? (try? column).flatMap(holder.position)
  }

  private var columnType: FieldType? {
    position.flatMap { holder.model.table.field(holder.model.fields[$0])?.type }
  }
}

/// The cells of a row in the order of the schema, read by ``PropertyValue``'s hooks.
///
/// Programs that use Roost have no need of it.
public struct _RowReader: ~Escapable {
  /// The words of the columns that were not read yet.
  @usableFromInline var words: WordCursor
  @usableFromInline let row: Int
  @usableFromInline let columns: UnownedColumns
  @usableFromInline let lookup: UnownedLookup

  /// The cells of a row whose columns have all been found. The reader must retain the columns and the lookup.
  @_transparent
  @_lifetime(immortal)
  init(_ columns: UnownedColumns, row: Int, in lookup: UnownedLookup, from first: Int = 0) {
    words = columns.foundWords(from: first)
    self.row = row
    self.columns = columns
    self.lookup = lookup
  }

  /// The cells of one element of a collection, whose columns the reader must retain.
  @_lifetime(copy cell)
  init(_ words: WordCursor, row: Int, like cell: _Cell) {
    self.words = words
    self.row = row
    columns = cell.columns
    lookup = cell.lookup
  }

  /// The next cell; behind the last, which a changing schema may request, a cell that throws when read.
  @inlinable @_transparent
  @_lifetime(copy self)
  mutating func cell() -> _Cell {
    _Cell(word: words.next(), row: row, columns: columns, lookup: lookup)
  }

  /// Skips cells.
  mutating func skip(_ count: Int) { words.skip(count) }
}
