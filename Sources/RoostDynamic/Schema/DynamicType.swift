internal import RoostEngine

/// The type of a field's values.
public indirect enum DynamicType: Hashable, Sendable {
  case bool
  case int
  case uint
  case double
  case float
  case string
  case data
  case date
  case uuid
  case duration
  case decimal
  /// A text in JSON.
  case json
  /// Bytes of any length, read in ranges.
  case blob
  /// An array of elements.
  case list(DynamicElement)
  /// A set of elements.
  case set(DynamicElement)
  case dictionary(key: DynamicElement, value: DynamicElement)
  /// A key of several values.
  case compound([DynamicPart])
  /// A struct, as an element of a collection only; an embedded struct's parts are fields of their own.
  case record([DynamicPart])
  /// The key of an object in another table, or in the same one.
  case link(to: String)
  /// An ordered list of keys of a table's objects.
  case links(to: String)
}

/// The type of a collection's elements.
public struct DynamicElement: Hashable, Sendable {
  /// The type of each element.
  public var type: DynamicType
  /// Whether an element can be null.
  public var isOptional: Bool

  /// Elements of a type.
  public init(_ type: DynamicType, isOptional: Bool = false) {
    self.type = type
    self.isOptional = isOptional
  }
}

/// A part of a struct or of a compound key.
public struct DynamicPart: Hashable, Sendable {
  /// The name; parts of nested structs have dotted names, such as `address.city`.
  public var name: String
  /// The type.
  public var type: DynamicType
  /// Whether the value can be null.
  public var isOptional: Bool

  /// A part.
  public init(_ name: String, _ type: DynamicType, isOptional: Bool = false) {
    self.name = name
    self.type = type
    self.isOptional = isOptional
  }
}

extension DynamicType {
  /// The type for a stored type.
  ///
  /// - Parameter target: The table that a link leads to.
  init(_ type: FieldType, _ parts: [ElementColumn], target: String) {
    self =
      switch type {
      case .bool: .bool
      case .int: .int
      case .uint: .uint
      case .double: .double
      case .float: .float
      case .string: .string
      case .data: .data
      case .date: .date
      case .uuid: .uuid
      case .duration: .duration
      case .decimal: .decimal
      case .json: .json
      case .blob: .blob
      case .list: .list(DynamicElement(parts[...]))
      case .set: .set(DynamicElement(parts[...]))
      case .dictionary:
        .dictionary(
          key: DynamicElement(parts.prefix(1)), value: DynamicElement(parts.dropFirst()))
      case .compound: .compound(parts.map { DynamicPart($0, named: $0.name) })
      case .link: .link(to: target)
      case .links: .links(to: target)
      }
  }
}

extension DynamicElement {
  /// The element type for columns.
  init(_ columns: ArraySlice<ElementColumn>) {
    var parts = columns
    var isOptional = false
    if let first = columns.first, !first.name.utf8.contains(UInt8(ascii: ".")) {
      guard columns.count > 1 else {
        self.init(
          DynamicType(first.type, first.parts, target: ""), isOptional: first.isOptional)
        return
      }
      // The column before the parts stores whether there is a struct.
      isOptional = true
      parts = columns.dropFirst()
    }
    self.init(.record(parts.map { DynamicPart($0, named: $0.partName) }), isOptional: isOptional)
  }
}

extension DynamicPart {
  init(_ column: ElementColumn, named name: String) {
    self.init(
      name, DynamicType(column.type, column.parts, target: ""), isOptional: column.isOptional)
  }
}
