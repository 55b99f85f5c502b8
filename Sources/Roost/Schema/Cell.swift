internal import RoostEngine

/// A stored value of one field of one row, to be read by ``Storable``'s hooks.
///
/// Programs that use Roost have no need of it.
@safe
public struct _Cell: ~Escapable {
  /// The word of the ``CellColumn``.
  @usableFromInline let word: UInt
  @usableFromInline let row: Int
  /// The columns of the row, which the reader of the cell holds.
  @usableFromInline let columns: UnownedColumns
  /// The ``ObjectLookup`` that the row is read in, which the reader of the cell holds.
  @usableFromInline let lookup: UnsafeRawPointer

  @inlinable @inline(__always)
  @_lifetime(immortal)
  init(word: UInt, row: Int, columns: UnownedColumns, lookup: UnsafeRawPointer) {
    self.word = word
    self.row = row
    self.columns = columns
    unsafe self.lookup = lookup
  }

  /// The word of a missing column, behind the last column of a row.
  @usableFromInline static var wordBehindLast: UInt { ~0 << 3 | 3 }

  /// The column; searched for in the leaf if none of its cells was read before.
  @inline(__always)
  private var column: CellColumn {
    get throws(StoreError) {
      let column = CellColumn(word: word)
      return column.isKnown ? column : try find(column)
    }
  }

  /// The cell of the same row in a found column.
  @inline(__always)
  @_lifetime(copy self)
  private func at(_ column: CellColumn) -> _Cell {
    unsafe _Cell(word: column.word, row: row, columns: columns, lookup: lookup)
  }

  @inline(never)
  private func find(_ column: CellColumn) throws(StoreError) -> CellColumn {
    guard let position = column.unknownPosition else {
      let isBehindLast = word == Self.wordBehindLast
      throw .unknownField(
        model: holder.model.name.name,
        property: isBehindLast ? "what lies behind its last" : "at byte \(word >> 3)")
    }
    return try holder.column(position, row: row, in: reads)
  }

  /// The number in a decoded column; nil in any other column.
  @inlinable @inline(__always)
  func decoded<Number: BitwiseCopyable>(as type: Number.Type) -> Number? {
    guard word & 7 == 4 else { return nil }
    // The memory behind the word has a number of this type for each row.
    return unsafe UnsafePointer<Number>(bitPattern: word & ~7).unsafelyUnwrapped[row]
  }

  /// The bytes of a text in a decoded column; nil in any other column.
  @inlinable @inline(__always)
  var decodedBytes: UnsafeRawBufferPointer? {
    guard word & 7 == 5 else { return nil }
    // The memory behind the word has the heap's address, and then a word for each row.
    let words = unsafe UnsafePointer<UInt64>(bitPattern: word & ~7).unsafelyUnwrapped
    let span = unsafe words[row &+ 1]
    let start = Int(truncatingIfNeeded: span & 0xFFFF_FFFF)
    let heap = unsafe UnsafeRawPointer(bitPattern: UInt(truncatingIfNeeded: words.pointee))
    return unsafe UnsafeRawBufferPointer(
      start: heap.unsafelyUnwrapped + start, count: Int(truncatingIfNeeded: span &>> 32) &- start)
  }

  @usableFromInline
  var isNull: Bool {
    @_effects(releasenone)
    get throws(StoreError) {
      let column = try column
      if column.isDecoded { return false }
      if let chunk = unsafe column.chunk { return unsafe chunk.pointee.isNull(row) }
      return column.withBuffer { $0.isNull(row) }
    }
  }

  @inline(__always)
  var integer: Int64 {
    get throws(StoreError) {
      let column = try column
      if let chunk = unsafe column.chunk { return unsafe chunk.pointee.integer(row) }
      if let number = at(column).decoded(as: Int64.self) { return number }
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

  @inline(__always)
  var double: Double {
    get throws(StoreError) {
      let column = try column
      if let chunk = unsafe column.chunk { return unsafe chunk.pointee.double(row) }
      if let number = at(column).decoded(as: Double.self) { return number }
      return column.withBuffer { $0.double(row) }
    }
  }

  @inline(__always)
  var float: Float {
    get throws(StoreError) {
      let column = try column
      if let chunk = unsafe column.chunk { return unsafe chunk.pointee.float(row) }
      if let number = at(column).decoded(as: Float.self) { return number }
      return column.withBuffer { $0.float(row) }
    }
  }

  @inline(__always)
  var uuid: (high: UInt64, low: UInt64) {
    get throws(StoreError) {
      let column = try column
      if let chunk = unsafe column.chunk { return unsafe chunk.pointee.uuid(row) }
      return column.withBuffer { $0.uuid(row) }
    }
  }

  /// The bytes of a text or of data, in place; nil if they lie outside the leaf.
  @inline(__always)
  var bytes: ByteView? {
    get throws(StoreError) {
      let column = try column
      if let bytes = unsafe at(column).decodedBytes { return unsafe ByteView(bytes) }
      guard let chunk = unsafe column.chunk else { return column.withBuffer { $0.bytes(row) } }
      return unsafe chunk.pointee.isExternal(row) ? nil : chunk.pointee.bytes(row)
    }
  }

  /// The bytes of a text or of data, in place; empty for a value that has no bytes, nil if
  /// they lie outside the leaf.
  @inlinable
  var _bytesInPlace: UnsafeRawBufferPointer? {
    @inline(__always)
    get throws(StoreError) {
      if let bytes = unsafe decodedBytes { return unsafe bytes }
      return try unsafe foundBytesInPlace
    }
  }

  @usableFromInline
  var foundBytesInPlace: UnsafeRawBufferPointer? {
    @_effects(releasenone)
    get throws(StoreError) {
      let column = try column
      // Decoded just now, or numbers, which have no bytes.
      if column.isDecoded {
        return unsafe at(column).decodedBytes ?? UnsafeRawBufferPointer(start: nil, count: 0)
      }
      let isText =
        if let chunk = unsafe column.chunk { unsafe chunk.pointee.type == .bytes } else {
          column.withBuffer { $0.type == .bytes }
        }
      guard isText, try !isNull else {
        return unsafe UnsafeRawBufferPointer(start: nil, count: 0)
      }
      return try unsafe bytes?.withUnsafeBytes { unsafe $0 }
    }
  }

  /// Calls `body` with the bytes of a text or of data, in place in the leaf.
  @inline(__always)
  func withBytes<R>(_ body: (ByteView) throws(StoreError) -> R) throws(StoreError) -> R {
    if let bytes = try bytes { return try body(bytes) }
    return try withExternalBytes(body)
  }

  /// Calls `body` with the bytes of a text or of data, wherever they lie. Rethrows its error unchanged.
  @usableFromInline
  func _withBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) throws -> R {
    let result = try withBytes { view in
      unsafe view.withUnsafeBytes { bytes in Result { try unsafe body(bytes) } }
    }
    return try result.get()
  }

  @inline(never)
  private func withExternalBytes<R>(
    _ body: (ByteView) throws(StoreError) -> R
  ) throws(StoreError) -> R {
    let bytes = try holder.externalBytes(of: column, position, row: row, in: reads)
    // The standard library's closure is not generic over its error.
    let result = unsafe bytes.withUnsafeBytes { buffer in
      Result { () throws(StoreError) -> R in try body(unsafe ByteView(buffer)) }
    }
    return try result.get()
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

  // The addresses are those of the objects that the cell was made with.

  private var holder: ModelColumns {
    unsafe Unmanaged<ModelColumns>.fromOpaque(columns.header.pointee.columns)
      .takeUnretainedValue()
  }

  private var reads: ObjectLookup {
    unsafe Unmanaged<ObjectLookup>.fromOpaque(lookup).takeUnretainedValue()
  }

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
@safe
public struct _RowReader: ~Escapable {
  /// The next column's word.
  @usableFromInline var next: UnsafePointer<UInt>
  /// Behind the last column's word.
  @usableFromInline let end: UnsafePointer<UInt>
  @usableFromInline let row: Int
  @usableFromInline let columns: UnownedColumns
  @usableFromInline let lookup: UnsafeRawPointer

  /// The cells of a row whose columns have all been found. The reader must retain the columns and the lookup.
  @inline(__always)
  @_lifetime(immortal)
  init(
    _ columns: UnownedColumns, row: Int, in lookup: Unmanaged<ObjectLookup>, from first: Int = 0
  ) {
    let words = unsafe columns.with { unsafe $0.foundWords }
    unsafe next = words.baseAddress.unsafelyUnwrapped + min(first, words.count)
    unsafe end = words.baseAddress.unsafelyUnwrapped + words.count
    self.row = row
    self.columns = columns
    unsafe self.lookup = UnsafeRawPointer(lookup.toOpaque())
  }

  /// The cells of one element of a collection, whose columns the reader must retain.
  @_lifetime(copy cell)
  init(_ words: UnsafePointer<UInt>, count: Int, row: Int, like cell: _Cell) {
    unsafe next = words
    unsafe end = words + count
    self.row = row
    columns = cell.columns
    unsafe lookup = cell.lookup
  }

  /// The next cell; behind the last, which a changing schema may request, a cell that throws when read.
  @inlinable @inline(__always)
  @_lifetime(copy self)
  mutating func cell() -> _Cell {
    guard unsafe next < end else {
      return unsafe _Cell(word: _Cell.wordBehindLast, row: row, columns: columns, lookup: lookup)
    }
    defer { unsafe next += 1 }
    return unsafe _Cell(word: next.pointee, row: row, columns: columns, lookup: lookup)
  }

  /// Skips cells.
  mutating func skip(_ count: Int) { unsafe next += min(count, end - next) }
}
