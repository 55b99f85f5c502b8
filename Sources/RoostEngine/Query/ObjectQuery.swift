/// A question to one table: which objects, in which order, how many of them.
package struct ObjectQuery: Equatable, Sendable {
  /// The table's number.
  package var table: UInt32
  /// Which objects.
  package var predicate: Predicate
  /// In which order; objects that are alike in all of these, in the order of their keys.
  package var order: [SortKey]
  /// The most objects wanted; nil for all.
  package var limit: Int?
  /// How many objects are left out before the first.
  package var offset: Int

  /// A question; by default for all objects of the table, in the order of their keys.
  ///
  /// A negative limit or offset counts as 0.
  package init(
    table: UInt32, predicate: Predicate = .always(true), order: [SortKey] = [],
    limit: Int? = nil, offset: Int = 0
  ) {
    self.table = table
    self.predicate = predicate
    self.order = order
    self.limit = limit
    self.offset = offset
  }
}

/// A sort key of results.
///
/// Ascending is: null, then the values (bytes as unsigned bytes), then NaN. Descending is the reverse.
package struct SortKey: Equatable, Sendable {
  /// The compared expression.
  package var value: ColumnExpression
  /// Whether the largest value comes first.
  package var isDescending: Bool
  /// How texts are ordered; nil for the order of their bytes.
  package var collation: TextCollation?

  /// Orders by a field; 0 is the object key.
  package init(field: FieldID, descending: Bool = false) {
    self.init(.field(field), descending: descending)
  }

  /// Orders by what is computed of each object.
  package init(
    _ value: ColumnExpression, descending: Bool = false, collation: TextCollation? = nil
  ) {
    self.value = value
    isDescending = descending
    self.collation = collation
  }
}

/// A field, stored or computed, that results are ordered by.
struct SortColumn: Equatable, Sendable {
  let field: FieldID
  let type: PhysicalType
  let isDescending: Bool
}

extension ObjectQuery {
  /// The part of so many results that offset and limit leave.
  func window(of count: Int) -> Range<Int> {
    let start = min(max(offset, 0), count)
    guard let limit else { return start..<count }
    return start..<start + min(max(limit, 0), count - start)
  }

  /// How many of the first results are needed; nil for all.
  var neededCount: Int? {
    limit.map { limit in
      let (sum, overflow) = max(limit, 0).addingReportingOverflow(max(offset, 0))
      return overflow ? .max : sum
    }
  }
}
