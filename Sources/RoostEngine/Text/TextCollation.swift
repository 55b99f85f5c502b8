/// An order of texts for people, such as that of a language, where it is no order of bytes.
///
/// It is asked when a query runs, and is never that of an index: systems change theirs.
package struct TextCollation: Hashable, Sendable {
  /// What queries call it; collations of one name are equal.
  package let name: String
  /// Whether the first text comes before the second.
  let precedes: @Sendable (String, String) -> Bool

  /// A collation.
  ///
  /// - Parameter precedes: Whether the first text comes before the second: a strict weak order.
  package init(_ name: String, precedes: @escaping @Sendable (String, String) -> Bool) {
    self.name = name
    self.precedes = precedes
  }

  /// Whether the names are equal.
  package static func == (a: Self, b: Self) -> Bool { a.name == b.name }

  /// Hashes the name.
  package func hash(into hasher: inout Hasher) { hasher.combine(name) }
}
