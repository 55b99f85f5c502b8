internal import RoostEngine

/// An index over several properties of a model, or over some of its objects only.
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
/// It is ordered by the first property, then by the second one, and so on. A query uses it that asks for single values of
/// the first few properties, and maybe for a range of the next one; one that is ordered by the properties after those
/// with single values finds its first results without sorting. An index of some objects is as large as they are many; a
/// query uses it that asks for its whole condition, or for more.
///
/// Each index makes an insert cost a little more, and each change of one of its properties. For a single property and
/// all objects, ``FieldOption/indexed`` is the better one.
public struct Index<M: Model>: Sendable {
  /// Makes the index with the names of the model's fields, when the schema is there: it is not while a model's statics
  /// are being made.
  let draft: @Sendable (ModelName, [FieldDescription]) throws(StoreError) -> TableIndexDraft
}

extension Index {
  /// What the engine makes of a model's indexes.
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

  /// That a model has an index which none can be.
  static func refusal(_ model: ModelName, _ reason: String) -> StoreError {
    .schemaInvalid(model: model.name, reason: "an index \(reason).")
  }
}
