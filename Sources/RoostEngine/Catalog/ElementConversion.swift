/// A column of a collection's elements, as declared by a program.
package struct DeclaredElement: Sendable {
  package let column: ElementColumn
  /// The value for an element that was stored without the column; nil if there is none.
  package let fallback: Value?
  /// The element columns of the column's own values, if they are collections.
  package let elements: [DeclaredElement]
  /// The name of the column that says whether the optional struct is present of which each must have a value in this column,
  /// without a fallback; nil if there is none.
  package let requiringStruct: String?

  package init(
    _ column: ElementColumn, fallback: Value?, elements: [DeclaredElement] = [],
    requiringStruct: String? = nil
  ) {
    self.column = column
    self.fallback = fallback
    self.elements = elements
    self.requiringStruct = requiringStruct
  }
}

/// Converts a collection between two sets of element columns: those in the file, and those of a program that knows more or
/// fewer parts of the elements.
///
/// Columns are matched by name. Elements that lack a column get its fallback. A struct that is optional in only one of the sets
/// is present where it is required in the other.
package struct ElementConversion: Sendable {
  /// The reason why a collection cannot be converted.
  package enum Failure: Error {
    /// The bytes are not a collection of these elements.
    case undecodable
    /// An element lacks a value for a column that requires one.
    case missing
  }

  /// The source of a column's values.
  private struct Source {
    let shape: PackedColumns.Shape
    /// The index among the source columns; nil for a new column.
    let place: Int?
    let fallback: Value?
    /// The conversion of values that are collections, if their element columns differ.
    let nested: ElementConversion?
    /// Among the source columns, the one that says whether the optional struct around it is present.
    let outer: Int?
  }

  private let shapes: [PackedColumns.Shape]
  private let sources: [Source]
  private let target: [PackedColumns.Shape]
  /// Whether the elements are sorted by their bytes.
  private let isSet: Bool

  /// The conversion of a list, a set or a dictionary, according to `type`.
  package init(of type: FieldType, from columns: [ElementColumn], to declared: [DeclaredElement]) {
    shapes = columns.map(\.shape)
    target = declared.map(\.column.shape)
    isSet = type == .set
    sources = declared.map { declared in
      let place = columns.firstIndex { $0.name == declared.column.name }
      let known = place.map { columns[$0].parts } ?? declared.column.parts
      let isRequiredStruct = place == nil && columns.has(partsOf: declared.column.name)
      return Source(
        shape: declared.column.shape, place: place,
        fallback: isRequiredStruct ? .integer(1) : declared.fallback,
        nested: known == declared.column.parts
          ? nil
          : ElementConversion(of: declared.column.type, from: known, to: declared.elements),
        outer: place == nil ? columns.presence(around: declared.column.name) : nil)
    }
  }

  /// The collection with the target columns.
  ///
  /// - Complexity: The number of bytes.
  package func converted(_ bytes: ByteView) throws(Failure) -> [UInt8] {
    guard let packed = PackedColumns(bytes, as: shapes) else { throw .undecodable }
    let columns = try converted(packed.columns, count: packed.count)
    return PackedColumns.bytes(columns, as: target, orderedBy: isSet ? target.count : 0)
  }

  /// Converts a field's value; null stays null, and a collection that cannot be converted becomes null.
  package func converted(_ value: Value) -> Value {
    guard case .bytes(let bytes) = value else { return value }
    let column = ColumnBuffer(type: .bytes)
    column.append(.bytes(bytes))
    return (try? converted(column.bytes(0))).map { .bytes($0) } ?? .null
  }

  /// Converts a column of collections; one that cannot be converted gets no bytes, which is not a valid collection.
  package func converted(_ column: ColumnBuffer) -> ColumnBuffer {
    let converted = ColumnBuffer(type: .bytes)
    for row in 0..<column.count {
      guard !column.isNull(row) else {
        converted.appendNull()
        continue
      }
      converted.append(.bytes((try? self.converted(column.bytes(row))) ?? []))
    }
    return converted
  }

  /// The target columns of the elements, in the same element order.
  func converted(_ columns: [ColumnBuffer], count: Int) throws(Failure) -> [ColumnBuffer] {
    var converted: [ColumnBuffer] = []
    for source in sources {
      let column = ColumnBuffer(type: source.shape.type)
      for row in 0..<count { try append(source, columns, row, to: column) }
      converted.append(column)
    }
    return converted
  }

  private func append(
    _ source: Source, _ columns: [ColumnBuffer], _ row: Int, to column: ColumnBuffer
  ) throws(Failure) {
    guard let place = source.place, !columns[place].isNull(row) else {
      guard let fallback = source.fallback else { throw .missing }
      if let outer = source.outer, source.shape.isOptional,
        columns[outer].isNull(row) || columns[outer].integer(row) != 1
      {
        return column.append(.null)
      }
      return column.append(source.shape.isOptional && source.place != nil ? .null : fallback)
    }
    guard let nested = source.nested else { return column.append(columns[place], row: row) }
    column.append(.bytes(try nested.converted(columns[place].bytes(row))))
  }
}

/// Merges a collection written by a program that does not know all parts of the elements into the stored collection: the
/// unknown parts stay with their elements.
///
/// Dictionary entries are matched by key, set and list elements by the parts that the program knows, list elements in order.
/// In lists of the same length, the remaining elements, which were changed, are matched by place.
package struct ElementMerge: Sendable {
  private let type: FieldType
  private let reading: ElementConversion
  private let writing: ElementConversion
  private let storedShapes: [PackedColumns.Shape]
  private let declaredShapes: [PackedColumns.Shape]
  /// The index of each stored column among the declared columns.
  private let places: [Int?]
  private let nested: [ElementMerge?]
  /// Whether the file has parts that are unknown to the program.
  package let keepsParts: Bool

  /// - Parameter type: A list, a set or a dictionary.
  package init(of type: FieldType, _ declared: [DeclaredElement], in stored: [ElementColumn]) {
    self.type = type
    storedShapes = stored.map(\.shape)
    declaredShapes = declared.map(\.column.shape)
    let places = stored.map { column in
      declared.firstIndex { $0.column.name == column.name }
    }
    self.places = places
    reading = ElementConversion(of: type, from: stored, to: declared)
    writing = ElementConversion(
      of: type, from: declared.map(\.column), to: stored.map { DeclaredElement(stored: $0) })
    nested = zip(stored, places).map { column, place in
      guard let place, declared[place].column.parts != column.parts else { return nil }
      return ElementMerge(of: column.type, declared[place].elements, in: column.parts)
    }
    keepsParts = places.contains(nil) || nested.contains { $0?.keepsParts == true }
  }

  /// The stored form of a collection that a program wrote.
  ///
  /// - Parameter old: What is stored in its place; nil where there is nothing.
  package func stored(
    _ bytes: ByteView, insteadOf old: ByteView?
  ) throws(ElementConversion.Failure) -> [UInt8] {
    guard keepsParts, let old, let before = PackedColumns(old, as: storedShapes),
      let new = PackedColumns(bytes, as: declaredShapes),
      let known = try? reading.converted(before.columns, count: before.count)
    else { return try writing.converted(bytes) }
    var matches = matches(new.columns, new.count, known, before.count)
    var rows = Array(0..<new.count)
    if type == .set {
      // Stored elements that differ only in unknown parts are one element to the program; all of them stay.
      let others = others(new.columns, new.count, known, before.count, besides: matches)
      rows += others.map(\.new)
      matches += others.map(\.old)
    }
    let written = try writing.converted(new.columns, count: new.count)
    var columns: [ColumnBuffer] = []
    for (place, column) in written.enumerated() {
      let merged = ColumnBuffer(type: column.type)
      for (row, match) in zip(rows, matches) {
        if let match, places[place] == nil {
          merged.append(before.columns[place], row: match)
        } else if let match, let nested = nested[place], !before.columns[place].isNull(match),
          let own = places[place], !new.columns[own].isNull(row)
        {
          merged.append(
            .bytes(
              try nested.stored(
                new.columns[own].bytes(row), insteadOf: before.columns[place].bytes(match))))
        } else {
          merged.append(column, row: row)
        }
      }
      columns.append(merged)
    }
    return PackedColumns.bytes(
      columns, as: storedShapes, orderedBy: type == .set ? storedShapes.count : 0)
  }

  /// The bytes by which each element is matched.
  private func identities(_ columns: [ColumnBuffer], _ count: Int) -> [[UInt8]] {
    let width = type == .dictionary ? 1 : declaredShapes.count
    let shapes = Array(declaredShapes.prefix(width))
    let columns = Array(columns.prefix(width))
    return (0..<count).map { PackedColumns.bytes(columns, as: shapes, rows: [$0]) }
  }

  /// The index of the old element that matches each new element.
  private func matches(
    _ new: [ColumnBuffer], _ count: Int, _ old: [ColumnBuffer], _ oldCount: Int
  ) -> [Int?] {
    // The first old element of each identity, and after each element the next one of the same.
    var first: [[UInt8]: Int] = [:]
    var next = [Int?](repeating: nil, count: oldCount)
    for (place, identity) in identities(old, oldCount).enumerated().reversed() {
      next[place] = first.updateValue(place, forKey: identity)
    }
    var isTaken = Array(repeating: false, count: oldCount)
    var matches = identities(new, count).map { identity -> Int? in
      guard let place = first[identity] else { return nil }
      first[identity] = next[place]
      isTaken[place] = true
      return place
    }
    guard type == .list, count == oldCount else { return matches }
    for place in 0..<count where matches[place] == nil && !isTaken[place] { matches[place] = place }
    return matches
  }

  private func others(
    _ new: [ColumnBuffer], _ count: Int, _ old: [ColumnBuffer], _ oldCount: Int,
    besides matches: [Int?]
  ) -> [(new: Int, old: Int?)] {
    var rows: [[UInt8]: Int] = [:]
    for (row, identity) in identities(new, count).enumerated() { rows[identity] = row }
    let taken = Set(matches.compactMap { $0 })
    return identities(old, oldCount).enumerated().compactMap { place, identity in
      guard !taken.contains(place), let row = rows[identity] else { return nil }
      return (row, place)
    }
  }
}

extension DeclaredElement {
  /// A stored column; its fallback is null if it is optional.
  package init(stored column: ElementColumn) {
    self.init(
      column, fallback: column.isOptional ? .null : nil,
      elements: column.parts.map { DeclaredElement(stored: $0) })
  }
}

extension DeclaredElement {
  /// The columns of a stored collection's elements after a program has opened the file for writing: the stored columns,
  /// followed by the new ones. A column that the program does not know becomes optional.
  ///
  /// - Returns: Nil where the program's elements are others, or need what the stored ones lack.
  package static func merged(
    _ stored: [ElementColumn], _ declared: [DeclaredElement]
  ) -> [DeclaredElement]? {
    // The columns without a point in their names define the form: plain values, dictionary keys, presence of structs.
    guard outline(stored) == outline(declared.map(\.column)) else { return nil }
    var merged: [DeclaredElement] = []
    for var column in stored {
      if let known = declared.first(where: { $0.column.name == column.name }) {
        guard known.column.type == column.type,
          let elements = column.parts == known.column.parts
            ? known.elements : Self.merged(column.parts, known.elements)
        else { return nil }
        column.isOptional = known.column.isOptional
        if column.parts != known.column.parts { column.parts = elements.map(\.column) }
        merged.append(DeclaredElement(column, fallback: known.fallback, elements: elements))
      } else {
        column.isOptional = true
        merged.append(DeclaredElement(stored: column))
      }
    }
    for known in declared where !stored.contains(where: { $0.name == known.column.name }) {
      guard known.fallback != nil else { return nil }
      // Stored structs have no value of a part that all must have.
      if let name = known.requiringStruct,
        stored.contains(where: { $0.name == name }) || stored.has(partsOf: name)
      {
        return nil
      }
      merged.append(known)
    }
    return merged
  }

  /// The columns of stored elements; columns that a program need not set are optional.
  package static func relaxed(
    _ stored: [ElementColumn], for declared: [DeclaredElement]
  ) -> [DeclaredElement] {
    stored.map { column in
      var column = column
      let known = declared.first { $0.column.name == column.name }
      if known?.column.isOptional ?? true { column.isOptional = true }
      // A compound value has parts but no elements: equal parts stay unchanged.
      if let known, column.parts != known.column.parts {
        column.parts = relaxed(column.parts, for: known.elements).map(\.column)
      }
      return DeclaredElement(stored: column)
    }
  }

  /// Whether stored elements have all columns that a program declares, at any depth.
  package static func hold(_ declared: [DeclaredElement], in stored: [ElementColumn]) -> Bool {
    declared.allSatisfy { declared in
      stored.contains { $0.name == declared.column.name && hold(declared.elements, in: $0.parts) }
    }
  }

  /// The names of the columns that are not parts of a struct, with a point behind those that mark the presence of a struct.
  private static func outline(_ columns: [ElementColumn]) -> Set<String> {
    Set(
      columns.map(\.name).filter { !$0.contains(".") }.map { name in
        columns.contains { $0.name.hasPrefix(name + ".") } ? name + "." : name
      })
  }
}

extension [ElementColumn] {
  /// Whether there are parts of a struct.
  fileprivate func has(partsOf name: String) -> Bool {
    contains { $0.name.hasPrefix("\(name).") }
  }

  /// The column that says whether the innermost optional struct is present that contains a part.
  fileprivate func presence(around part: String) -> Int? {
    var name = part[...]
    while let point = name.lastIndex(of: ".") {
      name = name[..<point]
      if let place = firstIndex(where: { $0.name == name }) { return place }
    }
    return nil
  }
}
