internal import RoostEngine
internal import Synchronization

/// How the elements of a type of collection are stored.
///
/// Made once for each type and cached; a program has few types.
final class CollectionShape: Sendable {
  let parts: [ElementColumn]
  /// The columns, with the values for elements that were stored without them.
  let declared: [DeclaredElement]
  /// The names that columns had in older releases.
  let olderNames: [String: [String]]
  /// How each of the columns is stored.
  let shapes: [PackedColumns.Shape]
  /// The reason why these elements cannot be stored.
  let refusal: String?
  /// The elements' form in texts.
  let text: ElementShape?

  private init(_ columns: _Columns) {
    parts = columns.fields.map {
      ElementColumn(
        name: $0.name, type: $0.type.kind, isOptional: $0.type.isOptional, parts: $0.type.parts)
    }
    declared = zip(parts, columns.fields).map { part, field in
      DeclaredElement(
        part, fallback: field.hasDefault ? field.defaultValue : nil,
        elements: field.type.declaredElements,
        requiringStruct: field.isRequiredPart ? field.presence : nil)
    }
    olderNames = Dictionary(
      columns.fields.lazy.filter { !$0.olderNames.isEmpty }.map { ($0.name, $0.olderNames) },
      uniquingKeysWith: { first, _ in first })
    shapes = parts.map(\.shape)
    text = ElementShape(columns.fields.map { ($0.name, $0.valueShape) }, packedAs: shapes)
    refusal =
      if parts.contains(where: { $0.type.isLink }) {
        "has links in a collection: `Links` has links alone, and what has values beside them is a model of its own"
      } else if columns.fields.contains(where: { $0.kindOf != nil }) {
        "has elements with kinds, which only fields of an object can have"
      } else {
        columns.endlessness
          ?? columns.refusal.map { "has elements of which \($0.dropLast())" }
      }
  }

  private static let known = Mutex<[Pair: CollectionShape]>([:])

  /// The types of the elements and, for a dictionary, of the keys.
  private struct Pair: Hashable {
    let key: ObjectIdentifier?
    let element: ObjectIdentifier
  }

  /// The shape of a list or of a set.
  static func of<Element: PropertyValue>(_ type: Element.Type) -> CollectionShape {
    of(Pair(key: nil, element: ObjectIdentifier(type))) { columns in
      columns.enterElements(type, named: "element")
    }
  }

  /// The shape of a dictionary.
  static func of<Key: Storable, Element: PropertyValue>(
    _ key: Key.Type, _ type: Element.Type
  ) -> CollectionShape {
    of(Pair(key: ObjectIdentifier(key), element: ObjectIdentifier(type))) { columns in
      columns.enterElements(key, named: "key")
      columns.enterElements(type, named: "value")
    }
  }

  private static func of(
    _ pair: Pair, _ describe: (inout _Columns) -> Void
  ) -> CollectionShape {
    if let shape = known.withLock({ $0[pair] }) { return shape }
    // Outside the lock, because elements may be collections themselves.
    var columns = _Columns()
    describe(&columns)
    let shape = CollectionShape(columns)
    known.withLock { $0[pair] = shape }
    return shape
  }

  // MARK: Packing

  /// New columns for elements; the sink retains them.
  func sink() -> RowSink {
    RowSink(columns: shapes.map { ColumnBuffer(type: $0.type) }, links: NoLinks.shared)
  }

  /// The bytes of the elements in a sink's columns.
  ///
  /// - Parameter keyCount: How many columns the elements are brought in order by; none keeps the order.
  func bytes(_ sink: RowSink, orderedBy keyCount: Int = 0) -> [UInt8] {
    PackedColumns.bytes(sink.columns, as: shapes, orderedBy: keyCount)
  }

  /// Whether a number in a sink's columns, or in a collection in one of them, is NaN, which equals nothing.
  func hasNaN(_ sink: RowSink) -> Bool { parts.haveNaN(sink.columns) }

  // MARK: Unpacking

  /// Calls `body` with the cells of each element in a cell's collection.
  func forEach(
    _ cell: _Cell, prepare: (_ count: Int) -> Void,
    _ body: (inout _RowReader) throws(StoreError) -> Void
  ) throws(StoreError) {
    let packed = try cell.withBytes { (bytes) throws(StoreError) in
      guard let packed = PackedColumns(bytes, as: shapes) else {
        throw cell.undecodable("\(bytes.count) bytes that are no collection of its elements")
      }
      return packed
    }
    prepare(packed.count)
    do throws(StoreError) {
      try WordCursor.with(packed.columns) { (words) throws(StoreError) in
        for row in 0..<packed.count {
          var cells = _RowReader(words, row: row, like: cell)
          try body(&cells)
        }
      }
    } catch {
      // The field of an element is not known here.
      guard case .undecodable(_, _, let value) = error else { throw error }
      throw cell.undecodable(value)
    }
  }
}

extension CollectionShape: Hashable {
  static func == (a: CollectionShape, b: CollectionShape) -> Bool {
    a.parts == b.parts && a.refusal == b.refusal
  }

  func hash(into hasher: inout Hasher) { hasher.combine(parts) }
}

/// Resolves no links: a collection has none.
final class NoLinks: LinkResolver, Sendable {
  static let shared = NoLinks()

  func objectKey<Target: Model>(
    of target: Target.Type, id: Target.ID
  ) throws(StoreError) -> Int64 {
    throw .unencodable(type: "Link", reason: "it lies in a collection")
  }
}
