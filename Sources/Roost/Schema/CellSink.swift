internal import RoostEngine

/// The end of a column, where ``Storable``'s hooks append a value.
///
/// Programs that use Roost have no need of it.
public struct _CellSink: ~Escapable {
  // The row sink retains the column's buffer; an appender counts no references, because counting costs more
  // than appending.
  let column: ColumnAppender
  let sink: UnownedReference<RowSink>

  // The row sink outlives the cell's sink: the encoder retains it.
  @_transparent
  @_lifetime(immortal)
  fileprivate init(_ column: ColumnAppender, of sink: UnownedReference<RowSink>) {
    self.column = column
    self.sink = sink
  }

  @_transparent func appendNull() { column.appendNull() }
  @_transparent func append(_ value: Int64) { column.append(value) }
  @_transparent func append(_ value: Double) { column.append(value) }
  @_transparent func append(_ value: Float) { column.append(value) }
  @_transparent func append(_ value: String) { column.append(value) }
  @_transparent func append(bytes: ByteView) { column.append(bytes: bytes) }
  func append(bytes: [UInt8]) {
    bytes.withByteView { column.append(bytes: $0) }
  }
  @_transparent func append(uuid high: UInt64, _ low: UInt64) {
    column.append(uuid: high, low)
  }
  func append<Target: Model>(link target: Target.Type, id: Target.ID) throws(StoreError) {
    append(try sink.object.links.objectKey(of: target, id: id))
  }
  func append<Target: Model>(links ids: [Target.ID], to target: Target.Type) throws(StoreError) {
    var keys: [Int64] = []
    keys.reserveCapacity(ids.count)
    for id in ids {
      // The object key of a target with an integer key is its id.
      if Target.ID._isInteger, case .integer(let key) = id._constant.value {
        keys.append(key)
      } else {
        keys.append(try sink.object.links.objectKey(of: target, id: id))
      }
    }
    append(bytes: LinkList.bytes(keys))
  }
}

/// The columns that rows are appended to, in the order of the schema.
final class RowSink {
  /// The columns, in the order of the schema's fields.
  let columns: [ColumnBuffer]
  private let ends: [ColumnAppender]
  unowned let links: any LinkResolver
  /// Reads blobs whose bytes an object does not have; if nil, a missing blob is an error.
  var blobBytes: ((BlobOrigin) throws(StoreError) -> [UInt8])?
  /// Whether an object may say that a blob stays as it is stored.
  private var mayKeepBlobs = false
  /// The columns of the blobs that stay as stored, with the object's values there.
  private(set) var keptBlobs: [(position: Int, blob: Blob)] = []

  init(columns: [ColumnBuffer], links: any LinkResolver) {
    self.columns = columns
    ends = columns.map(\.appender)
    self.links = links
  }

  /// The appender of the column of the field at `position`.
  @inline(__always)
  fileprivate func end(_ position: Int) -> ColumnAppender { ends[position] }

  /// The same, for ``Storable``'s hooks.
  @inline(__always)
  @_lifetime(borrow self)
  func cell(_ position: Int) -> _CellSink {
    _CellSink(ends[position], of: UnownedReference(self))
  }

  /// Begins rows; `mayKeepBlobs` tells whether their blobs may stay as they are stored.
  func begin(mayKeepBlobs: Bool) {
    self.mayKeepBlobs = mayKeepBlobs
    if !keptBlobs.isEmpty { keptBlobs = [] }
  }

  /// Appends a blob to the column at `position`.
  fileprivate func append(_ blob: Blob, at position: Int) throws(StoreError) {
    if mayKeepBlobs, !blob.isGiven {
      keptBlobs.append((position, blob))
      return cell(position).append(bytes: blob.bytes ?? [])
    }
    if let bytes = blob.bytes { return cell(position).append(bytes: bytes) }
    guard let blobBytes, let origin = blob.origin else { throw Blob.missingBytes }
    cell(position).append(bytes: try blobBytes(origin))
  }
}

/// The columns that rows are appended to, in the order of the schema, for ``PropertyValue``'s hooks.
///
/// Programs that use Roost have no need of it.
public struct _RowWriter: ~Escapable {
  // The row sink outlives the writer: the encoder retains it.
  private let sink: UnownedReference<RowSink>
  private var position = 0

  @_lifetime(immortal)
  init(_ sink: RowSink) { self.sink = UnownedReference(sink) }

  /// The appender of the next column. A description has as many columns as its type writes.
  @_lifetime(copy self)
  mutating func next() -> _CellSink {
    defer { position += 1 }
    return _CellSink(sink.withObject { $0.end(position) }, of: sink)
  }

  /// Appends blobs to the next column.
  mutating func append(_ blobs: _ValueRun<Blob>) throws(StoreError) {
    for index in 0..<blobs.count { try sink.object.append(blobs[index], at: position) }
    position += 1
  }

  /// Skips columns.
  mutating func skip(_ count: Int) { position += count }
}

/// Resolves links to objects.
protocol LinkResolver: AnyObject {
  /// The object key of the object with this id, reserved if the object does not exist yet.
  func objectKey<Target: Model>(of target: Target.Type, id: Target.ID) throws(StoreError) -> Int64
}
