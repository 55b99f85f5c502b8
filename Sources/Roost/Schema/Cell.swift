internal import RoostEngine

/// A stored value of one field of one row, to be read by ``Storable``'s hooks.
///
/// Programs that use Roost have no need of it.
@safe
public struct _Cell {
  unowned(unsafe) let window: RowWindow
  /// Where the cells of the field are: a plain pointer, so that reading a cell counts no references.
  let source: UnsafeMutablePointer<FieldSource>
  let row: Int

  @inline(__always)
  var isNull: Bool {
    switch unsafe source.pointee {
    case .chunk(let chunk): unsafe chunk.pointee.isNull(row)
    case .buffer(let buffer): buffer.isNull(row)
    case .none: true
    }
  }

  @inline(__always)
  var integer: Int64 {
    switch unsafe source.pointee {
    case .chunk(let chunk): return unsafe chunk.pointee.integer(row)
    case .buffer(let buffer): return buffer.integer(row)
    case .none: return 0
    }
  }

  @inline(__always)
  var double: Double {
    switch unsafe source.pointee {
    case .chunk(let chunk): return unsafe chunk.pointee.double(row)
    case .buffer(let buffer): return buffer.double(row)
    case .none: return 0
    }
  }

  @inline(__always)
  var float: Float {
    switch unsafe source.pointee {
    case .chunk(let chunk): return unsafe chunk.pointee.float(row)
    case .buffer(let buffer): return buffer.float(row)
    case .none: return 0
    }
  }

  @inline(__always)
  var uuid: (high: UInt64, low: UInt64) {
    switch unsafe source.pointee {
    case .chunk(let chunk): return unsafe chunk.pointee.uuid(row)
    case .buffer(let buffer): return buffer.uuid(row)
    case .none: return (0, 0)
    }
  }

  /// Calls `body` with the bytes of a text or of data, in place where they lie in the leaf.
  @inline(__always)
  func withBytes<R>(_ body: (ByteView) throws(StoreError) -> R) throws(StoreError) -> R {
    switch unsafe source.pointee {
    case .chunk(let chunk):
      if unsafe chunk.pointee.hasExternals, let reference = unsafe chunk.pointee.external(row) {
        return try withBytes(of: reference, body)
      }
      return try body(unsafe chunk.pointee.bytes(row))
    case .buffer(let buffer):
      return try body(buffer.bytes(row))
    case .none: return try body(ByteView())
    }
  }

  @inline(never)
  private func withBytes<R>(
    of reference: ValueReference, _ body: (ByteView) throws(StoreError) -> R
  ) throws(StoreError) -> R {
    let bytes = try unsafe window.bytes(of: reference, from: source)
    return try Self.withBytes(of: bytes, body)
  }

  private static func withBytes<R>(
    of bytes: [UInt8], _ body: (ByteView) throws(StoreError) -> R
  ) throws(StoreError) -> R {
    // The standard library's closure is not generic over its error.
    let result = unsafe bytes.withUnsafeBytes { buffer in
      Result { () throws(StoreError) -> R in try body(unsafe ByteView(buffer)) }
    }
    return try result.get()
  }

  /// The error for a value that the Swift type does not know.
  @inline(never)
  func undecodable(_ value: String) -> StoreError {
    unsafe .undecodable(model: window.model.name.name, field: window.name(of: source), value: value)
  }
}

/// The cells of one row, one after the other in the order of the schema.
@safe
struct RowReader {
  unowned(unsafe) let window: RowWindow
  let row: Int
  private var source: UnsafeMutablePointer<FieldSource>

  init(_ window: RowWindow, row: Int) {
    unsafe self.window = window
    self.row = row
    // A schema has a key at least, so that there are sources.
    unsafe source = window.sources.baseAddress.unsafelyUnwrapped
  }

  @inline(__always)
  mutating func next() -> _Cell {
    // The schema that reads has as many fields as the window.
    defer { unsafe source += 1 }
    return unsafe _Cell(window: window, source: source, row: row)
  }
}
