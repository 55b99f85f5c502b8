extension ObjectQuery {
  /// The query as text: `Person where age >= 18 && name contains[i] "an" sort name limit 20`.
  ///
  /// The library `RoostQueryText` parses it to the same query.
  package func text(in catalog: Catalog) -> String { QueryPrinter(catalog: catalog).text(self) }
}
