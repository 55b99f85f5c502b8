internal import Foundation
package import RoostEngine

#if canImport(FoundationEssentials)
public import struct FoundationEssentials.Locale
#else
public import struct Foundation.Locale
#endif

extension Query {
  /// Sorts by a text in a locale's order, with `ä` beside `a` or after `z`; after any earlier order.
  ///
  /// Texts that are equal in the locale keep the order of the object keys. Nil sorts first. The texts of all
  /// results are read, and the distinct ones compared by Foundation: some microseconds for each
  /// comparison. Systems change their locales, so no index has this order.
  public consuming func order<Value: TextStorable>(
    by path: KeyPath<M, Value>, locale: Locale, descending isDescending: Bool = false
  ) -> Self {
    let term = ExpressionTerm.path(FieldPath(field: FieldStep(M.self, path)))
    return ordered(
      by: QueryOrder(value: term, isDescending: isDescending, collation: .locale(locale.identifier))
    )
  }

  /// Sorts by a computed text, or a text read through links, in a locale's order.
  ///
  /// ```swift
  /// Dog.all.order(locale: Locale(identifier: "sv")) { $0.owner.name }
  /// ```
  public consuming func order<Value: TextStorable>(
    locale: Locale, descending isDescending: Bool = false,
    by value: (QueryRoot<M>) -> QueryValue<Value>
  ) -> Self {
    let term = value(QueryRoot()).term
    return ordered(
      by: QueryOrder(value: term, isDescending: isDescending, collation: .locale(locale.identifier))
    )
  }
}

extension GroupedQuery {
  /// Sorts the groups by a text in a locale's order; after any earlier order.
  public func order<Value: TextStorable>(
    locale: Locale, descending isDescending: Bool = false,
    by value: (ObjectGroup<M, repeat each Key>) -> GroupValue<Value>
  ) -> Self {
    let term = value(ObjectGroup(of: self)).term
    return ordered(
      by: QueryOrder(value: term, isDescending: isDescending, collation: .locale(locale.identifier))
    )
  }
}

extension TextCollation {
  /// The order of a locale.
  package static func locale(_ identifier: String) -> TextCollation {
    let locale = Locale(identifier: identifier)
    return TextCollation(identifier) { first, second in
      first.compare(second, options: [], range: nil, locale: locale) == .orderedAscending
    }
  }
}
