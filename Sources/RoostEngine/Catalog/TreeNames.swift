/// The names of a store's trees, which are looked up where an error or a finding needs one.
package struct TreeNames: Sendable {
  /// The name of the tree of a table's objects, or of one of its indexes.
  package struct Name: Equatable, Sendable {
    /// The table's name.
    package let table: String
    /// The name of the indexed field, or that of the table index; nil for the table's objects.
    package let field: String?
  }

  private let catalog: Catalog

  /// The names of the trees of a catalog's tables and fields.
  package init(_ catalog: Catalog) { self.catalog = catalog }

  /// The name of a tree; nil if no table has the tree. O(n) in the tables and fields.
  package subscript(tree: UInt32) -> Name? {
    for table in catalog.tables {
      if table.tree == tree { return Name(table: table.name, field: nil) }
      if let field = table.fields.first(where: { $0.indexTree == tree && tree != 0 }) {
        return Name(table: table.name, field: field.name)
      }
      if let index = table.indexes.first(where: { $0.tree == tree }) {
        return Name(table: table.name, field: table.name(of: index))
      }
    }
    return nil
  }
}
