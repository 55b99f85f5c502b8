/// The order of a query among the objects of one version, for objects that are compared one by one.
struct RowOrder {
  /// Reads the values to order by.
  private struct Values {
    let tree: ObjectTree
    var leaf: CandidateLeaf
    var writer: SortKeyBytes

    mutating func bytes(of key: Int64) throws(EngineError) -> [UInt8]? {
      guard let row = try leaf.row(of: key) else { return nil }
      try leaf.write(&writer, row: row)
      return writer.bytes
    }
  }

  /// Nil for key order.
  private var values: Values?

  /// An object's place in the order, by its key.
  typealias Place = OrderedRow

  /// The order of a query; key order if it specifies none.
  init(_ query: ObjectQuery, in view: ReadView) throws(EngineError) {
    guard !query.order.isEmpty else { return }
    let compiler = try PredicateCompiler(view, table: query.table)
    let columns = try compiler.columns(query.order, of: nil).deciding
    guard !columns.isEmpty else { return }
    let tree = try compiler.objects()
    values = Values(tree: tree, leaf: CandidateLeaf(tree), writer: SortKeyBytes(columns))
  }

  /// The place of an object; nil if there is none.
  mutating func place(of key: Int64) throws(EngineError) -> Place? {
    guard values != nil else { return Place(bytes: [], key: key) }
    return try values?.bytes(of: key).map { Place(bytes: $0, key: key) }
  }

  /// The first position in sorted keys that is not before a place.
  mutating func position(of place: Place, in keys: KeySequence) throws(EngineError) -> Int {
    guard let tree = values?.tree else { return try keys.partition { $0 < place.key } }
    return try keys.partition { (key) throws(EngineError) in
      guard let other = try self.place(of: key) else { throw tree.missing(key) }
      return other.precedes(place)
    }
  }

  /// The position of a key in sorted keys; nil if it is not among them.
  mutating func position(of key: Int64, in keys: KeySequence) throws(EngineError) -> Int? {
    guard let place = try place(of: key) else { return nil }
    let position = try position(of: place, in: keys)
    return position < keys.count && keys[position] == key ? position : nil
  }
}
