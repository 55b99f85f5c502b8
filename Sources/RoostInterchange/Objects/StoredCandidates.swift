internal import Roost
internal import RoostEngine

/// Stored objects that objects without keys may be, found by some of their values.
///
/// The objects are in the order of their keys, and each is found once.
struct StoredCandidates<M: Model> {
  /// Some values of an object, in a form in which equal ones are the same: NaN too.
  struct Content: Hashable {
    fileprivate var values: [Value] = []
  }

  private let rows: DetachedRows<M>
  private let objects: [M]
  /// The row of each object; empty until it is needed.
  private var places: [Int] = []
  private var isTaken: [Bool]
  /// For some columns, the objects that have a content there, the last first.
  private var buckets: [[Int]: [Content: [Int]]] = [:]
  private var known: Set<Content> = []

  /// - Parameter rows: Where the objects' values are appended.
  init(_ rows: DetachedRows<M>, _ objects: [M]) {
    self.rows = rows
    self.objects = objects
    isTaken = [Bool](repeating: false, count: objects.count)
  }

  /// The first object that has a content in these columns and was not taken before; nil if there is none.
  mutating func take(_ columns: [Int], _ content: Content) throws(StoreError) -> M? {
    if buckets[columns] == nil { buckets[columns] = try bucket(columns) }
    while let object = buckets[columns]?[content]?.popLast() {
      guard !isTaken[object] else { continue }
      isTaken[object] = true
      return objects[object]
    }
    return nil
  }

  /// Whether this was not asked before with the same content.
  mutating func isFirst(_ content: Content) -> Bool { known.insert(content).inserted }

  private mutating func bucket(_ columns: [Int]) throws(StoreError) -> [Content: [Int]] {
    if places.isEmpty {
      for object in objects {
        places.append(rows.columns.columns.first?.count ?? 0)
        try rows.append(object)
      }
    }
    var found: [Content: [Int]] = [:]
    for object in objects.indices.reversed() {
      found[content(of: columns, row: places[object]), default: []].append(object)
    }
    return found
  }

  /// The content of some columns of a row.
  func content(of columns: [Int], row: Int) -> Content {
    var content = Content()
    for column in columns {
      let value = rows.columns.columns[column].value(row)
      let shape = rows.shape.value(inColumn: column)
      switch value {
      case .double(let number): content.values.append(.uuid(0, number.bitPattern))
      case .float(let number): content.values.append(.uuid(1, UInt64(number.bitPattern)))
      case .integer(let place) where shape?.isLookedUp == true:
        content.values.append(identifier(place))
      case .bytes(let bytes) where shape?.links?.isLookedUp == true:
        let targets = LinkList.targets(bytes)
        content.values.append(.integer(Int64(targets.count)))
        content.values += targets.map(identifier)
      default: content.values.append(value)
      }
    }
    return content
  }

  /// The identifier that a link leads to.
  private func identifier(_ place: Int64) -> Value {
    guard let index = Int(exactly: place), rows.columns.identifiers.indices.contains(index) else {
      return .null
    }
    return rows.columns.identifiers[index]
  }
}
