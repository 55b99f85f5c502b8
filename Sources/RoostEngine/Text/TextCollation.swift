/// An order of texts for people, for example of a language, unlike the order of bytes.
///
/// It is evaluated when a query runs, and never used by an index: systems change their collations.
package struct TextCollation: Hashable, Sendable {
  /// Its name in queries; collations with equal names are equal.
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
