/// A query of one table: its condition, its order, and the number of results.
package struct ObjectQuery: Equatable, Sendable {
  /// The table's number.
  package var table: UInt32
  /// The condition on the objects.
  package var predicate: Predicate
  /// The sort keys; objects that are equal in all of these are ordered by object key.
  package var order: [SortKey]
  /// The maximum number of objects; nil for all.
  package var limit: Int?
  /// The number of objects to skip before the first.
  package var offset: Int

  /// A query; by default for all objects of the table, in the order of their keys.
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
/// The ascending order is: null, then the values (bytes as unsigned bytes), then NaN. Descending is the reverse.
package struct SortKey: Equatable, Sendable {
  /// The compared expression.
  package var value: ColumnExpression
  /// Whether the largest value comes first.
  package var isDescending: Bool
  /// The order of texts; nil for the order of their bytes.
  package var collation: TextCollation?

  /// Orders by a field; 0 is the object key.
  package init(field: FieldID, descending: Bool = false) {
    self.init(.field(field), descending: descending)
  }

  /// Orders by an expression over each object.
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
  /// The part of `count` results that offset and limit select.
  func window(of count: Int) -> Range<Int> {
    let start = min(max(offset, 0), count)
    guard let limit else { return start..<count }
    return start..<start + min(max(limit, 0), count - start)
  }

  /// The number of first results needed; nil for all.
  var neededCount: Int? {
    limit.map { limit in
      let (sum, overflow) = max(limit, 0).addingReportingOverflow(max(offset, 0))
      return overflow ? .max : sum
    }
  }
}
