/// The offsets of the parts of a column's bytes; only this type knows their order (Format.md §3).
///
/// Every part begins at a multiple of 8. A part that the column lacks takes no bytes.
struct ColumnLayout {
  /// The most rows that a leaf may have.
  static let rowCountMax = 4096

  /// The bitmap of rows that have a value.
  private(set) var nulls = 0
  /// The bitmap of external cells.
  private(set) var external = 0
  /// The base of scaled codes.
  private(set) var base = 0
  /// Codes or raw values.
  private(set) var cells = 0
  /// The offsets into the heap.
  private(set) var offsets = 0
  /// The bytes of texts, up to the end of the column.
  private(set) var heap = 0

  /// The parts of a column; `heap` is also the length of a column without one.
  init(
    type: PhysicalType, encoding: ColumnEncoding, width: Int, flags: ColumnFlags, parameter: Int,
    rowCount: Int
  ) {
    var end = 0
    func part(_ byteCount: Int) -> Int {
      let start = end
      end += CodeWidth.aligned(byteCount)
      return start
    }
    let bitmap = (rowCount + 63) / 64 * 8
    if encoding != .allNull, encoding != .stride {
      nulls = part(flags.contains(.nulls) ? bitmap : 0)
    }
    switch encoding {
    case .allNull, .stride:
      break
    case .frameOfReference:
      cells = part(CodeWidth.byteCount(width, rowCount))
    case .raw, .rawUUID:
      cells = part(rowCount * width / 8)
    case .scaled:
      base = part(8)
      cells = part(CodeWidth.byteCount(width, rowCount))
    case .plain:
      external = part(flags.contains(.external) ? bitmap : 0)
      offsets = part((rowCount + 1) * width / 8)
    case .dictionary:
      cells = part(CodeWidth.byteCount(width, rowCount))
      offsets = part((parameter + 1) * 4)
    }
    heap = end
  }
}

extension ColumnLayout {
  /// The layout of a column with this entry and row count.
  init(_ entry: ColumnEntry, rowCount: Int) {
    self.init(
      type: entry.type, encoding: entry.encoding, width: Int(entry.width), flags: entry.flags,
      parameter: Int(entry.parameter), rowCount: rowCount)
  }
}
