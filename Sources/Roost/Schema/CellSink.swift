internal import RoostEngine

/// The end of a column, where ``Storable``'s hooks append a value.
///
/// Programs that use Roost have no need of it.
@safe
public struct _CellSink {
  unowned(unsafe) let column: ColumnBuffer
  unowned(unsafe) let sink: RowSink

  // The row sink outlives the cell's: it is held by whoever encodes.

  @inline(__always) func appendNull() { unsafe column.appendNull() }
  @inline(__always) func append(_ value: Int64) { unsafe column.append(value) }
  @inline(__always) func append(_ value: Double) { unsafe column.append(value) }
  @inline(__always) func append(_ value: Float) { unsafe column.append(value) }
  @inline(__always) func append(_ value: String) { unsafe column.append(value) }
  @inline(__always) func append(bytes: ByteView) { unsafe column.append(bytes: bytes) }
  @inline(__always) func append(uuid high: UInt64, _ low: UInt64) {
    unsafe column.append(uuid: high, low)
  }
  func append<Target: Model>(link target: Target.Type, id: Target.ID) throws(StoreError) {
    append(try unsafe sink.links.objectKey(of: target, id: id))
  }
}

/// The columns that rows are appended to, one cell after the other in the order of the schema.
final class RowSink {
  /// The columns, in the order of the schema's fields.
  let columns: [ColumnBuffer]
  unowned let links: any LinkResolver

  init(columns: [ColumnBuffer], links: any LinkResolver) {
    self.columns = columns
    self.links = links
  }

  /// The end of the column of the field at `position`.
  @inline(__always)
  func cell(_ position: Int) -> _CellSink {
    _CellSink(column: columns[position], sink: self)
  }
}

/// What finds the objects that links lead to.
protocol LinkResolver: AnyObject {
  /// The object key of the object with this id, reserved where the object is not there yet.
  func objectKey<Target: Model>(of target: Target.Type, id: Target.ID) throws(StoreError) -> Int64
}
