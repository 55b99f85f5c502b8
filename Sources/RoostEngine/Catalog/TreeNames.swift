/// The names of a store's trees.
package struct TreeNames: Sendable {
  /// The name of the tree of a table's objects, or of one of its indexes.
  package struct Name: Equatable, Sendable {
    /// The table's name.
    package let table: String
    /// The name of the indexed field, or that of the table index; nil for the table's objects.
    package let field: String?
  }

  private var names: [UInt32: Name] = [:]

  /// The names of the trees of a catalog's tables and fields.
  package init(_ catalog: Catalog) {
    for table in catalog.tables {
      names[table.tree] = Name(table: table.name, field: nil)
      for field in table.fields where field.indexTree != 0 {
        names[field.indexTree] = Name(table: table.name, field: field.name)
      }
      for index in table.indexes {
        names[index.tree] = Name(table: table.name, field: table.name(of: index))
      }
    }
  }

  /// The name of a tree; nil if no table has the tree.
  package subscript(tree: UInt32) -> Name? { names[tree] }
}
