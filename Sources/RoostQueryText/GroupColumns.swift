internal import RoostEngine

/// The columns of groups, keys first, and their names in a query's text.
struct GroupColumns {
  /// The expression of each column, as text.
  let texts: [String]
  private let types: [FieldType?]
  /// The scope of conditions on groups: the columns act as the columns of an element.
  let scope: QueryScope
  /// The column of each expression text; the first one where several are equal.
  private let places: [[UInt8]: FieldID]
  /// The key columns whose value is constant.
  private let constants: Set<FieldID>

  init(_ query: GroupQuery, of table: TableDefinition, in catalog: Catalog) {
    let printer = QueryPrinter(catalog: catalog)
    let objects = QueryScope.table(table)
    var texts: [String] = []
    var types: [FieldType?] = []
    var columns: [ElementColumn] = []
    var places: [[UInt8]: FieldID] = [:]
    var constants: Set<FieldID> = []
    func add(_ text: String, _ type: FieldType?) {
      texts.append(text)
      types.append(type)
      let place = FieldID(texts.count)
      columns.append(
        ElementColumn(name: "column\(place)", type: type ?? .int, isOptional: true))
      if places[Array(text.utf8)] == nil { places[Array(text.utf8)] = place }
    }
    for key in query.keys {
      add(printer.value(key, objects, nil), printer.type(key, objects))
      if case .constant = key { constants.insert(FieldID(texts.count)) }
    }
    for aggregate in query.aggregates {
      let type = printer.type(aggregate.value, objects)
      add(printer.text(aggregate, objects), aggregate.function.type(of: type))
    }
    self.texts = texts
    self.types = types
    self.places = places
    self.constants = constants
    scope = .elements(columns)
  }

  /// The number of the column with this expression text.
  func place(of text: String) -> FieldID? { places[Array(text.utf8)] }

  /// Whether the values of a column, given by its number, are unsigned.
  func isUnsigned(_ column: QuerySyntax) -> Bool {
    guard case .place(let place) = column.form else { return false }
    return type(place) == .uint
  }

  /// The type of a column's values, if it is known.
  func type(_ column: FieldID) -> FieldType? { types[Int(column) - 1] }

  /// The name of a column in conditions and orders: its expression text, or its number where the text is ambiguous.
  func name(_ column: FieldID) -> String {
    guard let place = Int(exactly: column), 0 < place, place <= texts.count,
      case let text = texts[place - 1], self.place(of: text) == column,
      !constants.contains(column), text.utf8.first != UInt8(ascii: "$")
    else { return "$\(column)" }
    return text
  }
}

extension QueryPrinter {
  /// `count`, `sum(price * amount)`
  func text(_ aggregate: Aggregate, _ scope: QueryScope) -> String {
    if aggregate == Aggregate(.count, of: 0) { return "count" }
    let text = value(aggregate.value, scope, nil)
    // A value that starts and ends with a parenthesis is already parenthesized.
    return aggregate.function.word
      + (text.hasPrefix("(") && text.hasSuffix(")") ? text : "(\(text))")
  }
}
