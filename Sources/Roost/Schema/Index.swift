internal import RoostEngine

/// An index over several properties of a model, or over only some of its objects.
///
/// ```swift
/// struct Message: Model {
///   let id: Int
///   var chat: Int
///   var date: Date
///   var isRead: Bool
///   static let schema = Schema(
///     Message.init, Key("id", \.id), Field("chat", \.chat), Field("date", \.date), Field("isRead", \.isRead))
///   static let indexes: [Index<Message>] = [
///     Index(\.chat, \.date),
///     Index(\.date, where: { $0.isRead == false }),
///   ]
/// }
/// ```
///
/// It is ordered by the first property, then by the second, and so on. A query uses it if it asks for single values of
/// the first few properties, and optionally for a range of the next; a query ordered by the properties after those
/// with single values finds its first results without sorting. A partial index is as large as its number of objects; a
/// query uses it if it asks for the index's whole condition, or for more.
///
/// Each index adds a little to the cost of an insert, and of each change of one of its properties. For a single property
/// and all objects, use ``FieldOption/indexed``.
public struct Index<M: Model>: Sendable {
  /// Makes the index with the names of the model's fields, once the schema exists: it does not while the model's statics
  /// are being initialized.
  let draft: @Sendable (ModelName, [FieldDescription]) throws(StoreError) -> TableIndexDraft
}

extension Index {
  /// The engine's definitions of a model's indexes.
  static func drafts(
    _ indexes: [Index], of model: ModelName, _ fields: [FieldDescription]
  ) throws(StoreError) -> [TableIndexDraft] {
    var drafts: [TableIndexDraft] = []
    for index in indexes {
      let draft = try index.draft(model, fields)
      if draft.fields.isEmpty || draft.fields.count > TableIndex.fieldsMax {
        throw refusal(
          model, "has \(draft.fields.count) fields; 1 to \(TableIndex.fieldsMax) are meant")
      }
      if draft.condition.count > TableIndex.conditionsMax {
        throw refusal(
          model,
          "has \(draft.condition.count) conditions; \(TableIndex.conditionsMax) are the most")
      }
      if Set(draft.fields).count < draft.fields.count { throw refusal(model, "has a field twice") }
      if drafts.contains(draft) {
        throw refusal(model, "of (\(draft.fields.joined(separator: ", "))) is there twice")
      }
      drafts.append(draft)
    }
    if drafts.count > Catalog.indexesMax {
      throw .schemaInvalid(
        model: model.name,
        reason: "it has \(drafts.count) indexes; \(Catalog.indexesMax) are the most.")
    }
    return drafts
  }

  /// The error for an invalid index of a model.
  static func refusal(_ model: ModelName, _ reason: String) -> StoreError {
    .schemaInvalid(model: model.name, reason: "an index \(reason).")
  }
}
