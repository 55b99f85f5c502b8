package import RoostEngine

extension ObjectQuery {
  /// The query that a text says, of the models of a store.
  ///
  /// ```
  /// Person where age >= 18 && name contains[i] "an" sort name limit 20
  /// Dog where owner.city == "Delft" || (Puppy by mother).count > 3
  /// ```
  ///
  /// It is what ``RoostEngine/ObjectQuery/text(in:)`` writes. Takes time in proportion to the text's length.
  package init(_ text: String, in catalog: Catalog) throws(QueryTextError) {
    self = try QueryBinder(catalog: catalog).query(try QueryParser.sentence(of: text))
  }
}
