/// The part of a table index that contains every object for which some conjuncts are true.
///
/// The longest run of leading fields with single values, then a range of the next field; a partial index
/// can be used only if the conjuncts imply its condition.
struct TableIndexBounds {
  /// The ranges of the entries.
  private(set) var ranges: [IndexRange] = []
  /// The conjuncts that the ranges answer, by index.
  private(set) var used: Set<Int> = []
  /// Whether every entry's object meets the used conjuncts; otherwise they are candidates.
  private(set) var isExact = true
  /// The number of leading fields with one value in all entries.
  private(set) var equalCount = 0

  private let conjuncts: [CompiledPredicate]

  /// The bounds that some conjuncts set; nil if they leave the whole of a complete index, or if a matching
  /// object may be absent from the index.
  ///
  /// - Parameter valuesMax: No more combinations of values than this are looked up one by one.
  init?(
    _ index: TableIndex, of table: TableDefinition, _ conjuncts: [CompiledPredicate], valuesMax: Int
  ) {
    self.conjuncts = conjuncts
    for condition in index.condition(of: table) {
      guard place(where: { condition.isImplied(by: $0) }) != nil else { return nil }
      // A conjunct stricter than the condition is tested on the objects, unless a range answers it.
      if let same = place(where: { condition.isSame(as: $0) }) { used.insert(same) }
    }
    var beginnings: [[UInt8]] = [[]]
    var fields = index.fields[...]
    while let field = fields.first,
      let (place, values) = values(of: field, atMost: valuesMax / beginnings.count)
    {
      beginnings = beginnings.flatMap { beginning in values.map { beginning + $0 } }
      used.insert(place)
      fields.removeFirst()
      if beginnings.count == 1 { equalCount += 1 }
    }
    var rest: (lower: [UInt8], upper: [UInt8]?) = ([], nil)
    if let field = fields.first, let type = table.field(field)?.type.physical {
      var range = PartRange(type)
      for (place, conjunct) in conjuncts.enumerated() {
        guard case .field(let test) = conjunct, test.field == field, range.narrow(test) else {
          continue
        }
        used.insert(place)
      }
      rest = range.bounds
    }
    guard !used.isEmpty || !index.condition.isEmpty else { return nil }
    for beginning in beginnings { addRange(beginning, rest.lower, rest.upper) }
  }

  private func place(where isMeant: (FieldTest) -> Bool) -> Int? {
    conjuncts.firstIndex { conjunct in
      if case .field(let test) = conjunct { isMeant(test) } else { false }
    }
  }

  /// The single values that a conjunct allows for a field, in entry form.
  private func values(
    of field: FieldID, atMost valuesMax: Int
  ) -> (place: Int, values: [[UInt8]])? {
    for (place, conjunct) in conjuncts.enumerated() {
      guard case .field(let test) = conjunct, test.field == field,
        let values = test.values(atMost: valuesMax, asParts: true), !values.isEmpty
      else { continue }
      return (place, values)
    }
    return nil
  }

  /// Adds the entries with a prefix that continue between two bounds, excluding the upper one.
  private mutating func addRange(_ beginning: [UInt8], _ lower: [UInt8], _ upper: [UInt8]?) {
    let lower = beginning + lower
    let end: IndexBound
    if let upper {
      let upper = beginning + upper
      guard lower.compareBytes(upper) < 0 else { return }
      end = cut(.exclusive(upper))
    } else if beginning.isEmpty {
      end = .unbounded
    } else {
      end = IndexRange(prefix: Array(beginning.prefix(IndexKey.byteCountMax))).upper
      if beginning.count > IndexKey.byteCountMax { isExact = false }
    }
    ranges.append(IndexRange(from: cut(.inclusive(lower)), to: end))
  }

  /// A bound that is longer than a key is truncated like the keys: entries with this prefix are candidates.
  private mutating func cut(_ bound: IndexBound) -> IndexBound {
    switch bound {
    case .inclusive(let bytes), .exclusive(let bytes):
      guard bytes.count > IndexKey.byteCountMax else { return bound }
      isExact = false
      return .inclusive(Array(bytes.prefix(IndexKey.byteCountMax)))
    case .unbounded: return bound
    }
  }
}

/// The part of a field's values that some conditions allow, in entry form.
private struct PartRange {
  private let type: PhysicalType
  private var lower: [UInt8] = []
  private var upper: [UInt8]?

  init(_ type: PhysicalType) { self.type = type }

  /// From the lower bound up to but excluding the upper one; without an upper bound, all values.
  var bounds: (lower: [UInt8], upper: [UInt8]?) { (lower, upper) }

  /// Applies a condition; false if it gives no bound.
  mutating func narrow(_ test: FieldTest) -> Bool {
    switch test.kind {
    case .compare(.less, let value): below(value.part)
    case .compare(.lessOrEqual, let value): below(IndexRange(prefix: value.part).end)
    case .compare(.greater, let value): from(IndexRange(prefix: value.part).end)
    case .compare(.greaterOrEqual, let value): from(value.part)
    case .text(.prefix, let pattern):
      var beginning = Self.firstValue
      pattern.withByteView { CompoundBytes.appendBeginning($0, to: &beginning) }
      from(beginning)
      below(IndexRange(prefix: beginning).end)
      return true
    case .isNotNull:
      from(Self.firstValue)
      return true
    default: return false
    }
    // A comparison never holds for NaN, which comes last, or null, which comes first.
    from(Self.firstValue)
    switch type {
    case .double: below(Value.double(.nan).part)
    case .float: below(Value.float(.nan).part)
    default: break
    }
    return true
  }

  /// A bound before all values, and behind null.
  private static let firstValue: [UInt8] = [1]
  /// A bound behind all values.
  private static let end: [UInt8] = [2]

  private mutating func from(_ bytes: [UInt8]) {
    if lower.compareBytes(bytes) < 0 { lower = bytes }
    if upper == nil { upper = Self.end }
  }

  private mutating func below(_ bytes: [UInt8]) {
    if let upper, upper.compareBytes(bytes) <= 0 { return }
    upper = bytes
  }
}

extension IndexRange {
  /// The end of a range of values with a prefix that does not begin with 255.
  fileprivate var end: [UInt8] { if case .exclusive(let bytes) = upper { bytes } else { [] } }
}

extension Value {
  /// The value in entry form.
  var part: [UInt8] {
    let column = ColumnBuffer(type: type ?? .integer)
    column.append(self)
    var bytes: [UInt8] = []
    CompoundBytes.appendOptional(column, row: 0, to: &bytes)
    return bytes
  }
}
