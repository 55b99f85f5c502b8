internal import RoostEngine

/// The forms of predicate strings that have no other form in our own texts.
extension QueryParser {
  /// Parses what follows `%`: `@` for a value, `K` for the name of a field.
  mutating func argument(_ start: Int) throws(QueryTextError) -> QuerySyntax {
    guard token.offset == start + 1 else {
      throw QueryTextError(message: "A value is %@ without a space.", offset: start)
    }
    if takeSign("@") {
      argumentsTaken += 1
      return try syntax(start, .literal(.argument(try argument(argumentsTaken - 1, start))))
    }
    guard takeWord("K") else {
      throw QueryTextError(
        message: "Values come by %@ and names of fields by %K; there is no %\(found).",
        offset: start)
    }
    argumentsTaken += 1
    guard let path = try argument(argumentsTaken - 1, start).text else {
      throw QueryTextError(message: "By %K comes the name of a field, as a text.", offset: start)
    }
    let names = path.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    var value = try syntax(start, .name(names[0]))
    for name in names.dropFirst() { value = try syntax(start, .member(value, name, nil)) }
    return value
  }

  /// A value by its number.
  private mutating func argument(
    _ number: Int, _ offset: Int
  ) throws(QueryTextError) -> QueryArgument {
    guard let arguments else {
      throw QueryTextError(
        message: "A text of its own has no values: they belong to Query(where:).", offset: offset)
    }
    guard number < arguments.count else {
      throw QueryTextError(
        message: "Here comes value \(number + 1); the number of values is \(arguments.count).",
        offset: offset)
    }
    isUsed[number] = true
    return arguments[number]
  }

  /// `$0`: a value in a condition with values, or else a field.
  mutating func numbered(
    _ number: UInt32, _ offset: Int
  ) throws(QueryTextError) -> QuerySyntax.Form {
    guard arguments != nil else { return .place(number) }
    return .literal(.argument(try argument(Int(number), offset)))
  }

  /// Parses what follows a bracket behind a collection: the key of a dictionary, or `SIZE`.
  mutating func element(of value: QuerySyntax) throws(QueryTextError) -> QuerySyntax.Form {
    if let keyword, ["first", "last", "size"].contains(keyword) {
      guard keyword == "size" else {
        throw error("Elements are not asked by their place, and \(found) is one.")
      }
      place += 1
      try expect("]")
      return .member(value, "count", nil)
    }
    let key = try unary()
    guard key.literal != nil else {
      throw QueryTextError(
        message: "In brackets behind a dictionary is a key.", offset: key.offset)
    }
    try expect("]")
    return .element(value, key: key)
  }

  /// Parses what follows `.@`: `count`, `max.priority`, `keys`.
  mutating func collectionOperator(
    of value: QuerySyntax
  ) throws(QueryTextError) -> QuerySyntax.Form {
    let word = keyword ?? ""
    let function: String
    switch word {
    case "count", "size": function = "count"
    case "sum", "min", "max": function = word
    case "avg": function = "average"
    case "keys", "allkeys", "values", "allvalues":
      place += 1
      return .entries(value, isKeys: word.hasSuffix("keys"))
    default:
      throw error(
        """
        There is no @\(found): behind a dot are @count, @size, @sum, @min, @max, @avg, @keys, \
        @allKeys, @values and @allValues.
        """)
    }
    place += 1
    guard function != "count" else { return .member(value, function, nil) }
    // What follows is asked of each object.
    var argument: QuerySyntax?
    while takeSign(".") {
      let start = argument?.offset ?? token.offset
      let name = try takeName("A field of the objects follows @\(word).")
      let form: QuerySyntax.Form =
        if let argument { .member(argument, name, nil) } else { .name(name) }
      argument = try syntax(start, form)
    }
    return .member(value, function, argument)
  }

  /// Parses what follows `@` where a value begins: `links.Order.customer`.
  mutating func backlinks() throws(QueryTextError) -> QuerySyntax.Form {
    guard takeWord("links") else {
      throw error("There is no @\(found) here: a value may begin with @links.Model.field.")
    }
    try expect(".")
    let table = try takeName("The name of a model follows @links.")
    try expect(".")
    let offset = token.offset
    let field = try takeName("The field that links to the object follows the model.")
    return .inverse(table: table, field: try syntax(offset, .name(field)))
  }

  /// Parses what follows `SUBQUERY`: `(tasks, $task, $task.priority > 3).@count`.
  mutating func subquery() throws(QueryTextError) -> QuerySyntax.Form {
    try expect("(")
    let objects = try nested { (parser) throws(QueryTextError) in try parser.value() }
    try expect(",")
    guard case .variable(let variable) = token.kind else {
      throw error("Here comes the name of each of the objects: $task.")
    }
    place += 1
    try expect(",")
    let condition = try nested { (parser) throws(QueryTextError) in try parser.condition() }
    try expect(")")
    try expect(".")
    _ = takeSign("@")
    guard takeKeyword("count") || takeKeyword("size") else {
      throw error("A SUBQUERY is counted: .@count follows it.")
    }
    return .subquery(objects, variable: variable, condition)
  }
}
