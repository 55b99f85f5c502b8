package import RoostEngine

extension ObjectQuery {
  /// Parses a query for the models of a store.
  ///
  /// ```
  /// Person where age >= 18 && name contains[i] "an" sort name limit 20
  /// Dog where owner.city == "Delft" || (Puppy by mother).count > 3
  /// ```
  ///
  /// ``RoostEngine/ObjectQuery/text(in:)`` writes this form. Takes time linear in the length of the text.
  package init(_ text: String, in catalog: Catalog) throws(QueryTextError) {
    self = try QueryBinder(catalog: catalog).query(try QueryParser.sentence(of: text))
  }
}
