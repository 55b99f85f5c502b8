extension ImportReport {
  /// Something that a source defines beside the objects of its classes, as a view or an index.
  public struct Definition: Hashable, Codable, Sendable {
    /// What it is.
    public let kind: Kind
    /// Its name in the source.
    public let name: String
    /// The table that it belongs to; nil for one that belongs to none.
    public let table: String?
    /// The columns that it has, or is of.
    public let columns: [String]

    package init(kind: Kind, name: String, table: String? = nil, columns: [String] = []) {
      self.kind = kind
      self.name = name
      self.table = table
      self.columns = columns
    }

    /// A kind of definition.
    @nonexhaustive
    public enum Kind: String, Hashable, Codable, Sendable {
      /// A view, which is not read.
      case view
      /// A trigger, which does not run any more.
      case trigger
      /// A virtual table, as of a full-text search. It is not read.
      case virtualTable
      /// A table in which a virtual table keeps its content.
      case shadowTable
      /// A column that is calculated of others. Rows have its values.
      case generatedColumn
      /// An index: `.indexed` of a field, or an `Index`.
      case index
      /// An index of values that are unique, a primary key excepted: `.unique` of a field.
      case uniqueIndex
    }
  }
}
