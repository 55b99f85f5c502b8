internal import RoostEngine

/// The cells of one field in rows of a leaf that follow one another, none of them null: what ``Storable``'s hooks decode
/// all at once.
///
/// Programs that use Roost have no need of it.
@safe
public struct _Cells {
  /// The column; whoever reads the cells holds its leaf.
  private let chunk: UnsafePointer<ColumnChunk>
  private let rows: Range<Int>

  /// The cells of rows that the column has; nil where some may be null.
  init?(_ chunk: UnsafePointer<ColumnChunk>, _ rows: Range<Int>) {
    guard unsafe !chunk.pointee.hasNulls else { return nil }
    unsafe self.chunk = chunk
    self.rows = rows
  }

  /// Writes integers to memory with room for them.
  @unsafe func decodeIntegers(into memory: UnsafeMutableRawPointer) -> Bool {
    guard unsafe chunk.pointee.type == .integer else { return false }
    unsafe chunk.pointee.decode(rows, into: memory.bindMemory(to: Int64.self, capacity: rows.count))
    return true
  }

  /// Writes doubles to memory with room for them.
  @unsafe func decodeDoubles(into memory: UnsafeMutableRawPointer) -> Bool {
    guard unsafe chunk.pointee.type == .double else { return false }
    unsafe chunk.pointee.decode(
      rows, into: memory.bindMemory(to: Double.self, capacity: rows.count))
    return true
  }

  /// Writes floats to memory with room for them.
  @unsafe func decodeFloats(into memory: UnsafeMutableRawPointer) -> Bool {
    guard unsafe chunk.pointee.type == .float else { return false }
    unsafe chunk.pointee.decode(rows, into: memory.bindMemory(to: Float.self, capacity: rows.count))
    return true
  }

  /// Writes for each row whether its integer is another than 0 to memory with room for it.
  @unsafe func decodeBools(into memory: UnsafeMutableRawPointer) -> Bool {
    guard unsafe chunk.pointee.type == .integer else { return false }
    let flags = unsafe memory.bindMemory(to: Bool.self, capacity: rows.count)
    for index in 0..<rows.count {
      unsafe flags[index] = chunk.pointee.integer(rows.lowerBound &+ index) != 0
    }
    return true
  }
}

/// The values of a column, decoded to memory that is given back at the end.
@safe
final class DecodedColumn: Sendable {
  /// The values, or of texts their places in the heap.
  nonisolated(unsafe) let memory: UnsafeMutableRawPointer
  /// Where the bytes of texts are.
  nonisolated(unsafe) let heap: UnsafeRawPointer?

  /// The values of a type in rows that a column has; nil where each must be read by itself.
  init?<Value: Storable>(
    _ chunk: UnsafePointer<ColumnChunk>, _ rows: Range<Int>, as type: Value.Type
  ) {
    let isText = unsafe chunk.pointee.type == .bytes
    let stride = isText ? 8 : MemoryLayout<Value>.stride
    unsafe memory = .allocate(
      byteCount: rows.count * stride, alignment: max(8, MemoryLayout<Value>.alignment))
    if isText {
      unsafe heap = chunk.pointee.decodeTexts(
        rows, into: memory.bindMemory(to: UInt64.self, capacity: rows.count))
      guard unsafe heap != nil else { return nil }
    } else {
      unsafe heap = nil
      guard let cells = unsafe _Cells(chunk, rows), unsafe Value._readAll(cells, into: memory)
      else {
        return nil
      }
    }
  }

  deinit { unsafe memory.deallocate() }
}
