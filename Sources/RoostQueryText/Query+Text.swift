public import Roost
internal import RoostEngine

extension Query {
  /// Parses a query for the models of a store.
  ///
  /// ```swift
  /// let adults = try Query<Person>(#"Person where age >= 18 && name contains[i] "an" sort name"#, in: store)
  /// let people = try store.read { try $0.fetch(adults.limit(20)) }
  /// ```
  ///
  /// The text has the form of a query's description. The query can be run and refined like any other. Names are those of the
  /// file; a constant takes the type of the value beside it. Takes time linear in the length of the text.
  /// - Throws: `QueryTextError` where the text is no query, or asks for another model, or for what the models do not have.
  public init(_ text: String, in store: Store) throws(QueryTextError) {
    let sentence = try QueryParser.sentence(of: text)
    let origin = QueryTextOrigin(text: text, binding: store.binding)
    _ = try origin.bound(sentence, to: Self.modelName, in: store.binding.catalog)
    self.init(origin, limit: sentence.limit, offset: sentence.objectsLeftOut)
  }
}

/// A query's objects in text form.
///
/// Parsed again for each file that the query runs on, because only the file defines what the names refer to.
private struct QueryTextOrigin: QueryOrigin {
  let text: String
  let binding: StoreBinding

  static func == (a: Self, b: Self) -> Bool { a.text == b.text }

  func hash(into hasher: inout Hasher) { hasher.combine(text) }

  func query(of model: String, in catalog: Catalog) throws(StoreError) -> ObjectQuery {
    do {
      return try bound(try QueryParser.sentence(of: text), to: model, in: catalog)
    } catch {
      throw .queryUnfit(text: text, reason: error.message)
    }
  }

  func bound(
    _ sentence: QuerySentence, to model: String, in catalog: Catalog
  ) throws(QueryTextError) -> ObjectQuery {
    guard sentence.table == model else {
      throw QueryTextError(
        message:
          "The text asks for objects of \"\(sentence.table)\", and the model is stored as \"\(model)\".",
        offset: sentence.offset)
    }
    return try QueryBinder(catalog: catalog, models: binding).query(sentence)
  }
}
