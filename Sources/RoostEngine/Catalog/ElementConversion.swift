/// A column of a collection's elements as a program declares it.
package struct DeclaredElement: Sendable {
  package let column: ElementColumn
  /// What an element has that was stored without the column; nil where there is nothing.
  package let fallback: Value?
  /// The elements of the column's own values, where they are collections.
  package let elements: [DeclaredElement]

  package init(_ column: ElementColumn, fallback: Value?, elements: [DeclaredElement] = []) {
    self.column = column
    self.fallback = fallback
    self.elements = elements
  }
}

/// From the columns that a collection's elements have in one place to those that they have in another: in the file, and in a
/// program that knows more or fewer parts of them.
///
/// A column is found by its name. Elements that lack one have its fallback.
package struct ElementConversion: Sendable {
  /// Why a collection cannot be converted.
  package enum Failure: Error {
    /// The bytes are no collection of such elements.
    case undecodable
    /// An element has no value of a column that needs one.
    case missing
  }

  /// Where the values of a column come from.
  private struct Source {
    let shape: PackedColumns.Shape
    /// The place among the columns before; nil for one that is new.
    let place: Int?
    let fallback: Value?
    /// For values that are collections of other elements.
    let nested: ElementConversion?
  }

  private let shapes: [PackedColumns.Shape]
  private let sources: [Source]
  private let target: [PackedColumns.Shape]
  /// Whether elements are brought in the order of their bytes.
  private let isSet: Bool

  /// The conversion of a list, a set or a dictionary, as `type` says.
  package init(of type: FieldType, from columns: [ElementColumn], to declared: [DeclaredElement]) {
    shapes = columns.map(\.shape)
    target = declared.map(\.column.shape)
    isSet = type == .set
    sources = declared.map { declared in
      let place = columns.firstIndex { $0.name == declared.column.name }
      let known = place.map { columns[$0].parts } ?? declared.column.parts
      return Source(
        shape: declared.column.shape, place: place, fallback: declared.fallback,
        nested: known == declared.column.parts
          ? nil
          : ElementConversion(of: declared.column.type, from: known, to: declared.elements))
    }
  }

  /// The collection with the other columns.
  ///
  /// - Complexity: The number of bytes.
  package func converted(_ bytes: ByteView) throws(Failure) -> [UInt8] {
    guard let packed = PackedColumns(bytes, as: shapes) else { throw .undecodable }
    let columns = try converted(packed.columns, count: packed.count)
    return PackedColumns.bytes(columns, as: target, orderedBy: isSet ? target.count : 0)
  }

  /// A collection as a field's value; null stays null, and so becomes what cannot be converted.
  package func converted(_ value: Value) -> Value {
    guard case .bytes(let bytes) = value else { return value }
    let column = ColumnBuffer(type: .bytes)
    column.append(.bytes(bytes))
    return (try? converted(column.bytes(0))).map { .bytes($0) } ?? .null
  }

  /// Collections with the other columns; one that cannot be converted has no bytes, and so is no collection.
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

  /// The columns that elements have afterwards, in the order in which they are.
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
      return column.append(source.shape.isOptional && source.place != nil ? .null : fallback)
    }
    guard let nested = source.nested else { return column.append(columns[place], row: row) }
    column.append(.bytes(try nested.converted(columns[place].bytes(row))))
  }
}

/// What becomes of a stored collection when a program that does not know all of its elements' parts writes it: those that it
/// does not know stay with the elements.
///
/// An entry of a dictionary is known again by its key, an element of a set by the parts that the program knows. So is one of
/// a list, in order; what is left of two lists of the same length, an element that was changed, by its place.
package struct ElementMerge: Sendable {
  private let type: FieldType
  private let reading: ElementConversion
  private let writing: ElementConversion
  private let storedShapes: [PackedColumns.Shape]
  private let declaredShapes: [PackedColumns.Shape]
  /// For each stored column its place among the declared ones.
  private let places: [Int?]
  private let nested: [ElementMerge?]
  /// Whether the file has parts that the program does not know.
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

  /// A collection that a program wrote, as the file has it.
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
      // Several that differ in what the program does not know are one to it, and all stay.
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

  /// What an element is known again by.
  private func identities(_ columns: [ColumnBuffer], _ count: Int) -> [[UInt8]] {
    let width = type == .dictionary ? 1 : declaredShapes.count
    let shapes = Array(declaredShapes.prefix(width))
    let columns = Array(columns.prefix(width))
    return (0..<count).map { PackedColumns.bytes(columns, as: shapes, rows: [$0]) }
  }

  /// For each new element the place of the old one that it is.
  private func matches(
    _ new: [ColumnBuffer], _ count: Int, _ old: [ColumnBuffer], _ oldCount: Int
  ) -> [Int?] {
    var places: [[UInt8]: ArraySlice<Int>] = [:]
    for (place, identity) in identities(old, oldCount).enumerated() {
      places[identity, default: []].append(place)
    }
    var isTaken = Array(repeating: false, count: oldCount)
    var matches = identities(new, count).map { identity -> Int? in
      guard let place = places[identity]?.popFirst() else { return nil }
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
  /// A stored column, which takes nulls where it may.
  package init(stored column: ElementColumn) {
    self.init(
      column, fallback: column.isOptional ? .null : nil,
      elements: column.parts.map { DeclaredElement(stored: $0) })
  }
}

extension DeclaredElement {
  /// The columns that the elements of a stored collection have when a program has opened the file for writing: all that are
  /// there, and those that are new behind them. One that the program does not know may be null from then on.
  ///
  /// - Returns: Nil where the program's elements are others, or need what the stored ones lack.
  package static func merged(
    _ stored: [ElementColumn], _ declared: [DeclaredElement]
  ) -> [DeclaredElement]? {
    // A value without parts, a dictionary's key, and what says whether a struct is there make the form of the elements.
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
      merged.append(known)
    }
    return merged
  }

  /// The columns of stored elements, of which those that a program does not set may be null.
  package static func relaxed(
    _ stored: [ElementColumn], for declared: [DeclaredElement]
  ) -> [DeclaredElement] {
    stored.map { column in
      var column = column
      let known = declared.first { $0.column.name == column.name }
      if known?.column.isOptional ?? true { column.isOptional = true }
      // The parts of a compound value are no elements.
      if let known, column.parts != known.column.parts {
        column.parts = relaxed(column.parts, for: known.elements).map(\.column)
      }
      return DeclaredElement(stored: column)
    }
  }

  /// Whether stored elements have all columns that a program declares.
  package static func hold(_ declared: [DeclaredElement], in stored: [ElementColumn]) -> Bool {
    declared.allSatisfy { declared in
      stored.contains { $0.name == declared.column.name && hold(declared.elements, in: $0.parts) }
    }
  }

  /// The columns that are no parts, each with whether it says that there is a struct.
  private static func outline(_ columns: [ElementColumn]) -> [String: Bool] {
    var outline: [String: Bool] = [:]
    for column in columns where !column.name.contains(".") {
      outline[column.name] = columns.contains { $0.name.hasPrefix(column.name + ".") }
    }
    return outline
  }
}
