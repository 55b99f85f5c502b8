/// The order of a query among the objects of one version, for objects that are compared one by one.
struct RowOrder {
  private let tree: ObjectTree
  private var leaf: CandidateLeaf
  private var writer: SortKeyBytes
  private let isByKey: Bool

  /// The place of an object in the order.
  struct Place {
    fileprivate let bytes: [UInt8]
    let key: Int64

    func precedes(_ other: Place) -> Bool {
      let order = bytes.compareBytes(other.bytes)
      return order != 0 ? order < 0 : key < other.key
    }
  }

  /// The order of a query; that of the keys where it asks for none.
  init(_ query: ObjectQuery, in view: ReadView) throws(EngineError) {
    let compiler = try ConditionCompiler(view, table: query.table)
    let columns = try compiler.columns(query.order, of: nil).deciding
    tree = try compiler.objects()
    leaf = CandidateLeaf(tree)
    writer = SortKeyBytes(columns)
    isByKey = columns.isEmpty
  }

  /// The place of an object; nil where there is none.
  mutating func place(of key: Int64) throws(EngineError) -> Place? {
    if isByKey { return Place(bytes: [], key: key) }
    guard let row = try leaf.row(of: key) else { return nil }
    try leaf.write(&writer, row: row)
    return Place(bytes: writer.bytes, key: key)
  }

  /// The first position of some keys in the order that is not before a place.
  mutating func position(of place: Place, in keys: KeySequence) throws(EngineError) -> Int {
    if isByKey { return try keys.partition { $0 < place.key } }
    return try keys.partition { (key) throws(EngineError) in
      guard let other = try self.place(of: key) else { throw tree.missing(key) }
      return other.precedes(place)
    }
  }

  /// Where a key is among some keys in the order; nil where it is none of them.
  mutating func position(of key: Int64, in keys: KeySequence) throws(EngineError) -> Int? {
    guard let place = try place(of: key) else { return nil }
    let position = try position(of: place, in: keys)
    return position < keys.count && keys[position] == key ? position : nil
  }
}
