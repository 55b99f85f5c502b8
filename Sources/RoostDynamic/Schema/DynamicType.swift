internal import RoostEngine

/// What a field stores.
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
  /// Bytes that may be many, and are read in ranges.
  case blob
  /// Elements in their order.
  case list(DynamicElement)
  /// Elements, each once.
  case set(DynamicElement)
  case dictionary(key: DynamicElement, value: DynamicElement)
  /// Several values that make one key.
  case compound([DynamicPart])
  /// A struct: only of elements of collections, for the parts of another are fields of their own.
  case record([DynamicPart])
  /// The key of an object of another table, or of the same.
  case link(to: String)
  /// Keys of objects of a table, in an order of their own.
  case links(to: String)
}

/// What the elements of a collection are.
public struct DynamicElement: Hashable, Sendable {
  /// What each is.
  public var type: DynamicType
  /// Whether null is one.
  public var isOptional: Bool

  /// Elements of a type.
  public init(_ type: DynamicType, isOptional: Bool = false) {
    self.type = type
    self.isOptional = isOptional
  }
}

/// A part of a struct or of a compound key.
public struct DynamicPart: Hashable, Sendable {
  /// The name; of a struct within the struct with points, `address.city`.
  public var name: String
  /// What it is.
  public var type: DynamicType
  /// Whether null is a value of it.
  public var isOptional: Bool

  /// A part.
  public init(_ name: String, _ type: DynamicType, isOptional: Bool = false) {
    self.name = name
    self.type = type
    self.isOptional = isOptional
  }
}

extension DynamicType {
  /// What a stored type is.
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
  /// The elements that have these columns.
  init(_ columns: ArraySlice<ElementColumn>) {
    var parts = columns
    var isOptional = false
    if let first = columns.first, !first.name.utf8.contains(UInt8(ascii: ".")) {
      guard columns.count > 1 else {
        self.init(
          DynamicType(first.type, first.parts, target: ""), isOptional: first.isOptional)
        return
      }
      // The column before the parts says whether there is a struct.
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
