/// The nesting of the columns of an object, or of a collection's elements, in a text.
///
/// Columns that are parts of a struct have names with points: `address.city`. So the text of an object has nested structs.
/// A column with the name of the struct itself marks whether the struct is present.
package struct RecordShape: Sendable {
  /// One member of an object.
  package struct Member: Sendable {
    package let name: String
    /// The UTF-8 of its name in the text.
    package let key: [UInt8]
    package let content: Content
  }

  /// A member: a value, or a struct.
  package indirect enum Content: Sendable {
    /// The value in a column.
    case value(column: Int, ValueShape)
    /// A struct, and the column that marks its presence.
    case record(RecordShape, presence: Presence?)
  }

  /// The column that marks the presence of a struct.
  package struct Presence: Sendable {
    package let column: Int
    package let shape: ValueShape
  }

  package let members: [Member]
  /// The indices of all columns but those of kinds, which a text does not have: they are made with their values.
  package let columns: [Int]

  /// The shape of columns with these names; neighbours with a common prefix belong to one struct.
  package init(_ columns: [(name: String, value: ValueShape)]) {
    let paths = columns.map { column in
      column.name.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    }
    self.init(columns.map(\.value), paths, depth: 0, in: 0..<columns.count)
  }

  private init(
    _ values: [ValueShape], _ paths: [[String]], depth: Int, in columns: Range<Int>
  ) {
    var members: [Member] = []
    var start = columns.lowerBound
    while start < columns.upperBound {
      let name = paths[start][depth]
      var end = start + 1
      while end < columns.upperBound, paths[end].count > depth + 1, paths[end][depth] == name {
        end += 1
      }
      let isWhole = paths[start].count == depth + 1
      let content: Content
      if isWhole && values[start + 1..<end].allSatisfy(\.isKind) {
        content = .value(column: start, values[start])
      } else {
        let presence = isWhole ? Presence(column: start, shape: values[start]) : nil
        let parts = start + (isWhole ? 1 : 0)..<end
        content = .record(
          RecordShape(values, paths, depth: depth + 1, in: parts), presence: presence)
      }
      members.append(Member(name: name, key: Array(name.utf8), content: content))
      start = end
    }
    self.members = members
    self.columns = columns.filter { !values[$0].isKind }
  }

  private init(_ members: [Member], columns: [Int]) {
    self.members = members
    self.columns = columns
  }
}

extension RecordShape {
  /// The shape of a text in which some members have other names.
  ///
  /// - Parameters:
  ///   - names: The names in the text of members by their paths, such as `address.city`.
  ///   - parent: The path of the shape itself, with a point behind it.
  package func renamed(_ names: [String: String], in parent: String = "") -> RecordShape {
    RecordShape(
      members.map { member in
        let path = parent + member.name
        return Member(
          name: member.name, key: names[path].map { Array($0.utf8) } ?? member.key,
          content: member.content.renamed(names, in: path + "."))
      }, columns: columns)
  }
}

extension RecordShape.Content {
  fileprivate func renamed(_ names: [String: String], in parent: String) -> Self {
    switch self {
    case .value(let column, let shape):
      .value(column: column, shape.renamed(names, in: parent))
    case .record(let record, let presence):
      .record(record.renamed(names, in: parent), presence: presence)
    }
  }
}

/// The form of a column's values in JSON and CSV.
package final class ValueShape: Sendable {
  /// The type of the values; for a link, that of its target's identifier.
  package let type: FieldType
  /// Whether a value may be missing although its struct is present.
  package let mayBeNil: Bool
  /// The value of an object whose text lacks the member.
  package let defaultValue: Value?
  /// The elements of a collection.
  package let elements: ElementShape?
  /// The parts of a compound key, as those of an element.
  package let parts: ElementShape?
  /// Whether the column has indices into ``RecordColumns/identifiers`` instead of values.
  package let isLookedUp: Bool
  /// The links of a list.
  package let links: LinkShape?
  /// Whether the column has the kinds of the values in the column before.
  package let isKind: Bool
  /// Whether the property's type may refuse a value of the stored type, as an enum does; then the value's place is noted.
  package let isChecked: Bool
  /// Whether a value is a link.
  package let isLink: Bool
  /// What a model declares so that a text may lack the value, for errors; nil where no model is known.
  package let remedy: StaticString?

  package init(
    _ type: FieldType, mayBeNil: Bool, defaultValue: Value? = nil, elements: ElementShape? = nil,
    parts: ElementShape? = nil, isLookedUp: Bool = false, links: LinkShape? = nil,
    isKind: Bool = false, isChecked: Bool = false, isLink: Bool = false,
    remedy: StaticString? = nil
  ) {
    self.type = type
    self.mayBeNil = mayBeNil
    self.defaultValue = defaultValue
    self.elements = elements
    self.parts = parts
    self.isLookedUp = isLookedUp
    self.links = links
    self.isKind = isKind
    self.isChecked = isChecked
    self.isLink = isLink
    self.remedy = remedy
  }

  /// The physical type of the column.
  var physical: PhysicalType { isLookedUp ? .integer : type.physical }

  /// Whether a value is a word of text, such as a name in JSON.
  package var isWord: Bool {
    !mayBeNil && elements == nil && links == nil && type != .json
  }

  /// The shape of a text in which members of the elements have other names.
  fileprivate func renamed(_ names: [String: String], in parent: String) -> ValueShape {
    guard let elements, let renamed = elements.renamed(names, in: parent) else { return self }
    return ValueShape(
      type, mayBeNil: mayBeNil, defaultValue: defaultValue, elements: renamed, parts: parts,
      isLookedUp: isLookedUp, links: links, isKind: isKind, isChecked: isChecked,
      isLink: isLink, remedy: remedy)
  }
}

/// The links of a list.
package struct LinkShape: Sendable {
  /// The type of the targets' identifiers.
  let type: FieldType
  /// The parts of the targets' identifiers, if they are compound.
  let parts: ElementShape?
  /// Whether a link is an index into ``RecordColumns/identifiers``, for its target's identifier.
  package let isLookedUp: Bool

  package init(_ type: FieldType, parts: ElementShape?, isLookedUp: Bool) {
    self.type = type
    self.parts = parts
    self.isLookedUp = isLookedUp
  }

  /// The shape of a single link, as for a field's value.
  package var value: ValueShape {
    ValueShape(type, mayBeNil: false, parts: parts, isLookedUp: isLookedUp, isLink: true)
  }
}

/// The elements of a collection.
package final class ElementShape: Sendable {
  /// The keys of a dictionary.
  package let key: ValueShape?
  /// The elements; for a dictionary, the values.
  package let element: RecordShape.Content
  /// The packed shapes of the columns.
  package let columns: [PackedColumns.Shape]

  /// The elements of a collection with these columns: for a dictionary the key first, then those of the elements or values.
  package init?(
    _ columns: [(name: String, value: ValueShape)], packedAs shapes: [PackedColumns.Shape]
  ) {
    var members = RecordShape(columns).members[...]
    if members.count == 2, case .value(_, let key)? = members.first?.content {
      self.key = key
      members = members.dropFirst()
    } else {
      key = nil
    }
    guard members.count == 1, let element = members.first?.content else { return nil }
    self.element = element
    self.columns = shapes
  }

  private init(
    key: ValueShape?, element: RecordShape.Content, columns: [PackedColumns.Shape]
  ) {
    self.key = key
    self.element = element
    self.columns = columns
  }

  /// The elements in a text in which their members have other names; nil where they have none.
  fileprivate func renamed(_ names: [String: String], in parent: String) -> ElementShape? {
    guard case .record(let record, let presence) = element else { return nil }
    return ElementShape(
      key: key, element: .record(record.renamed(names, in: parent), presence: presence),
      columns: columns)
  }
}

/// Columns of objects that are read from or written to a text.
package final class RecordColumns {
  package let columns: [ColumnBuffer]
  /// The identifiers of link targets; columns of looked-up links have indices into this.
  package var identifiers: [Value] = []

  package init(_ types: [PhysicalType]) { columns = types.map { ColumnBuffer(type: $0) } }

  /// Removes all objects.
  package func removeAll() {
    for column in columns { column.removeAll(keepingCapacity: true) }
    identifiers.removeAll(keepingCapacity: true)
  }
}

/// The text form of dates.
package enum TimeForm: Sendable {
  case iso8601
  case textInUTC
  case secondsSince1970
  case millisecondsSince1970
  case secondsSince2001

  /// The seconds from 1970 to 2001.
  package static let secondsBetween = 978_307_200.0
}
