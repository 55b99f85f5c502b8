internal import Roost
package import RoostEngine

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

extension DynamicValue {
  /// The value for a stored value of a type.
  ///
  /// - Parameter parts: The columns of a collection's elements, or the parts of a compound value.
  package init(stored value: Value, _ type: FieldType, _ parts: [ElementColumn]) {
    self =
      switch value {
      case .null: .null
      case .integer(let number):
        switch type {
        case .bool: .bool(number != 0)
        case .uint: .uint(UInt64(bitPattern: number) ^ FieldType.signBit)
        default: .int(number)
        }
      case .double(let number):
        type == .date ? .date(Date(timeIntervalSinceReferenceDate: number)) : .double(number)
      case .float(let number): .float(number)
      case .uuid(let high, let low):
        type == .duration
          ? .duration(Duration(storedHigh: high, low: low)) : .uuid(UUID(high: high, low: low))
      case .bytes(let bytes):
        bytes.withByteView { DynamicValue(stored: $0, type, parts) }
      }
  }

  private init(stored bytes: ByteView, _ type: FieldType, _ parts: [ElementColumn]) {
    func data() -> DynamicValue {
      .data(bytes.data)
    }
    func text() -> String {
      bytes.string
    }
    switch type {
    case .string: self = .string(text())
    case .json: self = .json(text())
    case .decimal: self = Decimal(stored: bytes).map { .decimal($0) } ?? data()
    case .links: self = .list(LinkList.targets(bytes).map { .int($0) })
    case .list, .set, .dictionary:
      guard let packed = PackedColumns(bytes, as: parts.map(\.shape)) else {
        self = data()
        return
      }
      let columns = Array(zip(parts, packed.columns))[...]
      self =
        type == .dictionary
        ? .dictionary(
          (0..<packed.count).map { row in
            Entry(
              DynamicValue(element: columns.prefix(1), row),
              DynamicValue(element: columns.dropFirst(), row))
          })
        : .list((0..<packed.count).map { DynamicValue(element: columns, $0) })
    case .compound:
      guard let columns = CompoundBytes.columns(bytes, as: parts.map(\.shape)) else {
        self = data()
        return
      }
      self = .record(
        zip(parts, columns).map { part, column in
          Part(part.name, DynamicValue(stored: column.value(0), part.type, part.parts))
        })
    default: self = data()
    }
  }

  /// An element of a collection: its single value, or the parts of a struct.
  private init(element columns: ArraySlice<(ElementColumn, ColumnBuffer)>, _ row: Int) {
    var parts = columns
    if let (first, column) = columns.first, !first.name.utf8.contains(UInt8(ascii: ".")) {
      guard columns.count > 1 else {
        self.init(stored: column.value(row), first.type, first.parts)
        return
      }
      // The column before the parts stores whether there is a struct.
      guard column.type == .integer, column.integer(row) != 0 else {
        self = .null
        return
      }
      parts = columns.dropFirst()
    }
    self = .record(
      parts.map { part, column in
        Part(part.partName, DynamicValue(stored: column.value(row), part.type, part.parts))
      })
  }
}

extension ElementColumn {
  /// The name of a part within its struct, without the element's name.
  var partName: String {
    let path = name.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    return String(path.last ?? "")
  }
}
