/// An expression whose fields are there and of the types that it takes: computed column by column.
final class BoundExpression: Sendable {
  enum Content: Sendable {
    case constant(Value)
    case field(FieldID)
    case arithmetic(Arithmetic, NumberKind, BoundExpression, BoundExpression)
    case conversion(NumberKind, NumberKind, BoundExpression)
    case concatenation(BoundExpression, BoundExpression)
    case coalescing(BoundExpression, BoundExpression)
    case folded(TextFolding, BoundExpression)
    /// The places of texts in a collation.
    case ranked(BoundExpression, TextRanks)
    case target(FieldID, ObjectTree, BoundExpression)
    case related(RelatedObjects, AggregateFunction, BoundExpression)
    case elements(FieldID, CollectionFunction, outside: [BoundExpression])
    /// What is read of the object outside, by its place among what is.
    case outside(Int)
    /// What related objects give together that are chosen by what is outside of them; nil for that of the only one.
    case correlated(CorrelatedObjects, AggregateFunction?, BoundExpression)
  }

  /// What a collection's elements give together, by some values of the object that has it; nil of bytes that are no such
  /// collection, and nil within of a result that does not fit.
  typealias CollectionFunction = @Sendable (_ collection: ByteView, _ outside: [Value]) -> Value??

  /// Computes another expression of the same rows.
  typealias Part = (BoundExpression, inout Evaluation) throws(EngineError) -> ColumnBuffer

  let content: Content
  /// How the results are stored.
  let type: PhysicalType
  /// Whether integers are stored with their highest bit flipped.
  let isUnsigned: Bool

  init(_ content: Content, _ type: PhysicalType, isUnsigned: Bool = false) {
    self.content = content
    self.type = type
    self.isUnsigned = isUnsigned
  }
}

/// The fields of one query that no leaf stores: computed, a leaf at a time, of those that are.
final class ComputedFields: Sendable {
  /// Their numbers begin here; those of stored fields are smaller.
  static let first: FieldID = 1 << 31

  private let expressions: [BoundExpression]

  init(_ expressions: [BoundExpression]) { self.expressions = expressions }

  /// The expression of a field; nil of one that is stored.
  subscript(field: FieldID) -> BoundExpression? {
    guard field >= Self.first else { return nil }
    let place = Int(field - Self.first)
    return place < expressions.count ? expressions[place] : nil
  }
}

/// How an expression is computed, and whether all results fit.
struct Evaluation {
  /// Whether a result that does not fit its type is null; else the first one is reported, and nothing else is of use.
  let misfitsAreNull: Bool
  /// The place among the rows of the first result that did not fit.
  var misfit: Int?

  init(misfitsAreNull: Bool) { self.misfitsAreNull = misfitsAreNull }
}

extension BoundExpression {
  /// What the expression gives of some rows of a leaf.
  func compute(
    _ leaf: inout ScanLeaf, _ rows: LeafRows, _ evaluation: inout Evaluation
  ) throws(EngineError) -> ColumnBuffer {
    switch content {
    case .field(let field):
      let column = ColumnBuffer(type: type)
      try column.append(field, of: &leaf, rows)
      return column
    case .target(let link, let tree, let value):
      let keys = ColumnBuffer(type: .integer)
      try keys.append(link, of: &leaf, rows)
      return try value.compute(ofObjects: keys, in: tree, &evaluation)
    case .elements(let field, _, _):
      let collections = ColumnBuffer(type: .bytes)
      try collections.append(field, of: &leaf, rows)
      let unit = leaf.edge.pointer.unit
      return try compute(
        ofCollections: collections, Corruption(.fieldValue, unit: unit), &evaluation
      ) { (part, evaluation) throws(EngineError) in
        try part.compute(&leaf, rows, &evaluation)
      }
    case .related(let objects, let function, let value):
      return try compute(objects, function, value, &leaf, rows, &evaluation)
    case .correlated(let objects, let function, let value):
      let related = try objects.related.keys(&leaf, rows)
      return try compute(objects, function, value, related, &evaluation) {
        (part, evaluation) throws(EngineError) in
        try part.compute(&leaf, rows, &evaluation)
      }
    default:
      return try combine(count: rows.count, &evaluation) { (part, evaluation) throws(EngineError) in
        try part.compute(&leaf, rows, &evaluation)
      }
    }
  }

  /// What the expression makes of others, of some rows.
  func combine(
    count: Int, _ evaluation: inout Evaluation, _ part: Part
  ) throws(EngineError) -> ColumnBuffer {
    let column = ColumnBuffer(type: type)
    switch content {
    case .constant(let value):
      for _ in 0..<count { column.append(value) }
    case .arithmetic(let operation, let kind, let a, let b):
      let first = try part(a, &evaluation)
      let second = try part(b, &evaluation)
      evaluation.note(
        column.append(
          operation, kind, first, second, count: count,
          misfitsAreNull: evaluation.misfitsAreNull))
    case .conversion(let source, let target, let number):
      let numbers = try part(number, &evaluation)
      evaluation.note(column.append(converting: numbers, from: source, to: target, count: count))
    case .concatenation(let a, let b):
      let first = try part(a, &evaluation)
      let second = try part(b, &evaluation)
      evaluation.note(column.append(concatenating: first, second, count: count))
    case .coalescing(let a, let b):
      let first = try part(a, &evaluation)
      guard first.nullCount > 0 else { return first }
      column.append(coalescing: first, try part(b, &evaluation), count: count)
    case .folded(let folding, let text):
      let texts = try part(text, &evaluation)
      evaluation.note(column.append(folding: texts, folding))
    case .ranked(let text, let ranks): return ranks.column(try part(text, &evaluation))
    case .field, .target, .related, .elements, .correlated, .outside:
      preconditionFailure("This is made of no other expression of the same rows.")
    }
    return column
  }

  /// What the elements of some rows' collections give together.
  func compute(
    ofCollections collections: ColumnBuffer, _ corruption: Corruption,
    _ evaluation: inout Evaluation, _ part: Part
  ) throws(EngineError) -> ColumnBuffer {
    guard case .elements(_, let function, let outside) = content else {
      preconditionFailure("This asks for no elements.")
    }
    var columns: [ColumnBuffer] = []
    for value in outside { columns.append(try part(value, &evaluation)) }
    let column = ColumnBuffer(type: type)
    for place in 0..<collections.count {
      guard !collections.isNull(place) else {
        column.appendNull()
        continue
      }
      guard let result = function(collections.bytes(place), columns.map { $0.value(place) }) else {
        throw .corrupt(corruption)
      }
      if result == nil { evaluation.note(place) }
      column.append(result ?? .null)
    }
    return column
  }

  /// What the expression gives of the objects of a tree with some keys; null where there is none.
  ///
  /// Each leaf that has some of them is met once. A result that does not fit is noted at the place of its key.
  func compute(
    ofObjects keys: ColumnBuffer, in tree: ObjectTree, _ evaluation: inout Evaluation
  ) throws(EngineError) -> ColumnBuffer {
    var wanted: [(key: Int64, place: Int)] = []
    wanted.reserveCapacity(keys.count)
    for place in 0..<keys.count where !keys.isNull(place) {
      wanted.append((keys.integer(place), place))
    }
    wanted.sort { $0.key < $1.key }
    let found = ColumnBuffer(type: type)
    // For each key, where its value is among those found.
    var places = [Int32](repeating: -1, count: keys.count)
    var candidates = CandidateLeaf(tree)
    var next = 0
    var rows: [UInt16] = []
    while next < wanted.count {
      rows.removeAll(keepingCapacity: true)
      let start = found.count
      var last: Int64?
      while next < wanted.count {
        let key = wanted[next].key
        if let leaf = candidates.leaf, !rows.isEmpty, !leaf.covers(key) { break }
        if key != last {
          guard let row = try candidates.row(of: key) else {
            next += 1
            continue
          }
          rows.append(UInt16(truncatingIfNeeded: row))
          last = key
        }
        places[wanted[next].place] = Int32(truncatingIfNeeded: start + rows.count - 1)
        next += 1
      }
      guard !rows.isEmpty else { break }
      var inner = Evaluation(misfitsAreNull: evaluation.misfitsAreNull)
      if let values = try candidates.leaf?.values(of: self, LeafRows(rows[...]), &inner) {
        found.append(values, rows: 0..<values.count)
      }
      if let misfit = inner.misfit {
        evaluation.note(places.firstIndex(of: Int32(truncatingIfNeeded: start + misfit)))
      }
    }
    found.appendNull()
    let missing = Int32(truncatingIfNeeded: found.count - 1)
    for place in places.indices where places[place] < 0 { places[place] = missing }
    let column = ColumnBuffer(type: type)
    column.append(found, gathering: places[...])
    return column
  }
}

extension ScanLeaf {
  fileprivate mutating func values(
    of expression: BoundExpression, _ rows: LeafRows, _ evaluation: inout Evaluation
  ) throws(EngineError) -> ColumnBuffer {
    try expression.compute(&self, rows, &evaluation)
  }
}

extension Evaluation {
  /// Takes into account that a result did not fit.
  mutating func note(_ misfit: Int?) {
    if !misfitsAreNull { self.misfit = self.misfit ?? misfit }
  }
}

extension ColumnBuffer {
  /// Appends a field's cells of some rows of a leaf; large values are read whole.
  func append(
    _ field: FieldID, of leaf: inout ScanLeaf, _ rows: LeafRows
  ) throws(EngineError) {
    let chunk = field == 0 ? leaf.head.keys : try leaf.column(field)
    guard chunk.type == type else {
      throw .corrupt(Corruption(.directory, unit: leaf.edge.pointer.unit))
    }
    if chunk.hasExternals {
      for row in rows {
        guard let reference = chunk.external(row) else {
          append(chunk, row: row)
          continue
        }
        let value = try leaf.value(reference, of: field)
        unsafe value.withUnsafeBytes { unsafe append(bytes: $0) }
      }
    } else if let range = rows.contiguous {
      append(chunk, rows: range)
    } else if rows.count >= leaf.rowCount / Self.gatheredShare {
      append(chunk, gathering: rows.map { Int32($0) })
    } else {
      for row in rows { append(chunk, row: row) }
    }
  }

  /// A leaf's cells are decoded all at once where so many of them times are wanted.
  private static var gatheredShare: Int { 8 }
}
