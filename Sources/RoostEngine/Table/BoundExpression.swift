/// A validated expression, whose fields exist and have suitable types: computed column by column.
final class BoundExpression: Sendable {
  enum Content: Sendable {
    case constant(Value)
    case field(FieldID)
    case arithmetic(Arithmetic, NumberKind, BoundExpression, BoundExpression)
    case conversion(NumberKind, NumberKind, BoundExpression)
    case concatenation(BoundExpression, BoundExpression)
    case coalescing(BoundExpression, BoundExpression)
    case folded(TextFolding, BoundExpression)
    /// The ranks of texts in a collation.
    case ranked(BoundExpression, TextRanks)
    case target(FieldID, ObjectTree, BoundExpression)
    /// An aggregate over related objects; without a function, the value of the only related object.
    case related(BoundRelation, AggregateFunction?, BoundExpression)
    case elements(FieldID, CollectionFunction, outside: [BoundExpression])
    /// A value read from the outer object, by its index in the outer columns.
    case outside(Int)
  }

  /// Evaluates a collection's elements, with a row of the outer columns; nil if the bytes are not a valid
  /// collection, and an inner nil if the result does not fit.
  typealias CollectionFunction =
    @Sendable (
      _ collection: ByteView, _ outside: [ColumnBuffer], _ row: Int
    ) -> Value??

  let content: Content
  /// The storage type of the results.
  let type: PhysicalType
  let form: NumberForm

  init(_ content: Content, _ type: PhysicalType, _ form: NumberForm = .plain) {
    self.content = content
    self.type = type
    self.form = form
  }
}

/// The computed fields of one query: evaluated a leaf at a time from stored fields.
final class ComputedFields: Sendable {
  /// The first number of a computed field; stored fields have smaller numbers.
  static let first: FieldID = 1 << 31

  private let expressions: [BoundExpression]

  init(_ expressions: [BoundExpression]) { self.expressions = expressions }

  /// The expression of a field; nil if the field is stored.
  subscript(field: FieldID) -> BoundExpression? {
    guard field >= Self.first else { return nil }
    let place = Int(field - Self.first)
    return place < expressions.count ? expressions[place] : nil
  }
}

/// The mode of an evaluation, and whether all results fit.
struct Evaluation {
  /// Whether a result that does not fit its type becomes null; otherwise the first misfit is noted and the results are void.
  let misfitsAreNull: Bool
  /// The index, among the rows, of the first result that did not fit.
  var misfit: Int?
  /// The columns read from the outer objects, one row for each computed row.
  var outside: [ColumnBuffer] = []

  init(misfitsAreNull: Bool) { self.misfitsAreNull = misfitsAreNull }
}

extension BoundExpression {
  /// Evaluates the expression for some rows of a leaf.
  func compute(
    _ leaf: inout ScanLeaf, _ rows: LeafRows, _ evaluation: inout Evaluation
  ) throws(EngineError) -> ColumnBuffer {
    let column = ColumnBuffer(type: type)
    switch content {
    case .constant(let value):
      for _ in 0..<rows.count { column.append(value) }
    case .field(let field): try column.append(field, of: &leaf, rows)
    case .arithmetic(let operation, let kind, let a, let b):
      let first = try a.compute(&leaf, rows, &evaluation)
      let second = try b.compute(&leaf, rows, &evaluation)
      evaluation.note(
        column.append(
          operation, kind, first, second, count: rows.count,
          misfitsAreNull: evaluation.misfitsAreNull))
    case .conversion(let source, let target, let number):
      let numbers = try number.compute(&leaf, rows, &evaluation)
      evaluation.note(
        column.append(converting: numbers, from: source, to: target, count: rows.count))
    case .concatenation(let a, let b):
      let first = try a.compute(&leaf, rows, &evaluation)
      let second = try b.compute(&leaf, rows, &evaluation)
      evaluation.note(column.append(concatenating: first, second, count: rows.count))
    case .coalescing(let a, let b):
      let first = try a.compute(&leaf, rows, &evaluation)
      guard first.nullCount > 0 else { return first }
      column.append(
        coalescing: first, try b.compute(&leaf, rows, &evaluation), count: rows.count)
    case .folded(let folding, let text):
      let texts = try text.compute(&leaf, rows, &evaluation)
      evaluation.note(column.append(folding: texts, folding))
    case .ranked(let text, let ranks):
      return ranks.column(try text.compute(&leaf, rows, &evaluation))
    case .target(let link, let tree, let value):
      let keys = ColumnBuffer(type: .integer)
      try keys.append(link, of: &leaf, rows)
      return try value.compute(ofObjects: keys, in: tree, &evaluation)
    case .elements(let field, let function, let outside):
      var columns: [ColumnBuffer] = []
      for value in outside { columns.append(try value.compute(&leaf, rows, &evaluation)) }
      let collections = ColumnBuffer(type: .bytes)
      try collections.append(field, of: &leaf, rows)
      for place in 0..<rows.count {
        guard !collections.isNull(place) else {
          column.appendNull()
          continue
        }
        guard let result = function(collections.bytes(place), columns, place) else {
          throw .corrupt(Corruption(.fieldValue, unit: leaf.edge.pointer.unit))
        }
        if result == nil { evaluation.note(place) }
        column.append(result ?? .null)
      }
    case .related(let objects, let function, let value):
      return try compute(objects, function, value, &leaf, rows, &evaluation)
    case .outside(let place): return evaluation.outside[place]
    }
    return column
  }

  /// Evaluates the expression for the objects of a tree with the given keys; null for a missing object.
  ///
  /// Visits each leaf that contains a key once. A result that does not fit is noted at the index of its key.
  /// - Parameter outside: What is read of the objects outside, a row for each key.
  func compute(
    ofObjects keys: ColumnBuffer, in tree: ObjectTree, outside: [ColumnBuffer] = [],
    _ evaluation: inout Evaluation
  ) throws(EngineError) -> ColumnBuffer {
    if case .outside(let place) = content { return outside[place] }
    // An expression that may read the outer object is computed per pair, any other once per object.
    let isOfPairs = !outside.isEmpty && mayReadOutside
    let wanted = (KeyOrder.rows(ascending: keys) ?? Array(0..<Int32(keys.count)))
      .filter { !keys.isNull(Int($0)) }
    let found = ColumnBuffer(type: type)
    // For each key, the index of its value in `found`.
    var places = [Int32](repeating: -1, count: keys.count)
    var candidates = CandidateLeaf(tree)
    var next = 0
    var rows: [UInt16] = []
    var pairs: [Int32] = []
    while next < wanted.count {
      rows.removeAll(keepingCapacity: true)
      pairs.removeAll(keepingCapacity: true)
      let start = found.count
      var last: Int64?
      while next < wanted.count {
        let place = wanted[next]
        let key = keys.integer(Int(place))
        if let leaf = candidates.leaf, !rows.isEmpty, !leaf.covers(key) { break }
        if key != last {
          guard let row = try candidates.row(of: key) else {
            next += 1
            continue
          }
          rows.append(UInt16(truncatingIfNeeded: row))
          last = key
        } else if isOfPairs, let row = rows.last {
          rows.append(row)
        }
        if isOfPairs { pairs.append(place) }
        places[Int(place)] = Int32(truncatingIfNeeded: start + rows.count - 1)
        next += 1
      }
      guard !rows.isEmpty else { break }
      var inner = Evaluation(misfitsAreNull: evaluation.misfitsAreNull)
      if isOfPairs { inner.outside = outside.gathering(pairs) }
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

extension BoundExpression {
  /// Whether the expression may read the outer object.
  private var mayReadOutside: Bool {
    switch content {
    case .field, .target: false
    case .related(let objects, _, _): objects.correlation != nil
    default: true
    }
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
  /// Records that a result did not fit.
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
        value.withByteView { append(bytes: $0) }
      }
    } else if let range = rows.contiguous {
      append(chunk, rows: range)
    } else if rows.count >= leaf.rowCount / Self.gatheredShare {
      append(chunk, gathering: rows.map { Int32($0) })
    } else {
      for row in rows { append(chunk, row: row) }
    }
  }

  /// A leaf's cells are decoded all at once if at least one in this many is wanted.
  private static var gatheredShare: Int { 8 }
}
