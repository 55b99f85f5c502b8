package import RoostEngine

extension GroupQuery {
  /// Parses a group query for the models of a store.
  ///
  /// ```
  /// Person where age >= 18 group mood, group.name select count, max(age) having count > 2 sort max(age) desc
  /// Order select count, sum(price * amount)
  /// ```
  ///
  /// The text has the objects first, as in a query; then the keys of the groups, and the aggregates over their objects.
  /// Without `group`, all objects form one group; `group` or `select` is required. `having` and the `sort` after it refer to
  /// these columns by the same words, or by number: `$1` is the first. ``RoostEngine/GroupQuery/text(in:)`` writes this
  /// form. Takes time linear in the length of the text.
  /// - Throws: `QueryTextError` where the text is no question for groups, or asks for what the models do not have.
  package init(_ text: String, in catalog: Catalog) throws(QueryTextError) {
    self = try QueryBinder(catalog: catalog).groups(try QueryParser.groups(of: text))
  }

  /// The group query as text: `Person group mood select count, max(age) having count > 2 sort max(age) desc limit 20`.
  ///
  /// Reads back as the same query, unless the query is invalid: for example, if it uses columns that the groups lack.
  package func text(in catalog: Catalog) -> String { GroupPrinter(catalog: catalog).text(self) }
}
