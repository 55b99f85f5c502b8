/// The physical type of a column's cells.
///
/// The raw values are those of the file (Format.md §3). A bool, an int and a link are integers, a date
/// is a double, a string and data are bytes.
@usableFromInline
package enum PhysicalType: UInt8, Sendable, Hashable, CaseIterable, BitwiseCopyable {
  case integer = 1
  case double
  case float
  case bytes
  case uuid

  /// The bytes of one cell in a ``ColumnBuffer``.
  @inlinable var cellStride: Int {
    switch self {
    case .integer, .double: 8
    case .float: 4
    case .bytes, .uuid: 16
    }
  }
}
