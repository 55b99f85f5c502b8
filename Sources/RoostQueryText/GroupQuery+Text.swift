package import RoostEngine

extension GroupQuery {
  /// The question for groups that a text says, of the models of a store.
  ///
  /// ```
  /// Person where age >= 18 group mood, group.name select count, max(age) having count > 2 sort max(age) desc
  /// Order select count, sum(price * amount)
  /// ```
  ///
  /// First come the objects, as in a query; then what is the same in all objects of a group, and what is asked of them.
  /// Without `group`, all objects are one; one of `group` and `select` is there. `having` and the `sort` after it speak of
  /// these columns: by the same words, or by their numbers, `$1` for the first. It is what ``RoostEngine/GroupQuery/text(in:)``
  /// writes. Takes time in proportion to the text's length.
  /// - Throws: `QueryTextError` where the text is no question for groups, or asks for what the models do not have.
  package init(_ text: String, in catalog: Catalog) throws(QueryTextError) {
    self = try QueryBinder(catalog: catalog).groups(try QueryParser.groups(of: text))
  }

  /// The question as text: `Person group mood select count, max(age) having count > 2 sort max(age) desc limit 20`.
  ///
  /// It reads back as the same question; what groups cannot be asked, such as columns that they do not have, does not.
  package func text(in catalog: Catalog) -> String { GroupPrinter(catalog: catalog).text(self) }
}
