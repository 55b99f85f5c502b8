public import Roost
internal import RoostEngine

extension Query {
  /// The objects that fulfil a condition in text form, whose values are arguments.
  ///
  /// ```swift
  /// let places = try Query<Place>(where: "city == %@ AND visitors.@count > 3", city)
  /// ```
  ///
  /// The text has our own words or those that Realm documented for predicate strings. `%@` takes the next value, `%K` the name
  /// of a field, `$0` the first value. A value never becomes a part of the text, so that nothing in it can change the condition:
  /// put into the text only what the program itself wrote.
  ///
  /// The text is bound to the model's schema at once, and to each file that the query runs on. Takes time linear in its length
  /// and in the number of fields of the models that links lead to.
  /// - Parameters:
  ///   - condition: A condition alone, without the name of a model, an order or a limit.
  ///   - values: The values in the order of their places in the text, and no more than it has: numbers, texts, dates, ids, links,
  ///     nil, and arrays and sets of them for `IN` and `BETWEEN`.
  /// - Throws: `QueryTextError` where the text is no condition, names a field that the models do not have, or compares what
  ///   cannot be compared; and where the number of values is another than the text's.
  public init(where condition: String, _ values: (any PropertyValue)?...) throws(QueryTextError) {
    self = try Self(where: condition, values: values)
  }

  /// The objects that fulfil a condition in text form, whose values are in a list.
  ///
  /// - Parameters:
  ///   - condition: A condition alone, as in ``init(where:_:)``.
  ///   - values: The values in the order of their places in the text.
  ///   - inverses: Inverses with a name, by which the text can ask for their objects: `"ANY orders.price > 3"`.
  /// - Throws: Errors as ``init(where:_:)``.
  public init<each Target: Model, each Source: Model>(
    where condition: String, values: [(any PropertyValue)?],
    inverses: repeat Inverse<each Target, each Source>
  ) throws(QueryTextError) {
    var arguments: [QueryArgument] = []
    for value in values {
      guard let argument = QueryArgument(value) else {
        throw QueryTextError(
          message: "Value \(arguments.count + 1) of \(values.count) cannot be compared.", offset: 0)
      }
      arguments.append(argument)
    }
    var models = [ModelName(M.self)]
    var named: [NamedInverse] = []
    for inverse in repeat each inverses {
      models += inverse.models
      if let name = inverse.named { named.append(name) }
    }
    var seen: Set<ModelName> = []
    let binding: StoreBinding
    do {
      binding = try StoreBinding.reaching(models.filter { seen.insert($0).inserted })
    } catch {
      throw QueryTextError(message: "\(error)", offset: 0)
    }
    let origin = QueryConditionOrigin(
      text: condition, arguments: arguments, inverses: named, binding: binding)
    _ = try origin.bound(to: Self.modelName, in: binding.catalog)
    self.init(origin, limit: nil, offset: 0)
  }
}

extension Inverse {
  fileprivate var models: [ModelName] { [ModelName(Target.self), sourceModel] }

  /// The inverse by its name; nil if it has none.
  fileprivate var named: NamedInverse? {
    member.map {
      NamedInverse(
        target: ModelName(Target.self).name, name: $0, source: sourceModel.name, link: linkName)
    }
  }
}

/// A query's objects as a condition in text form.
///
/// Bound again for each file that the query runs on, because only the file defines what the names refer to.
private struct QueryConditionOrigin: QueryOrigin {
  let text: String
  let arguments: [QueryArgument]
  let inverses: [NamedInverse]
  let binding: StoreBinding

  static func == (a: Self, b: Self) -> Bool {
    a.text == b.text && a.arguments == b.arguments && a.inverses == b.inverses
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(text)
    hasher.combine(arguments)
    hasher.combine(inverses)
  }

  func query(of model: String, in catalog: Catalog) throws(StoreError) -> ObjectQuery {
    do {
      return try bound(to: model, in: catalog)
    } catch {
      throw .queryUnfit(text: text, reason: error.message)
    }
  }

  func bound(to model: String, in catalog: Catalog) throws(QueryTextError) -> ObjectQuery {
    var sentence = QuerySentence(offset: 0, table: model)
    sentence.condition = try QueryParser.condition(of: text, arguments)
    return try QueryBinder(catalog: catalog, inverses: inverses, models: binding).query(sentence)
  }
}
