/// A table, as its schema describes it.
struct Table {
  let name: String
  let columns: [Column]
  /// The places of the columns of the primary key, in its order; empty if the rowid is the key.
  let key: [Int]
  /// The name under which a row's rowid can be read; nil if there is none, or columns have all of its names.
  let rowID: String?
  let foreignKeys: [ForeignKey]
  /// The places of the columns, by their names without the case of letters, and as they are.
  private let places: [String: Int]
  private let exactPlaces: [String: Int]

  struct Column {
    var name: String
    /// The declared type, which values need not have.
    var declared: String
    var isGenerated: Bool
    /// Whether it is calculated when it is read.
    var isVirtual: Bool
    /// Whether it cannot be NULL.
    var isRequired = false
  }

  struct ForeignKey {
    var columns: [String]
    var table: String
    /// The columns that they lead to; nil for those of the primary key.
    var targets: [String?]
    /// What becomes of a row when the one that it leads to is deleted: `CASCADE`, `SET NULL` and others.
    var onDelete = ""
  }

  init(
    _ name: String, _ columns: [Column], key: [Int], hasRowID: Bool, foreignKeys: [ForeignKey]
  ) {
    self.name = name
    self.columns = columns
    self.key = key
    self.foreignKeys = foreignKeys
    var places: [String: Int] = [:]
    for (place, column) in columns.enumerated() { places[column.name.caseFolded] = place }
    self.places = places
    exactPlaces = Dictionary(
      columns.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { _, last in last })
    rowID = hasRowID ? ["rowid", "_rowid_", "oid"].first { places[$0] == nil } : nil
  }

  /// A column's place, whatever the case of its letters.
  func place(of column: String) -> Int? { exactPlaces[column] ?? places[column.caseFolded] }

  /// What selects the key, where that is one value: a column, or the rowid.
  var singleKey: String? {
    switch key.count {
    case 0: rowID
    case 1: key.first.map { columns[$0].name.quotedName }
    default: nil
    }
  }

  /// The foreign key of one column; nil if there is none.
  func foreignKey(of column: String) -> ForeignKey? {
    foreignKeys.first {
      $0.columns.count == 1 && $0.columns.first?.caseFolded == column.caseFolded
    }
  }
}

extension String {
  /// As SQLite compares names: the case of ASCII letters does not matter.
  var caseFolded: String {
    String(
      decoding: utf8.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 32 : $0 },
      as: UTF8.self)
  }
}
