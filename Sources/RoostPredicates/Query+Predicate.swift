public import Roost

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension Query {
  /// The objects that fulfil a Foundation predicate.
  ///
  /// ```swift
  /// let grown = try Query(#Predicate<Person> { $0.age >= 18 && $0.name.contains("an") })
  /// ```
  ///
  /// The predicate is translated once and never called, so indexes and zone maps are used as for `Person.where`.
  /// Finds the objects for which `predicate.evaluate` is true, with three exceptions. Texts are compared as UTF-8 bytes, where
  /// Swift equates `é` as one scalar and as two. Where Foundation traps or throws (a number that does not
  /// fit, an integer divided by zero, `!` on nil), the value is nil, and every comparison but `!=` is false. And NaN is
  /// never the `min()` or `max()` of a collection.
  ///
  /// - Throws: ``/Roost/StoreError/predicateUnsupported(node:reason:)`` for what no query can say, such as a regular expression
  ///   or an element by its place; ``/Roost/StoreError/unknownField(model:property:)`` for a property that the schema does not
  ///   list.
  public init(_ predicate: Predicate<M>) throws(StoreError) {
    var scope = PredicateScope()
    scope.bind(predicate.variable, to: Translation(.object(M.self)))
    self.init(try scope.condition(of: predicate.expression).filter)
  }
}
